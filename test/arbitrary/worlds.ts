import fc from 'fast-check';
import type { ConfigChange } from '../../src/model/step.ts';
import { planPlatform } from '../../src/plan/plan.ts';
import { read } from '../../src/spec/read.ts';
import type { Platform } from '../../src/spec/platform.ts';
import { carryOut } from '../imagine.ts';
import { empty, holdsData, seen, type Imagined } from '../imagined.ts';
import { anyEdit, anyFile, otherControlPlanes, type AnyFile, type Edit } from './platforms.ts';

/** Undefined: the file has problems, and nobody would ever plan it. */
export function platformIn(file: AnyFile): Platform | undefined {
  const { platforms, problems } = read({
    sources: [{ name: 'prod.yaml', content: JSON.stringify(file) }],
    settings: [],
  });
  return problems.some(({ severity }) => severity === 'error') ? undefined : platforms[0];
}

/** The same machines without anybody who makes them: they wait where somebody put them. */
function onExisting(file: AnyFile): AnyFile {
  const copy = structuredClone(file);
  const { spec } = copy;
  const machines: Record<string, object> = {};
  let next = 10;
  const address = (): string => `10.10.${Math.floor(next / 200)}.${(next++ % 200) + 10}`;
  for (let index = 0; index < spec.cluster.controlPlane.replicas; index++)
    machines[`cp-${index}`] = { address: address() };
  for (const [pool, { replicas }] of Object.entries(spec.cluster.workers))
    for (let index = 0; index < replicas; index++) machines[`${pool}-${index}`] = { address: address() };
  return { ...copy, spec: { ...spec, machines: { existing: { machines } } } } as unknown as AnyFile;
}

/** The file asks for the next minor version of Kubernetes. */
export const nextKubernetes: ConfigChange = {
  path: 'cluster.apiServer.image',
  before: 'registry.k8s.io/kube-apiserver:v1.34.1',
  after: 'registry.k8s.io/kube-apiserver:v1.35.2',
  reboot: false,
};

const anyChange: fc.Arbitrary<ConfigChange> = fc.oneof(
  fc.record({
    path: fc.constantFrom('machine.sysctls', 'machine.nodeLabels', 'cluster.apiServer.extraArgs'),
    before: fc.constantFrom(undefined, 'a'),
    after: fc.constantFrom(undefined, 'b'),
    reboot: fc.boolean(),
  }),
  fc.constant(nextKubernetes),
);

/** What happens to a cluster while nobody looks. */
type Mishap = { readonly what: string; readonly befall: (imagined: Imagined, platform: Platform) => void };

const pick = <T>(items: readonly T[], at: number): T | undefined => items[at % Math.max(1, items.length)];

/** Machines that exist and left the file in the same moment are nobody's then. */
const forgetting: Mishap = {
  what: 'everything forgotten',
  befall: (imagined) => {
    imagined.memory = { platform: imagined.platform, bootstrap: undefined, configured: {}, guarded: undefined };
  },
};

const anyPowerCut: fc.Arbitrary<Mishap> = fc.constantFrom('control planes', 'machines').map((which) => ({
  what: `power off of all ${which}`,
  befall: ({ machines }: Imagined) => {
    for (const { vm, role } of Object.values(machines))
      if (vm && (which === 'machines' || role === 'control-plane')) vm.power = 'off';
  },
}));

