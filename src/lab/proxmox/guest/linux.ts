import { isIPv4 } from 'node:net';
import type { LabClock } from '../../clock.ts';
import { noCloudData } from '../../talos/nocloud.ts';
import type { PowerEnd } from '../../talos/node/machine.ts';
import { networkOf } from '../../talos/node/network.ts';
import type { GuestAgent, GuestInterface, VirtualHardware } from '../guest.ts';
import type { Dhcp } from './dhcp.ts';
import { kernelAddresses } from './ipv6.ts';
import type { Occupant } from './occupant.ts';

const bootMs = 5000;
const shutdownMs = 2000;

export type LinuxOptions = {
  readonly hardware: VirtualHardware;
  readonly clock: LabClock;
  readonly dhcp: Dhcp;
  /** Whether it has manners: an agent where the channel is, and an ear for the power button. */
  readonly polite: boolean;
};

/** Some system that is not Talos: it comes up, has an address, and shuts down when it is asked to. */
export function startLinux({ hardware, clock, dhcp, polite }: LinuxOptions): Occupant {
  const life = new AbortController();
  let tell: (how: PowerEnd) => void = () => undefined;
  const over = new Promise<PowerEnd>((resolve) => (tell = resolve));
  let up = false;
  const after = (ms: number, then: () => void): void => void clock.sleep(ms, life.signal).then(then, () => undefined);
  after(bootMs, () => (up = true));
  const shutDown = (): void => {
    if (up && polite) after(shutdownMs, () => end('off'));
  };
  const end = (how: PowerEnd): void => {
    life.abort(new Error('over'));
    tell(how);
  };
  return {
    over,
    agent: () => (up && polite && hardware.agentChannel ? linuxAgent(hardware, dhcp, shutDown) : undefined),
    pressPower: shutDown,
    drives: () => undefined,
    end,
  };
}

function linuxAgent(hardware: VirtualHardware, dhcp: Dhcp, shutDown: () => void): GuestAgent {
  const links = hardware.nics.map(({ slot, mac }) => ({
    name: `eth${/\d+$/.exec(slot)?.[0] ?? 0}`,
    mac: mac.toLowerCase(),
  }));
  const cloudInit = hardware.cloudInit && noCloudData(hardware.cloudInit);
  const { addresses, hostnames } = networkOf({
    links,
    platform: cloudInit?.network,
    config: undefined,
    lease: (mac) => dhcp.lease(mac),
  });
  const own = (name: string): GuestInterface['addresses'] =>
    addresses.flatMap(({ link, address, prefix }) =>
      link === name ? [{ address, prefix, family: isIPv4(address) ? 'ipv4' : 'ipv6' }] : [],
    );
  return {
    networkInterfaces: () => [
      {
        name: 'lo',
        mac: '00:00:00:00:00:00',
        addresses: [
          { address: '127.0.0.1', prefix: 8, family: 'ipv4' },
          { address: '::1', prefix: 128, family: 'ipv6' },
        ],
      },
      ...links.map(({ name, mac }) => ({ name, mac, addresses: [...own(name), ...kernelAddresses(mac)] })),
    ],
    hostName: () => hostnames.dhcp ?? hostnames.platform ?? hardware.name,
    osInfo: () => ({
      id: 'debian',
      name: 'Debian GNU/Linux',
      'pretty-name': 'Debian GNU/Linux 13 (trixie)',
      version: '13 (trixie)',
      'version-id': '13',
      'kernel-release': '6.12.0-amd64',
      'kernel-version': '#1 SMP PREEMPT_DYNAMIC',
      machine: 'x86_64',
    }),
    shutdown: shutDown,
  };
}
