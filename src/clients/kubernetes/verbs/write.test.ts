import { describe, expect, test } from 'vitest';
import {
  aScriptedApi,
  configMap,
  patient,
  refusal,
  type Say,
  type Script,
} from '../../../../test/kubernetes/scripted.ts';
import { told } from '../../../../test/talos/told.ts';
import { Problem } from '../../../model/problem.ts';
import { KubernetesProblem } from '../problems/problem.ts';

const all = '/api/v1/namespaces/default/configmaps';
const wanted = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { x: '1' } };
const ref = { apiVersion: 'v1', kind: 'ConfigMap', name: 'a' };
const pod = { apiVersion: 'v1', kind: 'Pod', name: 'p' };
const live = configMap('a', '7', { x: '1' });
const exists = refusal(409, 'AlreadyExists', 'configmaps "a" already exists', { kind: 'configmaps', name: 'a' });
const stale = refusal(409, 'Conflict', 'Operation cannot be fulfilled on configmaps "a": the object has been modified');

/** One answer per request of a method, in order; reading answers what is given last. */
const saying = (method: string, answers: readonly Say[], read?: Say): Script => {
  const left = [...answers];
  return (asked) => {
    if (!/configmaps|pods|secrets|serviceaccounts/.test(asked.path)) return undefined;
    return asked.method === method ? left.shift() : read;
  };
};

