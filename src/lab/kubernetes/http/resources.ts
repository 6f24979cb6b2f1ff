import type { IncomingMessage } from 'node:http';
import type { KubeObject } from '../../../wire/kubernetes/objects.ts';
import type { Mutable, User } from '../api.ts';
import { resourceKey } from '../discovery/registry.ts';
import { expired, methodNotAllowed, noSuchResource, notFound } from '../refusal.ts';
import type { ResourceDefinition } from '../resource.ts';
import type { Write } from '../verbs/cluster.ts';
import { create } from '../verbs/create.ts';
import { remove } from '../verbs/delete.ts';
import { incoming } from '../verbs/incoming.ts';
import { list } from '../verbs/list.ts';
import { listOptions } from '../verbs/list-options.ts';
import { deletionOf, writeOptions } from '../verbs/options.ts';
import type { WriteOptions } from '../verbs/options.ts';
import { checkPath } from '../verbs/path.ts';
import { update } from '../verbs/update.ts';
import { parseBody, readBody } from './body.ts';
import type { Exchange } from './exchange.ts';
import { faultOf } from './faulty.ts';
import { negotiate } from './negotiate.ts';
import type { Form } from './negotiate.ts';
import { answerPatch } from './patches.ts';
import { listText, objectText } from './represent.ts';
import type { View } from './represent.ts';
import type { RequestInfo, ResourceRequest } from './request-info.ts';
import type { ApiServer, Struck } from './server.ts';
import { answerSubresource } from './subresources.ts';
import { checkIncludeObject } from './table.ts';
import { streamWatch } from './watch-stream.ts';

/** One request to a resource, with everything that was found out about it. */
export type Call = {
  readonly server: ApiServer;
  readonly definition: ResourceDefinition;
  readonly target: ResourceRequest;
  readonly info: RequestInfo;
  readonly request: IncomingMessage;
  readonly exchange: Exchange;
  readonly user: User;
  readonly struck: Struck;
  readonly form: Form;
};

const ofCollection = new Set(['create', 'deletecollection', 'list']);

export async function answerResource(call: Omit<Call, 'definition' | 'form'>): Promise<void> {
  const { server, target, info, request } = call;
  const definition = server.cluster.registry.find(target.group, target.version, target.resource);
  if (definition === undefined) {
    if (!server.cluster.registry.hasGroup(target.group)) return call.exchange.text(404, '404 page not found\n');
    throw noSuchResource();
  }
  const isPlaced = target.namespace !== undefined;
  if (isPlaced && !definition.namespaced) throw noSuchResource();
  if (definition.namespaced && !isPlaced && target.name !== undefined) throw noSuchResource();
  const isWatch = info.verb === 'watch';
  const isServed =
    target.subresource !== undefined ||
    (info.method !== 'HEAD' &&
      definition.verbs.includes(info.verb) &&
      (isWatch || (target.name === undefined) === ofCollection.has(info.verb)) &&
      (!definition.namespaced || isPlaced || isWatch || info.verb === 'list'));
  if (!isServed) throw methodNotAllowed();
  const whole: Call = {
    ...call,
    definition,
    form: negotiate(request.headers.accept, isWatch, isWatch || info.verb === 'list'),
  };
  if (target.subresource !== undefined) return answerSubresource(whole, target.subresource);
  return answerVerb(whole);
}

async function answerVerb(call: Call): Promise<void> {
  switch (call.info.verb) {
    case 'get':
      return giveObject(call, 200, stored(call));
    case 'list':
      return answerList(call);
    case 'watch':
      return streamWatch(call);
    case 'create':
      return answerCreate(call);
    case 'update':
      return answerUpdate(call);
    case 'patch':
      return answerPatch(call);
    case 'delete':
      return answerDelete(call);
    case 'deletecollection':
      return answerDeleteCollection(call);
    default:
      throw methodNotAllowed();
  }
}

