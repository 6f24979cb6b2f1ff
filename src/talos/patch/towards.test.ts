import { expect, test } from 'vitest';
import { yamlText } from '../../spec/yaml-text.ts';
import { changedValues } from '../config/changes.ts';
import type { MachineConfig } from '../config/document.ts';
import { readConfig } from '../config/read.ts';
import { applyPatches } from './apply.ts';
import { patchesOf, patchTowards } from './towards.ts';

const contract = '1.13';
const read = (text: string): MachineConfig => readConfig(text, 'config.yaml', contract);

/** What is still other once the patches are laid over it. */
function left(from: MachineConfig, to: MachineConfig): readonly unknown[] {
  const patches = patchesOf(patchTowards(from, to)).map((documents) => ({
    scope: { kind: 'all' } as const,
    source: 'patch',
    text: yamlText(documents),
  }));
  return changedValues(applyPatches({ config: from, provenance: new Map(), contract }, patches).config, to);
}

test.each([
  ['text, numbers and flags', 'machine: { type: worker, token: a }', 'machine: { type: controlplane, token: b }'],
  ['what is gone', 'machine: { type: worker, nodeLabels: { a: b } }', 'machine: { type: worker }'],
  ['what is there and empty', 'machine: { type: worker }', 'machine: { type: worker, registries: {} }'],
  ['an empty list', 'machine: { type: worker, certSANs: [a] }', 'machine: { type: worker, certSANs: [] }'],
  ['lists', 'machine: { type: worker, certSANs: [a, b] }', 'machine: { type: worker, certSANs: [c, a] }'],
  [
    'whole documents',
    'machine: { type: worker }\n---\napiVersion: v1alpha1\nkind: HostnameConfig\nauto: off\nhostname: a\n',
    'machine: { type: worker }\n---\napiVersion: v1alpha1\nkind: HostnameConfig\nauto: stable\n---\napiVersion: v1alpha1\nkind: DummyLinkConfig\nname: d0\n',
  ],
])('%s become the others', (_, from, to) => {
  expect(left(read(from), read(to))).toEqual([]);
});

test('nothing is to be patched where nothing differs', () => {
  const config = read('machine: { type: worker, certSANs: [a] }');
  expect(patchesOf(patchTowards(config, config))).toEqual([]);
});
