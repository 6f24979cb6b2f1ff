import { access } from './access.ts';
import { agent } from './agent.ts';
import { cluster } from './cluster.ts';
import { containers } from './containers.ts';
import { firewall } from './firewall.ts';
import { further } from './further.ts';
import { highAvailability } from './ha.ts';
import { network } from './network.ts';
import { nodes } from './nodes.ts';
import type { Api, Endpoint } from './notation.ts';
import { pools } from './pools.ts';
import { storages } from './storage.ts';
import { pathParameters } from './values.ts';
import { vms } from './vms.ts';
import { volumes } from './volumes.ts';

/** What stands in the path is a parameter too. */
function withPath(route: string, endpoint: Endpoint): Endpoint {
  const names = [...route.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) => (name === undefined ? [] : [name]));
  const known = names.flatMap((name) => {
    const param = pathParameters[name];
    return param === undefined ? [] : [[name, param] as const];
  });
  return { ...endpoint, params: { ...Object.fromEntries(known), ...endpoint.params } };
}

/** What only lists what lies below. */
export const indexes: Api = { 'GET /': { permission: 'all' } };

/** The calls of Proxmox VE 9.2 that are described here. */
export const api: Api = Object.fromEntries(
  Object.entries({
    ...indexes,
    ...access,
    ...cluster,
    ...highAvailability,
    ...firewall,
    ...nodes,
    ...network,
    ...containers,
    ...vms,
    ...agent,
    ...volumes,
    ...storages,
    ...pools,
    ...further,
  }).map(([route, endpoint]) => [route, withPath(route, endpoint)]),
);
