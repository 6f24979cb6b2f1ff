import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveKubernetes } from '../../src/lab/kubernetes/serve.ts';
import { startKubernetesTwin } from '../../src/lab/kubernetes/start.ts';
import { Caller } from '../conformance/kubernetes/call.ts';
import { makeAuthority } from '../conformance/kubernetes/pki.ts';
import { definitions, objects, widgets } from './crd-cases.ts';
import { startKube } from './kube.ts';
import { buildTimeoutMs } from './peers.ts';

type Ask = (
  method: string,
  path: string,
  body?: unknown,
) => Promise<{ readonly status: number; readonly body: unknown }>;

const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const undo: (() => unknown)[] = [];
let [real, twin]: [Ask, Ask] = [() => Promise.reject(), () => Promise.reject()];

beforeAll(async () => {
  const kube = await startKube();
  undo.push(() => kube[Symbol.asyncDispose]());
  real = kube.request;
  twin = await startTwin();
  for (const ask of [real, twin]) {
    expect((await ask('POST', crds, widgets)).status).toBe(201);
    while ((await ask('GET', '/apis/x.io/v1/widgets')).status !== 200) await sleep(100);
  }
}, 3 * buildTimeoutMs);

afterAll(async () => {
  for (let step = undo.pop(); step !== undefined; step = undo.pop()) await step();
});

async function startTwin(): Promise<Ask> {
  const authority = await makeAuthority('the lab');
  const { crt, key } = await authority.server('127.0.0.1');
  const tokens = { administrator: { user: 'admin', groups: ['system:masters'] } };
  const own = startKubernetesTwin({ tokens, controllers: 'off' });
  undo.push(() => own[Symbol.asyncDispose]());
  const served = await serveKubernetes(own, { certificate: crt, key });
  undo.push(() => served[Symbol.asyncDispose]());
  const caller = new Caller({
    url: served.url,
    ca: authority.crt,
    token: 'administrator',
    patienceMs: 10_000,
    forget: async () => undefined,
    [Symbol.asyncDispose]: async () => undefined,
  });
  undo.push(() => caller[Symbol.dispose]());
  return (method, path, body) => caller.ask(method, path, { body });
}

/** A refusal whole, of anything else what was wanted. */
const gist = ({ status, body }: { readonly status: number; readonly body: unknown }): unknown => {
  const { spec } = body as { readonly spec?: unknown };
  return { status, told: spec ?? body };
};

test.each(Object.entries(definitions))('a definition: %s', async (_, definition) => {
  const path = `${crds}?dryRun=All`;
  expect(gist(await twin('POST', path, definition))).toEqual(gist(await real('POST', path, definition)));
});

describe('objects', () => {
  const path = '/apis/x.io/v1/namespaces/default/widgets?dryRun=All&fieldValidation=Strict';
  const object = (spec: unknown) => ({ apiVersion: 'x.io/v1', kind: 'Widget', metadata: { name: 'w' }, spec });

  test.each(objects)('%j', async (spec) => {
    const whole = object({ need: 'x', ...spec });
    expect(gist(await twin('POST', path, whole))).toEqual(gist(await real('POST', path, whole)));
  });

  test.each<[unknown]>([[{}], [5], [[]]])('%j without what is needed', async (spec) => {
    expect(gist(await twin('POST', path, object(spec)))).toEqual(gist(await real('POST', path, object(spec))));
  });
});
