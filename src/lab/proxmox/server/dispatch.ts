import type { Endpoint } from '../../../wire/proxmox/notation.ts';
import type { Asked } from '../access/permit.ts';
import type { Call, Routes } from '../call.ts';
import type { Datacenter } from '../datacenter.ts';
import type { Host } from '../host.ts';
import { died, wrongParameters } from '../refusal.ts';
import type { Check } from '../schema/check.ts';
import type { ApiRequest } from './api-request.ts';
import { callOf } from './call-of.ts';
import type { Daemon } from './daemon.ts';
import { textOf } from './form.ts';
import type { Sent } from './form.ts';
import { refusedBy } from './outcome.ts';
import type { Outcome } from './outcome.ts';
import type { FindRoute, Route } from './router.ts';

/** A host as whoever sends requests to it sees it. */
export type Place = {
  readonly host: Host;
  readonly daemon: Daemon;
  /** Aborted when the host dies. */
  readonly signal: () => AbortSignal;
};

export type DispatchParts = {
  readonly datacenter: Datacenter;
  readonly find: FindRoute;
  readonly routes: Routes;
  readonly places: ReadonlyMap<string, Place>;
  readonly check: Check;
  readonly permit: (endpoint: Endpoint, asked: Asked) => void;
};

/** Carries out a request, on the host that was asked or on the one that the path names. */
export type Dispatch = (at: Place, request: ApiRequest) => Promise<Outcome>;

export function createDispatch(parts: DispatchParts): Dispatch {
  const { datacenter } = parts;
  return async (at, request) => {
    const route = parts.find(request.method, request.path);
    if (route === undefined) return notThere(request);
    try {
      const sent = merged(route, request);
      parts.permit(route.endpoint, { ...request, sent });
      const place = placeOf(parts, at, route);
      const isFar = place !== at;
      if (isFar && !sees(at.host, place.host)) return cut(595, 'No route to host');
      const work = async (): Promise<Outcome> => carryOut(parts, place, route, request, sent);
      if (route.endpoint.protected !== true && !isFar) return await work();
      const outcome = await inTime(datacenter, place, () =>
        route.endpoint.protected === true ? place.daemon.run(work) : work(),
      );
      return outcome.kind === 'done'
        ? { ...outcome, relayed: [isFar && route.key.startsWith('GET') ? 'Keep-Alive' : 'close'] }
        : outcome;
    } catch (error) {
      return refusedBy(error);
    }
  };
}

const notThere = ({ method, path }: ApiRequest): Outcome => ({
  kind: 'refused',
  status: 501,
  message: `Method '${method} ${path}' not implemented`,
});

/** Path, query and body together; what is said twice must be the same. */
function merged(route: Route, { sent }: ApiRequest): Sent {
  for (const name of Object.keys(sent).toSorted()) {
    const fixed = route.path[name];
    if (fixed !== undefined && fixed !== textOf(sent[name]))
      throw wrongParameters({ [name]: 'duplicate parameter (already defined in URI) with conflicting values!' });
  }
  return { ...route.path, ...sent };
}

function placeOf({ places }: DispatchParts, at: Place, { endpoint, path }: Route): Place {
  const name = path['node'];
  if (endpoint.proxied !== true || name === undefined || name === 'localhost' || name === at.host.name) return at;
  const place = places.get(name);
  if (place === undefined)
    throw died(
      `hostname lookup '${name}' failed - failed to get address info for: ${name}: Temporary failure in name resolution`,
    );
  return place;
}

/** Whether one host can talk to another. */
const sees = (from: Host, to: Host): boolean =>
  to.state !== 'dead' && to.state !== 'cut off' && from.state !== 'cut off';

const cut = (status: number, reason: string): Outcome => ({ kind: 'cut', status, reason });

/** Whoever does not answer in time is given up; what they do goes on. */
async function inTime(datacenter: Datacenter, place: Place, work: () => Promise<Outcome>): Promise<Outcome> {
  const enough = new AbortController();
  const late = datacenter.clock
    .sleep(datacenter.durations.proxy, enough.signal)
    .then(() => cut(596, 'Connection timed out'));
  late.catch(() => undefined);
  const awake = (async () => {
    await thawed(datacenter, place.host);
    return place.host.state === 'dead' ? cut(596, 'Broken pipe') : work();
  })();
  try {
    return await Promise.race([awake, late]);
  } finally {
    enough.abort();
  }
}

/** Resolves at once unless the host is frozen. */
export function thawed(datacenter: Datacenter, host: Host): Promise<void> {
  if (host.state !== 'frozen') return Promise.resolve();
  return new Promise((resolve) => {
    const look = (changed: Host): void => {
      if (changed !== host || host.state === 'frozen') return;
      datacenter.hostWatchers.delete(look);
      resolve();
    };
    datacenter.hostWatchers.add(look);
  });
}

async function carryOut(
  parts: DispatchParts,
  place: Place,
  route: Route,
  request: ApiRequest,
  sent: Sent,
): Promise<Outcome> {
  const signal = place.signal();
  try {
    const params = parts.check(route.key, route.endpoint, sent);
    const handler = parts.routes[route.key];
    if (handler === undefined) return notThere(request);
    const call: Call = callOf({
      datacenter: parts.datacenter,
      host: parts.datacenter.hosts.get(route.path['node'] ?? '') ?? place.host,
      who: request.who ?? { user: '', token: undefined },
      params,
      upload: request.upload,
      signal,
    });
    return { kind: 'done', answer: await handler(call) };
  } catch (error) {
    // Whoever asked from another host hears that nobody is there any more.
    return signal.aborted ? cut(596, 'Broken pipe') : refusedBy(error);
  }
}
