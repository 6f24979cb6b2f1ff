import { randomUUID } from 'node:crypto';
import { accessRoutes } from './access/routes.ts';
import { newUser } from './access/state.ts';
import type { Routes } from './call.ts';
import { clusterRoutes } from './cluster/routes.ts';
import { createDatacenter } from './create-datacenter.ts';
import { openDoors } from './doors.ts';
import { firewallRoutes } from './firewall/routes.ts';
import { haRoutes } from './ha/routes.ts';
import type { Host } from './host.ts';
import { nodesRoutes } from './nodes/routes.ts';
import { poolsRoutes } from './pools/routes.ts';
import { powerFailure, watchPower } from './qemu/power/host-power.ts';
import { qemuRoutes } from './qemu/routes.ts';
import { indexRoutes } from './server/index-routes.ts';
import { storageRoutes } from './storage/routes.ts';
import { tasksRoutes } from './tasks/routes.ts';
import type { DatacenterOptions, ProxmoxLab, SeenRequest } from './twin.ts';

const routes: Routes = {
  ...indexRoutes,
  ...accessRoutes,
  ...clusterRoutes,
  ...firewallRoutes,
  ...haRoutes,
  ...nodesRoutes,
  ...poolsRoutes,
  ...qemuRoutes,
  ...storageRoutes,
  ...tasksRoutes,
};

/** So many of the last requests are remembered at least. */
const kept = 100_000;

/** A Proxmox VE cluster on loopback, over real sockets. */
export async function startProxmoxLab(options: DatacenterOptions = {}): Promise<ProxmoxLab> {
  const ending = new AbortController();
  const made = createDatacenter(options, ending.signal);
  const { datacenter, access } = made;
  watchPower(datacenter);
  const seen: SeenRequest[] = [];
  const doors = await openDoors(made, routes, options, (request) => {
    seen.push(request);
    if (seen.length > 2 * kept) seen.splice(0, kept);
  });
  const hostNamed = (name: string): Host => {
    const host = datacenter.hosts.get(name);
    if (host === undefined) throw new Error(`There is no host ${name} in this lab.`);
    return host;
  };
  datacenter.setHost = (name, state) => {
    const host = hostNamed(name);
    const before = host.state;
    if (before === state) return;
    host.state = state;
    if (before === 'dead') host.bootedAt = datacenter.clock.now();
    doors.setState(host, before);
    for (const watcher of datacenter.hostWatchers) watcher(host, before);
  };
  const tokenOf = (userid: string, name: string): string => {
    const value = randomUUID();
    access.user(userid).tokens.set(name, { value, privsep: false, expire: 0, comment: undefined });
    return `${userid}!${name}=${value}`;
  };
  const password = { username: 'root@pam', password: randomUUID() };
  access.user(password.username).password = password.password;
  return {
    endpoints: new Map([...datacenter.hosts.keys()].map((name) => [name, doors.endpoint(name)])),
    ca: datacenter.ca,
    fingerprint: (name) => hostNamed(name).certificate.fingerprint,
    token: (name = 'lab') => tokenOf('root@pam', name),
    administrator: (name) => {
      const userid = `${name}@pve`;
      access.users.set(userid, newUser());
      access.acl.grant({ kind: 'user', id: userid, path: '/', role: 'Administrator', propagate: true });
      return tokenOf(userid, 'lab');
    },
    password,
    requests: () => seen,
    vms: () =>
      [...datacenter.vms.values()].map(({ vmid, host, run, config }) => ({
        vmid,
        host,
        running: run !== undefined,
        config: Object.fromEntries(config),
      })),
    hosts: () =>
      [...datacenter.hosts.values()].map(({ name, state, cpus, memoryBytes }) => ({
        name,
        state,
        cpus,
        memoryMiB: Math.round(memoryBytes / 1024 ** 2),
      })),
    storages: () => [...datacenter.storages.definitions.keys()],
    fail: (fault) => datacenter.faults.add(fault),
    heal: () => datacenter.faults.clear(),
    setHost: datacenter.setHost,
    fill: (storage, freeGiB, host) => datacenter.storages.fill(storage, freeGiB, host),
    connector: () => doors.dial,
    [Symbol.asyncDispose]: async () => {
      ending.abort(new Error('the lab is over'));
      await doors[Symbol.asyncDispose]();
      await Promise.all([...datacenter.hosts.values()].map((host) => powerFailure(datacenter, host)));
    },
  };
}
