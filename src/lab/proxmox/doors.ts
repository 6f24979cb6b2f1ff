import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { wallClock } from '../clock.ts';
import { authenticate } from './access/authenticate.ts';
import { permit } from './access/permit.ts';
import { privilegesOf } from './access/privileges.ts';
import type { Routes } from './call.ts';
import type { NewDatacenter } from './create-datacenter.ts';
import type { Host, HostState } from './host.ts';
import { hostNow } from './nodes/system.ts';
import { createCheck } from './schema/check.ts';
import { apiOf } from './schema/version.ts';
import { createDaemon } from './server/daemon.ts';
import { createDispatch, thawed } from './server/dispatch.ts';
import type { Place } from './server/dispatch.ts';
import { createFront } from './server/front.ts';
import { listen } from './server/listener.ts';
import type { Listener } from './server/listener.ts';
import { redirect } from './server/redirect.ts';
import { createRouter } from './server/router.ts';
import type { DatacenterOptions, ProxmoxLab, SeenRequest } from './twin.ts';

const apiPort = 8006;

/** What the hosts of a lab listen on. */
export interface Doors extends AsyncDisposable {
  endpoint(host: string): string;
  /** The power goes or comes back; open connections break. */
  setState(host: Host, before: HostState): void;
  readonly dial: ReturnType<ProxmoxLab['connector']>;
}

export async function openDoors(
  { datacenter, access }: NewDatacenter,
  routes: Routes,
  options: DatacenterOptions,
  log: (seen: SeenRequest) => void,
): Promise<Doors> {
  const { clock, hosts, version } = datacenter;
  const deaths = new Map([...hosts.keys()].map((name) => [name, new AbortController()]));
  const places = new Map<string, Place>(
    [...hosts].map(([name, host]) => [
      name,
      { host, daemon: createDaemon(), signal: () => deaths.get(name)?.signal ?? datacenter.over },
    ]),
  );
  const dispatch = createDispatch({
    datacenter,
    routes,
    places,
    check: createCheck(privilegesOf(version.major)),
    find: createRouter(apiOf(version.major)),
    permit: (endpoint, asked) => permit(access, endpoint, asked),
  });
  const wall = wallClock();
  const latency = (): Promise<void> =>
    options.latencyMs === undefined ? Promise.resolve() : wall.sleep(options.latencyMs);
  const mapped = options.addresses === 'mapped';
  const listeners = new Map<string, Listener>();
  const close = async (): Promise<void> => {
    for (const death of deaths.values()) death.abort(new Error('the lab is over'));
    await Promise.all([...listeners.values()].map((listener) => listener.down()));
  };
  const portOf = (name: string): number => listeners.get(name)?.port ?? apiPort;
  try {
    for (const place of places.values())
      listeners.set(
        place.host.name,
        await listen({
          host: place.host,
          bind: mapped ? { address: '127.0.0.1', port: 0 } : { address: place.host.address, port: apiPort },
          serve: createFront(
            {
              datacenter,
              dispatch,
              authenticate: (entry) => authenticate(access, version, clock.now(), entry),
              log,
              latency,
            },
            place,
          ),
          redirect,
          now: () => hostNow(place.host),
          awake: () => thawed(datacenter, place.host),
        }),
      );
  } catch (error) {
    await close();
    throw error;
  }
  return {
    endpoint: (name) => `https://${mapped ? '127.0.0.1' : (hosts.get(name)?.address ?? '')}:${portOf(name)}`,
    setState: ({ name, state }, before) => {
      if (state === 'dead') {
        deaths.get(name)?.abort(new Error(`${name} is dead`));
        void listeners.get(name)?.down();
      } else if (before === 'dead') {
        deaths.set(name, new AbortController());
        void listeners.get(name)?.up();
      }
    },
    dial: ({ host, port }, signal) => {
      const named = [...hosts.values()].find(({ name, address }) => name === host || address === host);
      if (named === undefined) return dialed({ host, port }, signal);
      return mapped && port === apiPort
        ? dialed({ host: '127.0.0.1', port: portOf(named.name) }, signal)
        : dialed({ host: named.address, port }, signal);
    },
    [Symbol.asyncDispose]: close,
  };
}

const dialed = (target: { readonly host: string; readonly port: number }, signal: AbortSignal): Promise<Duplex> =>
  new Promise((resolve, reject) => {
    const socket = connect({ ...target, signal });
    socket.once('connect', () => resolve(socket));
    socket.once('error', reject);
  });
