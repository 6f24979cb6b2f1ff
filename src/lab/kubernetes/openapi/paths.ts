import { groupVersion } from '../discovery/registry.ts';
import type { ResourceDefinition, Subresource } from '../resource.ts';
import { patchName, refTo } from './schemas.ts';
import type { Dialect, Document } from './schemas.ts';

/** What is read and written at a place, and how its types are called. */
type Kind = { readonly group: string; readonly version: string; readonly kind: string; readonly name: string };

const query = (name: string, type: 'string' | 'boolean' | 'integer', dialect: Dialect): Document => ({
  name,
  in: 'query',
  ...(dialect === 'v3' ? { schema: { type, uniqueItems: true } } : { type, uniqueItems: true }),
});

const inPath = (name: string, dialect: Dialect): Document => ({
  name,
  in: 'path',
  required: true,
  ...(dialect === 'v3' ? { schema: { type: 'string', uniqueItems: true } } : { type: 'string', uniqueItems: true }),
});

const listing = [
  'allowWatchBookmarks',
  'continue',
  'fieldSelector',
  'labelSelector',
  'limit',
  'resourceVersion',
  'resourceVersionMatch',
  'sendInitialEvents',
  'timeoutSeconds',
  'watch',
];
const writing = ['dryRun', 'fieldManager', 'fieldValidation'];
const deleting = [
  'dryRun',
  'gracePeriodSeconds',
  'ignoreStoreReadErrorWithClusterBreakingPotential',
  'orphanDependents',
  'propagationPolicy',
];
const types: Readonly<Record<string, 'boolean' | 'integer'>> = {
  allowWatchBookmarks: 'boolean',
  limit: 'integer',
  sendInitialEvents: 'boolean',
  timeoutSeconds: 'integer',
  watch: 'boolean',
  force: 'boolean',
  gracePeriodSeconds: 'integer',
  orphanDependents: 'boolean',
};

const methods: Readonly<Record<string, readonly [method: string, action: string, parameters: readonly string[]]>> = {
  list: ['get', 'list', listing],
  get: ['get', 'get', []],
  create: ['post', 'post', writing],
  update: ['put', 'put', writing],
  patch: ['patch', 'patch', [...writing, 'force']],
  delete: ['delete', 'delete', deleting],
  deletecollection: ['delete', 'deletecollection', [...listing.slice(1), ...deleting]],
};

const ofCollection = new Set(['list', 'create', 'deletecollection']);

/** Where the objects of a resource are, and what may be done to them there. */
export function pathsOf(
  definition: ResourceDefinition,
  name: string,
  nameOf: (subresource: Subresource) => Kind | undefined,
  dialect: Dialect,
): Document {
  const version = groupVersion(definition);
  const root = `${definition.group === '' ? '/api' : '/apis'}/${version}`;
  const collection = `${root}/${definition.namespaced ? 'namespaces/{namespace}/' : ''}${definition.resource}`;
  const item = `${collection}/{name}`;
  const kind = { group: definition.group, version: definition.version, kind: definition.kind, name };
  const at = (verbs: readonly string[], what: Kind, isItem: boolean): Document => ({
    ...Object.fromEntries(verbs.map((verb) => operation(verb, what, definition, dialect))),
    parameters: [
      ...(isItem ? [inPath('name', dialect)] : []),
      ...(definition.namespaced ? [inPath('namespace', dialect)] : []),
      query('pretty', 'string', dialect),
    ],
  });
  const known = definition.verbs.filter((verb) => methods[verb] !== undefined);
  const [many, one] = [known.filter((verb) => ofCollection.has(verb)), known.filter((verb) => !ofCollection.has(verb))];
  const paths: Document = {};
  if (many.length > 0) paths[collection] = at(many, kind, false);
  if (one.length > 0) paths[item] = at(one, kind, true);
  if (definition.namespaced && known.includes('list'))
    paths[`${root}/${definition.resource}`] = at(['list'], kind, false);
  for (const [sub, subresource] of Object.entries(definition.subresources)) {
    const what = subresource.kind === 'status' ? kind : nameOf(subresource);
    const verbs = (subresource.kind === 'other' ? subresource.verbs : ['get', 'patch', 'update']).filter(
      (verb) => methods[verb] !== undefined,
    );
    if (what !== undefined) paths[`${item}/${sub}`] = at(verbs, what, true);
  }
  return paths;
}

function operation(
  verb: string,
  { group, version, kind, name }: Kind,
  definition: ResourceDefinition,
  dialect: Dialect,
): readonly [string, Document] {
  const [method = '', action = '', parameters = []] = methods[verb] ?? [];
  const media = dialect === 'v3' ? patchTypes(definition) : [];
  const body = verb === 'patch' ? patchName : name;
  const answer =
    verb === 'list' ? `${name}List` : verb.startsWith('delete') ? 'io.k8s.apimachinery.pkg.apis.meta.v1.Status' : name;
  const hasBody = verb === 'create' || verb === 'update' || verb === 'patch';
  const schema = refTo(dialect, body);
  const all = parameters.map((each) => query(each, types[each] ?? 'string', dialect));
  const inBody = dialect === 'v2' && hasBody ? [{ name: 'body', in: 'body', required: true, schema }] : [];
  return [
    method,
    {
      'x-kubernetes-action': action,
      'x-kubernetes-group-version-kind': { group, version, kind },
      operationId: `${verb}${kind}${definition.group.split('.')[0] ?? ''}${definition.version}${definition.resource}`,
      ...(dialect === 'v2' && verb === 'patch' && { consumes: patchTypes(definition) }),
      ...((all.length > 0 || inBody.length > 0) && { parameters: [...inBody, ...all] }),
      ...(dialect === 'v3' &&
        hasBody && {
          requestBody: {
            required: true,
            content: Object.fromEntries((verb === 'patch' ? media : ['*/*']).map((each) => [each, { schema }])),
          },
        }),
      responses: {
        200: {
          description: 'OK',
          ...(dialect === 'v3'
            ? { content: { 'application/json': { schema: refTo(dialect, answer) } } }
            : { schema: refTo(dialect, answer) }),
        },
      },
    },
  ];
}

const patchTypes = ({ custom }: ResourceDefinition): readonly string[] => [
  'application/apply-patch+yaml',
  'application/json-patch+json',
  'application/merge-patch+json',
  ...(custom ? [] : ['application/strategic-merge-patch+json']),
];
