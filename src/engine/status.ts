import type { Role } from '../model/machine.ts';
import type { Drift, Plan } from '../model/plan.ts';
import { Problem } from '../model/problem.ts';
import type { NetworkWorld, TalosWorld, World, WorldMachine } from '../model/world.ts';
import { planPlatform } from '../plan/plan.ts';
import type { Platform } from '../spec/platform.ts';
import { historyOf, type HistoryRow } from './history.ts';
import type { Meant } from './run.ts';
import { lookAtPlatform, type LookTools } from './sight.ts';
import { vipHolderOf } from './vip.ts';

export type MachineStatus = {
  readonly name: string;
  readonly role: Role;
  /** The file has it. */
  readonly wanted: boolean;
  readonly host: string | undefined;
  /** `on`, `off`, `absent`, `unknown`; undefined where nobody makes machines. */
  readonly power: 'on' | 'off' | 'absent' | 'unknown' | undefined;
  readonly address: string | undefined;
  /** In Talos’ words where it is ours: `running`; else `maintenance`, `foreign`, `off`, `unknown`, `none`. */
  readonly stage: string;
  readonly talos: string | undefined;
  readonly etcd: 'member' | 'learner' | 'none' | 'unknown' | undefined;
  readonly node: 'ready' | 'not-ready' | 'none' | 'unknown';
  readonly schedulable: boolean | undefined;
  readonly kubernetes: string | undefined;
  /** Values of its configuration that are other than the file asks for. */
  readonly changes: number;
  /** What is not well with it, in words; empty: it is well. */
  readonly wrong: readonly string[];
};

export type Status = {
  readonly platform: string;
  readonly at: Date;
  readonly wanted: { readonly talos: string; readonly kubernetes: string };
  readonly provider: { readonly product: string; readonly version: string } | undefined;
  readonly endpoint: string | undefined;
  /** Machine that has the virtual address; undefined: none has, or there is none to have. */
  readonly vipHolder: string | undefined;
  readonly machines: readonly MachineStatus[];
  readonly network: NetworkWorld['kind'] | 'unknown';
  readonly drift: Readonly<Record<Drift['kind'], number>>;
  /** Steps that a run would take; undefined: no plan could be made. */
  readonly steps: number | undefined;
  /** What a person must decide first. */
  readonly asks: number;
  /** What could not be seen, so that nothing is planned for it. */
  readonly doubts: number;
  readonly lastRun: HistoryRow | undefined;
  /** What is not well besides the machines. */
  readonly wrong: readonly string[];
  readonly well: boolean;
};

/** How a platform stands. */
export async function statusOf(meant: Meant, tools: LookTools, signal: AbortSignal): Promise<Status> {
  const [{ world, material }, runs] = await Promise.all([lookAtPlatform(meant, tools, signal), tools.store.runs()]);
  const [lastRun] = historyOf(runs.slice(0, 1));
  const vipHolder = await vipHolderOf(meant.platform, world, material, tools, signal);
  return statusIn(meant.platform, world, { plan: planned(meant.platform, world), vipHolder, lastRun });
}

