import { describe, expect, test } from 'vitest';
import { platformOf, requestFor } from '../../../test/talos-configs.ts';
import type { Contract } from './contract.ts';
import { renderConfigs, type RenderedConfig, type RenderedConfigs } from './render.ts';
import type { ConfigRequest } from './request.ts';

const proxmox = { proxmox: { endpoint: 'https://pve1.example.org:8006', token: { env: 'TOKEN' }, hosts: ['pve1'] } };
const releases: Readonly<Record<Contract, string>> = {
  '1.9': 'v1.9.5',
  '1.10': 'v1.10.9',
  '1.11': 'v1.11.6',
  '1.12': 'v1.12.11',
  '1.13': 'v1.13.9',
  '1.14': 'v1.14.1',
};

type Settings = { readonly talos?: object; readonly [key: string]: unknown };

/** A small platform with these settings of the cluster: one control plane cp-0, one worker w-0. */
function request(contract: Contract, settings: Settings, machines: object = proxmox): ConfigRequest {
  const { talos, ...cluster } = settings;
  const spec = {
    machines,
    cluster: {
      endpoint: { host: 'k8s.example.org' },
      workers: { w: {} },
      nodes: { 'cp-0': { mac: '02:00:00:00:00:01' }, 'w-0': { mac: '02:00:00:00:00:02' } },
      kubernetes: { version: 'v1.32.5' },
      ...cluster,
      talos: { version: releases[contract], ...talos },
    },
  };
  return requestFor(
    platformOf(JSON.stringify({ apiVersion: 'ichor.dev/v1alpha1', kind: 'Platform', metadata: { name: 'p' }, spec })),
  );
}

const render = (contract: Contract, settings: Settings, machines?: object): RenderedConfigs =>
  renderConfigs(request(contract, settings, machines));

const node = ({ nodes }: RenderedConfigs, name: string): RenderedConfig => {
  const found = nodes.get(name);
  if (found === undefined) throw new Error(`There is no ${name}.`);
  return found;
};
const controlPlane = (contract: Contract, settings: Settings, machines?: object): RenderedConfig =>
  node(render(contract, settings, machines), 'p-cp-0');
const worker = (contract: Contract, settings: Settings, machines?: object): RenderedConfig =>
  node(render(contract, settings, machines), 'p-w-0');

/** A part of the old document by its path, undefined where there is none. */
const at = ({ config }: RenderedConfig, path: string): unknown =>
  path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], config[0]);

/** All documents of a kind, without what they all begin with. */
const documents = ({ config }: RenderedConfig, kind: string): readonly unknown[] =>
  config
    .filter((document) => document['kind'] === kind)
    .map(({ apiVersion: _version, kind: _kind, ...fields }) => fields);

const staticNetwork = { nodes: '10.10.0.0/24', gateway: '10.10.0.1', addresses: 'static' };
const addressed = {
  nodes: { 'cp-0': { mac: '02:00:00:00:00:01', address: '10.10.0.11' }, 'w-0': { address: '10.10.0.21' } },
  network: staticNetwork,
};

