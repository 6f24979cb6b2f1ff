import fc from 'fast-check';

/** Platform files and worlds as random as they come, for the laws that must hold in all of them. */
export type AnyPool = { replicas: number; cpu: number; memory: string; disk: string; disks?: Record<string, string> };
export type AnyFile = {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  spec: {
    environment?: string;
    machines: { proxmox: Record<string, unknown> & { hosts: string[]; capacity: Record<string, unknown> } };
    cluster: {
      highAvailability?: boolean;
      controlPlane: Record<string, unknown> & { replicas: number };
      workers: Record<string, AnyPool>;
      placement: Record<string, unknown>;
      names?: Record<string, string>;
      nodes?: Record<string, Record<string, unknown>>;
    };
  };
};

const sizes = {
  cpu: [1, 2, 4, 8, 16],
  memory: ['2GiB', '4GiB', '8GiB', '16GiB', '32GiB'],
  disk: ['20GiB', '40GiB', '100GiB', '200GiB'],
};

export const anyPool: fc.Arbitrary<AnyPool> = fc.record(
  {
    replicas: fc.integer({ min: 0, max: 9 }),
    cpu: fc.constantFrom(...sizes.cpu),
    memory: fc.constantFrom(...sizes.memory),
    disk: fc.constantFrom(...sizes.disk),
    disks: fc.constantFrom<Record<string, string>[]>({ data: '50GiB' }, { longhorn: '100GiB on ceph' }),
  },
  { requiredKeys: ['replicas', 'cpu', 'memory', 'disk'] },
);

export const poolNames = ['edge', 'general', 'gpu', 'infra', 'storage', 'zeta'];

const anyCapacity = fc.record({
  cpu: fc.constantFrom(8, 16, 32, 64),
  memory: fc.constantFrom('32GiB', '64GiB', '128GiB', '256GiB'),
  disk: fc.record({ 'local-lvm': fc.constantFrom('500GiB', '1TiB', '4TiB') }),
});

const hostNames = ['pve1', 'pve2', 'pve3', 'pve4', 'pve10', 'rack-b'];

export const anyFile: fc.Arbitrary<AnyFile> = fc
  .record({
    hosts: fc.uniqueArray(fc.constantFrom(...hostNames), { minLength: 1, maxLength: 6 }),
    capacities: fc.array(anyCapacity, { minLength: 6, maxLength: 6 }),
    controlPlanes: fc.constantFrom(1, 1, 3, 3, 5),
    together: fc.boolean(),
    pools: fc.dictionary(fc.constantFrom(...poolNames), anyPool, { maxKeys: 4 }),
    overcommit: fc.constantFrom(1, 1.5, 2, 4),
    reserve: fc.constantFrom('0MiB', '1GiB', '4GiB'),
  })
  .map(({ hosts, capacities, controlPlanes, together, pools, overcommit, reserve }): AnyFile => ({
    apiVersion: 'ichor.dev/v1alpha1',
    kind: 'Platform',
    metadata: { name: 'prod' },
    spec: {
      machines: {
        proxmox: {
          endpoint: 'https://pve1.example.org:8006',
          token: { env: 'PROXMOX_TOKEN' },
          hosts,
          sharedDatastores: { ceph: '20TiB' },
          capacity: Object.fromEntries(hosts.map((host, index) => [host, capacities[index]])),
        },
      },
      cluster: {
        ...(together && controlPlanes >= 3 ? { highAvailability: false } : {}),
        controlPlane: { replicas: controlPlanes, cpu: 2, memory: '4GiB', disk: '40GiB' },
        workers: { ...pools },
        placement: { overcommit: { cpu: overcommit }, reserve: { memory: reserve } },
      },
    },
  }));

/** Somebody else's machines on the same hosts. */
export const anyForeigners = fc.array(
  fc.record({
    host: fc.nat(5),
    vmid: fc.oneof(
      fc.integer({ min: 100, max: 130 }),
      fc.integer({ min: 395, max: 410 }),
      fc.integer({ min: 495, max: 720 }),
    ),
    cpu: fc.constantFrom(1, 2, 4),
    memory: fc.constantFrom('1GiB', '4GiB', '8GiB'),
  }),
  { maxLength: 8 },
);

