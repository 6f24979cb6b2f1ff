import fc from 'fast-check';
import { contracts, type Contract } from '../../src/talos/config/contract.ts';
import { supportsKubernetes, talosReleases } from '../../src/model/talos-releases.ts';
import { parseVersion } from '../../src/model/version.ts';

/** Platform files that ask for everything that a machine configuration can say, in any combination. */
export type TalosFile = {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  spec: { machines: Record<string, unknown>; cluster: Record<string, unknown>; services?: Record<string, unknown> };
};

/** Releases whose rules differ, and those whose own types judge what is written. */
const releases: Readonly<Record<Contract, readonly string[]>> = {
  '1.9': ['v1.9.0'],
  '1.10': ['v1.10.6'],
  '1.11': ['v1.11.6'],
  '1.12': ['v1.12.4', 'v1.12.9'],
  '1.13': ['v1.13.2', 'v1.13.9'],
  '1.14': ['v1.14.1'],
};

const anyVersions = (contract: Contract) =>
  fc.record({
    talos: fc.constantFrom(...releases[contract]),
    kubernetes: fc.constantFrom(...kubernetesOf(contract)),
  });

function kubernetesOf(contract: Contract): readonly string[] {
  const release = talosReleases[contract];
  const versions = ['v1.29.3', 'v1.31.0', 'v1.32.5', 'v1.33.1', 'v1.35.2', 'v1.36.3'];
  return versions.filter((version) => {
    const parsed = parseVersion(version);
    return release !== undefined && parsed !== undefined && supportsKubernetes(release, parsed);
  });
}

const sometimes = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined });

/** The first release of 1.9 knows no bus path. */
const anyInstallDisk = (contract: Contract) =>
  fc.constantFrom<object[]>(
    { path: '/dev/nvme0n1' },
    { selector: { size: '>= 100GB' } },
    { selector: { size: '<= 2TiB', type: 'ssd' } },
    { selector: { model: 'WDC*', serial: 'S3Z8NB0K' } },
    { selector: { type: 'nvme', wwid: 'naa.5*', ...(contract === '1.9' ? {} : { busPath: '/pci0000:00/*' }) } },
  );

const anyDisks = fc.constantFrom<Record<string, string>[]>(
  {},
  { longhorn: '200GiB' },
  { data: '50GiB' },
  { longhorn: '100GiB', archive: '1TiB', scratch: '10GiB' },
);

const anyMarks = fc.record({
  labels: fc.constantFrom<Record<string, string>[]>(
    {},
    { 'example.org/tier': 'one' },
    { zone: 'b', 'a.example.org/x': '' },
  ),
  annotations: fc.constantFrom<Record<string, string>[]>({}, { 'example.org/owner': 'team: storage # really' }),
  taints: fc.constantFrom<string[][]>(
    [],
    ['gpu=true:NoSchedule'],
    ['example.org/only:NoExecute', 'b=:PreferNoSchedule'],
  ),
});

/** Undefined values are left out. */
const anyGroup = (contract: Contract, replicas: fc.Arbitrary<number>) =>
  fc
    .record({
      replicas,
      disks: anyDisks,
      marks: anyMarks,
      installDisk: sometimes(anyInstallDisk(contract)),
      extensions: fc.constantFrom<string[][]>([], ['nut-client']),
    })
    .map(({ marks, ...rest }) => ({ ...rest, ...marks, cpu: 4, memory: '8GiB', disk: '40GiB' }));

const anyKey = fc.constantFrom(
  { nodeID: {} },
  { tpm: {} },
  { passphrase: { env: 'DISK_PASSPHRASE' } },
  { kms: { endpoint: 'https://kms.example.org:4050' } },
);

const anyEndpoint = fc.constantFrom(
  { vip: '10.10.0.5' },
  { vip: '10.10.0.5', link: 'bond0' },
  { vip: '10.10.0.5', port: 443 },
  { host: 'k8s.example.org' },
  { host: 'fd00:10::5', port: 8443 },
  { host: '192.0.2.10' },
  {},
);

