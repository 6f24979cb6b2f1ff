import { rememberThat } from '../execute/remembering.ts';
import type { Tools } from '../execute/tools.ts';
import { naturally } from '../model/host.ts';
import type { Memory, World, WorldMachine } from '../model/world.ts';

type Rememberer = Pick<Tools, 'store' | 'material' | 'clock'>;

/** Whether what is remembered of the cluster’s life is other than what was seen of it. */
export function lifeIsNews(world: World): boolean {
  const { bootstrap } = world.memory;
  const voters = votersIn(world.etcd);
  if (voters.length === 0) return false;
  if (bootstrap?.ending === true || JSON.stringify(bootstrap?.members) !== JSON.stringify(voters)) return true;
  return Object.keys(unremembered(world)).length > 0;
}

/** Who votes in etcd is written down while it can be seen: once it cannot, nobody else tells that there was a cluster. */
export async function noteLife(world: World, tools: Rememberer): Promise<void> {
  if (!lifeIsNews(world)) return;
  const members = votersIn(world.etcd);
  await rememberThat(tools, (memory) => ({
    ...lived(memory, members, tools),
    configured: { ...memory.configured, ...unremembered(world) },
  }));
}

/** Machines that exist, are of this cluster, and of which nobody wrote that down: it was adopted, or what was written is lost. */
const unremembered = ({ provider, machines, memory: { configured } }: World): Memory['configured'] =>
  provider !== undefined
    ? {}
    : Object.fromEntries(
        machines.flatMap(({ name, role, wanted, address, talos }) =>
          wanted && address !== undefined && isOurs(talos) && configured[name] === undefined
            ? [[name, { address, role }]]
            : [],
        ),
      );

const isOurs = (talos: WorldMachine['talos']): boolean => talos.kind === 'known' && talos.value?.kind === 'ours';

/**
 * Before the first machine of a destroy goes: from here on nothing of this life is to be kept, and whoever builds it again after
 * a destroy that was killed begins another one without being asked.
 */
export async function endLife({ machines }: World, tools: Rememberer): Promise<void> {
  const first = machines
    .filter(({ role }) => role === 'control-plane')
    .toSorted((one, other) => naturally(one.name, other.name))[0];
  const isThere = machines.some(({ talos }) => isOurs(talos));
  if (first === undefined) return;
  await rememberThat(tools, (memory) => {
    if (memory.bootstrap === undefined && !isThere) return memory;
    return { ...memory, bootstrap: { ...(memory.bootstrap ?? chosenNow(first.name, tools)), ending: true } };
  });
}

function lived(memory: Memory, members: readonly string[], tools: Rememberer): Memory {
  const { machine, chosenAt } = memory.bootstrap ?? chosenNow(members[0]!, tools);
  return { ...memory, bootstrap: { machine, chosenAt, members } };
}

const chosenNow = (machine: string, { clock }: Rememberer): NonNullable<Memory['bootstrap']> => ({
  machine,
  chosenAt: clock.now().toISOString(),
});

const votersIn = (etcd: World['etcd']): readonly string[] =>
  etcd.kind === 'unknown'
    ? []
    : etcd.value
        .flatMap(({ machine, learner }) => (machine === undefined || learner ? [] : [machine]))
        .toSorted(naturally);
