import { naturally } from '../model/host.ts';
import type { Machine, Role } from '../model/machine.ts';
import type { MachineRef, ObservedMachine } from '../model/observed.ts';
import type { PlacedMachine, Proof } from '../model/proof.ts';
import type { TalosWorld, World, WorldMachine, WorldMember, WorldNode } from '../model/world.ts';
import type { Platform } from '../spec/platform.ts';
import { crowdedHosts } from './crowded.ts';

/** Where a machine is on its way. */
type Phase =
  /** It is not there. */
  | 'absent'
  /** It is not there, and another machine that is needed has its address. */
  | 'barred'
  /** Whether it is there cannot be seen. */
  | 'unseen'
  | 'off'
  /** It is there, and nothing answers on it. */
  | 'silent'
  | 'maintenance'
  /** Configured, and not by us. */
  | 'foreign'
  | 'booting'
  | 'running';

export type Standing = {
  readonly name: string;
  readonly role: Role;
  /** As the file asks for it; undefined: it does not. */
  readonly machine: Machine | undefined;
  readonly seen: WorldMachine | undefined;
  readonly observed: ObservedMachine | undefined;
  /** Where it is or is going to be; undefined: nobody makes machines here. */
  readonly ref: MachineRef | undefined;
  readonly phase: Phase;
  /** Why it is barred, unseen, silent or foreign. */
  readonly because: string;
  readonly talos: Extract<TalosWorld, { readonly kind: 'ours' }> | undefined;
  readonly member: WorldMember | undefined;
  readonly node: WorldNode | undefined;
};

/**
 * `none`: no control plane has one, and all of them can be seen. `unclear`: it may be there, so that nobody may join or begin
 * one.
 */
type EtcdState = 'none' | 'running' | 'unclear';

/** A platform and what was seen of it, put together by machine. */
export type Situation = {
  readonly platform: Platform;
  readonly world: World;
  readonly proof: Proof;
  readonly controlPlanes: readonly Standing[];
  readonly workers: readonly Standing[];
  /** There and ours, and no longer in the file. */
  readonly leaving: readonly Standing[];
  readonly etcd: EtcdState;
  readonly members: readonly WorldMember[];
  /** Hosts that lack room until machines on them have become smaller; the proof counts what those give up as free. */
  readonly crowded: ReadonlySet<string>;
  /** `none`: there is no Kubernetes yet. */
  readonly nodes: 'none' | 'unclear' | readonly WorldNode[];
};

export function situationOf(platform: Platform, world: World, proof: Proof): Situation {
  const members = (world.etcd.kind === 'known' ? world.etcd.value : []).toSorted((one, other) =>
    naturally(one.hostname, other.hostname),
  );
  const nodes =
    world.nodes.kind === 'unknown'
      ? 'unclear'
      : (world.nodes.value?.toSorted((one, other) => naturally(one.name, other.name)) ?? 'none');
  const seen = new Map(world.machines.map((each) => [each.name, each]));
  const placed = new Map(proof.machines.map((each) => [each.machine.name, each]));
  const memberOf = new Map(
    members.flatMap((member) => (member.machine === undefined ? [] : [[member.machine, member]])),
  );
  const nodeOf = new Map(
    (typeof nodes === 'string' ? [] : nodes).flatMap((node) =>
      node.machine === undefined ? [] : [[node.machine, node] as const],
    ),
  );
  const standing = (name: string, role: Role, machine: Machine | undefined): Standing => {
    const here = seen.get(name);
    const observed = observedOf(platform.name, here);
    const { phase, because } = phaseOf(platform, here, observed, nodeOf.get(name));
    return {
      name,
      role,
      machine,
      seen: here,
      observed,
      ref: platform.provider.kind === 'existing' ? undefined : refOf(platform, name, observed, placed.get(name)),
      phase,
      because,
      talos: here?.talos.kind === 'known' && here.talos.value?.kind === 'ours' ? here.talos.value : undefined,
      member: memberOf.get(name),
      node: nodeOf.get(name),
    };
  };
  const ofFile = platform.machines.map((machine) => standing(machine.name, machine.role, machine));
  const names = new Set(ofFile.map(({ name }) => name));
  const leaving = world.machines
    .filter(({ name }) => !names.has(name))
    .map(({ name, role }) => standing(name, role, undefined))
    .toSorted((one, other) => naturally(one.name, other.name));
  const etcd = etcdStateOf(world, ofFile, leaving);
  const kubernetes = nodes === 'none' && etcd === 'unclear' ? 'unclear' : nodes;
  const isFree = (holder: string): boolean =>
    leaving.some((each) => each.name === holder && kubernetes !== 'unclear' && isEmpty(each));
  const wanted = ofFile
    .map((each) => barredOr(each, world, isFree))
    .toSorted((one, other) => naturally(one.name, other.name));
  return {
    platform,
    world,
    proof,
    controlPlanes: wanted.filter(isControlPlane),
    workers: wanted.filter((each) => !isControlPlane(each)),
    leaving,
    etcd,
    members,
    crowded: crowdedHosts(proof, wanted, leaving),
    nodes: kubernetes,
  };
}

const isControlPlane = ({ role }: Standing): boolean => role === 'control-plane';

export const wantedOf = ({ controlPlanes, workers }: Situation): readonly Standing[] => [...controlPlanes, ...workers];