const anyNetwork = fc
  .record({
    addresses: fc.constantFrom('dhcp', 'static'),
    nameservers: fc.constantFrom<string[][]>([], ['10.10.0.1'], ['10.10.0.1', 'fd00::53']),
    timeServers: fc.constantFrom<string[][]>([], ['ntp.example.org', '10.10.0.1']),
    mtu: sometimes(fc.constantFrom(1400, 9000)),
    vlan: sometimes(fc.constantFrom(1, 40, 4094)),
    pods: fc.constantFrom('10.244.0.0/16', '172.20.0.0/16'),
    domain: fc.constantFrom('cluster.local', 'k8s.example.org'),
  })
  .map((network) => ({ nodes: '10.10.0.0/24', gateway: '10.10.0.1', ...network }));

const anyRegistries = fc.record({
  mirrors: fc.constantFrom<Record<string, unknown>[]>(
    {},
    { 'docker.io': { endpoints: ['https://mirror.example.org'] } },
    { '*': { endpoints: ['http://10.10.0.2:5000'], skipFallback: true } },
    {
      'ghcr.io': { endpoints: ['https://a.example.org/v2/ghcr', 'https://b.example.org/v2/ghcr'], overridePath: true },
    },
  ),
  credentials: fc.constantFrom<Record<string, unknown>[]>(
    {},
    { 'mirror.example.org': { username: 'robot', password: { file: './registry-password' } } },
    { 'b.example.org:5000': { username: 'robot', password: { env: 'REGISTRY' }, ca: './registry-ca.pem' } },
  ),
});

const anyCni = fc.constantFrom(
  { cilium: {} },
  { cilium: { kubeProxyReplacement: false, encryption: 'wireguard' } },
  { flannel: {} },
  { none: {} },
);

const anyExtensionServices = fc.constantFrom<Record<string, unknown>[]>(
  {},
  { tailscale: { environment: { TS_ROUTES: '10.0.0.0/8' }, secrets: { TS_AUTHKEY: { env: 'TS_AUTHKEY' } } } },
  { 'nut-client': { files: { '/usr/local/etc/nut/upsmon.conf': 'MONITOR ups@10.10.0.2 1 remote x slave\n# end' } } },
);

const anyManifests = fc.constantFrom<Record<string, unknown>[]>(
  {},
  { inline: { namespaces: 'apiVersion: v1\nkind: Namespace\nmetadata:\n  name: apps\n' } },
  {
    urls: ['https://example.org/a.yaml', 'https://example.org/b.yaml'],
    inline: { b: 'kind: List\n', a: '# nothing\n' },
  },
);

const providers: Readonly<Record<string, unknown>> = {
  proxmox: { endpoint: 'https://pve1.example.org:8006', token: { env: 'PROXMOX_TOKEN' }, hosts: ['pve1'] },
  libvirt: {},
  openstack: { cloud: 'prod' },
};

type Group = { replicas: number };

function existing(controlPlanes: number, pools: Readonly<Record<string, Group>>): Record<string, unknown> {
  const names = [
    ...Array.from({ length: controlPlanes }, (_, index) => `cp-${index}`),
    ...Object.entries(pools).flatMap(([pool, { replicas }]) =>
      Array.from({ length: replicas }, (_, index) => `${pool}-${index}`),
    ),
  ];
  const machine = (_: string, index: number) => ({
    address: `10.10.0.${100 + index}`,
    ...(index % 2 === 0 ? { mac: `02:00:00:00:00:${(16 + index).toString(16)}` } : {}),
  });
  return { machines: Object.fromEntries(names.map((name, index) => [name, machine(name, index)])) };
}

const inFixedOrder = ['existing', 'libvirt', 'openstack', 'proxmox'] as const;

