import type { LabClock } from '../clock.ts';
import type { Access } from './access/access.ts';
import type { Faults } from './faults.ts';
import type { LabFirewall } from './firewall/firewall.ts';
import type { LabHa } from './ha/ha.ts';
import type { GuestFactory } from './guest.ts';
import type { Host, HostState } from './host.ts';
import type { Container } from './nodes/container.ts';
import type { Pool } from './pools/pool.ts';
import type { Statistics } from './cluster/statistics.ts';
import type { Sdn } from './sdn/sdn.ts';
import type { LabStorages } from './storage/storages.ts';
import type { StartTask } from './tasks/task.ts';
import type { ProxmoxDurations } from './twin.ts';
import type { Vm } from './vm.ts';

export type PveVersion = {
  readonly version: string;
  readonly release: string;
  readonly repoid: string;
  readonly major: 8 | 9;
};

/** Everything there is, shared by all hosts of the cluster. */
export interface Datacenter {
  readonly clock: LabClock;
  readonly version: PveVersion;
  /** Undefined: one host, and no cluster. */
  readonly clusterName: string | undefined;
  readonly hosts: ReadonlyMap<string, Host>;
  /** PEM of the cluster’s authority. */
  readonly ca: string;
  /** A VMID is taken in the whole cluster. */
  readonly vms: Map<number, Vm>;
  /** So are those of containers. */
  readonly containers: Map<number, Container>;
  readonly sdn: Sdn;
  readonly storages: LabStorages;
  readonly access: Access;
  readonly pools: Map<string, Pool>;
  readonly firewall: LabFirewall;
  readonly ha: LabHa;
  /** datacenter.cfg: next-id, mac_prefix, tag-style … */
  readonly options: Map<string, string>;
  readonly statistics: Statistics;
  readonly durations: ProxmoxDurations;
  readonly guests: GuestFactory;
  readonly startTask: StartTask;
  /** What was told to go wrong with the request that is being carried out. */
  readonly faults: Faults;
  /** What happens to a host, and to everything on it. */
  setHost: (host: string, state: HostState) => void;
  /** Called when a host dies, freezes, is cut off or comes back. */
  readonly hostWatchers: Set<(host: Host, before: HostState) => void>;
  /** The lab has ended, and with it everything that happens by itself. */
  readonly over: AbortSignal;
  /** 0 to 1, decided by the seed. */
  readonly random: () => number;
  /** As `random`, for the order of keys alone: whatever is asked, the rest of chance stays the same. */
  readonly keyOrder: () => number;
  /** More than half of the hosts see each other, and this one is among them. */
  quorate(host: Host): boolean;
}
