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

  /** A path that is listed counts for itself; else the nearest one above it, as far as its rights go on below. */
  may(path: string, privilege: string): boolean {
    const own = this.#paths.get(path);
    if (own !== undefined) return own.has(privilege);
    for (let at = above(path); at !== undefined; at = above(at)) {
      const found = this.#paths.get(at);
      if (found !== undefined) return found.get(privilege) === true;
    }
    return false;
  }
}

const above = (path: string): string | undefined =>
  path === '/' ? undefined : path.slice(0, Math.max(1, path.lastIndexOf('/')));
