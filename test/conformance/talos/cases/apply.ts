import { expect } from 'vitest';
import type { Case, Stage } from '../case.ts';
import type { Answer, Where, World } from '../world.ts';

const document = 'apiVersion: v1alpha1\nkind: StaticHostConfig\nname: 10.9.9.9\nhostnames: [x]\n';

export const withSysctl = (config: string): string =>
  config.replace('  features:\n', '  sysctls:\n    net.ipv4.conf.lo.accept_local: "0"\n  features:\n');
const withFile = (config: string): string => config.replace('  features:\n', '  env:\n    NOPE: "1"\n  features:\n');

type Reply = { readonly mode?: string | number; readonly modeDetails: string; readonly warnings?: readonly string[] };

export const apply = (
  world: World,
  at: Where,
  text: string,
  more: { readonly mode?: string | number; readonly dryRun?: boolean; readonly tryModeTimeout?: string },
): Promise<Answer> => world.call(at, 'ApplyConfiguration', { data: Buffer.from(text).toString('base64'), ...more });

const replyOf = ({ messages }: Answer): Reply => (messages[0] as unknown as { messages: [Reply] }).messages[0];

/** The mode of the answer and its first lines; what follows "Config diff:" carries keys and is only looked at for being there. */
const summary = (answer: Answer): object => {
  if (answer.code !== 'OK') return { code: answer.code, words: answer.message.split('\n')[0] };
  const { mode = 'REBOOT', modeDetails } = replyOf(answer);
  const [words = '', diff = ''] = modeDetails.split('Config diff:\n\n');
  const change = diff === '' ? 'none told' : diff === 'No changes.' ? 'no changes' : diff.split('\n')[0];
  return { code: 'OK', mode, words: words.trim(), change };
};

const dry = (mode: string | number, words: string, change: string): object => ({
  code: 'OK',
  mode,
  words: `Dry run summary:\n${words} (skipped in dry-run).`,
  change,
});

const immediate = 'Applied configuration without a reboot';
const reboot = 'Applied configuration with a reboot';
const staged = 'Staged configuration to be applied after the next reboot';
const cannot = { code: 'INVALID_ARGUMENT', words: "this config change can't be applied in immediate mode" };

type Row = {
  readonly name: string;
  readonly mode: string | number;
  readonly text: (configs: World['configs']) => string;
  readonly expected: object;
};

const whole = (configs: World['configs']): string => configs.controlPlane;
const sysctl = (configs: World['configs']): string => withSysctl(configs.controlPlane);
const needsReboot = (configs: World['configs']): string => withFile(configs.controlPlane);

const inMaintenance: readonly Row[] = [
  { name: 'REBOOT is turned into none', mode: 'REBOOT', text: whole, expected: dry('NO_REBOOT', immediate, '--- a') },
  { name: 'AUTO', mode: 'AUTO', text: whole, expected: dry('NO_REBOOT', immediate, '--- a') },
  { name: 'NO_REBOOT', mode: 'NO_REBOOT', text: whole, expected: dry('NO_REBOOT', immediate, '--- a') },
  { name: 'STAGED', mode: 'STAGED', text: whole, expected: dry('STAGED', staged, '--- a') },
  { name: 'TRY', mode: 'TRY', text: whole, expected: dry('TRY', immediate, '--- a') },
  { name: 'a mode that nobody knows', mode: 9, text: whole, expected: dry(9, reboot, '--- a') },
];

const onControlPlane: readonly Row[] = [
  { name: 'the same, AUTO', mode: 'AUTO', text: whole, expected: dry('NO_REBOOT', immediate, 'no changes') },
  { name: 'the same, REBOOT', mode: 'REBOOT', text: whole, expected: dry('REBOOT', reboot, 'no changes') },
  { name: 'the same, STAGED', mode: 'STAGED', text: whole, expected: dry('STAGED', staged, 'no changes') },
  { name: 'a sysctl, AUTO', mode: 'AUTO', text: sysctl, expected: dry('NO_REBOOT', immediate, '--- a') },
  { name: 'a sysctl, NO_REBOOT', mode: 'NO_REBOOT', text: sysctl, expected: dry('NO_REBOOT', immediate, '--- a') },
  { name: 'a sysctl, TRY', mode: 'TRY', text: sysctl, expected: dry('TRY', immediate, '--- a') },
  { name: 'environment, AUTO reboots', mode: 'AUTO', text: needsReboot, expected: dry('REBOOT', reboot, '--- a') },
  { name: 'environment, NO_REBOOT cannot', mode: 'NO_REBOOT', text: needsReboot, expected: cannot },
  { name: 'environment, TRY cannot', mode: 'TRY', text: needsReboot, expected: cannot },
  { name: 'environment, STAGED', mode: 'STAGED', text: needsReboot, expected: dry('STAGED', staged, '--- a') },
  { name: 'a mode that nobody knows', mode: 9, text: needsReboot, expected: dry(9, reboot, '--- a') },
  {
    name: 'another role, AUTO reboots',
    mode: 'AUTO',
    text: (configs) => configs.worker,
    expected: dry('REBOOT', reboot, '--- a'),
  },
  { name: 'another role, NO_REBOOT cannot', mode: 'NO_REBOOT', text: (configs) => configs.worker, expected: cannot },
];

