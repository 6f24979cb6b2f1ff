import type { Preview } from '../src/engine/run.ts';
import type { Layer } from '../src/model/layer.ts';
import type { Plan, PlannedStep } from '../src/model/plan.ts';
import type { Proof } from '../src/model/proof.ts';
import type { GiB, MiB } from '../src/model/size.ts';
import type { Step } from '../src/model/step.ts';

export const made = '2026-03-01T12:00:00.000Z';

type Rest = Partial<Omit<PlannedStep, 'id' | 'layer' | 'step'>>;

/** A step that is named as the planner names it. */
export function planned(layer: Layer, step: Step, { machine, ...rest }: Rest = {}): PlannedStep {
  return {
    id: machine === undefined ? step.kind : `${step.kind} ${machine}`,
    layer,
    machine,
    step,
    after: [],
    because: '',
    disruption: 'none',
    expectedMs: 1000,
    ...rest,
  };
}

export const aPlan = (steps: readonly PlannedStep[], rest: Partial<Plan> = {}): Plan => ({
  platform: 'prod',
  intent: 'converge',
  made,
  steps,
  drift: [],
  asks: [],
  doubts: [],
  partial: false,
  ...rest,
});

const hosts = ['pve1', 'pve2', 'pve3'];
const hostOf = (index: number): string => hosts[index % 3] ?? '';
const refOf = (machine: string, index: number) => ({
  mark: { platform: 'prod', name: machine, uuid: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}` },
  id: String(401 + index),
  host: hostOf(index),
});

export const names = (controlPlanes: number, workers: number): readonly string[] => [
  ...Array.from({ length: controlPlanes }, (_, index) => `prod-cp-${index}`),
  ...Array.from({ length: workers }, (_, index) => `prod-general-${index}`),
];

/** From nothing to a cluster. */
export function bringUp(controlPlanes: number, workers: number): Plan {
  const machines = names(controlPlanes, workers);
  const because = 'the file has it, and it is not there';
  const image = 'talos-v1.13.9-metal-amd64.raw.xz';
  const secrets = planned('identity', { kind: 'secrets.make' }, { because: 'there are none yet', expectedMs: 200 });
  const ensured = planned(
    'machines',
    {
      kind: 'image.ensure',
      schematic: undefined,
      hosts,
      image: {
        kind: 'disk',
        url: 'https://factory.talos.dev/x',
        name: image,
        checksum: undefined,
        download: 'auto',
        datastore: 'local',
      },
    },
    { because: 'no host has it yet', expectedMs: 30_000 },
  );
  const created = machines.flatMap((machine, index) => {
    const ref = refOf(machine, index);
    const disks = [{ name: 'system', sizeGiB: 40 as GiB, datastore: 'local-lvm' }];
    const order = {
      ...ref,
      role: index < controlPlanes ? 'control-plane' : 'worker',
      pool: index < controlPlanes ? null : 'general',
      hostname: machine,
      shape: { cpu: 4, memoryMiB: 8192 as MiB, disks },
      mac: 'bc:24:11:00:00:01',
      image,
      staticAddress: undefined,
    } as const;
    return [
      planned(
        'machines',
        { kind: 'machine.create', machine, order },
        {
          machine,
          because: `${because}; on ${ref.host}: slot ${index} of ${ref.host}`,
          after: [ensured.id],
          expectedMs: 6000,
        },
      ),
      planned(
        'machines',
        { kind: 'machine.start', machine, ref },
        { machine, because: 'it was just created', after: [`machine.create ${machine}`], expectedMs: 2000 },
      ),
    ];
  });
  const configured = machines.flatMap((machine) => [
    planned(
      'cluster',
      { kind: 'talos.reach', machine, ref: undefined },
      { machine, after: [`machine.start ${machine}`], expectedMs: 20_000, reveals: `the address of ${machine}` },
    ),
    planned(
      'cluster',
      { kind: 'talos.configure', machine, ref: undefined },
      {
        machine,
        because: 'it waits in maintenance mode then',
        after: [`talos.reach ${machine}`, secrets.id],
        expectedMs: 3000,
      },
    ),
    planned(
      'cluster',
      { kind: 'talos.await-up', machine, ref: undefined },
      { machine, after: [`talos.configure ${machine}`], expectedMs: 30_000 },
    ),
  ]);
  const cluster = [
    planned(
      'cluster',
      { kind: 'etcd.bootstrap', machine: 'prod-cp-0', ref: undefined },
      {
        machine: 'prod-cp-0',
        because: 'etcd has no members anywhere',
        after: ['talos.await-up prod-cp-0'],
        expectedMs: 5000,
      },
    ),
    planned('cluster', { kind: 'kubernetes.await-api' }, { after: ['etcd.bootstrap prod-cp-0'], expectedMs: 20_000 }),
    planned(
      'cluster',
      { kind: 'cni.install', network: 'Cilium', version: '1.18.2' },
      { because: 'the cluster has no network yet', after: ['kubernetes.await-api'], expectedMs: 15_000 },
    ),
    planned(
      'cluster',
      { kind: 'node.await-ready', machines },
      { after: ['cni.install', ...machines.map((each) => `talos.await-up ${each}`)], expectedMs: 20_000 },
    ),
    planned(
      'cluster',
      { kind: 'artifacts.write', files: ['talosconfig', 'kubeconfig', 'control-plane.yaml', 'worker.yaml'] },
      { because: 'they are not there yet', after: ['kubernetes.await-api'], expectedMs: 200 },
    ),
  ];
  return aPlan([secrets, ensured, ...created, ...configured, ...cluster]);
}

/** A label and a kernel argument on three workers, one after the other; things changed by hand; a host that does not answer. */
export function rollout(): Plan {
  const machines = names(0, 3);
  const steps = machines.flatMap((machine, index) => [
    planned(
      'cluster',
      { kind: 'node.drain', machine, node: machine },
      {
        machine,
        because: 'its configuration changes with a reboot',
        disruption: 'drain',
        expectedMs: 60_000,
        after: index === 0 ? [] : [`cluster.await-healthy ${index - 1}`],
      },
    ),
    planned(
      'cluster',
      {
        kind: 'talos.reconfigure',
        machine,
        ref: undefined,
        reboot: true,
        changes: [
          { path: 'machine.nodeLabels.zone', before: 'a', after: 'b', reboot: false },
          { path: 'machine.install.extraKernelArgs[0]', before: undefined, after: 'net.ifnames=0', reboot: true },
          { path: 'machine.token', before: '***', after: '***', reboot: false },
        ],
      },
      {
        machine,
        because: 'its configuration is other than the file says',
        disruption: 'restart',
        expectedMs: 90_000,
        after: [`node.drain ${machine}`],
      },
    ),
    planned(
      'cluster',
      { kind: 'node.uncordon', machine, node: machine },
      { machine, because: 'we drained it', after: [`talos.reconfigure ${machine}`] },
    ),
    {
      ...planned(
        'cluster',
        { kind: 'cluster.await-healthy', except: [] },
        { after: [`node.uncordon ${machine}`], expectedMs: 10_000 },
      ),
      id: `cluster.await-healthy ${index}`,
    },
  ]);
  return aPlan(steps, {
    drift: [
      {
        machine: 'prod-general-1',
        kind: 'keep',
        what: 'description',
        wanted: undefined,
        found: 'do not touch, Anna',
        because: 'the file says nothing about it',
      },
      {
        machine: 'prod-general-2',
        kind: 'danger',
        what: 'disk system',
        wanted: '40GiB',
        found: '80GiB',
        because: 'a disk cannot shrink without losing data',
        remedy: 'Take what is there into the file:\n    ichor up --set cluster.workers.general.disk=80GiB',
      },
      { machine: 'prod-general-0', kind: 'correct', what: 'cpu', wanted: '4', found: '8', because: '' },
    ],
    asks: [
      {
        code: 'foreign-vm',
        message: 'VM 407 on pve2 has the name of a machine of ours and not its mark.',
        remedy: 'Rename it or give it another number:\n    qm set 407 --name other',
      },
    ],
    doubts: [
      { about: 'pve3', because: 'it does not answer (no route to host)' },
      { about: 'prod-general-3', because: 'it is made when others on pve1 are smaller', later: true },
    ],
    partial: true,
  });
}

/** Everything goes; with `existing`, machines are wiped and stay. */
export function tearDown(machines: readonly string[], how: 'delete' | 'wipe', everything = false): Plan {
  const steps = machines.flatMap((machine, index) =>
    how === 'wipe'
      ? [
          planned(
            'cluster',
            { kind: 'talos.reset', machine, address: `10.10.0.${11 + index}` },
            { machine, because: 'it belongs to the platform', disruption: 'data', expectedMs: 20_000 },
          ),
        ]
      : [
          planned(
            'machines',
            { kind: 'machine.stop', machine, ref: refOf(machine, index) },
            { machine, because: 'it goes', disruption: 'downtime', expectedMs: 2000 },
          ),
          planned(
            'machines',
            { kind: 'machine.delete', machine, ref: refOf(machine, index) },
            { machine, because: 'it goes', disruption: 'data', after: [`machine.stop ${machine}`], expectedMs: 4000 },
          ),
        ],
  );
  const last = steps.map(({ id }) => id);
  const forget = planned(
    'cluster',
    { kind: 'cluster.forget', files: ['kubeconfig', 'talosconfig'] },
    { because: 'its life is over', after: last, expectedMs: 100 },
  );
  const secrets = planned(
    'identity',
    { kind: 'secrets.delete' },
    { because: 'everything was asked for', disruption: 'data', after: [forget.id], expectedMs: 100 },
  );
  return aPlan([...steps, forget, ...(everything ? [secrets] : [])], { intent: 'destroy' });
}

export function aProof(fits = true): Proof {
  const gauge = (share: number) =>
    ({ resource: 'memory', capacity: 131_072, before: 0, after: 131_072 * share }) as const;
  return {
    platform: 'prod',
    kind: 'Platform',
    fits,
    certain: true,
    inventory: { hosts: [], shared: {} },
    machines: names(3, 3).map((name, index) => ({
      machine: {
        name,
        role: 'worker',
        pool: null,
        index,
        hostname: name,
        shape: { cpu: 4, memoryMiB: 8192 as MiB, disks: [] },
        fixed: {},
        allowedHosts: undefined,
      },
      identity: { vmid: null, mac: '', uuid: '', address: null },
      host: hostOf(index),
      because: '',
      exists: false,
    })),
    hosts: hosts.map((name, index) => ({ name, gauges: [], machines: [], tightest: gauge(0.5 + index / 10) })),
    shared: [],
    losses: [],
    short: fits ? [] : [{ group: 'general', machines: 2, host: 'pve2', resource: 'memory', missing: 12_288 }],
    nearest: [],
    remarks: [],
  };
}

export const previewOf = (plan: Plan, proof = aProof()): Preview => ({
  plan,
  proof,
  world: {
    platform: plan.platform,
    at: new Date(made),
    memory: { platform: plan.platform, bootstrap: undefined, configured: {}, guarded: undefined },
    secrets: 'there',
    provider: undefined,
    machines: [],
    etcd: { kind: 'known', value: [] },
    nodes: { kind: 'known', value: undefined },
    network: { kind: 'known', value: { kind: 'absent' } },
    artifacts: [],
  },
});
