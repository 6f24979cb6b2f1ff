import type { IncomingMessage } from 'node:http';
import type { KubeObject } from '../../../wire/kubernetes/objects.ts';
import type { Mutable, User } from '../api.ts';
import { resourceKey } from '../discovery/registry.ts';
import { notFound } from '../refusal.ts';
import type { ResourceDefinition } from '../resource.ts';
import type { Write } from '../verbs/cluster.ts';
import { incoming } from '../verbs/incoming.ts';
import { writeOptions } from '../verbs/options.ts';
import type { WriteOptions } from '../verbs/options.ts';
import { checkPath } from '../verbs/path.ts';
import { update } from '../verbs/update.ts';
import { parseBody, readBody } from './body.ts';
import type { Exchange } from './exchange.ts';
import type { Form } from './negotiate.ts';
import { objectText } from './represent.ts';
import type { View } from './represent.ts';
import type { RequestInfo, ResourceRequest } from './request-info.ts';
import type { ApiServer, Struck } from './server.ts';
import { checkIncludeObject } from './table.ts';

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

export async function answerUpdate(call: Call): Promise<void> {
  const { server, definition, target, info } = call;
  const options = writeOptions(info.query, 'UpdateOptions');
  const object = await objectOf(call, options);
  checkPath(definition, object, { name: target.name ?? '', namespace: target.namespace });
  const updated = update(server.cluster, definition, object, writeOf(call, options));
  giveObject(call, updated.created ? 201 : 200, updated.object);
}