export type Edit = { readonly what: string; readonly apply: (file: AnyFile) => void };

/** All of them are other machines then. */
export const otherControlPlanes: Edit = {
  what: 'other names for control planes',
  apply: ({ spec: { cluster } }) => void (cluster.names = { controlPlane: '{platform}-master-{index}' }),
};

/** Changes that people make to a file. Each leaves the machines it does not speak of alone. */
export const anyEdit: fc.Arbitrary<Edit> = fc.oneof(
  fc.tuple(fc.constantFrom(...poolNames), anyPool).map(([pool, settings]) => ({
    what: `set pool ${pool}`,
    apply: (file: AnyFile) => void (file.spec.cluster.workers[pool] = settings),
  })),
  fc.constantFrom(...poolNames).map((pool) => ({
    what: `remove pool ${pool}`,
    apply: (file: AnyFile) => void delete file.spec.cluster.workers[pool],
  })),
  fc.tuple(fc.constantFrom(...poolNames), fc.integer({ min: 0, max: 12 })).map(([pool, replicas]) => ({
    what: `scale ${pool} to ${replicas}`,
    apply: (file: AnyFile) => {
      const settings = file.spec.cluster.workers[pool];
      if (settings) settings.replicas = replicas;
    },
  })),
  fc.constantFrom(1, 3, 5).map((replicas) => ({
    what: `scale control planes to ${replicas}`,
    apply: (file: AnyFile) => void (file.spec.cluster.controlPlane.replicas = replicas),
  })),
  fc.constant(otherControlPlanes),
  fc.tuple(fc.constantFrom(...poolNames), fc.constantFrom(...poolNames)).map(([from, to]) => ({
    what: `pool ${from} is called ${to}`,
    apply: ({ spec: { cluster } }: AnyFile) => {
      const { [from]: settings, ...others } = cluster.workers;
      if (settings) cluster.workers = { ...others, [to]: settings };
    },
  })),
  fc.tuple(fc.constantFrom(...poolNames), fc.constantFrom('200GiB', '2TiB', '5TiB')).map(([pool, disk]) => ({
    what: `pool ${pool} with disks of ${disk}`,
    apply: ({ spec: { cluster } }: AnyFile) => {
      const settings = cluster.workers[pool];
      if (settings) settings.disk = disk;
    },
  })),
  fc.constantFrom('8GiB', '6GiB').map((memory) => ({
    what: `control planes with ${memory}`,
    apply: (file: AnyFile) => void (file.spec.cluster.controlPlane['memory'] = memory),
  })),
  fc.constantFrom(1, 2, 8).map((cpu) => ({
    what: `overcommit ${cpu}`,
    apply: (file: AnyFile) => void (file.spec.cluster.placement['overcommit'] = { cpu }),
  })),
  fc.constant({ what: 'another environment', apply: (file: AnyFile) => void (file.spec.environment = 'staging') }),
  fc.constant({
    what: 'another MAC prefix',
    apply: (file: AnyFile) => void (file.spec.machines.proxmox['macPrefix'] = 'BC:24:11'),
  }),
  fc.constant({
    what: 'other VMID ranges',
    apply: (file: AnyFile) =>
      void (file.spec.machines.proxmox['vmids'] = { controlPlane: '3000-3099', workers: '4000-5999' }),
  }),
  fc.constant({
    what: 'everything in another order',
    apply: (file: AnyFile) => {
      const { cluster, machines } = file.spec;
      cluster.workers = Object.fromEntries(Object.entries(cluster.workers).toReversed());
      machines.proxmox.hosts.reverse();
    },
  }),
  fc.constant({
    what: 'another host',
    apply: (file: AnyFile) => {
      const { hosts, capacity } = file.spec.machines.proxmox;
      if (hosts.includes('pve20')) return;
      hosts.push('pve20');
      capacity['pve20'] = { cpu: 64, memory: '256GiB', disk: { 'local-lvm': '4TiB' } };
    },
  }),
);
