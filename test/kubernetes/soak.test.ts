import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { openKubernetes } from '../../src/clients/kubernetes/client.ts';
import { startInformer, type Informer } from '../../src/clients/kubernetes/informer.ts';
import type { KubernetesClient, ListQuery } from '../../src/clients/kubernetes.ts';
import { wallClock, type LabClock } from '../../src/lab/clock.ts';
import type { Api } from '../../src/lab/kubernetes/api.ts';
import type { KubernetesTwin } from '../../src/lab/kubernetes/twin.ts';
import type { KubeObject } from '../../src/wire/kubernetes/objects.ts';
import { startTwinTarget } from '../conformance/kubernetes/twin.ts';
import { sweep } from '../sweep.ts';

/** Fewer of everything in `make test`; fifty informers, ten thousand objects and half the speed where ICHOR_SWEEP=whole. */
const { numRuns: objects, seed } = sweep('soak of informers', 600, 10_000);
const isWhole = objects === 10_000;
const informers = isWhole ? 50 : 10;
const speed = isWhole ? 12 : 120;
const minutes = 5;

const namespaces = Array.from({ length: 10 }, (_, index) => `soak-${index}`);
const actor = { manager: 'soak' };
const collect = collector();

test(`${informers} informers of ${objects} objects, with 5% faults for ${minutes} minutes, end equal to the server`, async () => {
  const clock = wallClock(speed);
  await using target = await startTwinTarget(undefined, { clock, controllers: 'off', seed });
  const { twin } = target;
  const chance = random(seed);
  populate(twin.api);
  const clients = Array.from({ length: 5 }, () => client(target, clock, chance));
  const watching = Array.from({ length: informers }, (_, index) =>
    startInformer(
      clients[index % clients.length] as KubernetesClient,
      queryOf(index),
      { pageSize: 500, pause: (ms, signal) => clock.sleep(ms, signal), chance },
      new AbortController().signal,
    ),
  );
  try {
    await Promise.all(watching.map(({ synced }) => synced));
    const before = collect();
    const changes = await trouble(twin, clock, chance);
    twin.heal();
    // The last of it: connections that stay open and tell nothing, which nobody but the informers themselves will notice.
    twin.fail({ kind: 'silent-watch' });
    for (let each = 0; each < informers * 10; each++) change(twin.api, Math.floor(chance() * objects), chance);
    await settled(watching, twin.api);
    const after = collect();
    const grown = after / before;
    process.stderr.write(
      `soak: ${changes} changes, ${twin.requests().length} requests remembered, memory ${before} MiB, then ${after} MiB\n`,
    );
    expect(grown).toBeLessThan(1.5);
  } finally {
    for (const informer of watching) await informer[Symbol.asyncDispose]();
    for (const each of clients) await each[Symbol.asyncDispose]();
  }
});

/** The first informers look at everything, the others at one namespace each. */
const queryOf = (index: number): ListQuery => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  ...(index < informers / 10 ? {} : { namespace: namespaces[index % namespaces.length] ?? '' }),
});

function populate(api: Api): void {
  for (const name of namespaces)
    api.create('/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }, actor);
  for (let index = 0; index < objects; index++) make(api, index);
}

const placeOf = (index: number): { readonly namespace: string; readonly name: string } => ({
  namespace: namespaces[index % namespaces.length] ?? '',
  name: `object-${index}`,
});

const make = (api: Api, index: number): KubeObject =>
  api.create(
    '/configmaps',
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: placeOf(index), data: { round: '0' } },
    actor,
  );

/** Changes all the time, one request of twenty goes wrong, watches end or fall silent, and now and then the past is forgotten. */
async function trouble(twin: KubernetesTwin, clock: LabClock, chance: () => number): Promise<number> {
  const share = 0.01;
  twin.fail({ kind: 'lose-answer', share });
  twin.fail({ kind: 'lose-request', share });
  twin.fail({ kind: 'refuse', code: 500, share });
  twin.fail({ kind: 'refuse', code: 429, retryAfterSeconds: 1, share });
  twin.fail({ kind: 'delay', delayMs: 500, share });
  const end = clock.now().getTime() + minutes * 60_000;
  let changes = 0;
  for (let second = 0; clock.now().getTime() < end; second++) {
    for (let each = 0; each < Math.max(20, objects / 200); each++, changes++)
      change(twin.api, Math.floor(chance() * objects), chance);
    if (second % 5 === 0) twin.fail({ kind: 'drop-watch', share: 0.05 });
    if (second % 10 === 5) twin.fail({ kind: 'silent-watch', times: Math.ceil(informers / 20) });
    if (second % 60 === 59) twin.fail({ kind: 'forget' });
    await clock.sleep(1000);
  }
  return changes;
}

function change(api: Api, index: number, chance: () => number): void {
  const { namespace, name } = placeOf(index);
  const old = api.get('/configmaps', namespace, name);
  if (old === undefined) make(api, index);
  else if (chance() < 0.3) api.delete('/configmaps', namespace, name, {}, actor);
  else
    api.update(
      '/configmaps',
      namespace,
      name,
      (object) => {
        object['data'] = { round: String(chance()) };
      },
      actor,
    );
}

const versions = (items: readonly KubeObject[]): ReadonlyMap<string, string> =>
  new Map(
    items
      .map(({ metadata }) => [`${metadata.namespace}/${metadata.name}`, metadata.resourceVersion ?? ''] as const)
      .toSorted(([one], [other]) => one.localeCompare(other)),
  );

async function settled(watching: readonly Informer[], api: Api): Promise<void> {
  const wanted = new Map<string | undefined, ReadonlyMap<string, string>>(
    [undefined, ...namespaces].map((namespace) => [namespace, versions(api.list('/configmaps', namespace))]),
  );
  const isEqual = (informer: Informer, index: number): boolean => {
    const there = wanted.get(queryOf(index).namespace) ?? new Map<string, string>();
    const here = informer.list();
    return (
      here.length === there.size &&
      here.every(({ metadata }) => there.get(`${metadata.namespace}/${metadata.name}`) === metadata.resourceVersion)
    );
  };
  const left = new Set(watching.keys());
  for (const end = Date.now() + 30_000; left.size > 0 && Date.now() < end;) {
    for (const index of left) if (isEqual(watching[index] as Informer, index)) left.delete(index);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  for (const index of left)
    expect(versions(watching[index]?.list() ?? []), `informer ${index}`).toEqual(wanted.get(queryOf(index).namespace));
}

const client = (
  target: { readonly url: string; readonly ca: string; readonly token: string },
  clock: LabClock,
  chance: () => number,
): KubernetesClient =>
  openKubernetes(
    {
      server: target.url,
      ca: target.ca,
      tlsServerName: undefined,
      insecure: false,
      proxy: undefined,
      credentials: { kind: 'token', token: target.token },
      as: undefined,
      namespace: 'default',
    },
    { pause: (ms, signal) => clock.sleep(ms, signal), now: () => clock.now(), chance },
  );

/** Megabytes of what is still needed. */
function collector(): () => number {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as () => void;
  return () => {
    gc();
    return Math.round(process.memoryUsage().heapUsed / 2 ** 20);
  };
}

function random(from: number): () => number {
  let state = from >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
