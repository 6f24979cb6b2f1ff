import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { History, type Fault } from '../../../test/kubernetes/history.ts';
import { aScriptedApi, configMap, patient } from '../../../test/kubernetes/scripted.ts';
import { sweep } from '../../../test/sweep.ts';
import { aGate } from '../../../test/talos/told.ts';
import { virtualClock } from '../../lab/clock.ts';
import type { Pause } from '../../model/pause.ts';
import { Problem } from '../../model/problem.ts';
import type { KubeObject } from '../../wire/kubernetes/objects.ts';
import type { KubernetesReader, Watched } from '../kubernetes.ts';
import { startInformer, type Informer } from './informer.ts';
import type { Change } from './listener.ts';
import { keyOf } from './store.ts';

const query = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default' };
const atOnce: Pause = (_, signal) => (signal.aborted ? Promise.reject(signal.reason as Error) : Promise.resolve());

/** A server of which a test says every word. */
function aSource() {
  let lists: readonly (readonly KubeObject[] | Error)[] = [];
  const asked: string[] = [];
  let tell: (watched: Watched | Error) => void = () => undefined;
  const source: Pick<KubernetesReader, 'list' | 'watch'> = {
    list: () => {
      const [next = [], ...rest] = lists;
      if (rest.length > 0) lists = rest;
      asked.push('list');
      if (next instanceof Error) return Promise.reject(next);
      return Promise.resolve({
        apiVersion: 'v1',
        kind: 'ConfigMapList',
        metadata: { resourceVersion: '5' },
        items: next,
      });
    },
    async *watch(_, { resourceVersion }, signal) {
      asked.push(`watch ${resourceVersion}`);
      const waiting: (Watched | Error)[] = [];
      let wake = (): void => undefined;
      tell = (watched) => {
        waiting.push(watched);
        wake();
      };
      signal.addEventListener('abort', () => wake());
      for (;;) {
        const next = waiting.shift();
        if (signal.aborted) throw signal.reason;
        if (next instanceof Error) throw next;
        if (next !== undefined) yield next;
        else await new Promise<void>((resolve) => (wake = resolve));
        if (next?.type === 'EXPIRED') return;
      }
    },
  };
  return {
    source,
    asked,
    tell: (watched: Watched | Error) => tell(watched),
    lists: (...given: typeof lists) => void (lists = given),
  };
}

const shown = (change: Change): string =>
  change.kind === 'updated'
    ? `updated ${change.key} ${change.old.metadata.resourceVersion} -> ${change.object.metadata.resourceVersion}`
    : `${change.kind} ${change.key} ${change.object.metadata.resourceVersion}`;

const names = (informer: Informer): readonly string[] => informer.list().map(keyOf).toSorted();