describe('where the Kubernetes API is reached', () => {
  test.each<[string, Settings, string]>([
    ['a VIP', { endpoint: { vip: '10.10.0.5' } }, 'https://10.10.0.5:6443'],
    ['a VIP in IPv6', { endpoint: { vip: 'fd00::5', port: 443 } }, 'https://[fd00::5]:443'],
    ['a load balancer', { endpoint: { host: 'lb.example.org', port: 443 } }, 'https://lb.example.org:443'],
    ['the first control plane', { endpoint: {}, ...addressed }, 'https://10.10.0.11:6443'],
  ])('%s', (_, settings, url) => {
    const old = render('1.13', settings);
    const young = render('1.14', settings);
    expect([old.controlPlane, old.worker].map((each) => at(each, 'cluster.controlPlane.endpoint'))).toEqual([url, url]);
    expect(documents(young.worker, 'KubeClusterConfig')).toEqual([{ clusterName: 'p', endpoint: url }]);
  });

  test('nobody knows it, and a person is asked', () => {
    expect(() => render('1.13', { endpoint: {} })).toThrow(
      expect.objectContaining({ code: 'endpoint-unknown', path: 'cluster.endpoint', recovery: 'ask' }),
    );
  });

  test('a load balancer that only the caller knows', () => {
    const rendered = renderConfigs({ ...request('1.13', { endpoint: {} }), endpointHost: '192.0.2.1' });
    expect(at(rendered.worker, 'cluster.controlPlane.endpoint')).toBe('https://192.0.2.1:6443');
  });

  test.each<[string, Settings, number | undefined]>([
    ['the usual port', { endpoint: { vip: '10.10.0.5' } }, undefined],
    ['a VIP on another port: the API server listens there', { endpoint: { vip: '10.10.0.5', port: 443 } }, 443],
    ['a load balancer on another port: the API server does not', { endpoint: { host: 'lb', port: 443 } }, undefined],
  ])('%s', (_, settings, port) => {
    expect(at(controlPlane('1.13', settings), 'cluster.controlPlane.localAPIServerPort')).toBe(port);
    expect(documents(controlPlane('1.14', settings), 'KubeAPIServerConfig')).toEqual([
      { image: 'registry.k8s.io/kube-apiserver:v1.32.5', ...(port === undefined ? {} : { apiPort: port }) },
    ]);
  });

  test.each<[Contract, unknown]>([
    ['1.9', ['k8s.example.org', '192.0.2.7']],
    ['1.11', ['k8s.example.org', '192.0.2.7']],
    ['1.12', ['192.0.2.7']],
    ['1.13', ['192.0.2.7']],
  ])('names in the certificate of the API server of %s', (contract, names) => {
    const rendered = controlPlane(contract, { certSANs: ['192.0.2.7'] });
    expect(at(rendered, 'cluster.apiServer.certSANs')).toEqual(names);
    expect(at(rendered, 'machine.certSANs')).toEqual(['192.0.2.7']);
  });
});

describe('hostnames', () => {
  test.each<[string, Contract, string, string, unknown, readonly unknown[]]>([
    ['written into the old document', '1.11', 'v1.11.6', 'talos', 'p-cp-0', []],
    ['written into their own', '1.12', 'v1.12.4', 'talos', undefined, [{ auto: 'off', hostname: 'p-cp-0' }]],
    ['from DHCP, which old versions simply let win', '1.11', 'v1.11.6', 'dhcp', undefined, []],
    ['from DHCP, where the document must be left out', '1.12', 'v1.12.8', 'dhcp', undefined, []],
    ['from DHCP, said so', '1.12', 'v1.12.9', 'dhcp', undefined, [{ auto: 'off' }]],
    ['from DHCP, where the document must be left out', '1.13', 'v1.13.2', 'dhcp', undefined, []],
    ['from DHCP, said so', '1.13', 'v1.13.3', 'dhcp', undefined, [{ auto: 'off' }]],
    ['from DHCP, said so', '1.14', 'v1.14.0', 'dhcp', undefined, [{ auto: 'off' }]],
  ])('%s: %s, %s', (_, contract, version, hostnames, legacy, own) => {
    const rendered = controlPlane(contract, { hostnames, talos: { version } });
    expect(at(rendered, 'machine.network.hostname')).toBe(legacy);
    expect(documents(rendered, 'HostnameConfig')).toEqual(own);
  });

  test('a role has no name: Talos makes one for who uses it as it is', () => {
    expect(documents(render('1.13', {}).worker, 'HostnameConfig')).toEqual([{ auto: 'stable' }]);
  });
});