const anyMishap: fc.Arbitrary<Mishap> = fc.oneof(
  fc.constant({
    what: 'another minor version of Kubernetes',
    befall: ({ machines }: Imagined) => {
      for (const machine of Object.values(machines))
        if (machine.disk === 'ours' && machine.role === 'control-plane') machine.changes = [nextKubernetes];
    },
  }),
  fc.tuple(fc.nat(), fc.array(anyChange, { minLength: 1, maxLength: 2 })).map(([at, changes]) => ({
    what: `another configuration of machine ${at}`,
    befall: (imagined: Imagined) => {
      const machine = pick(Object.values(imagined.machines), at);
      if (machine?.disk === 'ours') machine.changes = changes;
    },
  })),
  fc.nat().map((at) => ({
    what: `power off of machine ${at}`,
    befall: (imagined: Imagined) => {
      const vm = pick(Object.values(imagined.machines), at)?.vm;
      if (vm) vm.power = 'off';
    },
  })),
  anyPowerCut,
  fc.nat().map((at) => ({
    what: `machine ${at} deleted by hand`,
    befall: (imagined: Imagined) => {
      const machine = pick(Object.values(imagined.machines), at);
      if (machine?.vm) Object.assign(machine, { vm: null, disk: 'empty', address: undefined });
      // With the last of its members the cluster is gone.
      if (!holdsData(imagined)) Object.assign(imagined, { members: {}, nodes: undefined });
    },
  })),
  fc.tuple(fc.nat(), fc.constantFrom(1, 3, 6)).map(([at, cpu]) => ({
    what: `${cpu} cpu for machine ${at}`,
    befall: (imagined: Imagined) => {
      const machine = pick(Object.values(imagined.machines), at);
      if (machine?.vm) machine.vm = { ...machine.vm, cpu };
    },
  })),
  fc.nat().map((at) => ({
    what: `an older Talos on machine ${at}`,
    befall: (imagined: Imagined) => {
      const machine = pick(Object.values(imagined.machines), at);
      const [, major, minor] = /^v(\d+)\.(\d+)/.exec(machine?.version ?? '') ?? [];
      if (machine?.disk === 'ours') machine.version = `v${major}.${Number(minor) - 1}.1`;
    },
  })),
  fc.nat().map((at) => ({
    what: `machine ${at} reboots`,
    befall: (imagined: Imagined) => {
      const machine = pick(Object.values(imagined.machines), at);
      if (machine?.disk === 'ours') machine.stage = 'rebooting';
    },
  })),
  fc.tuple(fc.nat(), fc.boolean()).map(([at, drained]) => ({
    what: `node ${at} cordoned by ${drained ? 'a drain that was killed' : 'somebody'}`,
    befall: ({ nodes }: Imagined) => {
      const node = pick(Object.values(nodes ?? {}), at);
      if (node) Object.assign(node, { schedulable: false, drained });
    },
  })),
  fc.nat().map((at) => ({
    what: `node ${at} not Ready`,
    befall: ({ nodes }: Imagined) => {
      const node = pick(Object.values(nodes ?? {}), at);
      if (node) node.ready = false;
    },
  })),
  fc.constant({
    what: 'a node of somebody else',
    befall: ({ nodes }: Imagined) =>
      void (nodes && (nodes['laptop'] = { machine: undefined, ready: false, schedulable: true, drained: false })),
  }),
  fc.constant({
    what: 'a Node that is Ready and has a name as ours',
    befall: ({ nodes, platform }: Imagined) => {
      const stranger = { machine: undefined, ready: true, schedulable: true, drained: false };
      if (nodes) nodes[`${platform}-general-77`] = stranger;
    },
  }),
  fc.constant({
    what: 'another Cilium',
    befall: (imagined: Imagined) => {
      if (imagined.network.kind === 'current')
        imagined.network = { kind: 'differs', reasons: ['version 1.17 -> 1.18'] };
    },
  }),
  fc.constant({
    ...forgetting,
    befall: (imagined: Imagined, platform: Platform) => {
      const names = new Set(platform.machines.map(({ name }) => name));
      if (Object.keys(imagined.memory.configured).every((name) => names.has(name)))
        forgetting.befall(imagined, platform);
    },
  }),
  fc.constantFrom('kubeconfig', 'talosconfig').map((path) => ({
    what: `${path} deleted`,
    befall: (imagined: Imagined) => void (imagined.artifacts[path] = 'absent'),
  })),
);

/** A run was killed right before etcd was asked to begin: who is to do it is written down already. */
const anyChoice: fc.Arbitrary<Mishap> = fc.nat().map((at) => ({
  what: `control plane ${at} chosen to begin etcd`,
  befall: (imagined: Imagined, platform: Platform) => {
    const chosen = pick(
      platform.machines.filter(({ role }) => role === 'control-plane'),
      at,
    );
    if (chosen === undefined || Object.keys(imagined.members).length > 0) return;
    imagined.memory = { ...imagined.memory, bootstrap: { machine: chosen.name, chosenAt: '2026-11-17T12:00:00Z' } };
  },
}));

