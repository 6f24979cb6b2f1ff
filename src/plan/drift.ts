import type { Drift } from '../model/plan.ts';
import { hardwareDrift } from './drift-hardware.ts';
import { settingsDrift } from './drift-settings.ts';
import { talosDrift } from './drift-talos.ts';
import { markDrift } from './marks.ts';
import { remainsOf } from './remains.ts';
import { wantedOf, type Situation, type Standing } from './situation.ts';

/** Where what is there is other than the file says, and what becomes of it. */
export const driftOf = (situation: Situation): readonly Drift[] => [
  ...wantedOf(situation).flatMap((standing) => [
    ...hardwareDrift(situation, standing),
    ...settingsDrift(situation, standing),
    ...talosDrift(situation, standing),
    ...cordons(standing),
  ]),
  ...markDrift(situation),
  ...situation.leaving.flatMap(strangers),
  ...unknownToUs(situation),
  ...networkDrift(situation),
  ...filesDrift(situation),
];

function cordons({ name, node }: Standing): readonly Drift[] {
  if (node === undefined || node.schedulable) return [];
  const drift = { machine: name, what: 'node', wanted: 'schedulable', found: 'cordoned' };
  if (node.drained) return [{ ...drift, kind: 'correct', because: 'a drain of ours cordoned it, and did not end' }];
  const because = 'somebody cordoned it, and knows why';
  return [{ ...drift, kind: 'keep', because, remedy: `kubectl uncordon ${node.name}` }];
}

/** Our VM with somebody else's cluster on it: the file no longer has it, and whoever uses it now may miss it. */
const strangers = ({ name, phase, because }: Standing): readonly Drift[] =>
  phase === 'foreign'
    ? [
        {
          machine: name,
          kind: 'danger',
          what: 'machine',
          wanted: undefined,
          found: 'configured by somebody else',
          because: `the file no longer has it, and it is not in our cluster any more: ${because}`,
          remedy: `Look what runs on it, and delete it by hand if nobody needs that:\n    ichor machines`,
        },
      ]
    : [];

function unknownToUs(situation: Situation): readonly Drift[] {
  const { members, nodes } = situation;
  const remains = remainsOf(situation);
  const because = 'it is none of the machines that we know, and stays';
  const base = { machine: undefined, kind: 'keep', wanted: undefined, because } as const;
  return [
    ...members
      .filter((member) => member.machine === undefined && !remains.members.includes(member))
      .map(({ hostname }): Drift => ({ ...base, what: 'etcd member', found: hostname })),
    ...(typeof nodes === 'string' ? [] : nodes)
      .filter((node) => node.machine === undefined && !remains.nodes.includes(node))
      .map(({ name }): Drift => ({ ...base, what: 'node', found: name, remedy: `kubectl delete node ${name}` })),
  ];
}

function networkDrift({ world: { network } }: Situation): readonly Drift[] {
  if (network.kind === 'unknown') return [];
  const base = { machine: undefined, what: 'Cilium' };
  switch (network.value.kind) {
    case 'differs':
      return network.value.reasons.map((reason): Drift => ({
        ...base,
        kind: 'correct',
        wanted: 'as in the file',
        found: reason,
        because: reason,
      }));
    case 'handed-over': {
      const because = `${network.value.to} keeps it from now on`;
      return [{ ...base, kind: 'keep', wanted: undefined, found: network.value.to, because }];
    }
    case 'foreign': {
      const because = 'it was not installed by helm, so that it cannot be taken over without a gap';
      return [{ ...base, kind: 'keep', wanted: undefined, found: network.value.object, because }];
    }
    case 'not-ours':
    case 'absent':
    case 'current':
    case 'pending':
      return [];
  }
}

const filesDrift = ({ world: { artifacts } }: Situation): readonly Drift[] =>
  artifacts
    .filter(({ standing }) => standing === 'other')
    .map(({ path }) => ({
      machine: undefined,
      kind: 'correct',
      what: path,
      wanted: 'as the cluster is now',
      found: 'otherwise',
      because: 'people and their tools read it',
    }));
