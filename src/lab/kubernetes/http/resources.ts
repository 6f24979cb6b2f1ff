import type { Mutable } from '../api.ts';
import { expired, methodNotAllowed, noSuchResource } from '../refusal.ts';
import { create } from '../verbs/create.ts';
import { remove } from '../verbs/delete.ts';
import { list } from '../verbs/list.ts';
import { listOptions } from '../verbs/list-options.ts';
import { deletionOf, writeOptions } from '../verbs/options.ts';
import { parseBody, readBody } from './body.ts';
import { answerUpdate, giveObject, objectOf, stored, viewOf, writeOf } from './call.ts';
import type { Call } from './call.ts';
import { faultOf } from './faulty.ts';
import { negotiate } from './negotiate.ts';
import { answerPatch } from './patches.ts';
import { listText } from './represent.ts';
import { answerSubresource } from './subresources.ts';
import { streamWatch } from './watch-stream.ts';

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

function answerList(call: Call): void {
  const { server, definition, target, info, exchange, struck } = call;
  const options = listOptions(definition, info.query, false);
  if (options.continue !== '' && faultOf(struck, 'forget') !== undefined)
    throw expired('The provided continue parameter is too old to display a consistent list result.');
  const { metadata, items } = list(server.cluster, definition, target.namespace, options);
  exchange.json(200, listText(viewOf(call), metadata, items));
}

async function answerCreate(call: Call): Promise<void> {
  const { server, definition, target, info } = call;
  const options = writeOptions(info.query, 'CreateOptions');
  const object = await objectOf(call, options);
  giveObject(call, 201, create(server.cluster, definition, target.namespace, object, writeOf(call, options)));
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
