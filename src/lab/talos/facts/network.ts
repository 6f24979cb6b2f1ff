import type { Boot } from '../node/boot.ts';
import type { Machine } from '../node/machine.ts';
import { publish } from '../state/publish.ts';

/** Links and addresses; the machine’s own address is on its first link. */
export function publishNetwork({ hardware, options }: Machine, { state }: Boot): void {
  publish.linkStatus(state, 'lo', {
    index: 1,
    type: 'loopback',
    flags: ['UP', 'LOOPBACK', 'RUNNING', 'LOWER_UP'],
    hardwareAddr: '00:00:00:00:00:00',
    broadcastAddr: '00:00:00:00:00:00',
    mtu: 65_536,
    queueDisc: 'noqueue',
    linkState: true,
    port: 'Other',
    duplex: 'Unknown',
  });
  const container = options.platform === 'container';
  for (const [index, { name, mac }] of hardware.links.entries())
    publish.linkStatus(state, name, {
      index: index + 2,
      type: 'ether',
      linkIndex: container ? index + 40 : 0,
      flags: ['UP', 'BROADCAST', 'RUNNING', 'MULTICAST', 'LOWER_UP'],
      hardwareAddr: mac,
      ...(container
        ? {}
        : { permanentAddr: mac, busPath: `0000:06:${(18 + index).toString(16)}.0`, pciID: '1AF4:1000' }),
      broadcastAddr: 'ff:ff:ff:ff:ff:ff',
      mtu: 1500,
      queueDisc: container ? 'noqueue' : 'pfifo_fast',
      operationalState: 'up',
      kind: container ? 'veth' : '',
      driver: container ? 'veth' : 'virtio_net',
      driverVersion: container ? '1.0' : '1.0.0',
      linkState: true,
      ...(container ? { speedMbit: 10_000 } : {}),
      port: container ? 'TwistedPair' : 'Other',
      duplex: container ? 'Full' : 'Unknown',
    });
  publish.addressStatus(state, 'lo/127.0.0.1/8', {
    address: '127.0.0.1/8',
    local: '127.0.0.1',
    linkIndex: 1,
    linkName: 'lo',
    family: 'inet4',
    scope: 'host',
    flags: ['permanent'],
  });
  publishAddresses(options.address, hardware.links[0]?.name ?? 'eth0', state);
  publish.resolverStatus(state, { dnsServers: ['1.1.1.1', '8.8.8.8'] });
  publish.timeServerStatus(state, { timeServers: ['time.cloudflare.com'] });
  publish.hardwareAddr(state, 'first', {
    name: hardware.links[0]?.name ?? '',
    hardwareAddr: hardware.links[0]?.mac ?? '',
  });
}

function publishAddresses(address: string, link: string, state: Boot['state']): void {
  const cidr = `${address}/24`;
  publish.addressStatus(state, `${link}/${cidr}`, {
    address: cidr,
    local: address,
    broadcast: address.replace(/\d+$/, '255'),
    linkIndex: 2,
    linkName: link,
    family: 'inet4',
    scope: 'global',
    flags: ['permanent'],
  });
  publish.routeStatus(state, `${link}/inet4/${address.replace(/\d+$/, '1')}//1024`, {
    family: 'inet4',
    gateway: address.replace(/\d+$/, '1'),
    outLinkIndex: 2,
    outLinkName: link,
    table: 'main',
    priority: 1024,
    type: 'unicast',
    protocol: 'static',
  });
  publish.nodeAddress(state, 'default', { addresses: [cidr] });
  for (const id of ['accumulative', 'current', 'routed']) {
    publish.nodeAddress(state, id, { addresses: [cidr] });
    publish.nodeAddress(state, `${id}-no-k8s`, { addresses: [cidr] });
    publish.nodeAddress(state, `${id}-only-k8s`, { addresses: [] });
  }
}

/** What follows from the name, and from how far the network is. */
export function publishNames({ state, hostname, nodename, networkOpen }: Boot): void {
  publish.networkStatus(state, {
    addressReady: !networkOpen.includes('address'),
    connectivityReady: !networkOpen.includes('connectivity'),
    hostnameReady: !networkOpen.includes('hostname'),
    etcFilesReady: !networkOpen.includes('etc-files'),
  });
  if (hostname !== undefined) publish.hostnameStatus(state, { hostname });
  if (nodename !== undefined)
    publish.nodename(state, {
      nodename,
      hostnameVersion: String(state.get('network', 'HostnameStatuses.net.talos.dev', 'hostname')?.version ?? 1),
    });
}