/** Files for one contract; every value that is not the default is there now and then. */
export const anyTalosFile = (contract: Contract): fc.Arbitrary<TalosFile> =>
  fc
    .record({
      provider: fc.constantFrom(...inFixedOrder),
      versions: anyVersions(contract),
      controlPlanes: fc.constantFrom(1, 3),
      controlPlane: anyGroup(contract, fc.constant(1)),
      pools: fc.dictionary(
        fc.constantFrom('general', 'gpu', 'storage'),
        anyGroup(contract, fc.integer({ min: 0, max: 2 })),
        {
          maxKeys: 2,
          noNullPrototype: true,
        },
      ),
      schedulable: sometimes(fc.boolean()),
      boot: sometimes(fc.constantFrom('disk', 'iso')),
      secureBoot: fc.boolean(),
      endpoint: anyEndpoint,
      hostnames: fc.constantFrom('talos', 'dhcp'),
      network: anyNetwork,
      cni: anyCni,
      certSANs: fc.constantFrom<string[][]>([], ['k8s.example.org', '192.0.2.7']),
      registries: anyRegistries,
      kubePrism: fc.constantFrom({}, { port: 7000 }),
      hostDNS: fc.constantFrom({}, { forwardKubeDNSToHost: false }, { enabled: false, forwardKubeDNSToHost: false }),
      discovery: fc.constantFrom({}, { service: 'https://discovery.example.org/' }, { enabled: false }),
      kubeSpan: fc.constantFrom({}, { enabled: true }, { enabled: true, mtu: 1380 }),
      firewall: fc.constantFrom({}, { enabled: true }, { enabled: true, management: ['10.0.0.0/16', 'fd00:1::/64'] }),
      encryption: fc.record({ state: sometimes(anyKey), ephemeral: sometimes(anyKey) }),
      extensionServices: anyExtensionServices,
      manifests: anyManifests,
      sysctls: fc.constantFrom<Record<string, string>[]>(
        {},
        { 'net.core.somaxconn': '65535', 'vm.nr_hugepages': '1024' },
      ),
      metallb: fc.boolean(),
      nodeLabels: fc.boolean(),
    })
    .map(({ provider, versions, controlPlanes, controlPlane, pools, schedulable, boot, secureBoot, ...rest }) => {
      const { metallb, nodeLabels, discovery, kubeSpan, encryption, ...cluster } = rest;
      const workers = Object.fromEntries(
        Object.entries(pools).map(([pool, group], index) => [
          pool,
          { ...group, addresses: `10.10.0.${50 + index * 10}-${59 + index * 10}` },
        ]),
      );
      const machines = provider === 'existing' ? existing(controlPlanes, pools) : providers[provider];
      const idle = Object.values(pools).every(({ replicas }) => replicas === 0);
      return dropUndefined({
        apiVersion: 'ichor.dev/v1alpha1',
        kind: 'Platform',
        metadata: { name: 'prod' },
        spec: {
          machines: { [provider]: machines },
          cluster: {
            ...cluster,
            talos: { version: versions.talos, secureBoot: secureBoot || usesTpm(encryption), image: { boot } },
            kubernetes: { version: versions.kubernetes },
            controlPlane: {
              ...controlPlane,
              replicas: controlPlanes,
              schedulable: idle ? undefined : schedulable,
              addresses: '10.10.0.11-19',
            },
            workers,
            highAvailability: false,
            discovery,
            kubeSpan: discovery.enabled === false ? {} : kubeSpan,
            encryption,
            ...(nodeLabels
              ? {
                  nodes: {
                    'cp-0': { labels: { zone: 'a' }, taints: ['x=y:NoExecute'], annotations: { note: 'first' } },
                  },
                }
              : {}),
          },
          ...(metallb ? { services: { catalog: { metallb: { pool: '10.10.0.200-10.10.0.220' } } } } : {}),
        },
      });
    });

const usesTpm = (keys: Readonly<Record<string, object | undefined>>): boolean =>
  Object.values(keys).some((key) => key !== undefined && 'tpm' in key);

/** JSON has no undefined. */
const dropUndefined = (file: object): TalosFile => JSON.parse(JSON.stringify(file)) as TalosFile;

export const anyContract: fc.Arbitrary<Contract> = fc.constantFrom(...contracts);
