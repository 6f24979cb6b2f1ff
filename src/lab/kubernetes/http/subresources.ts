import { once } from 'node:events';
import type { Mutable } from '../api.ts';
import { resourceKey } from '../discovery/registry.ts';
import { methodNotAllowed, noSuchResource } from '../refusal.ts';
import { settleNamespace } from '../verbs/create.ts';
import { writeOptions } from '../verbs/options.ts';
import type { SubresourceAnswer, SubresourceCall } from '../verbs/subresource.ts';
import { update } from '../verbs/update.ts';
import { parseBody, readBody } from './body.ts';
import type { Call } from './resources.ts';
import { checkName, decodedBody, giveObject, stored, writeOf } from './resources.ts';

export async function answerSubresource(call: Call, subresource: string): Promise<void> {
  const { definition, target, info, server } = call;
  const known = definition.subresources[subresource];
  if (known === undefined) throw noSuchResource();
  const name = target.name ?? '';
  switch (known.kind) {
    case 'status': {
      if (info.verb === 'get') return giveObject(call, 200, stored(call, name));
      if (info.verb !== 'update') throw methodNotAllowed();
      const options = writeOptions(info.query, 'UpdateOptions');
      const object = await decodedBody(call);
      checkName(object, name);
      settleNamespace(definition, target.namespace, object);
      return giveObject(call, 200, update(server.cluster, definition, object, writeOf(call, options)).object);
    }
    case 'scale':
      throw methodNotAllowed();
    case 'other':
      return answerOther(call, subresource);
  }
}

async function answerOther(call: Call, subresource: string): Promise<void> {
  const { definition, target, info, exchange, server, user, request } = call;
  const { cluster } = server;
  const handler = cluster.handlers[`${resourceKey(definition)}/${subresource}`];
  if (handler === undefined) throw noSuchResource();
  const name = target.name ?? '';
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
      name,
      parent: stored(call, name),
      query: info.query,
      body: body.length === 0 ? undefined : (parseBody(body, request.headers['content-type']) as Mutable),
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
  void exchange;
}

async function give({ exchange }: Call, answer: SubresourceAnswer, signal: AbortSignal): Promise<void> {
  if (answer.kind === 'object') return exchange.json(answer.code, answer.object);
  if (typeof answer.text === 'string') return exchange.text(200, answer.text, 'text/plain');
  const response = exchange.stream('text/plain');
  for await (const text of answer.text) {
    if (signal.aborted) break;
    if (!response.write(text)) await Promise.race([once(response, 'drain'), once(response, 'close')]);
  }
  response.end();
}
