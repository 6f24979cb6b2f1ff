import type { IncomingMessage } from 'node:http';
import type { KubeObject } from '../../../wire/kubernetes/objects.ts';
import type { Mutable, User } from '../api.ts';
import { resourceKey } from '../discovery/registry.ts';
import { badRequest, methodNotAllowed, noSuchResource, notFound } from '../refusal.ts';
import type { ResourceDefinition } from '../resource.ts';
import type { Write } from '../verbs/cluster.ts';
import { create, settleNamespace } from '../verbs/create.ts';
import { remove } from '../verbs/delete.ts';
import { list } from '../verbs/list.ts';
import { listOptions } from '../verbs/list-options.ts';
import { metaOf } from '../verbs/meta.ts';
import { deletionOf, writeOptions } from '../verbs/options.ts';
import { update } from '../verbs/update.ts';
import { parseBody, readBody } from './body.ts';
import type { Exchange } from './exchange.ts';
import { negotiate } from './negotiate.ts';
import type { Form } from './negotiate.ts';
import { listText, objectText } from './represent.ts';
import type { View } from './represent.ts';
import { checkIncludeObject } from './table.ts';
import type { RequestInfo, ResourceRequest } from './request-info.ts';
import type { ApiServer, Struck } from './server.ts';
import { answerSubresource } from './subresources.ts';
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

export async function answerResource(
  server: ApiServer,
  target: ResourceRequest,
  info: RequestInfo,
  request: IncomingMessage,
  exchange: Exchange,
  user: User,
  struck: Struck,
): Promise<void> {
  const definition = server.cluster.registry.find(target.group, target.version, target.resource);
  if (definition === undefined) throw noSuchResource();
  const isPlaced = target.namespace !== undefined;
  if (isPlaced && !definition.namespaced) throw noSuchResource();
  if (definition.namespaced && !isPlaced && target.name !== undefined) throw noSuchResource();
  const form = negotiate(request.headers.accept, info.verb === 'watch');
  const call: Call = { server, definition, target, info, request, exchange, user, struck, form };
  if (target.subresource !== undefined) return answerSubresource(call, target.subresource);
  const verb = info.verb;
  if (!definition.verbs.includes(verb)) throw methodNotAllowed();
  if (definition.namespaced && !isPlaced && verb !== 'list' && verb !== 'watch') throw methodNotAllowed();
  switch (verb) {
    case 'get':
      return giveObject(call, 200, stored(call, target.name ?? ''));
    case 'list':
      return answerList(call);
    case 'watch':
      return streamWatch(call);
    case 'create':
      return answerCreate(call);
    case 'update':
      return answerUpdate(call);
    case 'delete':
      return answerDelete(call);
    case 'deletecollection':
      return answerDeleteCollection(call);
    default:
      throw methodNotAllowed();
  }
}

export function stored({ server, definition, target }: Call, name: string): KubeObject {
  const object = server.cluster.store.get(resourceKey(definition), target.namespace, name);
  if (object === undefined) throw notFound(definition, name);
  return object;
}

function answerList(call: Call): void {
  const { server, definition, target, info, exchange } = call;
  const { metadata, items } = list(
    server.cluster,
    definition,
    target.namespace,
    listOptions(definition, info.query, false),
  );
  exchange.json(200, listText(viewOf(call), metadata, items));
}

export const viewOf = ({ definition, form, info, server }: Call): View => ({
  definition,
  form,
  includeObject: checkIncludeObject(info.query),
  now: server.cluster.clock.now(),
});

export const giveObject = (call: Call, code: number, object: KubeObject): void =>
  call.exchange.json(code, objectText(viewOf(call), object));

/** Whoever says nothing is called as its program calls itself. */
export const managerOf = (request: IncomingMessage): string =>
  (request.headers['user-agent'] ?? 'unknown').split('/')[0]?.slice(0, 128) ?? 'unknown';

export function writeOf(
  call: Call,
  options: { readonly dryRun: boolean; readonly manager?: string | undefined },
): Write {
  return {
    user: call.user,
    manager: options.manager ?? managerOf(call.request),
    dryRun: options.dryRun,
    subresource: call.target.subresource,
    warn: (text) => call.exchange.warn(text),
  };
}

export async function decodedBody({ request, definition }: Call): Promise<Mutable> {
  const object = parseBody(await readBody(request), request.headers['content-type']);
  definition.strategy.defaults?.(object);
  return object;
}

async function answerCreate(call: Call): Promise<void> {
  const options = writeOptions(call.info.query, 'CreateOptions');
  const object = await decodedBody(call);
  const { server, definition, target } = call;
  giveObject(call, 201, create(server.cluster, definition, target.namespace, object, writeOf(call, options)));
}

async function answerUpdate(call: Call): Promise<void> {
  const options = writeOptions(call.info.query, 'UpdateOptions');
  const object = await decodedBody(call);
  const { server, definition, target } = call;
  checkName(object, target.name ?? '');
  settleNamespace(definition, target.namespace, object);
  const updated = update(server.cluster, definition, object, writeOf(call, options));
  giveObject(call, updated.created ? 201 : 200, updated.object);
}

export function checkName(object: Mutable, name: string): void {
  const meta = metaOf(object);
  if ((meta.name ?? '') === '') throw badRequest('name must be provided');
  if (meta.name !== name)
    throw badRequest(`the name of the object (${meta.name}) does not match the name on the URL (${name})`);
}

async function deletionBody({ request }: Call): Promise<Mutable | undefined> {
  const body = await readBody(request);
  return body.length === 0 ? undefined : parseBody(body, request.headers['content-type']);
}

async function answerDelete(call: Call): Promise<void> {
  const { server, definition, target, info, exchange } = call;
  const deletion = deletionOf(await deletionBody(call), info.query);
  const name = target.name ?? '';
  const deleted = remove(server.cluster, definition, target.namespace, name, deletion, writeOf(call, deletion));
  if (deleted.kind === 'going') return giveObject(call, 200, deleted.object);
  const { uid } = deleted.object.metadata;
  exchange.json(200, {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: {
      name,
      ...(definition.group === '' ? {} : { group: definition.group }),
      kind: definition.resource,
      uid,
    },
  });
}

async function answerDeleteCollection(call: Call): Promise<void> {
  const { server, definition, target, info, exchange } = call;
  const deletion = deletionOf(await deletionBody(call), info.query);
  const listed = list(server.cluster, definition, target.namespace, listOptions(definition, info.query, false));
  for (const { metadata } of listed.items)
    remove(server.cluster, definition, metadata.namespace, metadata.name ?? '', deletion, writeOf(call, deletion));
  exchange.json(200, listText(viewOf(call), listed.metadata, listed.items));
}
