import type { KubernetesFault } from './twin.ts';

type Request = { readonly method: string; readonly path: string };

/** What was told to go wrong. */
export interface Faults {
  add(fault: KubernetesFault): void;
  clear(): void;
  /** Everything that goes wrong for one request; that is decided now, once. */
  strike(request: Request): readonly KubernetesFault[];
}

type Armed = { readonly fault: KubernetesFault; left: number };

export function createFaults(chance: () => number): Faults {
  const armed = new Set<Armed>();
  const strikes = (entry: Armed, request: Request): boolean => {
    if (!isMeant(entry.fault.match, request)) return false;
    const { share, chance: own = chance } = entry.fault;
    if (share !== undefined && own() >= share) return false;
    entry.left -= 1;
    if (entry.left <= 0) armed.delete(entry);
    return true;
  };
  return {
    add: (fault) => void armed.add({ fault, left: fault.times ?? Number.POSITIVE_INFINITY }),
    clear: () => armed.clear(),
    strike: (request) => [...armed].filter((entry) => strikes(entry, request)).map(({ fault }) => fault),
  };
}

/** `GET /api/v1/namespaces/*\/pods`: a star is one segment, two are any number of them. */
export function isMeant(match: string | undefined, { method, path }: Request): boolean {
  if (match === undefined) return true;
  const [wanted, pattern = '/**'] = match.split(' ');
  if (wanted !== '*' && wanted !== method) return false;
  return fits(segments(pattern), segments(path));
}

function fits([first, ...others]: readonly string[], given: readonly string[]): boolean {
  if (first === undefined) return given.length === 0;
  if (first === '**') return given.some((_, at) => fits(others, given.slice(at))) || fits(others, []);
  const [next, ...rest] = given;
  return next !== undefined && (first === '*' || first === next) && fits(others, rest);
}

const segments = (path: string): readonly string[] => path.split('/').filter((each) => each !== '');
