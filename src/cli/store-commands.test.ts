import { existsSync, lstatSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { parse } from 'yaml';
import { seededEntropy } from '../../test/entropy.ts';
import { folder } from '../../test/folder.ts';
import { twoMachines } from '../../test/talos-platform.ts';
import { Problem } from '../model/problem.ts';
import { openFileStore } from '../state/file/store.ts';
import { thisProcess } from '../state/process.ts';
import type { Holder, JournalEntry } from '../state/store.ts';
import { systemClock, systemEntropy } from '../state/system.ts';
import { history } from './history.ts';
import { kubeconfig } from './kubeconfig.ts';
import type { StoreDoor } from './store-door.ts';
import { talosconfig } from './talosconfig.ts';
import { unlock } from './unlock.ts';

const file = twoMachines({ cp: '10.0.0.11', worker: '10.0.0.21' });

/** The commands over a folder of their own; what they print, and what a person answers. */
function inFolder(path: string, answer?: string) {
  const said = { out: '', err: '' };
  const door: StoreDoor = {
    terminal: () => ({
      out: (text) => void (said.out += text),
      err: (text) => void (said.err += text),
      paint: (_, text) => text,
      columns: 100,
      interactive: answer !== undefined,
      ...(answer === undefined ? {} : { ask: () => Promise.resolve(answer) }),
    }),
    store: ({ workspace }) => Promise.resolve(openFileStore({ folder: path, workspace })),
    system: () => Promise.resolve({ clock: systemClock, entropy: systemEntropy }),
  };
  const run = async (...words: readonly string[]): Promise<string> => {
    const program = new Command('ichor').exitOverride();
    for (const command of [unlock, history, kubeconfig, talosconfig]) command(program, door);
    const before = process.exitCode;
    onTestFinished(() => void (process.exitCode = before));
    said.out = '';
    await program.parseAsync(words, { from: 'user' });
    return said.out;
  };
  return { run, store: openFileStore({ folder: path, workspace: 'default' }) };
}

const problemOf = async (action: Promise<unknown>): Promise<Problem> => {
  const error = await action.catch((thrown: unknown) => thrown);
  if (error instanceof Problem) return error;
  throw new Error('It was not refused.', { cause: error });
};

const holder = async (): Promise<Holder> => ({
  run: 'run-1',
  command: 'ichor up -f prod.yaml',
  who: 'ada',
  host: 'desk',
  since: '2026-11-17T10:00:00.000Z',
  ...(await thisProcess()),
});

test('unlock where nobody holds the lock says so', async () => {
  const path = folder();
  expect(await inFolder(path).run('unlock')).toBe(`Nobody holds the lock of workspace default in ${path}.\n`);
});

test('unlock shows who holds the lock, whether it lives, and breaks it when a person agrees', async () => {
  const path = folder();
  const { store } = inFolder(path);
  await store.lock(await holder());
  expect((await problemOf(inFolder(path, 'no').run('unlock'))).message).toBe('The lock stays.');
  expect((await problemOf(inFolder(path).run('unlock'))).remedy).toBe(
    'Make sure that it is over, then say that you mean it:\n    ichor unlock --yes',
  );
  expect(JSON.parse(await inFolder(path).run('unlock', '-o', 'json'))).toMatchObject({
    problems: [
      {
        code: 'not-confirmed',
        message: expect.stringMatching(
          /^ada on desk holds the lock since 2026-11-17T10:00:00.000Z: "ichor up -f prod.yaml" \(run run-1, process \d+\)\. That process is still running\. With --output json nothing is asked, and nobody has said yes\.$/,
        ) as string,
      },
    ],
  });
  expect(await store.holder()).toBeDefined();
  expect(await inFolder(path, 'yes').run('unlock')).toBe(`ada on desk holds the lock since 2026-11-17T10:00:00.000Z:
  command  ichor up -f prod.yaml
  run      run-1
  process  ${process.pid}
That process is still running.
unlocked: workspace default in ${path}
`);
  expect(await store.holder()).toBeUndefined();
});

test('unlock --yes asks nothing, also for programs', async () => {
  const { run, store } = inFolder(folder());
  await store.lock({ ...(await holder()), started: 'long ago' });
  expect(JSON.parse(await run('unlock', '--yes', '--output', 'json'))).toMatchObject({
    unlocked: true,
    alive: 'no',
    holder: { who: 'ada' },
  });
});

const at = (second: number): string => new Date(Date.UTC(2026, 10, 17, 10, 0, second)).toISOString();
const entries: readonly JournalEntry[] = [
  {
    at: at(0),
    kind: 'began',
    run: { id: 'run-1', platform: 'prod', intent: 'converge', who: 'ada', host: 'desk', pid: 7, command: 'ichor up' },
  },
  { at: at(1), kind: 'planned', pass: 1, steps: 2, digest: 'x' },
  { at: at(1), kind: 'intent', step: 'machine.create cp-1', attempt: 1, because: 'it is missing' },
  { at: at(9), kind: 'done', step: 'machine.create cp-1', ms: 8000 },
  { at: at(9), kind: 'intent', step: 'machine.create w-1', attempt: 2, because: 'it is missing' },
  { at: at(12), kind: 'failed', step: 'machine.create w-1', code: 'storage-full', message: 'Storage "a" is full.' },
  { at: at(12), kind: 'ended', outcome: 'stuck', changed: 1 },
];

test('history shows runs, and one of them step by step', async () => {
  const path = folder();
  const { run, store } = inFolder(path);
  expect(await run('history')).toBe(`There was no run of workspace default in ${path}.\n`);
  {
    await using journal = await store.begin('run-1');
    for (const entry of entries) await journal.write(entry);
  }
  expect(await run('history')).toBe(
    `run    began                    who       what  outcome  changed  took  command
run-1  2026-11-17 10:00:00 UTC  ada@desk  up    stuck          1  12 s  ichor up
`,
  );
  expect(await run('history', 'run-1')).toBe(`run      run-1
who      ada on desk
command  ichor up
began    2026-11-17 10:00:00 UTC
took     12 s
outcome  stuck, 1 changed

    +1.0 s  pass 1: 2 steps to do
    +1.0 s  machine.create cp-1: it is missing
    +9.0 s  machine.create cp-1 done in 8.0 s
    +9.0 s  machine.create w-1: it is missing (attempt 2)
   +12.0 s  machine.create w-1 failed: Storage "a" is full.
   +12.0 s  stuck, 1 changed
`);
  const { runs } = JSON.parse(await run('history', '-o', 'json')) as { runs: readonly object[] };
  expect(runs).toMatchObject([{ id: 'run-1', outcome: 'stuck', failures: [{ code: 'storage-full' }] }]);
  const { message, remedy } = await problemOf(run('history', 'run-2'));
  expect([message, remedy]).toEqual([
    'There is no run "run-2".',
    'Did you mean run-1? See which there are:\n    ichor history',
  ]);
});

test('kubeconfig and talosconfig come from the secrets, and are merged without losing anything', async () => {
  const path = folder();
  const [platform, mine] = [join(path, 'platform.yaml'), join(path, 'deep', 'mine')];
  writeFileSync(platform, file);
  const { run, store } = inFolder(path);
  const { code, remedy } = await problemOf(run('kubeconfig', '-f', platform));
  expect([code, remedy.split('\n').at(-1)]).toEqual(['no-secrets', `    ichor up -f ${platform}`]);

  const { newSecretsText } = await secretsFor();
  await store.makeSecrets(newSecretsText);
  const printed = parse(await run('kubeconfig', '-f', platform)) as {
    clusters: readonly { cluster: { server: string } }[];
  };
  expect(printed.clusters[0]?.cluster.server).toBe('https://10.0.0.11:6443');
  expect(existsSync(join(path, 'talos', 'kubeconfig'))).toBe(false);

  for (const what of ['kubeconfig', 'talosconfig'])
    expect(JSON.parse(await run(what, '-f', platform, '-o', 'json'))).toEqual(
      parse(await run(what, '-f', platform), (key: unknown, value: unknown) =>
        /(?:crt|key|data)$/.test(String(key)) ? expect.any(String) : value,
      ),
    );
  expect((await run('kubeconfig', '-f', platform, '-o', 'jsonl')).trimEnd()).not.toContain('\n');

  expect(await run('kubeconfig', '-f', platform, '--out', mine)).toMatch(
    /^written: .*mine, where context admin@prod is the current one now\n$/,
  );
  expect(statSync(mine).mode & 0o777).toBe(0o600);
  const other = `apiVersion: v1
kind: Config
# mine
clusters: [{ name: home, cluster: { server: "https://10.1.0.1:6443" } }]
users: [{ name: home, user: { token: x } }]
contexts: [{ name: home, context: { cluster: home, user: home } }]
current-context: home
`;
  writeFileSync(mine, other);
  await run('kubeconfig', '-f', platform, '--out', mine);
  const merged = readFileSync(mine, 'utf8');
  expect(merged).toContain('# mine');
  expect((parse(merged) as { contexts: readonly { name: string }[] }).contexts.map(({ name }) => name)).toEqual([
    'home',
    'admin@prod',
  ]);
  expect(await run('kubeconfig', '-f', platform, '--out', mine)).toMatch(/^Nothing to change/);

  const talos = join(path, 'talosconfig');
  writeFileSync(talos, 'context: home\ncontexts:\n    home:\n        endpoints: [10.1.0.1]\n');
  await run('talosconfig', '-f', platform, '--out', talos);
  expect(parse(readFileSync(talos, 'utf8'))).toMatchObject({
    context: 'prod',
    contexts: { home: { endpoints: ['10.1.0.1'] }, prod: { endpoints: ['10.0.0.11'] } },
  });
});

const home = `apiVersion: v1
kind: Config
# mine
clusters: [{ name: home, cluster: { server: "https://10.1.0.1:6443" } }]
users: [{ name: home, user: { token: x } }]
contexts: [{ name: home, context: { cluster: home, user: home, namespace: apps } }]
current-context: home
`;

describe('--merge', () => {
  const built = async () => {
    const path = folder();
    const platform = join(path, 'platform.yaml');
    writeFileSync(platform, file);
    const { run, store } = inFolder(path);
    await store.makeSecrets((await secretsFor()).newSecretsText);
    for (const name of ['HOME', 'USERPROFILE', 'KUBECONFIG', 'TALOSCONFIG']) vi.stubEnv(name, undefined);
    onTestFinished(() => void vi.unstubAllEnvs());
    return { path, merge: (what: string) => run(what, '-f', platform, '--merge') };
  };

  test('goes into the file of whoever runs it, which may not be there yet, for its owner alone', async () => {
    const { path, merge } = await built();
    vi.stubEnv('HOME', path);
    for (const [what, place] of [
      ['kubeconfig', '.kube/config'],
      ['talosconfig', '.talos/config'],
    ] as const) {
      expect(await merge(what)).toMatch(/^written: /);
      expect(statSync(join(path, place)).mode & 0o777).toBe(0o600);
    }
  });

  test.each(['kubeconfig', 'talosconfig'])(
    'of a %s writes nothing where nobody says whose home it is',
    async (what) => {
      const { merge } = await built();
      const { code, remedy } = await problemOf(merge(what));
      expect([code, remedy.split('\n').at(-1)]).toEqual(['no-home', '    export HOME=/home/you']);
    },
  );

  test('of a kubeconfig loses nothing that was there, however often, whatever is current', async () => {
    const { path, merge } = await built();
    const mine = join(path, 'mine');
    vi.stubEnv('KUBECONFIG', `${mine}:${join(path, 'other')}`);
    writeFileSync(mine, home);
    for (let time = 0; time < 3; time++) {
      await merge('kubeconfig');
      const text = readFileSync(mine, 'utf8');
      expect(text).toContain('# mine');
      const { contexts, clusters, users } = parse(text) as Record<string, readonly { readonly name: string }[]>;
      expect(contexts?.map(({ name }) => name)).toEqual(['home', 'admin@prod']);
      expect(clusters?.map(({ name }) => name)).toEqual(['home', 'prod']);
      expect(contexts?.[0]).toEqual({ name: 'home', context: { cluster: 'home', user: 'home', namespace: 'apps' } });
      expect(users?.[0]).toEqual({ name: 'home', user: { token: 'x' } });
      writeFileSync(mine, text.replace(/^current-context: .*$/m, 'current-context: home'));
    }
    expect(existsSync(join(path, 'other'))).toBe(false);
  });

  test('of a talosconfig loses nothing that was there, however often, whatever is current', async () => {
    const { path, merge } = await built();
    const mine = join(path, 'mine');
    vi.stubEnv('TALOSCONFIG', mine);
    writeFileSync(mine, '# mine\ncontext: home\ncontexts:\n    home:\n        endpoints: [10.1.0.1]\n');
    for (let time = 0; time < 3; time++) {
      await merge('talosconfig');
      const text = readFileSync(mine, 'utf8');
      expect(text).toContain('# mine');
      const { contexts } = parse(text) as { readonly contexts: Readonly<Record<string, unknown>> };
      expect(Object.keys(contexts)).toEqual(['home', 'prod']);
      expect(contexts['home']).toEqual({ endpoints: ['10.1.0.1'] });
      writeFileSync(mine, text.replace(/^context: .*$/m, 'context: home'));
    }
  });

  test('of a talosconfig leaves a cluster alone that has the same name', async () => {
    const { path, merge } = await built();
    const other = await built();
    const mine = join(path, 'mine');
    vi.stubEnv('TALOSCONFIG', mine);
    await merge('talosconfig');
    const before = parse(readFileSync(mine, 'utf8')) as { readonly contexts: Readonly<Record<string, unknown>> };
    vi.stubEnv('TALOSCONFIG', mine);
    expect(await other.merge('talosconfig')).toMatch(/, where context prod-1 is the current one now\n$/);
    expect(await other.merge('talosconfig')).toMatch(/^Nothing to change: context prod-1/);
    expect(parse(readFileSync(mine, 'utf8'))).toMatchObject({ context: 'prod-1', contexts: before.contexts });
  });

  test.each(['kubeconfig', 'talosconfig'])(
    'through a link changes the file of a %s, and leaves the link',
    async (what) => {
      const { path, merge } = await built();
      const [real, link] = [join(path, 'dotfiles'), join(path, 'link')];
      writeFileSync(real, '', { mode: 0o644 });
      symlinkSync(real, link);
      vi.stubEnv(what.toUpperCase(), link);
      expect(await merge(what)).toMatch(/^written: .*link, /);
      expect([lstatSync(link).isSymbolicLink(), lstatSync(real).mode & 0o777]).toEqual([true, 0o600]);
      expect(readFileSync(real, 'utf8')).toContain('prod');
    },
  );

  test.each(['kubeconfig', 'talosconfig'])('where a folder of a %s cannot be made says so', async (what) => {
    const { path, merge } = await built();
    writeFileSync(join(path, 'file'), '');
    symlinkSync(join(path, 'nowhere'), join(path, 'dead'));
    vi.stubEnv(what.toUpperCase(), join(path, 'dead', 'deep', 'config'));
    const { code, message } = await problemOf(merge(what));
    expect([code, message]).toEqual([
      'unwritable-file',
      expect.stringMatching(/^The folder ".*dead\/deep" cannot be made \(E/),
    ]);
  });

  test.each(['kubeconfig', 'talosconfig'])('into a %s that cannot be read leaves it as it is', async (what) => {
    const { path, merge } = await built();
    const mine = join(path, 'mine');
    vi.stubEnv(what.toUpperCase(), mine);
    for (const text of ['{ broken', '[1, 2]']) {
      writeFileSync(mine, text);
      await expect(merge(what)).rejects.toThrow(/./);
      expect(readFileSync(mine, 'utf8')).toBe(text);
    }
  });
});

let made = 0;
async function secretsFor(): Promise<{ readonly newSecretsText: string }> {
  const [{ newSecrets }, { secretsText }, { contractOf }, { parseVersion }] = await Promise.all([
    import('../talos/secrets/new.ts'),
    import('../talos/secrets/text.ts'),
    import('../talos/config/contract.ts'),
    import('../model/version.ts'),
  ]);
  const version = parseVersion('1.13.0');
  const contract = version && contractOf(version);
  if (contract === undefined) throw new Error('There is no contract.');
  return { newSecretsText: secretsText(await newSecrets(seededEntropy(`${made++}`), systemClock, contract)) };
}
