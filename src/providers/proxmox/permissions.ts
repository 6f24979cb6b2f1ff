import type { Row } from './api/row.ts';

/** What we may do where, as the cluster lists it. */
export class Permissions {
  readonly #paths: ReadonlyMap<string, ReadonlyMap<string, boolean>>;

  constructor(data: Row) {
    this.#paths = new Map(
      Object.entries(data).map(([path, privileges]) => [
        path,
        new Map(Object.entries(privileges ?? {}).map(([privilege, goesOn]) => [privilege, Number(goesOn) === 1])),
      ]),
    );
  }

  may(path: string, privilege: string): boolean {
    return this.at(path).has(privilege);
  }

  /** All that may be done at a path. One that is listed counts for itself; else the nearest above it, as far as its rights go on below. */
  at(path: string): ReadonlySet<string> {
    const own = this.#paths.get(path);
    if (own !== undefined) return new Set(own.keys());
    for (let at = above(path); at !== undefined; at = above(at)) {
      const found = this.#paths.get(at);
      if (found !== undefined) return new Set([...found].flatMap(([privilege, goesOn]) => (goesOn ? [privilege] : [])));
    }
    return new Set();
  }
}

const above = (path: string): string | undefined =>
  path === '/' ? undefined : path.slice(0, Math.max(1, path.lastIndexOf('/')));
