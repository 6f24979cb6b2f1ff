import type { Api, Endpoint } from '../../../wire/proxmox/notation.ts';

export type Route = {
  /** `GET /nodes/{node}/qemu` */
  readonly key: string;
  readonly endpoint: Endpoint;
  /** What stood in the path, by name. */
  readonly path: Readonly<Record<string, string>>;
};

type Branch = {
  readonly names: Map<string, Branch>;
  /** Whatever stands here, under that name; `rest` takes everything that follows. */
  any: { readonly name: string; readonly branch: Branch; readonly rest: boolean } | undefined;
  readonly methods: Map<string, { readonly key: string; readonly endpoint: Endpoint }>;
};

const newBranch = (): Branch => ({ names: new Map(), any: undefined, methods: new Map() });

/** A volume and a network have slashes in them. */
const takesRest = (name: string): boolean => name === 'volume' || name === 'cidr';

function grow(branch: Branch, segment: string): Branch {
  const name = /^\{(\w+)\}$/.exec(segment)?.[1];
  if (name !== undefined) {
    branch.any ??= { name, branch: newBranch(), rest: takesRest(name) };
    return branch.any.branch;
  }
  const next = branch.names.get(segment) ?? newBranch();
  branch.names.set(segment, next);
  return next;
}

export type FindRoute = (method: string, path: string) => Route | undefined;

/** Finds the description of a request; undefined: there is none. */
export function createRouter(api: Api): FindRoute {
  const root = newBranch();
  for (const [key, endpoint] of Object.entries(api)) {
    const [method = '', path = ''] = key.split(' ');
    segmentsOf(path).reduce(grow, root).methods.set(method, { key, endpoint });
  }
  return (method, path) => find(root, method, path);
}

/** Empty segments do not count. */
function segmentsOf(path: string): readonly string[] {
  return path.split('/').filter((segment) => segment !== '');
}

function find(root: Branch, method: string, path: string): Route | undefined {
  const found: Record<string, string> = {};
  const segments = segmentsOf(path);
  let branch = root;
  for (const [index, segment] of segments.entries()) {
    const named = branch.names.get(segment);
    if (named !== undefined) {
      branch = named;
      continue;
    }
    if (branch.any === undefined) return undefined;
    found[branch.any.name] = branch.any.rest ? segments.slice(index).join('/') : segment;
    const { rest } = branch.any;
    branch = branch.any.branch;
    if (rest) break;
  }
  const described = branch.methods.get(method);
  return described === undefined ? undefined : { ...described, path: found };
}
