import { describe, expect, test } from 'vitest';
import { addressed, at, controlPlane, documents, worker, type Settings } from '../../../test/talos-small.ts';

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