describe('how it is written', () => {
  test('create, replace, patches and apply, each by its method, path, type and query', async () => {
    await using api = await aScriptedApi(({ path }) => (path.startsWith(all) ? { body: live } : undefined));
    await using client = api.open();
    await client.create(wanted, {}, patient);
    await client.create(wanted, { dryRun: true, manager: 'm', fieldValidation: 'Ignore' }, patient);
    await client.replace(live, { subresource: 'status' }, patient);
    await client.patch(ref, { kind: 'json', operations: [{ op: 'test' }] }, {}, patient);
    await client.patch(ref, { kind: 'merge', body: { a: 1 } }, {}, patient);
    await client.patch(ref, { kind: 'strategic', body: { b: 1 } }, { subresource: 'scale' }, patient);
    await client.apply(wanted, { force: true }, patient);
    await client.apply(wanted, {}, patient);
    const usual = 'fieldManager=ichor&fieldValidation=Strict';
    const sent = api.asked.map(({ method, path, query, headers, body }) => [
      `${method} ${path}?${new URLSearchParams(query).toString()}`,
      headers['content-type'],
      JSON.stringify(body),
    ]);
    expect(sent).toEqual([
      [`POST ${all}?${usual}`, 'application/json', JSON.stringify(wanted)],
      [`POST ${all}?fieldManager=m&fieldValidation=Ignore&dryRun=All`, 'application/json', JSON.stringify(wanted)],
      [`PUT ${all}/a/status?${usual}`, 'application/json', JSON.stringify(live)],
      [`PATCH ${all}/a?${usual}`, 'application/json-patch+json', '[{"op":"test"}]'],
      [`PATCH ${all}/a?${usual}`, 'application/merge-patch+json', '{"a":1}'],
      [`PATCH ${all}/a/scale?${usual}`, 'application/strategic-merge-patch+json', '{"b":1}'],
      [`PATCH ${all}/a?${usual}&force=true`, 'application/apply-patch+yaml', JSON.stringify(wanted)],
      [`PATCH ${all}/a?${usual}&force=false`, 'application/apply-patch+yaml', JSON.stringify(wanted)],
    ]);
  });

  test('delete says how, and whether something holds what is deleted', async () => {
    const going = {
      ...live,
      metadata: { ...live.metadata, deletionTimestamp: '2026-11-17T10:00:00Z', finalizers: ['x'] },
    };
    const success = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success' };
    await using api = await aScriptedApi(saying('DELETE', [{ body: success }, { body: going }, { body: live }]));
    await using client = api.open();
    const options = {
      preconditions: { uid: 'u' },
      propagation: 'Foreground',
      gracePeriodSeconds: 0,
      dryRun: true,
    } as const;
    expect(await client.delete(ref, options, patient)).toBe('gone');
    expect(await client.delete(ref, {}, patient)).toBe('going');
    expect(await client.delete(ref, {}, patient)).toBe('gone');
    expect(await client.delete(ref, {}, patient)).toBe('gone');
    expect(api.asked[0]?.body).toEqual({
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      dryRun: ['All'],
      preconditions: { uid: 'u' },
      propagationPolicy: 'Foreground',
      gracePeriodSeconds: 0,
    });
  });

  test('a pod is evicted; a budget that forbids it is something to wait for', async () => {
    const budget = refusal(
      429,
      'TooManyRequests',
      'Cannot evict pod as it would violate the pod’s disruption budget.',
      { causes: [{ reason: 'DisruptionBudget', message: 'The disruption budget web needs 2 healthy pods' }] },
      { 'retry-after': '10' },
    );
    await using api = await aScriptedApi(
      saying('POST', [{ status: 201, body: { kind: 'Status', status: 'Success' } }, budget]),
    );
    await using client = api.open();
    expect(await client.evict(pod, { gracePeriodSeconds: 5 }, patient)).toBe('evicted');
    expect(await told(client.evict(pod, {}, patient))).toMatchObject({
      code: 'kubernetes-disruption-budget',
      recovery: 'wait',
    });
    expect(await client.evict(pod, {}, patient)).toBe('gone');
    expect(api.lines()).toEqual(Array.from({ length: 3 }, () => 'POST /api/v1/namespaces/default/pods/p/eviction'));
    expect(api.asked[0]?.body).toEqual({
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: { name: 'p', namespace: 'default' },
      deleteOptions: { apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds: 5 },
    });
  });

  test('a token is made for an account', async () => {
    const status = { token: 's3cret', expirationTimestamp: '2026-11-17T11:00:00Z' };
    await using api = await aScriptedApi(saying('POST', ['hang up', { status: 201, body: { status } }]));
    await using client = api.open();
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', name: 'deployer', namespace: 'flux' };
    expect(await client.token(account, { audiences: ['a'], expirationSeconds: 600 }, patient)).toEqual({
      token: 's3cret',
      expires: new Date('2026-11-17T11:00:00Z'),
    });
    expect(api.asked[1]?.body).toMatchObject({
      kind: 'TokenRequest',
      spec: { audiences: ['a'], expirationSeconds: 600 },
    });
  });
});

