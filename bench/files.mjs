// The files that are measured. JSON is YAML.
const platform = (name, proxmox, cluster) =>
  JSON.stringify(
    {
      apiVersion: 'ichor.dev/v1alpha1',
      kind: 'Platform',
      metadata: { name },
      spec: {
        machines: { proxmox: { endpoint: 'https://pve.example.org:8006', token: { env: 'T' }, ...proxmox } },
        cluster,
      },
    },
    null,
    2,
  );

const named = (hosts) => ({ hosts: hosts.map(([name]) => name), capacity: Object.fromEntries(hosts) });

/** 3 control planes and 497 workers in four pools on 20 hosts, every machine with an entry of its own. */
export function fiveHundred() {
  const hosts = Array.from({ length: 20 }, (_, index) => [
    `pve${index + 1}`,
    { cpu: 128, memory: '1TiB', disk: { 'local-lvm': '20TiB' } },
  ]);
  const pools = { general: 300, memory: 97, gpu: 50, edge: 50 };
  const size = { general: [4, '16GiB'], memory: [8, '64GiB'], gpu: [16, '64GiB'], edge: [2, '4GiB'] };
  const workers = Object.fromEntries(
    Object.entries(pools).map(([pool, replicas]) => [
      pool,
      { replicas, cpu: size[pool][0], memory: size[pool][1], disk: '100GiB' },
    ]),
  );
  const nodes = Object.fromEntries(
    Object.entries(pools).flatMap(([pool, replicas]) =>
      Array.from({ length: replicas }, (_, index) => [
        `${pool}-${index}`,
        { labels: { 'example.org/number': String(index) } },
      ]),
    ),
  );
  return platform('large', named(hosts), {
    controlPlane: { replicas: 3, cpu: 8, memory: '32GiB', disk: '100GiB' },
    workers,
    nodes,
    placement: { overcommit: { cpu: 4 } },
  });
}

/** 3 control planes and 97 workers, each with an entry of its own. */
export function hundred() {
  const nodes = Object.fromEntries(
    Array.from({ length: 97 }, (_, index) => [
      `general-${index}`,
      { labels: { 'example.org/rack': String(index % 8) } },
    ]),
  );
  const hosts = Array.from({ length: 6 }, (_, index) => [`pve${index + 1}`, { cpu: 128, memory: '1TiB' }]);
  return platform('hundred', named(hosts), {
    controlPlane: { replicas: 3 },
    workers: { general: { replicas: 97, cpu: 4, memory: '16GiB', disk: '60GiB' } },
    nodes,
  });
}

/**
 * The data centre of CAPMOX issue 724: 10 hosts with 64 cores and 504 GB, 2 with 32 and 661, 8 with 32 and 504;
 * 229 VMs with 2,216 vCPU. The mix is ours: 60 of 16 vCPU, 145 of 8 (3 of them control planes), 24 of 4; 2 GiB per vCPU.
 */
export function capmox724() {
  const rack = (prefix, count, cpu, memory) =>
    Array.from({ length: count }, (_, index) => [`${prefix}${index + 1}`, { cpu, memory }]);
  const hosts = [...rack('big', 10, 64, '504GiB'), ...rack('wide', 2, 32, '661GiB'), ...rack('small', 8, 32, '504GiB')];
  const workers = {
    large: { replicas: 60, cpu: 16, memory: '32GiB', disk: '50GiB' },
    medium: { replicas: 142, cpu: 8, memory: '16GiB', disk: '50GiB' },
    small: { replicas: 24, cpu: 4, memory: '8GiB', disk: '50GiB' },
  };
  return {
    file: platform('capmox', named(hosts), {
      controlPlane: { replicas: 3, cpu: 8, memory: '16GiB', disk: '50GiB' },
      workers,
      placement: { overcommit: { cpu: 4 } },
    }),
    cores: hosts.reduce((total, [, { cpu }]) => total + cpu, 0),
  };
}