describe('networks', () => {
  const vip = { endpoint: { vip: '10.10.0.5' } };

  test.each<[string, Settings, unknown]>([
    ['nothing to say', {}, undefined],
    ['a VIP', vip, [{ deviceSelector: mac1(), dhcp: true, vip: { ip: '10.10.0.5' } }]],
    [
      'a VIP on a named link',
      { endpoint: { vip: '10.10.0.5', link: 'bond0' } },
      [{ interface: 'bond0', dhcp: true, vip: { ip: '10.10.0.5' } }],
    ],
    ['an MTU', { network: { mtu: 1400 } }, [{ deviceSelector: mac1(), mtu: 1400, dhcp: true }]],
    [
      'an address',
      addressed,
      [
        {
          deviceSelector: mac1(),
          addresses: ['10.10.0.11/24'],
          routes: [{ network: '0.0.0.0/0', gateway: '10.10.0.1' }],
          dhcp: false,
        },
      ],
    ],
    [
      'a VLAN',
      { network: { vlan: 40, mtu: 1400 }, ...vip },
      [
        {
          deviceSelector: mac1(),
          vlans: [{ dhcp: true, vlanId: 40, mtu: 1400, vip: { ip: '10.10.0.5' } }],
          mtu: 1400,
          dhcp: false,
        },
      ],
    ],
  ])('in one document: %s', (_, settings, interfaces) => {
    for (const contract of ['1.9', '1.10', '1.11'] as const)
      expect(at(controlPlane(contract, settings), 'machine.network.interfaces')).toEqual(interfaces);
  });

  const alias = { name: 'net0', selector: { match: 'mac(link.permanent_addr) == "02:00:00:00:00:01"' } };
  test.each<[string, Settings, Readonly<Record<string, readonly unknown[]>>]>([
    ['nothing to say', {}, {}],
    [
      'a VIP leaves DHCP as it was',
      vip,
      { LinkAliasConfig: [alias], Layer2VIPConfig: [{ name: '10.10.0.5', link: 'net0' }] },
    ],
    [
      'a VIP on a named link',
      { endpoint: { vip: '10.10.0.5', link: 'bond0' } },
      { Layer2VIPConfig: [{ name: '10.10.0.5', link: 'bond0' }] },
    ],
    [
      'an MTU, and DHCP asked for again',
      { network: { mtu: 1400 } },
      { LinkAliasConfig: [alias], LinkConfig: [{ name: 'net0', mtu: 1400 }], DHCPv4Config: [{ name: 'net0' }] },
    ],
    [
      'an address',
      addressed,
      {
        LinkAliasConfig: [alias],
        LinkConfig: [{ name: 'net0', addresses: [{ address: '10.10.0.11/24' }], routes: [{ gateway: '10.10.0.1' }] }],
      },
    ],
    [
      'a VLAN',
      { network: { vlan: 40 }, ...vip },
      {
        LinkAliasConfig: [alias],
        LinkConfig: [{ name: 'net0', up: true }],
        VLANConfig: [{ name: 'vlan40', vlanID: 40, parent: 'net0' }],
        DHCPv4Config: [{ name: 'vlan40' }],
        Layer2VIPConfig: [{ name: '10.10.0.5', link: 'vlan40' }],
      },
    ],
  ])('in documents of their own: %s', (_, settings, expected) => {
    const kinds = ['LinkAliasConfig', 'LinkConfig', 'VLANConfig', 'DHCPv4Config', 'Layer2VIPConfig'];
    for (const contract of ['1.12', '1.13', '1.14'] as const) {
      const rendered = controlPlane(contract, settings);
      expect(Object.fromEntries(kinds.map((kind) => [kind, documents(rendered, kind)]))).toEqual({
        ...Object.fromEntries(kinds.map((kind) => [kind, []])),
        ...expected,
      });
    }
  });

  test('a machine whose MAC address nobody knows is taken to have one network card', () => {
    const existing = {
      existing: { machines: { 'cp-0': { address: '10.10.0.11' }, 'w-0': { address: '10.10.0.21' } } },
    };
    const settings = { ...vip, nodes: {} };
    expect(documents(controlPlane('1.13', settings, existing), 'LinkAliasConfig')).toEqual([
      { name: 'net0', selector: { match: 'true' } },
    ]);
    expect(at(controlPlane('1.11', settings, existing), 'machine.network.interfaces')).toEqual([
      { deviceSelector: { physical: true }, dhcp: true, vip: { ip: '10.10.0.5' } },
    ]);
  });

  test('IPv6 has a default route of its own', () => {
    const settings = {
      nodes: { 'cp-0': { mac: '02:00:00:00:00:01', address: 'fd00:1::11' }, 'w-0': { address: 'fd00:1::21' } },
      network: { nodes: 'fd00:1::/64', gateway: 'fd00:1::1', addresses: 'static' },
    };
    expect(at(controlPlane('1.11', settings), 'machine.network.interfaces')).toEqual([
      {
        deviceSelector: mac1(),
        addresses: ['fd00:1::11/64'],
        routes: [{ network: '::/0', gateway: 'fd00:1::1' }],
        dhcp: false,
      },
    ]);
  });

  test('name servers and time', () => {
    const settings = { network: { nameservers: ['10.10.0.1'], timeServers: ['ntp.example.org'] } };
    const old = worker('1.11', settings);
    expect([at(old, 'machine.network.nameservers'), at(old, 'machine.time')]).toEqual([
      ['10.10.0.1'],
      { servers: ['ntp.example.org'] },
    ]);
    const young = worker('1.13', settings);
    expect([documents(young, 'ResolverConfig'), documents(young, 'TimeSyncConfig')]).toEqual([
      [{ nameservers: [{ address: '10.10.0.1' }] }],
      [{ ntp: { servers: ['ntp.example.org'] } }],
    ]);
  });

  test('nodes and etcd take their addresses from the machines’ network', () => {
    const settings = { network: { nodes: '10.10.0.0/24' } };
    expect(at(controlPlane('1.9', settings), 'machine.kubelet.nodeIP')).toEqual({ validSubnets: ['10.10.0.0/24'] });
    expect(at(controlPlane('1.14', settings), 'cluster.etcd.advertisedSubnets')).toEqual(['10.10.0.0/24']);
    expect(documents(worker('1.14', settings), 'KubeNodeConfig')).toEqual([
      { nodeIP: { validSubnets: ['10.10.0.0/24'] } },
    ]);
  });

  test.each<[string, object, unknown, unknown, readonly string[]]>([
    ['Cilium in the place of kube-proxy', { cilium: {} }, { name: 'none' }, true, []],
    [
      'Cilium beside kube-proxy',
      { cilium: { kubeProxyReplacement: false } },
      { name: 'none' },
      undefined,
      ['KubeProxyConfig'],
    ],
    ['flannel', { flannel: {} }, undefined, undefined, ['KubeProxyConfig', 'KubeFlannelCNIConfig']],
    ['none', { none: {} }, { name: 'none' }, undefined, ['KubeProxyConfig']],
  ])('pods: %s', (_, cni, legacy, disabled, kinds) => {
    const old = controlPlane('1.13', { cni });
    expect([at(old, 'cluster.network.cni'), at(old, 'cluster.proxy.disabled')]).toEqual([legacy, disabled]);
    const young = controlPlane('1.14', { cni }).config.map((document) => document['kind']);
    expect(young.filter((kind) => kind === 'KubeProxyConfig' || kind === 'KubeFlannelCNIConfig')).toEqual(kinds);
  });
});

