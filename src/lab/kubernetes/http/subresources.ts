import { once } from 'node:events';
import { resourceKey } from '../discovery/registry.ts';
import { badRequest, methodNotAllowed, noSuchResource } from '../refusal.ts';
import type { Subresource } from '../resource.ts';
import { mergePatch } from '../patch/merge-patch.ts';
import { jsonPatch } from '../patch/json-patch.ts';
import { convert } from '../verbs/convert.ts';
import { metaOf } from '../verbs/meta.ts';
import { writeOptions } from '../verbs/options.ts';
import { scaledBy, scaleOf } from '../verbs/scale.ts';
import type { SubresourceAnswer, SubresourceCall, SubresourceHandler } from '../verbs/subresource.ts';
import type { Mutable } from '../api.ts';
import { update } from '../verbs/update.ts';
import { parseBody, readBody } from './body.ts';
import { answerPatch, readPatch } from './patches.ts';
import type { Call } from './call.ts';
import { answerUpdate, giveObject, stored, writeOf } from './call.ts';

export async function answerSubresource(call: Call, subresource: string): Promise<void> {
  const { definition, info } = call;
  const known = definition.subresources[subresource];
  if (known === undefined) throw noSuchResource();
  switch (known.kind) {
    case 'status':
      return answerPart(call);
    case 'scale':
      return answerScale(call, known);
    case 'other':
      if (!known.verbs.includes(info.verb)) throw methodNotAllowed();
      // Another window to the same object, unless somebody knows better.
      if (known.objectKind === definition.kind && handlerOf(call, subresource) === undefined) return answerPart(call);
      return answerOther(call, subresource);
  }
}

function answerPart(call: Call): Promise<void> | void {
  switch (call.info.verb) {
    case 'get':
      return giveObject(call, 200, stored(call));
    case 'update':
      return answerUpdate(call);
    case 'patch':
      return answerPatch(call);
    default:
      throw methodNotAllowed();
  }
}

const handlerOf = ({ server, definition }: Call, subresource: string): SubresourceHandler | undefined =>
  server.cluster.handlers[`${resourceKey(definition)}/${subresource}`];

async function answerScale(call: Call, scaled: Extract<Subresource, { kind: 'scale' }>): Promise<void> {
  const { definition, target, info, exchange, server } = call;
  if (info.verb === 'get') return exchange.json(200, scaleOf(definition, convert(stored(call), definition), scaled));
  const isPatch = info.verb === 'patch';
  if (!isPatch && info.verb !== 'update') throw methodNotAllowed();
  const patch = isPatch ? await readPatch(call) : undefined;
  const options = patch?.options ?? writeOptions(info.query, 'UpdateOptions');
  const sent =
    patch === undefined
      ? parseBody(await readBody(call.request), call.request.headers['content-type'], 'Scale').value
      : undefined;
  const live = convert(stored(call), definition);
  const before = scaleOf(definition, live, scaled) as unknown;
  const scale =
    sent ?? ((patch?.kind === 'json' ? jsonPatch(before, patch.body) : mergePatch(before, patch?.body)) as Mutable);
  const name = target.name ?? '';
  const meta = metaOf(scale);
  if ((meta.name ?? '') !== '' && meta.name !== name)
    throw badRequest(`the name of the object (${meta.name}) does not match the name on the URL (${name})`);
  const next = scaledBy(live, scale, scaled);
  metaOf(next).resourceVersion = meta.resourceVersion;
  const updated = update(server.cluster, definition, next, writeOf(call, options));
  exchange.json(200, scaleOf(definition, convert(updated.object, definition), scaled));
}

async function answerOther(call: Call, subresource: string): Promise<void> {
  const { definition, target, info, server, user, request } = call;
  const { cluster } = server;
  const handler = handlerOf(call, subresource);
  if (handler === undefined) throw noSuchResource();
  const body = await readBody(request);
  const ending = new AbortController();
  const end = (): void => ending.abort();
  request.socket.once('close', end);
  cluster.signal.addEventListener('abort', end, { once: true });
  try {
    const { dryRun, manager } = writeOf(call, writeOptions(info.query, 'CreateOptions'));
    const answer = await handler({
      verb: info.verb as SubresourceCall['verb'],
      method: info.method,
      definition,
      subresource,
      namespace: target.namespace,
      name: target.name ?? '',
      parent: stored(call),
      query: info.query,
      body: body.length === 0 ? undefined : parseBody(body, request.headers['content-type'], definition.kind).value,
      user,
      manager,
      dryRun,
      api: cluster.api,
      server: cluster.server,
      clock: cluster.clock,
      signal: ending.signal,
    });
    await give(call, answer, ending.signal);
  } finally {
    request.socket.off('close', end);
    cluster.signal.removeEventListener('abort', end);
  }
}

async function give({ exchange }: Call, answer: SubresourceAnswer, signal: AbortSignal): Promise<void> {
  if (answer.kind === 'object') return exchange.json(answer.code, answer.object);
  if (answer.kind === 'nothing') return exchange.text(204, '', 'text/plain');
  if (typeof answer.text === 'string') return exchange.text(200, answer.text, 'text/plain');
  const response = exchange.stream('text/plain');
  for await (const text of answer.text) {
    if (signal.aborted) break;
    if (!response.write(text)) await Promise.race([once(response, 'drain'), once(response, 'close')]);
  }
  response.end();
}
