import type { ResourceDefinition } from '../resource.ts';

/** As the API server lists its own; those of custom resources follow by name. */
const known = [
  '',
  'apiregistration.k8s.io',
  'apps',
  'events.k8s.io',
  'authentication.k8s.io',
  'authorization.k8s.io',
  'autoscaling',
  'batch',
  'certificates.k8s.io',
  'networking.k8s.io',
  'policy',
  'rbac.authorization.k8s.io',
  'storage.k8s.io',
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'scheduling.k8s.io',
  'coordination.k8s.io',
  'node.k8s.io',
  'discovery.k8s.io',
  'resource.k8s.io',
  'flowcontrol.apiserver.k8s.io',
];

const place = (group: string): number => {
  const at = known.indexOf(group);
  return at < 0 ? known.length : at;
};

const byName = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);

export type GroupVersions = {
  readonly group: string;
  /** The preferred one first. */
  readonly versions: readonly { readonly version: string; readonly definitions: readonly ResourceDefinition[] }[];
};

const sorted = new WeakMap<readonly ResourceDefinition[], readonly GroupVersions[]>();

/** Everything that is served, by group and version, in discovery’s order. */
export function groupsOf(definitions: readonly ResourceDefinition[]): readonly GroupVersions[] {
  let groups = sorted.get(definitions);
  if (groups === undefined) sorted.set(definitions, (groups = sort(definitions)));
  return groups;
}

function sort(definitions: readonly ResourceDefinition[]): readonly GroupVersions[] {
  const groups = [...new Set(definitions.map(({ group }) => group))].sort(
    (left, right) => place(left) - place(right) || byName(left, right),
  );
  return groups.map((group) => {
    const mine = definitions.filter((each) => each.group === group);
    const versions = [...new Set(mine.map(({ version }) => version))].sort(byAge);
    return {
      group,
      versions: versions.map((version) => ({
        version,
        definitions: mine
          .filter((each) => each.version === version)
          .toSorted((left, right) => byName(left.resource, right.resource)),
      })),
    };
  });
}

/** `v10` before `v2`, both before `v3beta1`, that before `v9alpha1`, and whatever is none of these behind. */
function byAge(left: string, right: string): number {
  const [a, b] = [parts(left), parts(right)];
  if (a === undefined || b === undefined)
    return a === undefined && b === undefined ? byName(left, right) : a === undefined ? 1 : -1;
  return b.rank - a.rank || b.major - a.major || b.minor - a.minor;
}

function parts(version: string) {
  const found = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version);
  if (found === null) return undefined;
  const rank = found[2] === undefined ? 2 : found[2] === 'beta' ? 1 : 0;
  return { rank, major: Number(found[1]), minor: Number(found[3] ?? 0) };
}
