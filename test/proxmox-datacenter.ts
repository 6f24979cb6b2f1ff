import { virtualClock, type VirtualClock } from '../src/lab/clock.ts';
import type { Call, Principal, Routes } from '../src/lab/proxmox/call.ts';
import { clusterRoutes } from '../src/lab/proxmox/cluster/routes.ts';
import { createStatistics } from '../src/lab/proxmox/cluster/statistics.ts';
import type { Datacenter } from '../src/lab/proxmox/datacenter.ts';
import { usualDurations } from '../src/lab/proxmox/durations.ts';
import { createFaults } from '../src/lab/proxmox/faults.ts';
import { createFirewall } from '../src/lab/proxmox/firewall/firewall.ts';
import { firewallRoutes } from '../src/lab/proxmox/firewall/routes.ts';
import { createHa } from '../src/lab/proxmox/ha/ha.ts';
import { haRoutes } from '../src/lab/proxmox/ha/routes.ts';
import { createHosts } from '../src/lab/proxmox/hosts.ts';
import { createContainers } from '../src/lab/proxmox/nodes/container.ts';
import { nodesRoutes } from '../src/lab/proxmox/nodes/routes.ts';
import { poolsRoutes } from '../src/lab/proxmox/pools/routes.ts';
import { qemuRoutes } from '../src/lab/proxmox/qemu/routes.ts';
import { seededRandom } from '../src/lab/proxmox/random.ts';
import { Refusal } from '../src/lab/proxmox/refusal.ts';
import { callOf } from '../src/lab/proxmox/server/call-of.ts';
import { storageRoutes } from '../src/lab/proxmox/storage/routes.ts';
import { createSdn } from '../src/lab/proxmox/sdn/sdn.ts';
import { createStorages } from '../src/lab/proxmox/storage/storages.ts';
import type { Task } from '../src/lab/proxmox/tasks/task.ts';
import { tasksRoutes } from '../src/lab/proxmox/tasks/routes.ts';
import { createTasks } from '../src/lab/proxmox/tasks/tasks.ts';
import type { DatacenterOptions } from '../src/lab/proxmox/twin.ts';
import { versions } from '../src/lab/proxmox/versions.ts';

const routes: Routes = {
  ...clusterRoutes,
  ...firewallRoutes,
  ...haRoutes,
  ...nodesRoutes,
  ...poolsRoutes,
  ...qemuRoutes,
  ...storageRoutes,
  ...tasksRoutes,
};

type Asked = Readonly<Record<string, string | number>>;

type Circumstances = {
  /** The host that is asked, where the path names none. */
  readonly on?: string;
  /** What whoever asks may do; absent: everything. */
  readonly may?: (path: string, privileges: readonly string[]) => boolean;
  readonly upload?: Call['upload'];
  /** Absent: a token of root. */
  readonly who?: Principal;
};

/** A data centre without a door: calls are carried out as if they had been checked and allowed. */
export interface DoorlessDatacenter extends Disposable {
  readonly datacenter: Datacenter;
  readonly clock: VirtualClock;
  /** What would stand under `data`; `POST /pools` with its parameters. */
  ask(call: string, params?: Asked, circumstances?: Circumstances): Promise<unknown>;
  /** The words of a refusal; those of parameters as `name: words`. */
  refused(call: string, params?: Asked, circumstances?: Circumstances): Promise<string>;
  /** The task that a call starts, after it has ended. */
  task(call: string, params?: Asked, circumstances?: Circumstances): Promise<Task>;
}

export function aDatacenter(options: DatacenterOptions = {}): DoorlessDatacenter {
  const clock = virtualClock(new Date('2026-11-15T12:00:00Z'));
  const ending = new AbortController();
  const datacenter = build({ ...options, clock }, ending.signal);
  const ask = async (key: string, params: Asked = {}, { on, may = () => true, upload, who }: Circumstances = {}) => {
    const named = params['node'] === undefined ? on : String(params['node']);
    const host = datacenter.hosts.get(named ?? '') ?? [...datacenter.hosts.values()][0];
    const handler = routes[key];
    if (handler === undefined || host === undefined) throw new Error(`Nobody carries out ${key}.`);
    const call = callOf({
      datacenter: {
        ...datacenter,
        access: { ...datacenter.access, may: (_who, path, privileges) => may(path, privileges) },
      },
      host,
      who: who ?? { user: 'root@pam', token: 'test' },
      params: Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)])),
      upload,
      signal: ending.signal,
    });
    return (await handler(call)).data;
  };
  return {
    datacenter,
    clock,
    ask,
    refused: async (...asked) => {
      try {
        await ask(...asked);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        const { errors } = error;
        return errors === undefined
          ? error.message
          : Object.entries(errors)
              .map(([name, words]) => `${name}: ${words}`)
              .join();
      }
      return 'no refusal';
    },
    task: async (...asked) => {
      const upid = await ask(...asked);
      const task = [...datacenter.hosts.values()].flatMap(({ tasks }) => tasks).find((each) => each.upid === upid);
      if (task === undefined) throw new Error(`There is no task ${String(upid)}.`);
      while (task.exit === undefined) await clock.advance(100);
      return task;
    },
    [Symbol.dispose]: () => ending.abort(new Error('the test is over')),
  };
}

function build(options: DatacenterOptions & { readonly clock: VirtualClock }, over: AbortSignal): Datacenter {
  const { clock } = options;
  const { hosts, authority } = createHosts(options, clock);
  const random = seededRandom(1);
  const self = (): Datacenter => datacenter;
  const datacenter: Datacenter = {
    clock,
    version: versions[options.version ?? '9.2'],
    clusterName: hosts.size > 1 ? (options.clusterName ?? 'lab') : undefined,
    hosts,
    ca: authority.crt,
    vms: new Map(),
    containers: createContainers(options),
    over,
    sdn: createSdn(options.sdn),
    storages: createStorages(self, options),
    access: { privileges: () => new Map(), may: () => true, forgetPath: () => undefined },
    pools: new Map(),
    firewall: createFirewall(self),
    ha: createHa(self),
    options: new Map(),
    statistics: createStatistics(self),
    durations: { ...usualDurations, ...options.durations },
    guests: options.guests ?? (() => undefined),
    startTask: createTasks(self),
    faults: createFaults(random),
    setHost: (name, state) => {
      const host = hosts.get(name);
      if (host !== undefined) host.state = state;
    },
    hostWatchers: new Set(),
    random,
    keyOrder: random,
    quorate: (host) => {
      const together = [...hosts.values()].filter(({ state }) => state === 'up').length;
      return host.state === 'up' && together * 2 > hosts.size;
    },
  };
  return datacenter;
}
