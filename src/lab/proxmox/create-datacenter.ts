import { wallClock } from '../clock.ts';
import { createAccess } from './access/create.ts';
import type { AccessState } from './access/state.ts';
import { createStatistics } from './cluster/statistics.ts';
import type { Datacenter } from './datacenter.ts';
import { usualDurations } from './durations.ts';
import { createFaults } from './faults.ts';
import { createFirewall } from './firewall/firewall.ts';
import { createHa } from './ha/ha.ts';
import { createHosts } from './hosts.ts';
import { createContainers } from './nodes/container.ts';
import { seededRandom } from './random.ts';
import { createSdn } from './sdn/sdn.ts';
import { createStorages } from './storage/storages.ts';
import { createTasks } from './tasks/tasks.ts';
import type { DatacenterOptions } from './twin.ts';
import { versions } from './versions.ts';

export type NewDatacenter = { readonly datacenter: Datacenter; readonly access: AccessState };

/** Everything there is behind the doors of a lab. `over` is aborted when it ends. */
export function createDatacenter(options: DatacenterOptions, over: AbortSignal): NewDatacenter {
  const { seed = 1, clock = wallClock() } = options;
  const { hosts, authority } = createHosts(options, clock);
  const self = (): Datacenter => datacenter;
  const version = versions[options.version ?? '9.2'];
  const access = createAccess(self, version.major, clock);
  const datacenter: Datacenter = {
    clock,
    version,
    clusterName: hosts.size > 1 ? (options.clusterName ?? 'lab') : undefined,
    hosts,
    ca: authority.crt,
    vms: new Map(),
    containers: createContainers(options),
    over,
    sdn: createSdn(options.sdn),
    storages: createStorages(self, options),
    access,
    pools: new Map(),
    firewall: createFirewall(self),
    ha: createHa(self),
    options: new Map(),
    statistics: createStatistics(self),
    durations: { ...usualDurations, ...options.durations },
    guests: options.guests ?? (() => undefined),
    startTask: createTasks(self),
    faults: createFaults(seededRandom(seed + 2)),
    setHost: () => undefined,
    hostWatchers: new Set(),
    random: seededRandom(seed),
    keyOrder: seededRandom(seed + 1),
    quorate: (host) => {
      const together = [...hosts.values()].filter(({ state }) => state === 'up').length;
      return host.state === 'up' && together * 2 > hosts.size;
    },
  };
  return { datacenter, access };
}
