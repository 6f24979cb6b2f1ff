import { naturally } from '../model/host.ts';
import type { PlannedStep } from '../model/plan.ts';
import type { WorldMember, WorldNode } from '../model/world.ts';
import type { Platform } from '../spec/platform.ts';
import { planned } from './graph.ts';
import { wantedOf, type Situation } from './situation.ts';

/** What etcd and Kubernetes still list of machines that are gone for certain. */
export type Remains = { readonly members: readonly WorldMember[]; readonly nodes: readonly WorldNode[] };

export function remainsOf(situation: Situation): Remains {
  const { members, nodes } = situation;
  const listed = typeof nodes === 'string' ? [] : nodes;
  const gone = new Set(wantedOf(situation).flatMap(({ name, phase }) => (phase === 'absent' ? [name] : [])));
  const wiped = new Set(situation.controlPlanes.flatMap(({ name, phase }) => (phase === 'maintenance' ? [name] : [])));
  const isNowhere = nowhere(situation);
  const isGivenBack = givenBack(situation);
  const ready = new Set(listed.flatMap(({ name, ready: isReady }) => (isReady ? [name] : [])));
  const isGone = (machine: string | undefined, name: string): boolean =>
    !ready.has(name) && (machine === undefined ? isNowhere(name, false) : gone.has(machine));
  return {
    members: members
      .filter(({ machine, hostname }) => isGone(machine, hostname) || (machine !== undefined && wiped.has(machine)))
      .toSorted((one, other) => naturally(one.hostname, other.hostname)),
    nodes: listed
      .filter((node) => isGone(node.machine, node.name) || isGivenBack(node))
      .toSorted((one, other) => naturally(one.name, other.name)),
  };
}

/** Whether what has this name, and is none of the machines that we know, is gone: it was one of ours, and nobody has it. */
export function nowhere(situation: Situation): (name: string, surelyOurs: boolean) => boolean {
  const clear = seesEverything(situation);
  const ours = namedLike(situation.platform);
  return (name, surelyOurs) => clear && (surelyOurs || ours(name));
}

/** A machine that exists is forgotten once it is wiped; whoever was killed after that has left its Node. */
function givenBack({ platform, world }: Situation): (node: WorldNode) => boolean {
  const remembers = platform.provider.kind === 'existing' && world.memory.bootstrap !== undefined;
  const ours = namedLike(platform);
  return ({ name, machine, ready }) => remembers && machine === undefined && !ready && ours(name);
}

/** Only who could look everywhere may say that something is nowhere; machines that exist are in nobody's list. */
function seesEverything({ platform, world, leaving, ...situation }: Situation): boolean {
  if (platform.provider.kind === 'existing') return false;
  const unseen = [...situation.controlPlanes, ...situation.workers, ...leaving].some(({ phase }) => phase === 'unseen');
  return !unseen && (world.provider?.silent.length ?? 0) === 0;
}

/** Whether a name is one that this platform would give, to machines that it has or once had. */
function namedLike({ name: platform, cluster }: Platform): (name: string) => boolean {
  const forms = [cluster.names.controlPlane, cluster.names.worker].map((template) => {
    const text = template
      .split(/(\{[^}]*\})/)
      .map((part) => {
        if (part === '{platform}') return literal(platform);
        if (part.startsWith('{pool')) return '[a-z0-9-]+';
        return part.startsWith('{') ? '\\d+' : literal(part);
      })
      .join('');
    return new RegExp(`^${text}$`);
  });
  // A template without the platform's name would claim the machines of others, too.
  const own = [cluster.names.controlPlane, cluster.names.worker].every((template) => template.includes('{platform}'));
  return (name) => own && forms.some((form) => form.test(name));
}

const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\-]/g, String.raw`\$&`);

export const planRemains = ({ nodes }: Remains): readonly PlannedStep[] =>
  nodes.map(({ name, machine }) =>
    planned(
      { kind: 'node.delete', machine: machine ?? name, node: name },
      { because: 'its machine is gone, and nothing brings that one back' },
    ),
  );
