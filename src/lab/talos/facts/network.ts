import type { Boot } from '../node/boot.ts';
import type { Machine } from '../node/machine.ts';
import { publish } from '../state/publish.ts';

/** Links, and what is known without asking anybody. */
export function publishLinks({ hardware }: Machine, { state, image }: Boot): void {
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
  const container = image.platform === 'container';
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
  publish.timeServerStatus(state, { timeServers: ['time.cloudflare.com'] });
  publish.hardwareAddr(state, 'first', {
    name: hardware.links[0]?.name ?? '',
    hardwareAddr: hardware.links[0]?.mac ?? '',
  });
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
