import { AsyncLocalStorage } from 'node:async_hooks';
import type { ProxmoxFault } from './twin.ts';

type FaultKind = ProxmoxFault['kind'];

/** What was told to go wrong. */
export interface Faults {
  add(fault: ProxmoxFault): void;
  clear(): void;
  /** Runs `work` with everything that goes wrong for one request; that is decided now, once. */
  during<T>(request: { readonly method: string; readonly path: string }, work: () => T): T;
  /** A fault of this kind for the request that is being carried out, and each one only once. */
  take(kind: FaultKind): ProxmoxFault | undefined;
}

type Armed = { readonly fault: ProxmoxFault; left: number };

export function createFaults(random: () => number): Faults {
  const armed = new Set<Armed>();
  const current = new AsyncLocalStorage<ProxmoxFault[]>();
  const strikes = (entry: Armed, request: { readonly method: string; readonly path: string }): boolean => {
    const { kind, match, share, chance = random } = entry.fault;
    if (!isMeant(match, request) || (kind === 'read-only' && !isWrite(request))) return false;
    if (share !== undefined && chance() >= share) return false;
    entry.left -= 1;
    if (entry.left <= 0) armed.delete(entry);
    return true;
  };
  return {
    add: (fault) => void armed.add({ fault, left: fault.times ?? Number.POSITIVE_INFINITY }),
    clear: () => armed.clear(),
    during: (request, work) =>
      current.run(
        [...armed].filter((entry) => strikes(entry, request)).map(({ fault }) => fault),
        work,
      ),
    take: (kind) => {
      const mine = current.getStore() ?? [];
      const index = mine.findIndex((fault) => fault.kind === kind);
      return index < 0 ? undefined : mine.splice(index, 1)[0];
    },
  };
}

/** Whether a request would change something. */
export const isWrite = ({ method, path }: { readonly method: string; readonly path: string }): boolean =>
  method !== 'GET' && method !== 'HEAD' && path !== '/access/ticket';

/** `POST /nodes/*\/qemu`: a star is one segment, two are any number of them. */
function isMeant(match: string | undefined, request: { readonly method: string; readonly path: string }): boolean {
  if (match === undefined) return true;
  const [method, pattern = ''] = match.split(' ');
  if (method !== '*' && method !== request.method) return false;
  return fits(segments(pattern), segments(request.path));
}

function fits([first, ...others]: readonly string[], given: readonly string[]): boolean {
  if (first === undefined) return given.length === 0;
  if (first === '**') return given.some((_, at) => fits(others, given.slice(at))) || fits(others, []);
  const [next, ...rest] = given;
  return next !== undefined && (first === '*' || first === next) && fits(others, rest);
}

const segments = (path: string): readonly string[] => path.split('/').filter((each) => each !== '');
