/** What a path says about a request, before anybody knows whether it leads anywhere. */
export type RequestInfo = {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly method: string;
  /** As RBAC names it. */
  readonly verb: string;
  readonly resource: ResourceRequest | undefined;
};

export type ResourceRequest = {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly subresource: string | undefined;
  /** What stands behind a subresource: the path of a proxy. */
  readonly rest: readonly string[];
};

/** What lies in a namespace’s path and is no resource of it. */
const ofNamespace = new Set(['status', 'finalize']);

export function requestInfo(method: string, url: string): RequestInfo {
  const parsed = new URL(url, 'http://twin');
  const path = parsed.pathname;
  const query = parsed.searchParams;
  // An older way to ask for a watch.
  const older = path.replace(/^(\/api\/[^/]+|\/apis\/[^/]+\/[^/]+)\/watch\//, '$1/');
  const resource = resourceOf(older);
  const isWatch = isTrue(query.get('watch')) || older !== path;
  return { path, query, method, resource, verb: verbOf(method, resource, isWatch) };
}

function resourceOf(path: string): ResourceRequest | undefined {
  const segments = path.split('/').slice(1).map(decoded);
  while (segments.at(-1) === '') segments.pop();
  const [root, ...others] = segments;
  const isCore = root === 'api';
  if (!isCore && root !== 'apis') return undefined;
  const [group, version] = isCore ? ['', others[0]] : [others[0], others[1]];
  const parts = others.slice(isCore ? 1 : 2);
  if (group === undefined || version === undefined || parts.length === 0) return undefined;
  let namespace: string | undefined;
  if (parts[0] === 'namespaces' && parts.length > 2 && !ofNamespace.has(parts[2] ?? '')) {
    namespace = parts[1];
    parts.splice(0, 2);
  }
  const [resource = '', name, subresource, ...rest] = parts;
  if (resource === '') return undefined;
  return { group, version, resource, namespace, name, subresource, rest };
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function verbOf(method: string, resource: ResourceRequest | undefined, isWatch: boolean): string {
  if (resource === undefined) return method.toLowerCase();
  switch (method) {
    case 'POST':
      return 'create';
    case 'PUT':
      return 'update';
    case 'PATCH':
      return 'patch';
    case 'DELETE':
      return resource.name === undefined ? 'deletecollection' : 'delete';
    case 'GET':
    case 'HEAD':
      if (resource.name !== undefined && resource.subresource !== undefined) return 'get';
      if (isWatch) return 'watch';
      return resource.name === undefined ? 'list' : 'get';
    default:
      return '';
  }
}

/** As Go reads a switch of a query. */
const isTrue = (value: string | null): boolean =>
  value !== null && !['false', '0', 'f', 'F', 'FALSE', 'False'].includes(value);

/** A dry run changes nothing, and neither does asking what somebody may do. */
export const isWrite = ({ method, query, resource }: RequestInfo): boolean =>
  ['POST', 'PUT', 'PATCH', 'DELETE'].includes(method) &&
  query.get('dryRun') !== 'All' &&
  resource?.resource.endsWith('reviews') !== true;