function mac1(): object {
  return { hardwareAddr: '02:00:00:00:00:01' };
}

describe('disks', () => {
  test.each<[string, object, Settings, string | undefined]>([
    ['Proxmox, from an image', proxmox, {}, undefined],
    ['Proxmox, from an ISO', proxmox, { talos: { image: { boot: 'iso' } } }, '/dev/sda'],
    ['libvirt, from an ISO', { libvirt: {} }, { talos: { image: { boot: 'iso' } } }, '/dev/vda'],
    ['OpenStack, from an image', { openstack: { cloud: 'c' } }, {}, undefined],
    [
      'machines that wait',
      { existing: { machines: { 'cp-0': { address: '10.10.0.11' }, 'w-0': { address: '10.10.0.21' } } } },
      {},
      '/dev/sda',
    ],
    [
      'a path of its own',
      proxmox,
      { talos: { image: { boot: 'iso' } }, controlPlane: { installDisk: { path: '/dev/nvme0n1' } } },
      '/dev/nvme0n1',
    ],
  ])('Talos is installed to: %s', (_, machines, settings, disk) => {
    expect(at(controlPlane('1.13', settings, machines), 'machine.install.disk')).toBe(disk);
    expect(
      documents(controlPlane('1.14', settings, machines), 'UnattendedInstallConfig').map(
        (each) => (each as { provisioning: unknown }).provisioning,
      ),
    ).toEqual(disk === undefined ? [] : [{ diskSelector: { match: `disk.dev_path == "${disk}"` }, wipe: false }]);
  });

  const selector = { size: '>= 100GB', model: 'WDC*', type: 'ssd', busPath: '/pci0000:00/*' };
  test('a disk by what it is', () => {
    const settings = { talos: { image: { boot: 'iso' } }, controlPlane: { installDisk: { selector } } };
    expect(at(controlPlane('1.13', settings), 'machine.install.diskSelector')).toEqual(selector);
    expect(documents(controlPlane('1.14', settings), 'UnattendedInstallConfig')).toMatchObject([
      {
        provisioning: {
          diskSelector: {
            match:
              'disk.size >= 100u * GB && glob("WDC*", disk.model) && disk.transport != "" && !disk.rotational && glob("/pci0000:00/*", disk.bus_path) && !disk.readonly && !disk.cdrom',
          },
        },
      },
    ]);
  });

  test.each([
    ['a size that is none', 'disk-size', '1.13', { size: 'big' }, {}],
    ['a bus path where Talos cannot', 'bus-path-unknown', '1.9', selector, { version: 'v1.9.1' }],
  ] as const)('%s is said', (_, code, contract, chosen, talos) => {
    const settings = {
      talos: { ...talos, image: { boot: 'iso' } },
      controlPlane: { installDisk: { selector: chosen } },
    };
    expect(() => render(contract, settings)).toThrow(expect.objectContaining({ code }));
  });

  test.each<[string, object, Settings, string]>([
    [
      'no extension',
      proxmox,
      { talos: { extensions: [] } },
      'factory.talos.dev/nocloud-installer/376567988ad370138ad8b2698212367b8edcb69b5fd68c80be1f2ec7d603b4ba:v1.13.9',
    ],
    [
      'one',
      proxmox,
      {},
      'factory.talos.dev/nocloud-installer/ce4c980550dd2ab1b17bbf2b08801c7eb59418eafe8f279833297925d67c7515:v1.13.9',
    ],
    [
      'a group’s own on top',
      proxmox,
      {
        talos: { extensions: ['qemu-guest-agent'] },
        controlPlane: { extensions: ['util-linux-tools', 'iscsi-tools'] },
      },
      'factory.talos.dev/nocloud-installer/88d1f7a5c4f1d3aba7df787c448c1d3d008ed29cfb34af53fa0df4336a56040b:v1.13.9',
    ],
    [
      'kernel arguments',
      proxmox,
      { talos: { extensions: [], kernelArgs: ['noapic', 'nolapic'] } },
      'factory.talos.dev/nocloud-installer/9cba8e32753f91a16c1837ab8abf356af021706ef284aef07380780177d9a06c:v1.13.9',
    ],
    [
      'SecureBoot, an own factory and schematic',
      { openstack: { cloud: 'c' } },
      {
        talos: { secureBoot: true, image: { factory: 'https://factory.example.org:8443/', schematic: '0'.repeat(64) } },
      },
      `factory.example.org:8443/openstack-installer-secureboot/${'0'.repeat(64)}:v1.13.9`,
    ],
    [
      'an ISO of Talos for metal',
      proxmox,
      { talos: { extensions: [], image: { iso: 'local:iso/talos.iso' } } },
      'factory.talos.dev/metal-installer/376567988ad370138ad8b2698212367b8edcb69b5fd68c80be1f2ec7d603b4ba:v1.13.9',
    ],
  ])('the installer: %s', (_, machines, settings, image) => {
    expect(at(controlPlane('1.13', settings, machines), 'machine.install.image')).toBe(image);
  });

  const disks = { workers: { w: { disks: { longhorn: '200GiB', archive: '50GiB' } } } };
  const bind = (path: string) => ({
    destination: path,
    type: 'bind',
    source: path,
    options: ['bind', 'rshared', 'rw'],
  });
  test('data disks before user volumes', () => {
    const rendered = worker('1.9', disks);
    expect(at(rendered, 'machine.disks')).toEqual([
      { device: '/dev/sdb', partitions: [{ mountpoint: '/var/mnt/archive' }] },
      { device: '/dev/sdc', partitions: [{ mountpoint: '/var/lib/longhorn' }] },
    ]);
    expect(at(rendered, 'machine.kubelet.extraMounts')).toEqual([bind('/var/mnt/archive'), bind('/var/lib/longhorn')]);
  });

  test.each<[string, object, string, string]>([
    [
      'Proxmox',
      proxmox,
      '"/dev/disk/by-id/scsi-0QEMU_QEMU_HARDDISK_drive-scsi1" in disk.symlinks',
      '"/dev/disk/by-id/scsi-0QEMU_QEMU_HARDDISK_drive-scsi2" in disk.symlinks',
    ],
    ['libvirt', { libvirt: {} }, 'disk.dev_path == "/dev/vdb"', 'disk.dev_path == "/dev/vdc"'],
    [
      'existing',
      { existing: { machines: { 'cp-0': { address: '10.10.0.11' }, 'w-0': { address: '10.10.0.21' } } } },
      '!system_disk && disk.size >= 50u * GiB',
      '!system_disk && disk.size >= 200u * GiB',
    ],
  ])('data disks as user volumes: %s', (_, machines, archive, longhorn) => {
    for (const contract of ['1.10', '1.11', '1.12', '1.13'] as const) {
      const rendered = worker(contract, disks, machines);
      expect(documents(rendered, 'UserVolumeConfig')).toEqual([
        { name: 'archive', provisioning: { diskSelector: { match: archive }, grow: true, minSize: '500MiB' } },
        { name: 'longhorn', provisioning: { diskSelector: { match: longhorn }, grow: true, minSize: '500MiB' } },
      ]);
      expect(at(rendered, 'machine.kubelet.extraMounts')).toEqual([bind('/var/mnt/longhorn')]);
      expect(at(rendered, 'machine.disks')).toBeUndefined();
    }
  });

  test.each<[Contract, object, readonly string[]]>([
    ['1.9', {}, ['/var/lib/longhorn']],
    ['1.9', { longhorn: '200GiB' }, ['/var/lib/longhorn']],
    ['1.13', {}, ['/var/lib/longhorn']],
    ['1.13', { longhorn: '200GiB' }, ['/var/mnt/longhorn', '/var/lib/longhorn']],
  ])('Longhorn on %s with the disks %j', (contract, own, paths) => {
    const given = request(contract, { workers: { w: { disks: own } } });
    const services = { ...given.platform.services, catalog: platformWithLonghorn() };
    const rendered = renderConfigs({ ...given, platform: { ...given.platform, services } });
    expect(at(node(rendered, 'p-w-0'), 'machine.kubelet.extraMounts')).toEqual(paths.map(bind));
  });

  const keys = (key: object) => ({ provider: 'luks2', keys: [{ slot: 0, ...key }] });
  test.each<[object, object]>([
    [{ nodeID: {} }, keys({ nodeID: {} })],
    [{ passphrase: { env: 'P' } }, keys({ static: { passphrase: 'text of env:P' } })],
    [
      { kms: { endpoint: 'https://kms.example.org:4050' } },
      keys({ kms: { endpoint: 'https://kms.example.org:4050' } }),
    ],
    [{ tpm: {} }, keys({ tpm: {} })],
  ])('partitions locked with %j', (key, encryption) => {
    const settings = { encryption: { state: key, ephemeral: key }, talos: { secureBoot: true } };
    expect(at(worker('1.10', settings), 'machine.systemDiskEncryption')).toEqual({
      state: encryption,
      ephemeral: encryption,
    });
    for (const contract of ['1.11', '1.12', '1.13'] as const)
      expect(documents(worker(contract, settings), 'VolumeConfig')).toEqual([
        { name: 'STATE', encryption },
        { name: 'EPHEMERAL', encryption },
      ]);
    expect(documents(worker('1.14', settings), 'VolumeConfig')).toEqual([
      { name: 'STATE', encryption },
      { name: 'EPHEMERAL', encryption, mount: { secure: true } },
    ]);
  });
});

