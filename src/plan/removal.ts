import type { PlannedStep } from '../model/plan.ts';
import { idOf, planned, type Part } from './graph.ts';
import type { Situation, Standing } from './situation.ts';

export const why = ({ phase }: Standing): string =>
  phase === 'maintenance' || phase === 'off'
    ? 'the file no longer has it, and it does nothing'
    : 'the file no longer has it';

type Removal = {
  readonly after: readonly string[];
  readonly drain: boolean;
  /** What comes between the drain and the end. */
  readonly thenAfter?: readonly string[];
};

/** The Node goes before the machine does: whoever is killed in between still finds the machine, and goes on. */
export function removal(situation: Situation, standing: Standing, { after, drain, thenAfter = [] }: Removal): Part {
  const { name, node } = standing;
  const empty =
    drain && node !== undefined
      ? [
          planned(
            { kind: 'node.drain', machine: name, node: node.name },
            { after, because: `${why(standing)}: its pods move first`, disruption: 'drain' },
          ),
        ]
      : [];
  const next = [...after, ...thenAfter, ...empty.map(({ id }) => id)];
  const end = situation.platform.provider.kind === 'existing' ? wipe(situation, standing, next) : erase(standing, next);
  return end.steps.length === 0 ? end : { ...end, steps: [...empty, ...end.steps] };
}

function erase(standing: Standing, after: readonly string[]): Part {
  const { name, ref, phase } = standing;
  if (ref === undefined) return { steps: [] };
  const stop =
    phase === 'off'
      ? []
      : [
          planned(
            { kind: 'machine.stop', machine: name, ref },
            { after, because: why(standing), disruption: 'downtime' },
          ),
        ];
  const off = [...after, ...stop.map(({ id }) => id)];
  const forget = forgetNode(standing, off);
  const gone = planned(
    { kind: 'machine.delete', machine: name, ref },
    {
      after: [...off, ...forget.map(({ id }) => id)],
      because: `${why(standing)}; its disks go with it`,
      disruption: 'data',
    },
  );
  return { steps: [...stop, ...forget, gone] };
}

/** A machine that exists is given back as it was found: empty, in maintenance mode. */
function wipe({ world, etcd }: Situation, standing: Standing, after: readonly string[]): Part {
  const { name, seen, phase, because, node, member } = standing;
  const remembered = world.memory.configured[name];
  const address = seen?.address ?? remembered?.address;
  if (phase === 'maintenance' && remembered === undefined) return { steps: forgetNode(standing, after) };
  if (address === undefined)
    return { steps: [], doubts: [{ about: name, because: 'it cannot be reset: nobody says where it is' }] };
  if (phase === 'silent') {
    if (etcd === 'running' && node === undefined && member === undefined)
      return {
        steps: [
          planned(
            { kind: 'machine.forget', machine: name, address },
            {
              after,
              because: `${why(standing)}, nothing of it is left in the cluster, and it does not answer: ${because}`,
            },
          ),
        ],
      };
    return {
      steps: [],
      doubts: [{ about: name, because: `it cannot be reset: ${clause(because)}${ifGone(standing)}` }],
    };
  }
  const reset = planned(
    { kind: 'talos.reset', machine: name, address },
    { after, because: `${why(standing)}: it is wiped, and waits in maintenance mode`, disruption: 'data' },
  );
  return { steps: [reset, ...forgetNode(standing, [...after, reset.id])] };
}

/** What somebody said, as a part of a longer sentence. */
export const clause = (sentence: string): string => sentence.replace(/\.$/, '');

/** Who listed it lets go of it first: then nothing of the cluster is on it, and it can be forgotten. */
export function ifGone({ node, member }: Standing): string {
  const commands = [
    ...(member === undefined ? [] : [`ichor talos etcd remove ${member.id}`]),
    ...(node === undefined ? [] : [`kubectl delete node ${node.name}`]),
  ];
  return commands.length === 0 ? '' : `; if it is gone for good: ${commands.join(' && ')}`;
}

const forgetNode = (standing: Standing, after: readonly string[]): readonly PlannedStep[] =>
  standing.node === undefined
    ? []
    : [
        planned(
          { kind: 'node.delete', machine: standing.name, node: standing.node.name },
          { after, because: `${why(standing)}, and Kubernetes should not wait for it` },
        ),
      ];

export const endOf = ({ name }: Standing): readonly string[] => [
  idOf('machine.delete', name),
  idOf('talos.reset', name),
  idOf('node.delete', name),
];
