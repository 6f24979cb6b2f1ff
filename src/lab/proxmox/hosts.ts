import { clusterAuthority, hostCertificate } from './server/certificates.ts';
import type { Issued } from './server/certificates.ts';
import type { LabClock } from '../clock.ts';
import type { Host } from './host.ts';
import { newSystem } from './nodes/system.ts';
import type { DatacenterOptions, HostOptions } from './twin.ts';

const mib = 1024 * 1024;
const usualNetwork = '127.80.0.0/24';

/** Hosts as they are before anything runs on them, and the authority that vouches for them. */
export function createHosts(
  options: DatacenterOptions,
  clock: LabClock,
): { readonly hosts: ReadonlyMap<string, Host>; readonly authority: Issued } {
  const authority = clusterAuthority(clock);
  const wanted = hostList(options.hosts ?? 1);
  const [first = '127.80.0.0'] = (options.network ?? usualNetwork).split('/');
  const hosts = wanted.map((each, index): Host => {
    const address = addressAfter(first, index + 2);
    return {
      name: each.name,
      nodeid: wanted.length === 1 ? 0 : index + 1,
      address,
      certificate: hostCertificate(authority, clock, [each.name, address]),
      cpus: each.cpus ?? 16,
      memoryBytes: (each.memoryMiB ?? 64 * 1024) * mib,
      bridges: new Map(
        Object.entries(each.bridges ?? { vmbr0: { vlanAware: true } }).map(([name, { vlanAware = false }]) => [
          name,
          { vlanAware },
        ]),
      ),
      system: newSystem(each.name, address, each.clockAheadMs ?? 0),
      bootedAt: clock.now(),
      state: 'up',
      tasks: [],
      nextPid: 1000,
      lockFiles: new Map(),
      daemonWarnings: [0, 0, 0],
    };
  });
  return { hosts: new Map(hosts.map((host) => [host.name, host])), authority };
}

const hostList = (hosts: number | readonly HostOptions[]): readonly HostOptions[] =>
  typeof hosts === 'number' ? Array.from({ length: hosts }, (_, index) => ({ name: `pve${index + 1}` })) : hosts;

/** An IPv4 address so many after another. */
function addressAfter(first: string, count: number): string {
  const number = first.split('.').reduce((sum, part) => sum * 256 + Number(part), 0) + count;
  return [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join('.');
}
