import { readFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startKubernetesTwin } from '../start.ts';

type Tree = { [field: string]: unknown };
type Made = { readonly path: string; readonly object: Tree; readonly made: Tree };
type Refused = { readonly path: string; readonly object: Tree; readonly causes: readonly string[] };

/** Answers of a kube-apiserver 1.36.3 without controllers. */
const recorded = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../../../test/golden/${name}.json`, import.meta.url), 'utf8'));
const created = recorded('kubernetes-created') as readonly Made[];
const refusals = recorded('kubernetes-refusals') as readonly Refused[];

const twin = startKubernetesTwin({
  controllers: 'off',
  tokens: { letmein: { user: 'admin', groups: ['system:masters'] } },
});
const server = createServer((incoming, outgoing) => twin.handle(incoming, outgoing));
let port = 0;

function post(path: string, body: Tree): Promise<Tree> {
  const headers = { authorization: 'Bearer letmein', 'content-type': 'application/json', 'user-agent': 'curl/8' };
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, method: 'POST', headers }, (response) => {
      let text = '';
      response.on('data', (chunk) => (text += String(chunk)));
      response.on('end', () => resolve(JSON.parse(text) as Tree));
    });
    sent.on('error', reject);
    sent.end(JSON.stringify(body));
  });
}

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
  await post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 't' } });
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } };
  await post('/api/v1/namespaces/t/serviceaccounts', account);
});

afterAll(async () => {
  await twin[Symbol.asyncDispose]();
  server.closeAllConnections();
  server.close();
});

/** Without what is different every time. */
function masked(object: Tree): Tree {
  const {
    uid: _,
    resourceVersion: __,
    creationTimestamp: ___,
    managedFields,
    ...metadata
  } = object['metadata'] as Tree;
  const managers = (managedFields as readonly Tree[] | undefined)?.map(({ time: ____, ...entry }) => entry);
  const text = JSON.stringify({
    ...object,
    metadata: { ...metadata, ...(managers === undefined ? {} : { managedFields: managers }) },
  });
  return JSON.parse(text.replaceAll(/kube-api-access-\w{5}/g, 'kube-api-access-00000')) as Tree;
}

const kindOf = (object: Tree): string => String(object['kind']);

describe('an object is stored as the real server stores it', () => {
  test.each(created.map((each) => [kindOf(each.object), each] as const))('%s', async (_, { path, object, made }) => {
    expect(masked(await post(path, object))).toEqual(made);
  });
});

describe('a mistake is refused in the real server’s words', () => {
  test.each(refusals.map((each) => [kindOf(each.object), each.causes[0], each] as const))(
    '%s %s',
    async (_, __, { path, object, causes }) => {
      const { details } = (await post(`${path}?dryRun=All`, object)) as { details?: { causes?: readonly Tree[] } };
      expect(details?.causes?.map(({ field, message }) => `${String(field)}: ${String(message)}`)).toEqual(causes);
    },
  );
});