/** What nobody can see for a while. */
const anyVeil: fc.Arbitrary<Mishap> = fc.oneof(
  fc.constant(forgetting),
  fc.nat().map((at) => ({
    what: `machine ${at} is on a silent host`,
    befall: (imagined: Imagined) => {
      const machine = pick(Object.values(imagined.machines), at);
      if (machine) imagined.hidden = [...imagined.hidden, machine.name];
    },
  })),
  fc.nat().map((at) => ({
    what: `Talos on machine ${at} does not answer`,
    befall: (imagined: Imagined) => {
      const machine = pick(Object.values(imagined.machines), at);
      if (machine) imagined.hidden = [...imagined.hidden, `talos ${machine.name}`];
    },
  })),
  fc.constantFrom('etcd', 'nodes', 'network').map((what) => ({
    what: `${what} cannot be seen`,
    befall: (imagined: Imagined) => void (imagined.hidden = [...imagined.hidden, what]),
  })),
  fc.nat().map((at) => ({
    what: `machine ${at} belongs to somebody else`,
    befall: (imagined: Imagined) => {
      const machine = pick(Object.values(imagined.machines), at);
      if (machine && machine.vm !== null) machine.disk = 'foreign';
    },
  })),
  fc.nat().map((at) => ({
    what: `the VM of machine ${at} is somebody else's`,
    befall: (imagined: Imagined) => {
      const machine = pick(Object.values(imagined.machines), at);
      if (machine?.vm) machine.vm = { ...machine.vm, mark: { ...machine.vm.mark, platform: 'another' } };
    },
  })),
  fc.nat().map((at) => ({
    what: `the notes of machine ${at} edited`,
    befall: (imagined: Imagined) => {
      const machine = pick(Object.values(imagined.machines), at);
      if (machine) imagined.damaged = [...(imagined.damaged ?? []), machine.name];
    },
  })),
  fc.constant({
    what: 'the provider takes no changes',
    befall: (imagined: Imagined) => void (imagined.readOnly = 'it has lost its quorum'),
  }),
);

export type Story = {
  readonly platform: Platform;
  /** As the file was before somebody edited it. */
  readonly before: Platform;
  readonly world: Imagined;
  readonly told: string;
  readonly [fc.toStringMethod]: () => string;
};

/** Plans until nothing is left; undefined: it does not end. */
export function settle(platform: Platform, start: Imagined, passes = 10): Imagined | undefined {
  let world = start;
  for (let pass = 0; pass < passes; pass++) {
    const { plan } = planPlatform(platform, seen(world, platform), { intent: 'converge' });
    if (plan.steps.length === 0) return world;
    world = structuredClone(world);
    for (const step of plan.steps) carryOut(step, world, platform);
  }
  return undefined;
}

/** A few steps of a plan, in some order that it allows: a run that was killed. */
export function killed(platform: Platform, start: Imagined, steps: number, luck: readonly number[]): Imagined {
  const { plan } = planPlatform(platform, seen(start, platform), { intent: 'converge' });
  const world = structuredClone(start);
  for (const step of someOrder(plan.steps, luck).slice(0, steps)) carryOut(step, world, platform);
  return world;
}

/** One of the orders that a graph allows. */
export function someOrder<T extends { readonly id: string; readonly after: readonly string[] }>(
  steps: readonly T[],
  luck: readonly number[],
): readonly T[] {
  const left = [...steps];
  const done = new Set<string>();
  const order: T[] = [];
  while (left.length > 0) {
    const free = left.filter(({ after }) => after.every((id) => done.has(id)));
    const next = free[(luck[order.length % Math.max(1, luck.length)] ?? 0) % free.length];
    if (next === undefined) throw new Error('The steps wait for each other.');
    done.add(next.id);
    order.push(next);
    left.splice(left.indexOf(next), 1);
  }
  return order;
}