/** Only what carries our mark is ours, whatever it is called. */
function observedOf(platform: string, here: WorldMachine | undefined): ObservedMachine | undefined {
  const found = here?.vm?.kind === 'known' ? (here.vm.value ?? undefined) : undefined;
  return found !== undefined && found.mark.platform === platform && found.mark.name === here?.name ? found : undefined;
}

/** The machine that has an address, other than the one that is to have it. */
export function holderOf(
  { machines }: World,
  address: string | undefined,
  name: string | undefined,
): WorldMachine | undefined {
  if (address === undefined) return undefined;
  return machines.find(
    ({ vm, ...each }) =>
      each.name !== name &&
      vm?.kind === 'known' &&
      vm.value !== null &&
      (vm.value.staticAddress === address || each.address === address),
  );
}

/** Another machine that is needed has its address. */
function barredOr(standing: Standing, world: World, isFree: (holder: string) => boolean): Standing {
  const { name, machine, phase } = standing;
  const address = machine?.fixed.address;
  const holder = phase === 'absent' ? holderOf(world, address, name) : undefined;
  if (holder === undefined || isFree(holder.name)) return standing;
  return { ...standing, phase: 'barred', because: `${holder.name} has its address, ${address}` };
}

const isEmpty = ({ phase, node, member }: Standing): boolean =>
  (phase === 'off' || phase === 'maintenance') && node === undefined && member === undefined;

type Seeing = { readonly phase: Phase; readonly because: string };

function phaseOf(
  { provider }: Platform,
  here: WorldMachine | undefined,
  observed: ObservedMachine | undefined,
  node: WorldNode | undefined,
): Seeing {
  if (here === undefined) return { phase: 'unseen', because: 'nobody looked' };
  if (provider.kind !== 'existing') {
    if (here.vm === undefined) return { phase: 'unseen', because: 'nobody said whether it is there' };
    if (here.vm.kind === 'unknown') return { phase: 'unseen', because: here.vm.because };
    // A Node that reports runs somewhere: to make another one beside it would give both the same name and address.
    if (here.vm.value === null && node?.ready === true)
      return { phase: 'unseen', because: `its Node ${node.name} is Ready, and no VM carries its mark` };
    if (here.vm.value === null) return { phase: 'absent', because: '' };
    if (observed === undefined) return { phase: 'unseen', because: 'what is there does not carry our mark' };
    if (observed.power.kind === 'known' && observed.power.value === 'off') return { phase: 'off', because: '' };
  }
  if (here.talos.kind === 'unknown') return { phase: 'silent', because: here.talos.because };
  const talos = here.talos.value;
  switch (talos?.kind) {
    case undefined:
    case 'off':
      return { phase: 'silent', because: 'nothing answers there' };
    case 'maintenance':
      return { phase: 'maintenance', because: '' };
    case 'foreign':
      return { phase: 'foreign', because: talos.because };
    case 'ours':
      return { phase: talos.stage === 'running' ? 'running' : 'booting', because: '' };
  }
}

function refOf(
  { name: platform }: Platform,
  name: string,
  observed: ObservedMachine | undefined,
  placed: PlacedMachine | undefined,
): MachineRef | undefined {
  if (observed !== undefined) return { mark: observed.mark, id: observed.id, host: observed.host };
  if (placed === undefined || placed.host === null) return undefined;
  const { uuid, vmid } = placed.identity;
  return { mark: { platform, name, uuid }, id: vmid === null ? uuid : String(vmid), host: placed.host };
}

function etcdStateOf(world: World, ofFile: readonly Standing[], leaving: readonly Standing[]): EtcdState {
  const { etcd, nodes } = world;
  if (etcd.kind === 'unknown') return 'unclear';
  const planes = [...ofFile.filter(isControlPlane), ...leaving];
  if (etcd.value.length > 0) return hasMajority(etcd.value, planes) ? 'running' : 'unclear';
  const kubernetes = nodes.kind === 'known' && (nodes.value ?? []).length > 0;
  return kubernetes || planes.some((plane) => mayHaveEtcd(world, plane)) ? 'unclear' : 'none';
}

/** Whatever has no power, or does not answer, may hold the data of a cluster, unless there are no secrets to have made one. */
export function mayHaveEtcd({ secrets, memory }: World, { name, role, machine, phase }: Standing): boolean {
  if (role === 'worker' || (machine === undefined && isNotMissed(memory, name))) return false;
  return phase === 'unseen' || phase === 'silent' || (phase === 'off' && secrets === 'there');
}

/** Somebody remembers that it had no vote, or that nothing is to be kept. */
const isNotMissed = ({ bootstrap }: World['memory'], name: string): boolean =>
  bootstrap?.ending === true || bootstrap?.members?.includes(name) === false;

export const majorityOf = (members: number): number => Math.floor(members / 2) + 1;

export const isUp = ({ phase }: Standing): boolean => phase === 'running' || phase === 'booting';

/** Members whose machines run; of what we do not know, nothing is assumed. */
export function aliveMembers(members: readonly WorldMember[], ours: readonly Standing[]): readonly WorldMember[] {
  const up = new Set(ours.filter(isUp).map(({ name }) => name));
  return members.filter(({ machine, learner }) => !learner && machine !== undefined && up.has(machine));
}

function hasMajority(members: readonly WorldMember[], ours: readonly Standing[]): boolean {
  const voters = members.filter(({ learner }) => !learner).length;
  return aliveMembers(members, ours).length >= majorityOf(voters);
}