describe('a write whose answer was lost', () => {
  const fate = async (
    script: Script,
    work: (client: ReturnType<Awaited<ReturnType<typeof aScriptedApi>>['open']>) => Promise<unknown>,
  ) => {
    await using api = await aScriptedApi(script);
    await using client = api.open();
    await client.resources(patient);
    const outcome = await work(client).catch((error: unknown) => (error instanceof Problem ? error.code : error));
    return { outcome, asked: api.asked.map(({ method }) => method).join(' ') };
  };
  const read: Say = { body: live };

  test('creates once: what it made is recognised', async () => {
    const create = (client: Parameters<Parameters<typeof fate>[1]>[0]) => client.create(wanted, {}, patient);
    expect(await fate(saying('POST', ['hang up', exists], read), create)).toEqual({
      outcome: live,
      asked: 'POST POST GET',
    });
    expect(await fate(saying('POST', ['hang up', { body: live }], read), create)).toEqual({
      outcome: live,
      asked: 'POST POST',
    });
    expect(await fate(saying('POST', [exists], read), create)).toEqual({
      outcome: 'kubernetes-already-exists',
      asked: 'POST',
    });
    const others: Say = { body: configMap('a', '7', { x: 'somebody else’s' }) };
    expect(await fate(saying('POST', ['hang up', exists], others), create)).toEqual({
      outcome: 'kubernetes-already-exists',
      asked: 'POST POST GET',
    });
  });

  test('is not recognised when another manager wrote the same', async () => {
    const theirs: Say = { body: { ...live, metadata: { ...live.metadata, managedFields: [{ manager: 'kubectl' }] } } };
    const create = (client: Parameters<Parameters<typeof fate>[1]>[0]) => client.create(wanted, {}, patient);
    expect((await fate(saying('POST', ['hang up', exists], theirs), create)).outcome).toBe('kubernetes-already-exists');
  });

  test('recognises a Secret by its data, however it was written', async () => {
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' }, stringData: { p: 'hunter2' } };
    const kept = { ...secret, stringData: undefined, data: { p: Buffer.from('hunter2').toString('base64') } };
    const made = await fate(saying('POST', ['hang up', exists], { body: kept }), (client) =>
      client.create(secret, {}, patient),
    );
    expect(made).toEqual({ outcome: { ...kept }, asked: 'POST POST GET' });
  });

  test('is not sent again with a name that the server makes up, unless nothing is kept of it', async () => {
    const nameless = { ...wanted, metadata: { generateName: 'a-' } };
    const twice = saying('POST', ['hang up', { body: live }], read);
    expect(await fate(twice, (client) => client.create(nameless, {}, patient))).toEqual({
      outcome: 'kubernetes-lost-answer',
      asked: 'POST',
    });
    const dry = saying('POST', ['hang up', { body: live }], read);
    expect((await fate(dry, (client) => client.create(nameless, { dryRun: true }, patient))).outcome).toEqual(live);
  });

  test('replaces once: a conflict that it made itself is none', async () => {
    const replace = (client: Parameters<Parameters<typeof fate>[1]>[0]) =>
      client.replace(configMap('a', '6', { x: '1' }), {}, patient);
    expect(await fate(saying('PUT', ['hang up', stale], read), replace)).toEqual({
      outcome: live,
      asked: 'PUT PUT GET',
    });
    expect(await fate(saying('PUT', [stale], read), replace)).toEqual({ outcome: 'kubernetes-conflict', asked: 'PUT' });
  });

  test('merges and applies again, and never repeats operations', async () => {
    const again = (): Script => saying('PATCH', ['hang up', { body: live }]);
    expect((await fate(again(), (client) => client.apply(wanted, {}, patient))).asked).toBe('PATCH PATCH');
    expect((await fate(again(), (client) => client.patch(ref, { kind: 'merge', body: {} }, {}, patient))).asked).toBe(
      'PATCH PATCH',
    );
    expect(await fate(again(), (client) => client.patch(ref, { kind: 'json', operations: [] }, {}, patient))).toEqual({
      outcome: 'kubernetes-lost-answer',
      asked: 'PATCH',
    });
  });

  test('deletes again only what it knows by its uid, and looks otherwise', async () => {
    const ending: Say = {
      body: { ...live, metadata: { ...live.metadata, deletionTimestamp: '2026-11-17T10:00:00Z' } },
    };
    const remove = (options: object) => (client: Parameters<Parameters<typeof fate>[1]>[0]) =>
      client.delete(ref, options, patient);
    expect(await fate(saying('DELETE', ['hang up']), remove({}))).toEqual({ outcome: 'gone', asked: 'DELETE GET' });
    expect(await fate(saying('DELETE', ['hang up'], ending), remove({}))).toEqual({
      outcome: 'going',
      asked: 'DELETE GET',
    });
    expect(await fate(saying('DELETE', ['hang up'], read), remove({}))).toEqual({
      outcome: 'kubernetes-lost-answer',
      asked: 'DELETE GET',
    });
    expect(
      await fate(
        saying('DELETE', ['hang up', { body: { kind: 'Status' } }]),
        remove({ preconditions: { uid: 'uid-a' } }),
      ),
    ).toEqual({
      outcome: 'gone',
      asked: 'DELETE DELETE',
    });
  });
});