describe('nodes in Kubernetes', () => {
  const marks = {
    controlPlane: { labels: { tier: 'one' }, taints: ['a=b:NoSchedule', 'c:NoExecute'], annotations: { note: 'x' } },
    nodes: { 'cp-0': { labels: { zone: 'b' }, taints: ['a=z:NoExecute'] } },
  };
  const outside = { 'node.kubernetes.io/exclude-from-external-load-balancers': '' };

  test('labels, annotations and taints of the group, and the machine’s own over them', () => {
    const old = controlPlane('1.13', marks);
    expect([at(old, 'machine.nodeLabels'), at(old, 'machine.nodeAnnotations'), at(old, 'machine.nodeTaints')]).toEqual([
      { ...outside, tier: 'one', zone: 'b' },
      { note: 'x' },
      { a: 'z:NoExecute', c: 'NoExecute' },
    ]);
    expect(documents(controlPlane('1.14', marks), 'KubeNodeConfig')).toEqual([
      {
        nodeIP: {},
        labels: { 'node-role.kubernetes.io/control-plane': '', ...outside, tier: 'one', zone: 'b' },
        annotations: { note: 'x' },
        taints: { a: 'z:NoExecute', c: 'NoExecute', 'node-role.kubernetes.io/control-plane': 'NoSchedule' },
      },
    ]);
  });

  test('two taints of one key cannot be said', () => {
    const controlPlane = { taints: ['a=b:NoSchedule', 'a=b:NoExecute'] };
    expect(() => render('1.13', { controlPlane })).toThrow(expect.objectContaining({ code: 'taint-twice' }));
  });

  test('a control plane that runs workloads also serves traffic from outside', () => {
    const settings = { controlPlane: { schedulable: true } };
    const old = controlPlane('1.13', settings);
    expect([at(old, 'cluster.allowSchedulingOnControlPlanes'), at(old, 'machine.nodeLabels')]).toEqual([
      true,
      undefined,
    ]);
    expect(documents(controlPlane('1.14', settings), 'KubeNodeConfig')).toEqual([
      { nodeIP: {}, labels: { 'node-role.kubernetes.io/control-plane': '' } },
    ]);
  });
});

