import { createHash } from 'node:crypto';
import { groupVersion } from '../discovery/registry.ts';
import type { ResourceDefinition, Subresource } from '../resource.ts';
import { customSchemas } from './custom.ts';
import { pathsOf } from './paths.ts';
import { closure, customName } from './schemas.ts';
import type { Dialect, Document } from './schemas.ts';

const info = { title: 'Kubernetes', version: '1.36' };
const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';

/** What every group uses, and what those use that keep objects. */
const shared = [`${meta}.APIResourceList`];
const ofKept = ['DeleteOptions', 'ListMeta', 'Patch', 'Status', 'WatchEvent'].map((each) => `${meta}.${each}`);

/** Everything about these resources, as kubectl and others ask for it. */
function describe(
  definitions: readonly ResourceDefinition[],
  dialect: Dialect,
): { readonly paths: Document; readonly schemas: Document } {
  const [paths, custom]: [Document, Document] = [{}, {}];
  const isKept = definitions.some(({ verbs }) => verbs.includes('list'));
  const met = new Set(isKept ? [...shared, ...ofKept] : shared);
  for (const definition of definitions) {
    const name = definition.custom ? customName(definition, definition.kind) : (definition.schema.name ?? '');
    const hasList = definition.verbs.includes('list');
    if (definition.custom) Object.assign(custom, customSchemas(definition, dialect));
    else for (const each of hasList ? [name, `${name}List`] : [name]) met.add(each);
    const other = (subresource: Subresource) => {
      const kind = kindOf(definition, subresource);
      if (kind !== undefined && kind.name !== name) met.add(kind.name);
      return kind;
    };
    Object.assign(paths, pathsOf(definition, name, other, dialect));
  }
  return { paths, schemas: { ...closure([...met], dialect), ...custom } };
}

const packagesOf: Readonly<Record<string, string>> = {
  'policy/Eviction': 'policy',
  'authentication.k8s.io/TokenRequest': 'authentication',
};

/** Options of a connection are no types that anybody describes. */
function kindOf(definition: ResourceDefinition, subresource: Subresource) {
  if (subresource.kind === 'scale')
    return { group: 'autoscaling', version: 'v1', kind: 'Scale', name: 'io.k8s.api.autoscaling.v1.Scale' };
  if (subresource.kind !== 'other' || subresource.objectKind.endsWith('Options')) return undefined;
  const { objectKind: kind, group = definition.group, version = definition.version } = subresource;
  const home = packagesOf[`${group}/${kind}`];
  const own = (definition.schema.name ?? '').split('.').slice(0, -1).join('.');
  return {
    group,
    version,
    kind,
    name: home === undefined ? `${own}.${kind}` : `io.k8s.api.${home}.${version}.${kind}`,
  };
}

/** All of it in one, as Swagger 2.0. */
export function openApiV2(definitions: readonly ResourceDefinition[]): Document {
  const { paths, schemas } = describe(definitions, 'v2');
  return { swagger: '2.0', info, paths, definitions: schemas };
}

/** One group in one version: `apps/v1`, of the core `v1`. */
export function openApiV3(definitions: readonly ResourceDefinition[], version: string): Document {
  const { paths, schemas } = describe(
    definitions.filter((each) => groupVersion(each) === version),
    'v3',
  );
  return { openapi: '3.0.0', info, paths, components: { schemas } };
}

/** Which groups there are, and where each is described; the address changes whenever its content does. */
export function openApiV3Index(definitions: readonly ResourceDefinition[]): Document {
  const rootOf = (version: string): string => (version.includes('/') ? `apis/${version}` : `api/${version}`);
  const versions = [...new Set(definitions.map(groupVersion))].toSorted((a, b) => (rootOf(a) < rootOf(b) ? -1 : 1));
  const paths = versions.map((version) => {
    const path = rootOf(version);
    const own = definitions.filter((each) => groupVersion(each) === version);
    return [path, { serverRelativeURL: `/openapi/v3/${path}?hash=${hashOf(version, own)}` }];
  });
  return { paths: Object.fromEntries(paths) as Document };
}

/** Built-in types never change, so that of them the name is enough. */
export function hashOf(version: string, definitions: readonly ResourceDefinition[]): string {
  const content = definitions.map(({ kind, custom, schema, subresources, selectable }) =>
    custom ? [kind, schema.raw, Object.keys(subresources), Object.keys(selectable)] : kind,
  );
  return createHash('sha512')
    .update(JSON.stringify([info.version, version, content]))
    .digest('hex')
    .toUpperCase();
}