const dryRun = (stage: Stage, at: Where, { name, mode, text, expected }: Row): Case => ({
  stage,
  name: `apply, dry run, ${stage}: ${name}`,
  run: async (world) => {
    expect(summary(await apply(world, at, text(world.configs), { mode, dryRun: true }))).toEqual(expected);
  },
});

const configOf = { namespace: 'config', type: 'MachineConfigs.config.talos.dev' };

async function storedConfig({ call }: World, id: string): Promise<string> {
  const { messages } = await call('controlPlane', 'State/Get', { ...configOf, id });
  const { resource } = messages[0] as { resource: { spec: { protoSpec: string } } };
  const spec = Buffer.from(resource.spec.protoSpec, 'base64');
  return spec.subarray(spec.indexOf('version: v1alpha1')).toString();
}

export const applyCases: readonly Case[] = [
  ...inMaintenance.map((row) => dryRun('maintenance', 'maintenance', row)),
  ...onControlPlane.map((row) => dryRun('configured', 'controlPlane', row)),
  {
    stage: 'maintenance',
    name: 'apply: a document alone is taken, and the node stays in maintenance mode',
    run: async (world) => {
      const answer = await apply(world, 'maintenance', document, { mode: 'AUTO' });
      expect(summary(answer)).toEqual({ code: 'OK', mode: 'NO_REBOOT', words: immediate, change: 'none told' });
      expect((await world.call('maintenance', 'Version')).code).toBe('OK');
    },
  },
  {
    stage: 'maintenance',
    name: 'apply: a staged configuration leaves the node in maintenance mode',
    run: async (world) => {
      const answer = await apply(world, 'maintenance', world.configs.worker, { mode: 'STAGED' });
      expect(summary(answer)).toEqual({ code: 'OK', mode: 'STAGED', words: staged, change: 'none told' });
      expect((await world.call('maintenance', 'Version')).code).toBe('OK');
    },
  },
  {
    stage: 'configured',
    name: 'apply: the same again changes nothing and answers at once',
    run: async (world) => {
      const answer = await apply(world, 'controlPlane', world.configs.controlPlane, { mode: 'AUTO' });
      expect(summary(answer)).toEqual({ code: 'OK', mode: 'NO_REBOOT', words: immediate, change: 'none told' });
    },
  },
  {
    stage: 'configured',
    name: 'apply: a change without a reboot is in both stored configurations, and can be taken back',
    run: async (world) => {
      const changed = withSysctl(world.configs.controlPlane);
      expect(summary(await apply(world, 'controlPlane', changed, { mode: 'NO_REBOOT' }))).toMatchObject({
        mode: 'NO_REBOOT',
      });
      const stored = [await storedConfig(world, 'v1alpha1'), await storedConfig(world, 'persistent')];
      await apply(world, 'controlPlane', world.configs.controlPlane, { mode: 'NO_REBOOT' });
      expect(stored.map((text) => text === changed)).toEqual([true, true]);
      expect((await storedConfig(world, 'v1alpha1')) === world.configs.controlPlane).toBe(true);
    },
  },
  {
    stage: 'configured',
    name: 'apply: what is tried is active and not stored, and comes back by itself',
    run: async (world) => {
      const tried = withSysctl(world.configs.controlPlane);
      const answer = await apply(world, 'controlPlane', tried, { mode: 'TRY', tryModeTimeout: '2s' });
      expect(summary(answer)).toEqual({
        code: 'OK',
        mode: 'TRY',
        words: `${immediate}\nThe config is applied in 'try' mode and will be automatically reverted back in 2s`,
        change: 'none told',
      });
      const during = [await storedConfig(world, 'v1alpha1'), await storedConfig(world, 'persistent')];
      expect(during.map((text) => text === tried)).toEqual([true, false]);
      const back = await world.until(
        () => world.call('controlPlane', 'State/Get', { ...configOf, id: 'v1alpha1' }),
        ({ messages }) => !JSON.stringify(messages).includes('accept_local'),
      );
      expect(JSON.stringify(back.messages).includes('accept_local')).toBe(false);
    },
  },
];
