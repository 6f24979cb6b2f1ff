import { describe, expect, test } from 'vitest';
import { seededEntropy, testClock, testNow } from '../../test/entropy.ts';
import { platformOf, twoMachines } from '../../test/talos-platform.ts';
import type { Problem } from '../model/problem.ts';
import { readTalosconfig } from '../talos/talosconfig/read.ts';
import { chosenPlatform } from './platforms.ts';
import { generate, machineOf, type Generated, type Generation } from './talos-gen.ts';

const platform = platformOf(twoMachines());
const making = { clock: testClock, entropy: seededEntropy('gen') };
const later = (days: number) => ({ ...making, clock: { now: () => new Date(testNow.getTime() + days * 86_400_000) } });
const given = (present: ReadonlyMap<string, string> = new Map()): Generation => ({
  platform,
  present,
  folder: 'talos',
  resolved: new Map(),
});
const written = ({ files }: Generated): ReadonlyMap<string, string> =>
  new Map(files.map(({ path, text }) => [path, text]));
const outline = ({ files }: Generated) =>
  files.map(({ path, change, because }) => `${change} ${path}${because === undefined ? '' : `: ${because}`}`);

describe('what ichor talos gen writes', async () => {
  const first = await generate(given(), making);

  test('is everything that a cluster is made from, secrets first', () => {
    expect(outline(first)).toEqual([
      'new secrets.yaml: made',
      'new talosconfig: made',
      'new control-plane.yaml',
      'new worker.yaml',
      'new nodes/prod-cp-0.yaml',
      'new nodes/prod-general-0.yaml',
    ]);
    expect(first.endpoints).toEqual(['10.10.0.11']);
    expect(first.expires).toEqual(new Date('2027-11-16T12:00:00Z'));
  });

  test('does not change when it is written again', async () => {
    const second = await generate(given(written(first)), { ...making, entropy: seededEntropy('other') });
    expect(new Set(second.files.map(({ change }) => change))).toEqual(new Set(['same']));
    expect(written(second)).toEqual(written(first));
  });

  test('is renewed in its talosconfig alone when less than a third of its life is left', async () => {
    const day = async (days: number) =>
      outline(await generate(given(written(first)), later(days))).filter((line) => !line.startsWith('same'));
    expect(await day(243)).toEqual([]);
    expect(await day(244)).toEqual(['changed talosconfig: renewed: less than a third of its life was left']);
  });

  test('adopts secrets that were made elsewhere, to the byte', async () => {
    const text = `# kept by hand\n${written(first).get('secrets.yaml')}`;
    const adopted = await generate({ ...given(), adopted: { text, file: 'old.yaml' } }, making);
    expect(outline(adopted).at(0)).toBe('new secrets.yaml: adopted from old.yaml');
    expect(written(adopted).get('secrets.yaml')).toBe(text);
    expect(written(adopted).get('control-plane.yaml')).toBe(written(first).get('control-plane.yaml'));
  });

  test('never writes secrets over others', async () => {
    const other =
      written(await generate(given(), { ...making, entropy: seededEntropy('other') })).get('secrets.yaml') ?? '';
    const refused = await generate(
      { ...given(written(first)), adopted: { text: other, file: 'other.yaml' } },
      making,
    ).then(
      () => undefined,
      (error: unknown) => error as Problem,
    );
    expect([refused?.code, refused?.message]).toEqual([
      'secrets-differ',
      '"talos/secrets.yaml" holds other secrets than "other.yaml".',
    ]);
  });

  test('follows the control planes to other addresses, with the same certificate', async () => {
    const moved = platformOf(twoMachines({ cp: '10.10.0.12', worker: '10.10.0.21' }));
    const again = await generate({ ...given(written(first)), platform: moved }, making);
    expect(outline(again)).toContain('changed talosconfig: the control planes have other addresses');
    const contexts = [written(first), written(again)].map((files) =>
      readTalosconfig(files.get('talosconfig') ?? '', 'talosconfig').contexts.get('prod'),
    );
    expect(contexts[1]).toEqual({ ...contexts[0], endpoints: ['10.10.0.12'] });
  });

  test('keeps other contexts of a talosconfig that is there', async () => {
    const own = new Map([
      ...written(first),
      ['talosconfig', 'context: home\ncontexts:\n    home:\n        endpoints: [10.0.0.1]\n'],
    ]);
    const again = await generate(given(own), making);
    const { context, contexts } = readTalosconfig(written(again).get('talosconfig') ?? '', 'talosconfig');
    expect([outline(again)[1], context, [...contexts.keys()]]).toEqual([
      'changed talosconfig: context prod added',
      'prod',
      ['home', 'prod'],
    ]);
  });

  test('issues anew what other secrets had issued', async () => {
    const other =
      written(await generate(given(), { ...making, entropy: seededEntropy('other') })).get('talosconfig') ?? '';
    const again = await generate(given(new Map([...written(first), ['talosconfig', other]])), making);
    expect(outline(again)[1]).toBe('changed talosconfig: its certificate was not from these secrets');
  });

  test('is one file for one machine, and tells of machines that are gone', async () => {
    const present = new Map([...written(first), ['nodes/prod-gone-0.yaml', 'x']]);
    expect((await generate(given(present), making)).left).toEqual(['nodes/prod-gone-0.yaml']);
    const one = await generate({ ...given(), only: 'prod-cp-0' }, making);
    expect(one.files.map(({ path }) => path)).toEqual(['secrets.yaml', 'talosconfig', 'nodes/prod-cp-0.yaml']);
  });
});

test.each<[what: string, action: () => unknown, message: string, remedy: string]>([
  ['no platform', () => chosenPlatform([], undefined), 'There is no platform in this file.', 'Name a file with one.'],
  [
    'several platforms',
    () => chosenPlatform([platform, { ...platform, name: 'test' }], undefined),
    'There are several platforms here.',
    'Choose one with --only: prod, test.',
  ],
  [
    'an unknown platform',
    () => chosenPlatform([platform], 'tset'),
    'There is no platform "tset" here.',
    'Choose one with --only: prod.',
  ],
  [
    'one whose name is nearly right',
    () => chosenPlatform([platform, { ...platform, name: 'staging' }], 'stagin'),
    'There is no platform "stagin" here.',
    'Did you mean "staging"? Choose one with --only: prod, staging.',
  ],
  [
    'an unknown machine',
    () => machineOf(platform, 'cp-9x'),
    'There is no machine "cp-9x" in platform "prod".',
    'There is prod-cp-0, prod-general-0.',
  ],
  [
    'nearly a machine',
    () => machineOf(platform, 'prod-cp-1'),
    'There is no machine "prod-cp-1" in platform "prod".',
    'Did you mean prod-cp-0?',
  ],
])('%s is said with what there is', (_, action, message, remedy) => {
  expect(action).toThrow(expect.objectContaining({ message, remedy }));
});
