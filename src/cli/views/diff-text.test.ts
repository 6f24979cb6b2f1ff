import { expect, test } from 'vitest';
import { plain } from '../../../test/observe/plain.ts';
import { differencesIn } from '../../engine/drift.ts';
import type { Plan } from '../../model/plan.ts';
import { diffJson } from './diff-json.ts';
import { diffText } from './diff-text.ts';

const nothing: Plan = {
  platform: 'prod',
  intent: 'converge',
  made: '2026-11-16T12:00:00Z',
  steps: [],
  drift: [],
  asks: [],
  doubts: [],
  partial: false,
};

const drifted: Plan = {
  ...nothing,
  steps: [
    {
      id: 'node.await-ready all',
      layer: 'cluster',
      machine: undefined,
      step: { kind: 'node.await-ready', machines: ['prod-cp-0'] },
      after: [],
      because: 'it is the last gate',
      disruption: 'none',
      expectedMs: 0,
    },
  ],
  drift: [
    {
      machine: 'prod-cp-0',
      kind: 'correct',
      what: 'machine.sysctls["vm.swappiness"]',
      wanted: undefined,
      found: '10',
      because: 'the file does not have it',
    },
    { machine: 'prod-cp-1', kind: 'keep', what: 'tags', wanted: undefined, found: 'backup', because: '' },
    {
      machine: 'prod-general-0',
      kind: 'danger',
      what: 'disk data',
      wanted: '100 GiB',
      found: '200 GiB',
      because: 'a disk that shrinks loses what is on it',
      remedy: 'Set the size that is there:\n    ichor explain cluster.workers.general.disks',
    },
  ],
  doubts: [
    { about: 'prod-cp-2', because: 'pve3 did not answer' },
    { about: 'prod-general-3', because: 'it is made when others on pve1 are smaller', later: true },
  ],
};

test('differences are told apart by what becomes of them', () => {
  expect(diffText(differencesIn(drifted), plain)).toBe(`\
ours to correct (the next ichor up does it)
  prod-cp-0: machine.sysctls["vm.swappiness"]
    - 10
    the file does not have it

theirs to keep
  prod-cp-1: tags
    - backup

dangerous to touch: you decide
  prod-general-0: disk data
    - 200 GiB
    + 100 GiB
    a disk that shrinks loses what is on it
    Set the size that is there:
        ichor explain cluster.workers.general.disks

comes later
  · prod-general-3: it is made when others on pve1 are smaller

could not be seen
  ? prod-cp-2: pve3 did not answer

prod: 1 to correct, 1 to keep, 1 for you to decide.
What a run would do:
    ichor plan
`);
});

test('a step that only waits is no difference', () => {
  expect(differencesIn({ ...drifted, drift: [] })).toMatchObject({ steps: [], any: false });
  expect(diffText(differencesIn(nothing), plain)).toBe('prod: No difference.\n');
  expect(diffText(differencesIn({ ...nothing, doubts: drifted.doubts }), plain)).toContain(
    'prod: No difference in what could be seen.',
  );
});

test('what is to be done names its machine', () => {
  const step: Plan['steps'][number] = {
    id: 'node.drain prod-general-0',
    layer: 'cluster',
    machine: 'prod-general-0',
    step: { kind: 'node.drain', machine: 'prod-general-0', node: 'prod-general-0' },
    after: [],
    because: 'it restarts',
    disruption: 'drain',
    expectedMs: 0,
  };
  expect(diffText(differencesIn({ ...nothing, steps: [step] }), plain)).toContain(
    'to be done\n  ~ prod-general-0: drain (it restarts)\n',
  );
});

test('programs get the same, apart', () => {
  const json = diffJson(differencesIn(drifted)) as Record<string, readonly unknown[]>;
  expect([json['correct'], json['keep'], json['danger']].map((each) => each?.length)).toEqual([1, 1, 1]);
  expect(JSON.parse(JSON.stringify(json))).toEqual(json);
});