export function stored({ server, definition, target }: Call): KubeObject {
  const name = target.name ?? '';
  const object = server.cluster.store.get(resourceKey(definition), target.namespace, name);
  if (object === undefined) throw notFound(definition, name);
  return object;
}

export const viewOf = ({ definition, form, info, server }: Call): View => ({
  definition,
  form,
  includeObject: form.as?.kind === 'Table' ? checkIncludeObject(info.query) : '',
  now: server.cluster.clock.now(),
});

export const giveObject = (call: Call, code: number, object: KubeObject): void =>
  call.exchange.json(code, objectText(viewOf(call), object));

function answerList(call: Call): void {
  const { server, definition, target, info, exchange, struck } = call;
  const options = listOptions(definition, info.query, false);
  if (options.continue !== '' && faultOf(struck, 'forget') !== undefined)
    throw expired('The provided continue parameter is too old to display a consistent list result.');
  const { metadata, items } = list(server.cluster, definition, target.namespace, options);
  exchange.json(200, listText(viewOf(call), metadata, items));
}

/** Whoever says nothing is called as its program calls itself. */
const programOf = (request: IncomingMessage): string =>
  (request.headers['user-agent'] ?? 'unknown').split('/')[0]?.slice(0, 128) ?? 'unknown';

export const writeOf = (
  call: Call,
  options: { readonly dryRun: boolean; readonly manager?: string | undefined },
): Write => ({
  user: call.user,
  manager: options.manager ?? programOf(call.request),
  dryRun: options.dryRun,
  subresource: call.target.subresource,
  warn: (text) => call.exchange.warn(text),
});

export async function objectOf(call: Call, { validation }: WriteOptions): Promise<Mutable> {
  const { request, definition, exchange } = call;
  const { value, duplicates } = parseBody(await readBody(request), request.headers['content-type'], definition.kind);
  return incoming(definition, value, { validation, duplicates, warn: (text) => exchange.warn(text) });
}

async function answerCreate(call: Call): Promise<void> {
  const { server, definition, target, info } = call;
  const options = writeOptions(info.query, 'CreateOptions');
  const object = await objectOf(call, options);
  giveObject(call, 201, create(server.cluster, definition, target.namespace, object, writeOf(call, options)));
}

export async function answerUpdate(call: Call): Promise<void> {
  const { server, definition, target, info } = call;
  const options = writeOptions(info.query, 'UpdateOptions');
  const object = await objectOf(call, options);
  checkPath(definition, object, { name: target.name ?? '', namespace: target.namespace });
  const updated = update(server.cluster, definition, object, writeOf(call, options));
  giveObject(call, updated.created ? 201 : 200, updated.object);
}

async function deletionBody({ request }: Call): Promise<Mutable | undefined> {
  const body = await readBody(request);
  return body.length === 0 ? undefined : parseBody(body, request.headers['content-type'], 'DeleteOptions').value;
}

async function answerDelete(call: Call): Promise<void> {
  const { server, definition, target, info, exchange } = call;
  const deletion = deletionOf(await deletionBody(call), info.query);
  const name = target.name ?? '';
  const deleted = remove(server.cluster, definition, target.namespace, name, deletion, writeOf(call, deletion));
  if (deleted.kind === 'going') return giveObject(call, 200, deleted.object);
  const { group, resource } = definition;
  exchange.json(200, {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: { name, ...(group === '' ? {} : { group }), kind: resource, uid: deleted.object.metadata.uid },
  });
}

async function answerDeleteCollection(call: Call): Promise<void> {
  const { server, definition, target, info, exchange } = call;
  const deletion = deletionOf(await deletionBody(call), info.query);
  const { metadata, items } = list(
    server.cluster,
    definition,
    target.namespace,
    listOptions(definition, info.query, false),
  );
  const write = writeOf(call, deletion);
  const gone = items.map((each) =>
    remove(server.cluster, definition, each.metadata.namespace, each.metadata.name ?? '', deletion, write),
  );
  exchange.json(
    200,
    listText(
      viewOf(call),
      metadata,
      gone.map(({ object }) => object),
    ),
  );
}