describe('features', () => {
  test.each<[string, Settings, unknown, readonly unknown[]]>([
    ['KubePrism', {}, { enabled: true, port: 7445 }, [{ port: 7445 }]],
    ['KubePrism elsewhere', { kubePrism: { port: 7000 } }, { enabled: true, port: 7000 }, [{ port: 7000 }]],
    ['no KubePrism', { kubePrism: { enabled: false }, cni: { flannel: {} } }, { enabled: false }, []],
  ])('%s', (_, settings, old, young) => {
    expect(at(worker('1.9', settings), 'machine.features.kubePrism')).toEqual(old);
    expect(documents(worker('1.14', settings), 'KubePrismConfig')).toEqual(young);
  });

  test.each<[string, object, unknown, unknown]>([
    ['host DNS', {}, { enabled: true, forwardKubeDNSToHost: true }, { enabled: true, forwardKubeDNSToHost: true }],
    [
      'host DNS for the host alone',
      { forwardKubeDNSToHost: false },
      { enabled: true, forwardKubeDNSToHost: false },
      { enabled: true },
    ],
    [
      'no host DNS',
      { enabled: false, forwardKubeDNSToHost: false },
      { enabled: false, forwardKubeDNSToHost: false },
      { enabled: false },
    ],
  ])('%s', (_, hostDNS, old, young) => {
    expect(at(worker('1.9', { hostDNS }), 'machine.features.hostDNS')).toEqual(old);
    expect(documents(worker('1.14', { hostDNS }), 'ResolverConfig')).toEqual([{ hostDNS: young }]);
  });

  test.each<[string, object, unknown, readonly unknown[]]>([
    ['discovery', {}, discovery(true, {}), [{ name: 'default', endpoint: 'https://discovery.talos.dev/' }]],
    [
      'discovery by an own service',
      { service: 'https://d.example.org/' },
      discovery(true, { endpoint: 'https://d.example.org/' }),
      [{ name: 'default', endpoint: 'https://d.example.org/' }],
    ],
    ['no discovery', { enabled: false }, discovery(false, {}), []],
  ])('%s', (_, settings, old, young) => {
    expect(at(worker('1.13', { discovery: settings }), 'cluster.discovery')).toEqual(old);
    expect(documents(worker('1.14', { discovery: settings }), 'DiscoveryServiceConfig')).toEqual(young);
  });

  test('KubeSpan', () => {
    const settings = { kubeSpan: { enabled: true, mtu: 1380 } };
    const kubespan = { enabled: true, mtu: 1380 };
    for (const contract of ['1.9', '1.10', '1.11', '1.12'] as const)
      expect(at(worker(contract, settings), 'machine.network.kubespan')).toEqual(kubespan);
    for (const contract of ['1.13', '1.14'] as const)
      expect(documents(worker(contract, settings), 'KubeSpanConfig')).toEqual([kubespan]);
  });

  test('registries', () => {
    const settings = {
      registries: {
        mirrors: {
          'docker.io': { endpoints: ['https://m.example.org'], skipFallback: true },
          '*': { endpoints: ['http://a', 'http://b'] },
        },
        credentials: { 'm.example.org': { username: 'u', password: { env: 'P' }, ca: './ca.pem' } },
      },
    };
    expect(at(worker('1.11', settings), 'machine.registries')).toEqual({
      mirrors: {
        '*': { endpoints: ['http://a', 'http://b'] },
        'docker.io': { endpoints: ['https://m.example.org'], skipFallback: true },
      },
      config: {
        'm.example.org': {
          tls: { ca: Buffer.from('certs.os.crt').toString('base64') },
          auth: { username: 'u', password: 'text of env:P' },
        },
      },
    });
    for (const contract of ['1.12', '1.13', '1.14'] as const) {
      const young = worker(contract, settings);
      expect(
        ['RegistryAuthConfig', 'RegistryMirrorConfig', 'RegistryTLSConfig'].map((kind) => documents(young, kind)),
      ).toEqual([
        [{ name: 'm.example.org', username: 'u', password: 'text of env:P' }],
        [
          { name: '*', endpoints: [{ url: 'http://a' }, { url: 'http://b' }] },
          { name: 'docker.io', endpoints: [{ url: 'https://m.example.org' }], skipFallback: true },
        ],
        [{ name: 'm.example.org', ca: 'certs.os.crt' }],
      ]);
    }
  });

  test('extension services, with what is secret among the rest', () => {
    const extensionServices = {
      tailscale: {
        environment: { TS_ROUTES: '10.0.0.0/8' },
        secrets: { TS_AUTHKEY: { env: 'KEY' } },
        files: { '/etc/x': 'y' },
      },
    };
    for (const contract of ['1.9', '1.14'] as const)
      expect(documents(worker(contract, { extensionServices }), 'ExtensionServiceConfig')).toEqual([
        {
          name: 'tailscale',
          configFiles: [{ content: 'y', mountPath: '/etc/x' }],
          environment: ['TS_AUTHKEY=text of env:KEY', 'TS_ROUTES=10.0.0.0/8'],
        },
      ]);
  });

  test('manifests and kernel parameters', () => {
    const settings = {
      manifests: { inline: { b: 'B\n', a: 'A\n' }, urls: ['https://example.org/c.yaml'] },
      sysctls: { z: '1', a: '2' },
    };
    const old = controlPlane('1.13', settings);
    expect([at(old, 'cluster.inlineManifests'), at(old, 'cluster.extraManifests'), at(old, 'machine.sysctls')]).toEqual(
      [
        [
          { name: 'a', contents: 'A\n' },
          { name: 'b', contents: 'B\n' },
        ],
        ['https://example.org/c.yaml'],
        { a: '2', z: '1' },
      ],
    );
    const young = controlPlane('1.14', settings);
    expect(
      ['KubeInlineManifestConfig', 'KubeExternalManifestConfig', 'SysctlConfig'].map((kind) => documents(young, kind)),
    ).toEqual([
      [
        { name: 'a', manifest: 'A\n' },
        { name: 'b', manifest: 'B\n' },
      ],
      [{ name: 'manifest-0', url: 'https://example.org/c.yaml' }],
      [{ params: { a: '2', z: '1' } }],
    ]);
    expect(at(worker('1.13', settings), 'cluster.inlineManifests')).toBeUndefined();
  });
});

function discovery(enabled: boolean, service: object): object {
  return { enabled, registries: { kubernetes: { disabled: true }, service } };
}

function platformWithLonghorn(): ConfigRequest['platform']['services']['catalog'] {
  const file = { ...proxmox };
  const spec = {
    machines: file,
    services: { catalog: { longhorn: {} } },
    cluster: { talos: { extensions: ['iscsi-tools', 'util-linux-tools'] } },
  };
  return platformOf(
    JSON.stringify({ apiVersion: 'ichor.dev/v1alpha1', kind: 'Platform', metadata: { name: 'p' }, spec }),
  ).services.catalog;
}
