import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ConfigFile } from '../../vm.ts';
import { digestOf, emptyFile, parseConfig, printConfig } from './text.ts';

test('a file has its sections in the order in which Proxmox writes them', () => {
  const file: ConfigFile = {
    config: new Map([
      ['name', 'a'],
      ['description', 'first: 50%\n\nthird ü'],
      ['boot', ''],
    ]),
    pending: new Map([['memory', '512']]),
    toDelete: new Map([
      ['scsi1', 'destroy'],
      ['agent', 'detach'],
    ]),
    cloudInitDrift: new Map([['ciuser', 'old']]),
    snapshots: new Map([['snap', new Map([['snaptime', '1']])]]),
  };
  expect(printConfig(file)).toBe(
    [
      '#first%3A 50%25',
      '#',
      '#third %C3%BC',
      'boot: ',
      'name: a',
      '',
      '[PENDING]',
      'delete: agent,!scsi1',
      'memory: 512',
      '',
      '[special:cloudinit]',
      'ciuser: old',
      '',
      '[snap]',
      'snaptime: 1',
      '',
    ].join('\n'),
  );
});

test('what is read back has lost its blanks, and an empty value is one', () => {
  const { config } = parseConfig(
    printConfig({
      ...emptyFile(),
      config: new Map(Object.entries({ boot: '', tags: ' ', name: 'a  ', description: 'x\n \n' })),
    }),
  );
  expect(Object.fromEntries(config)).toEqual({ boot: ' ', tags: ' ', name: 'a', description: 'x' });
});

test('nothing but a lock always has the same digest, and so has nothing at all', () => {
  expect(digestOf(printConfig({ ...emptyFile(), config: new Map([['lock', 'create']]) }))).toBe(
    'a7e9f8c42935261b36fcd1d7d6cd8cd41648da49',
  );
  expect(digestOf(printConfig(emptyFile()))).toBe('da39a3ee5e6b4b0d3255bfef95601890afd80709');
});

const key = fc.constantFrom('name', 'memory', 'scsi0', 'net0', 'boot', 'tags', 'agent', 'description');
const value = fc.stringMatching(/^[!-~]{1,8}( [!-~]{1,8})?$/);
const section = fc.dictionary(key, value).map((entries) => new Map(Object.entries(entries)));
const file: fc.Arbitrary<ConfigFile> = fc.record({
  config: section,
  pending: section,
  toDelete: fc
    .dictionary(key, fc.constantFrom('detach' as const, 'destroy' as const))
    .map((entries) => new Map(Object.entries(entries))),
  cloudInitDrift: section,
  snapshots: fc.dictionary(fc.constantFrom('one', 'two'), section).map((entries) => new Map(Object.entries(entries))),
});

const plain = ({ config, pending, toDelete, cloudInitDrift, snapshots }: ConfigFile): unknown => ({
  config: Object.fromEntries(config),
  pending: Object.fromEntries(pending),
  toDelete: Object.fromEntries(toDelete),
  cloudInitDrift: Object.fromEntries(cloudInitDrift),
  snapshots: Object.fromEntries([...snapshots].map(([name, each]) => [name, Object.fromEntries(each)])),
});

test('parsing what was printed gives the same file', () => {
  fc.assert(
    fc.property(file, (given) => {
      expect(plain(parseConfig(printConfig(given)))).toEqual(plain(given));
    }),
  );
});

test('digests are equal exactly where contents are', () => {
  fc.assert(
    fc.property(file, file, (one, other) => {
      const [first, second] = [printConfig(one), printConfig(other)];
      expect(digestOf(first) === digestOf(second)).toBe(
        JSON.stringify(plain(parseConfig(first))) === JSON.stringify(plain(parseConfig(second))),
      );
    }),
  );
});