/** A platform that cannot be planned has a status all the same. */
function planned(platform: Platform, world: World): Plan | undefined {
  try {
    return planPlatform(platform, world, { intent: 'converge' }).plan;
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

type Besides = {
  readonly plan: Plan | undefined;
  readonly vipHolder: string | undefined;
  readonly lastRun: HistoryRow | undefined;
};

export function statusIn(platform: Platform, world: World, { plan, vipHolder, lastRun }: Besides): Status {
  const { cluster } = platform;
  const machines = world.machines.map((machine) => machineStatus(platform, world, machine));
  const locked = lockedOut(world);
  const wrong = locked === undefined ? wrongAround(platform, world, vipHolder) : [locked];
  const count = (kind: Drift['kind']): number => plan?.drift.filter((drift) => drift.kind === kind).length ?? 0;
  const { vip, host, port } = cluster.endpoint;
  const server = vip ?? host;
  return {
    platform: platform.name,
    at: world.at,
    wanted: { talos: cluster.talos.version, kubernetes: cluster.kubernetes.version },
    provider: world.provider && { product: world.provider.product, version: world.provider.version },
    endpoint: server === undefined ? undefined : `https://${server.includes(':') ? `[${server}]` : server}:${port}`,
    vipHolder,
    machines,
    network: world.network.kind === 'known' && locked === undefined ? world.network.value.kind : 'unknown',
    drift: { correct: count('correct'), keep: count('keep'), danger: count('danger') },
    steps: plan?.steps.length,
    asks: plan?.asks.length ?? 0,
    doubts: plan?.doubts.length ?? 0,
    lastRun,
    wrong,
    well: wrong.length === 0 && machines.every((machine) => machine.wrong.length === 0),
  };
}

/** Who has no key to any control plane knows nothing about the cluster; undefined: there is one, or nothing is configured. */
export function lockedOut({ machines }: World): string | undefined {
  const planes = machines.flatMap(({ role, talos }) =>
    role === 'control-plane' && talos.kind === 'known' ? (talos.value ?? []) : [],
  );
  return planes.length > 0 && planes.every(({ kind }) => kind === 'foreign')
    ? 'its machines are configured, and not with secrets that are here'
    : undefined;
}

const ours = (talos: WorldMachine['talos']): Extract<TalosWorld, { kind: 'ours' }> | undefined =>
  talos.kind === 'known' && talos.value?.kind === 'ours' ? talos.value : undefined;

function machineStatus({ cluster }: Platform, world: World, machine: WorldMachine): MachineStatus {
  const { name, role, wanted, vm, address, talos } = machine;
  const there = vm?.kind === 'known' ? vm.value : undefined;
  const own = ours(talos);
  const members = world.etcd.kind === 'known' && lockedOut(world) === undefined ? world.etcd.value : undefined;
  const member = members?.find((each) => each.machine === name);
  const nodes = world.nodes.kind === 'known' && lockedOut(world) === undefined ? (world.nodes.value ?? []) : undefined;
  const node = nodes?.find((each) => each.machine === name);
  const status: Omit<MachineStatus, 'wrong'> = {
    name,
    role,
    wanted,
    host: there?.host,
    power: powerOf(vm),
    address,
    stage: stageOf(talos),
    talos:
      own?.version ?? (talos.kind === 'known' && talos.value?.kind === 'maintenance' ? talos.value.version : undefined),
    etcd: role === 'worker' ? undefined : members === undefined ? 'unknown' : memberWord(member),
    node: nodes === undefined ? 'unknown' : node === undefined ? 'none' : node.ready ? 'ready' : 'not-ready',
    schedulable: node?.schedulable,
    kubernetes: node?.version,
    changes: own?.changes.length ?? 0,
  };
  return { ...status, wrong: wanted ? wrongWith(status, machine, node?.missing ?? [], cluster.talos.version) : [] };
}

const memberWord = (member: { readonly learner: boolean } | undefined): 'member' | 'learner' | 'none' =>
  member === undefined ? 'none' : member.learner ? 'learner' : 'member';

function powerOf(vm: WorldMachine['vm']): MachineStatus['power'] {
  if (vm === undefined) return undefined;
  if (vm.kind === 'unknown') return 'unknown';
  if (vm.value === null) return 'absent';
  return vm.value.power.kind === 'known' ? vm.value.power.value : 'unknown';
}

function stageOf(talos: WorldMachine['talos']): string {
  if (talos.kind === 'unknown') return 'unknown';
  if (talos.value === undefined) return 'none';
  return talos.value.kind === 'ours' ? talos.value.stage : talos.value.kind;
}

/** The first thing is the cause of the others: a machine that is off is no node either. */
function wrongWith(
  { power, stage, etcd, node, schedulable, talos: version }: Omit<MachineStatus, 'wrong'>,
  { vm, talos }: WorldMachine,
  missing: readonly string[],
  wanted: string,
): readonly string[] {
  if (vm?.kind === 'unknown' && talos.kind === 'unknown') return [vm.because];
  if (power === 'absent') return ['there is no such machine'];
  if (stage === 'off') return ['it is off'];
  if (talos.kind === 'unknown') return [`Talos: ${talos.because}`];
  if (talos.value?.kind === 'foreign') return [talos.value.because];
  if (stage === 'maintenance') return ['it waits for its configuration'];
  return [
    ...(stage === 'running' ? [] : [`it is ${stage}`]),
    ...(version === undefined || version === wanted ? [] : [`it has Talos ${version}, and ${wanted} is wanted`]),
    ...(etcd === 'none' ? ['it is no member of etcd'] : etcd === 'learner' ? ['it does not vote in etcd yet'] : []),
    ...(node === 'none' ? ['it is no node of the cluster'] : []),
    ...(node === 'not-ready' ? missing : []),
    ...(schedulable === false && node === 'ready' ? ['it takes no new pods (cordoned)'] : []),
  ];
}

function wrongAround({ cluster }: Platform, world: World, vipHolder: string | undefined): readonly string[] {
  const { provider, etcd, nodes, network } = world;
  const strangers = etcd.kind === 'known' ? etcd.value.filter(({ machine }) => machine === undefined) : [];
  const running = nodes.kind === 'known' && nodes.value !== undefined;
  return [
    ...(provider?.silent ?? []).map(({ host, because }) => `${host} does not answer: ${because}`),
    ...(provider?.readOnly === undefined ? [] : [`Nothing can be changed at the moment: ${provider.readOnly}`]),
    ...(etcd.kind === 'unknown' ? [etcd.because] : []),
    ...strangers.map(({ hostname }) => `etcd has a member ${hostname} that is none of our machines`),
    ...(nodes.kind === 'unknown' ? [nodes.because] : []),
    ...(nodes.kind === 'known' && nodes.value === undefined ? ['there is no Kubernetes yet'] : []),
    ...(running && cluster.endpoint.vip !== undefined && vipHolder === undefined
      ? [`no control plane has the virtual address ${cluster.endpoint.vip}`]
      : []),
    ...networkWrong(network),
  ];
}

function networkWrong(network: World['network']): readonly string[] {
  if (network.kind === 'unknown') return [`the pod network could not be looked at: ${network.because}`];
  switch (network.value.kind) {
    case 'absent':
      return ['the pod network is not installed'];
    case 'pending':
      return ['an installation of the pod network is under way, or was cut off'];
    case 'foreign':
      return [`the pod network was installed by somebody else: ${network.value.object}`];
    default:
      return [];
  }
}