describe('an informer', () => {
  test('knows what is there and follows it', async () => {
    const { source, tell, lists } = aSource();
    lists([configMap('a', '3'), configMap('b', '4')]);
    await using informer = startInformer(source, query, { pause: atOnce }, patient);
    const heard: string[] = [];
    informer.listen((change) => void heard.push(shown(change)));
    expect(informer.hasSynced).toBe(false);
    await informer.synced;
    tell({ type: 'MODIFIED', object: configMap('a', '6') });
    tell({ type: 'DELETED', object: configMap('b', '7') });
    tell({ type: 'ADDED', object: configMap('c', '8') });
    tell({ type: 'BOOKMARK', object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { resourceVersion: '20' } } });
    await expect.poll(() => informer.resourceVersion).toBe('20');
    await informer.heard();
    expect(heard).toEqual([
      'added default/a 3',
      'added default/b 4',
      'updated default/a 3 -> 6',
      'removed default/b 4',
      'added default/c 8',
    ]);
    expect([informer.hasSynced, names(informer), informer.get('default/a')]).toEqual([
      true,
      ['default/a', 'default/c'],
      configMap('a', '6'),
    ]);
    const late: string[] = [];
    informer.listen((change) => void late.push(shown(change)));
    await informer.heard();
    expect(late).toEqual(['added default/a 6', 'added default/c 8']);
  });

  test('lists again when it was forgotten, and tells only what differs', async () => {
    const { source, tell, lists, asked } = aSource();
    lists([configMap('a', '3'), configMap('b', '4')], [configMap('a', '3'), configMap('c', '9')]);
    await using informer = startInformer(source, query, { pause: atOnce }, patient);
    await informer.synced;
    const heard: string[] = [];
    informer.listen((change) => void heard.push(shown(change)));
    await informer.heard();
    heard.length = 0;
    tell({ type: 'EXPIRED' });
    await expect.poll(() => asked).toEqual(['list', 'watch 5', 'list', 'watch 5']);
    await informer.heard();
    expect(heard).toEqual(['added default/c 9', 'removed default/b 4']);
  });

  test('goes on after every problem, tells of it, and waits longer each time', async () => {
    const { source, lists, asked } = aSource();
    const waits: number[] = [];
    const problems: string[] = [];
    lists(new Error('one'), new Error('two'), new Error('three'), [configMap('a', '3')]);
    const pause: Pause = (ms) => Promise.resolve(void waits.push(ms));
    const problem = (error: unknown): void => void problems.push(String(error));
    await using informer = startInformer(source, query, { pause, problem, chance: () => 0 }, patient);
    await informer.synced;
    expect([problems, waits]).toEqual([
      ['Error: one', 'Error: two', 'Error: three'],
      [250, 500, 1000],
    ]);
    await expect.poll(() => asked.at(-1)).toBe('watch 5');
  });

  test('finds by index, also after an object has changed its values', async () => {
    const { source, tell, lists } = aSource();
    const labelled = (name: string, version: string, app: string): KubeObject => {
      const made = configMap(name, version);
      return { ...made, metadata: { ...made.metadata, labels: { app } } };
    };
    lists([labelled('a', '1', 'web'), labelled('b', '2', 'web')]);
    const indexes = { app: ({ metadata }: KubeObject) => Object.values(metadata.labels ?? {}) };
    await using informer = startInformer(source, query, { pause: atOnce, indexes }, patient);
    await informer.synced;
    const found = (app: string) => informer.find('app', app).map(({ metadata }) => metadata.name);
    expect(found('web')).toEqual(['a', 'b']);
    tell({ type: 'MODIFIED', object: labelled('a', '6', 'db') });
    tell({ type: 'DELETED', object: labelled('b', '7', 'web') });
    await expect.poll(() => [found('web'), found('db')]).toEqual([[], ['a']]);
    expect(() => informer.find('nothing', 'x')).toThrow('there is no index "nothing"');
  });

  test('is not held up by a handler, which hears the difference when it is ready, and survives its errors', async () => {
    const { source, tell, lists } = aSource();
    lists([configMap('a', '1')]);
    const problems: string[] = [];
    await using informer = startInformer(
      source,
      query,
      { pause: atOnce, problem: (error) => problems.push(String(error)) },
      patient,
    );
    const gate = aGate();
    const heard: string[] = [];
    await informer.synced;
    informer.listen(async (change) => {
      heard.push(shown(change));
      await gate.opened;
      throw new Error('I cannot');
    });
    await expect.poll(() => heard.length).toBe(1);
    for (let version = 2; version <= 50; version++) tell({ type: 'MODIFIED', object: configMap('a', String(version)) });
    tell({ type: 'ADDED', object: configMap('b', '51') });
    tell({ type: 'DELETED', object: configMap('b', '52') });
    tell({ type: 'ADDED', object: { ...configMap('c', '53') } });
    await expect.poll(() => informer.resourceVersion).toBe('53');
    expect(informer.get('default/a')?.metadata.resourceVersion).toBe('50');
    gate.open();
    await informer.heard();
    expect(heard).toEqual(['added default/a 1', 'updated default/a 1 -> 50', 'added default/c 53']);
    expect(problems).toEqual(['Error: I cannot', 'Error: I cannot', 'Error: I cannot']);
  });

  test('takes the same name with another uid for another object', async () => {
    const { source, tell, lists } = aSource();
    lists([configMap('a', '1')]);
    await using informer = startInformer(source, query, { pause: atOnce }, patient);
    await informer.synced;
    const heard: string[] = [];
    informer.listen((change) => void heard.push(shown(change)));
    await informer.heard();
    const made = configMap('a', '9');
    tell({ type: 'DELETED', object: configMap('a', '8') });
    tell({ type: 'ADDED', object: { ...made, metadata: { ...made.metadata, uid: 'another' } } });
    await expect.poll(() => informer.resourceVersion).toBe('9');
    await informer.heard();
    expect(heard.slice(1).join()).toMatch(/^removed default\/a \d,added default\/a 9$/);
  });

  test('reminds of everything once in a round, a portion at a time', async () => {
    const clock = virtualClock();
    const { source, lists } = aSource();
    lists(Array.from({ length: 400 }, (_, index) => configMap(`m-${index}`, '1')));
    const pause: Pause = (ms, signal) => clock.sleep(ms, signal);
    await using informer = startInformer(source, query, { pause, resyncMs: 60_000 }, patient);
    await informer.synced;
    const heard: string[] = [];
    informer.listen((change) => void (change.kind === 'same' && heard.push(change.key)));
    await informer.heard();
    const portions: number[] = [];
    for (let step = 0; step < 20; step++) {
      const before = heard.length;
      await clock.advance(3000);
      await informer.heard();
      portions.push(heard.length - before);
    }
    expect(new Set(heard).size).toBe(400);
    expect(heard.length).toBe(400);
    expect(Math.max(...portions)).toBeLessThan(60);
  });

  test('that ends before it was in sync says so to whoever waits', async () => {
    const { source, lists } = aSource();
    lists(new Error('no'));
    const leaving = new AbortController();
    const informer = startInformer(source, query, {}, leaving.signal);
    leaving.abort(new Error('I leave'));
    await expect(informer.synced).rejects.toThrow('I leave');
    await informer[Symbol.asyncDispose]();
  });
});