type Ingredients = {
  readonly file: AnyFile;
  readonly existing: boolean;
  readonly begun: boolean;
  readonly edits: readonly Edit[];
  readonly mishaps: readonly Mishap[];
  readonly kills: number;
  readonly luck: readonly number[];
};

const roomy = (file: AnyFile): AnyFile => {
  const copy = structuredClone(file);
  for (const pool of Object.values(copy.spec.cluster.workers)) pool.replicas = Math.min(pool.replicas, 3);
  return copy;
};

const ingredients = (mishaps: fc.Arbitrary<readonly Mishap[]>): fc.Arbitrary<Ingredients> =>
  fc.record({
    file: anyFile.map(roomy),
    existing: fc.boolean(),
    begun: fc.boolean(),
    edits: fc.array(anyEdit, { maxLength: 2 }),
    mishaps,
    kills: fc.nat(60),
    luck: fc.array(fc.nat(50), { minLength: 1, maxLength: 20 }),
  });

/** A file, a life that its cluster had so far, and what the file says now. */
const storyOf = ({ file, existing, begun, edits, mishaps, kills, luck }: Ingredients): Story | undefined => {
  const written = (each: AnyFile): Platform | undefined => platformIn(existing ? onExisting(each) : each);
  const before = written(file);
  if (before === undefined) return undefined;
  const edited = structuredClone(file);
  for (const { apply } of edits) apply(edited);
  const platform = written(roomy(edited));
  if (platform === undefined) return undefined;
  const whole = begun ? settle(before, empty(before)) : killed(before, empty(before), kills, luck);
  if (whole === undefined) return undefined;
  // Another host of the file is there from the moment that somebody writes it down.
  const hosts = existing ? whole.hosts : { ...empty(platform).hosts, shared: whole.hosts.shared };
  const world = structuredClone({ ...whole, hosts });
  for (const { befall } of mishaps) befall(world, platform);
  const told = [
    existing ? 'existing' : 'proxmox',
    begun ? 'settled' : `killed after ${kills}`,
    ...edits.map(({ what }) => what),
    ...mishaps.map(({ what }) => what),
  ].join('; ');
  return { platform, before, world, told, [fc.toStringMethod]: () => `${told}\n${JSON.stringify(file)}` };
};

const isStory = (story: Story | undefined): story is Story => story !== undefined;

/** Everything can be seen, whatever happened. */
export const anyStory: fc.Arbitrary<Story> = ingredients(fc.array(anyMishap, { maxLength: 3 }))
  .map(storyOf)
  .filter(isStory);

/** A cluster that was well when somebody edited its file. */
export const anyEditedStory: fc.Arbitrary<Story> = ingredients(fc.constant([]))
  .map((given) => storyOf({ ...given, begun: true }))
  .filter(isStory);

/** A first run that was killed, and nothing else. */
export const anyBeginning: fc.Arbitrary<Story> = ingredients(fc.array(anyChoice, { maxLength: 1 }))
  .map((given) => storyOf({ ...given, begun: false, edits: [] }))
  .filter(isStory);

/** A cluster without power, whose file was edited meanwhile; sometimes nobody remembers that it is there. */
export const anyDarkStory: fc.Arbitrary<Story> = fc
  .tuple(
    ingredients(fc.tuple(anyPowerCut, fc.subarray([forgetting])).map(([cut, others]) => [cut, ...others])),
    fc.subarray([otherControlPlanes]),
  )
  .map(([given, edits]) => storyOf({ ...given, existing: false, begun: true, edits: [...given.edits, ...edits] }))
  .filter(isStory);

/** Something cannot be seen, or is somebody else's. */
export const anyVeiledStory: fc.Arbitrary<Story> = ingredients(
  fc
    .tuple(fc.array(anyMishap, { maxLength: 2 }), fc.array(anyVeil, { minLength: 1, maxLength: 3 }))
    .map(([mishaps, veils]) => [...mishaps, ...veils]),
)
  .map(storyOf)
  .filter(isStory);