describe('a server that is busy', () => {
  const busy = refusal(429, 'TooManyRequests', 'too many requests, please try again later', {}, { 'retry-after': '2' });

  test('is asked again when it wants to be, also for a write', async () => {
    const waits: number[] = [];
    await using api = await aScriptedApi(saying('POST', [busy, busy, { body: live }]));
    await using client = api.open({ pause: (ms) => Promise.resolve(void waits.push(ms)) });
    expect(await client.create(wanted, {}, patient)).toEqual(live);
    expect(waits).toEqual([2250, 2250]);
  });

  test('for a minute at most', async () => {
    const long = refusal(429, 'TooManyRequests', 'later', {}, { 'retry-after': '25' });
    const waits: number[] = [];
    await using api = await aScriptedApi(saying('POST', [long, long, long, long]));
    await using client = api.open({ pause: (ms) => Promise.resolve(void waits.push(ms)) });
    expect(await told(client.create(wanted, {}, patient))).toMatchObject({
      code: 'kubernetes-too-many-requests',
      recovery: 'retry',
    });
    expect(waits).toEqual([25_250, 25_250]);
  });

  test('and one that failed is asked again only for what may be asked twice', async () => {
    const broken = refusal(
      500,
      'ServerTimeout',
      'could not be completed at this time, please try again',
      {},
      { 'retry-after': '1' },
    );
    await using api = await aScriptedApi((asked) => (asked.path.startsWith(all) ? broken : undefined));
    await using client = api.open();
    await told(client.patch(ref, { kind: 'json', operations: [] }, {}, patient));
    expect(api.asked.length).toBe(1);
    await told(client.apply(wanted, {}, patient));
    expect(api.asked.length).toBe(11);
  });
});

test('a refusal keeps what a program needs and nothing that is secret', async () => {
  const message =
    'Secret "s" is invalid: [data[p]: Invalid value: "aHVudGVyMg==": too long, metadata.name: Invalid value: "hunter2": must be lowercase]';
  const causes = [{ reason: 'FieldValueInvalid', message: 'Invalid value: "hunter2": no', field: 'data[p]' }];
  await using api = await aScriptedApi(saying('POST', [refusal(422, 'Invalid', message, { causes })]));
  await using client = api.open();
  const secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 's' },
    stringData: { p: 'hunter2' },
    data: { p: 'aHVudGVyMg==' },
  };
  const problem: unknown = await client.create(secret, {}, patient).catch((error: unknown) => error);
  if (!(problem instanceof KubernetesProblem)) throw problem;
  expect(problem.message).toBe(
    'Kubernetes refused to create Secret default/s: Secret "s" is invalid: [data[p]: Invalid value: "…": too long, metadata.name: Invalid value: "…": must be lowercase]',
  );
  expect([problem.told.status, problem.told.reason]).toEqual([422, 'Invalid']);
  expect(JSON.stringify([problem, problem.told, problem.cause])).not.toMatch(/hunter2|aHVudGVyMg/);
});

test('nor does one of a JSON patch', async () => {
  const message = 'Secret "s" is invalid: data[p]: Invalid value: "hunter22": no; also aHVudGVyMjM= and hunter23';
  await using api = await aScriptedApi(saying('PATCH', [refusal(422, 'Invalid', message)]));
  await using client = api.open();
  const operations = [
    { op: 'add', path: '/stringData/p', value: 'hunter22' },
    { op: 'replace', path: '/data', value: { q: 'aHVudGVyMjM=' } },
  ];
  const secret = { apiVersion: 'v1', kind: 'Secret', namespace: 'default', name: 's' };
  const problem = await told(client.patch(secret, { kind: 'json', operations }, {}, patient));
  expect(problem.message).not.toMatch(/hunter|aHVudGVy/);
});