type Act = 'put' | 'remove' | 'forget' | 'bookmark' | 'cut' | 'cut in a word' | 'end' | 'vanish' | 'catch up' | 'turn';

describe('after any past and any faults', () => {
  test(
    'an informer over the wire, and whoever listens to it, end equal to the server',
    { timeout: 600_000 },
    async () => {
      let history = new History();
      const { signal } = new AbortController();
      await using api = await aScriptedApi((asked) => history.answer(asked));
      const { numRuns, seed } = sweep('informers after faults', 12, 500);
      const act = fc.oneof(
        { weight: 8, arbitrary: fc.constant<Act>('put') },
        { weight: 3, arbitrary: fc.constant<Act>('remove') },
        { weight: 4, arbitrary: fc.constantFrom<Act>('forget', 'bookmark', 'cut', 'cut in a word', 'end', 'vanish') },
        { weight: 3, arbitrary: fc.constant<Act>('catch up') },
        { weight: 6, arbitrary: fc.constant<Act>('turn') },
      );
      const acts = fc.array(fc.tuple(act, fc.integer({ min: 0, max: 4 })), { minLength: 15, maxLength: 60 });
      const faults = fc.array(fc.constantFrom<Fault>('hang up', 'fail', 'busy', 'cut', 'end', 'none', 'none', 'none'), {
        maxLength: 30,
      });
      await fc.assert(
        fc.asyncProperty(acts, faults, async (past, trouble) => {
          history = new History();
          const left = [...trouble];
          history.fault = () => left.shift() ?? 'none';
          for (const name of ['x', 'y', 'z']) history.put(name);
          await using client = api.open();
          const wrong: unknown[] = [];
          const problem = (error: unknown): void => void (error instanceof Problem || wrong.push(error));
          await using informer = startInformer(client, query, { pageSize: 2, pause: atOnce, problem }, signal);
          const replica = new Map<string, KubeObject>();
          informer.listen(async (change) => {
            // Slower than the server, now and then.
            await new Promise((resolve) => setImmediate(resolve));
            const known = replica.get(change.key);
            if (change.kind === 'added') expect(known).toBeUndefined();
            if (change.kind === 'updated') expect(known).toEqual(change.old);
            if (change.kind === 'removed') replica.delete(change.key);
            else replica.set(change.key, change.object);
          });
          const there = (objects: Iterable<KubeObject>): readonly string[] =>
            [...objects].map((one) => `${keyOf(one)} ${one.metadata.uid} ${one.metadata.resourceVersion}`).toSorted();
          const caughtUp = (): Promise<void> =>
            expect
              .poll(() => there(informer.list()), { timeout: 30_000, interval: 1 })
              .toEqual(there(history.objects.values()));
          await informer.synced;
          for (const [what, which] of past) {
            const name = `n-${which}`;
            if (what === 'put') history.put(name);
            else if (what === 'remove') history.remove(name);
            else if (what === 'cut in a word') history.cut('{"type":"ADDED","obj');
            else if (what === 'vanish') history.vanish(name);
            else if (what === 'catch up') await caughtUp();
            else if (what === 'turn') await new Promise((resolve) => setImmediate(resolve));
            else history[what]();
          }
          left.length = 0;
          await caughtUp();
          await informer.heard();
          expect(wrong).toEqual([]);
          expect(there(replica.values())).toEqual(there(history.objects.values()));
        }),
        { numRuns, seed },
      );
    },
  );
});
