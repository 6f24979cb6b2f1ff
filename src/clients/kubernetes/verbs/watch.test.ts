import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import {
  aScriptedApi,
  configMap,
  patient,
  refusal,
  type Asked,
  type Script,
} from '../../../../test/kubernetes/scripted.ts';
import { told } from '../../../../test/talos/told.ts';
import { virtualClock } from '../../../lab/clock.ts';
import type { Pause } from '../../../model/pause.ts';
import type { Watched } from '../../kubernetes.ts';

const all = '/api/v1/namespaces/default/configmaps';
const query = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default' };
const event = (type: string, name: string, version: string): string =>
  `${JSON.stringify({ type, object: configMap(name, version) })}\n`;
const bookmark = (version: string): string =>
  `${JSON.stringify({ type: 'BOOKMARK', object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { resourceVersion: version } } })}\n`;
const gone = `${JSON.stringify({ type: 'ERROR', object: refusal(410, 'Expired', 'too old resource version: 1 (5)').body })}\n`;

type Turn = (response: ServerResponse) => void;
const begin = (response: ServerResponse): ServerResponse =>
  response.writeHead(200, { 'content-type': 'application/json' });

/** Every watch gets its turn; a list has a and b. */
const turns = (...given: readonly Turn[]): Script => {
  const left = [...given];
  return ({ path, query: asked }) => {
    if (path !== all) return undefined;
    if (asked['watch'] === 'true') return left.shift() ?? 'silence';
    return {
      body: {
        kind: 'ConfigMapList',
        apiVersion: 'v1',
        metadata: { resourceVersion: '5' },
        items: [configMap('a', '3'), configMap('b', '4')],
      },
    };
  };
};

const shown = (watched: Watched): string =>
  watched.type === 'EXPIRED'
    ? 'EXPIRED'
    : `${watched.type} ${watched.object.metadata.name ?? '-'} ${watched.object.metadata.resourceVersion}`;

/** The first so many things that a watch tells. */
async function first(count: number, watch: AsyncIterable<Watched>): Promise<readonly string[]> {
  const seen: string[] = [];
  for await (const watched of watch) if (seen.push(shown(watched)) === count) break;
  return seen;
}

const versions = (asked: readonly Asked[]): readonly unknown[] =>
  asked.filter((one) => one.query['watch'] === 'true').map((one) => one.query['resourceVersion']);

describe('a watch', () => {
  test('tells what is there first, when it is not said from where', async () => {
    await using api = await aScriptedApi(turns((response) => void begin(response).write(event('MODIFIED', 'a', '6'))));
    await using client = api.open();
    expect(await first(3, client.watch(query, {}, patient))).toEqual(['ADDED a 3', 'ADDED b 4', 'MODIFIED a 6']);
    expect(api.asked[1]?.query).toEqual({
      watch: 'true',
      allowWatchBookmarks: 'true',
      resourceVersion: '5',
      timeoutSeconds: '450',
    });
  });

  test('goes on where it was: ended by the server, cut, refused, in the middle of a word', async () => {
    await using api = await aScriptedApi(
      turns(
        (response) => void begin(response).end(event('ADDED', 'c', '11') + bookmark('20')),
        (response) => void begin(response).write(event('ADDED', 'd', '21'), () => response.socket?.destroy()),
        (response) => void response.writeHead(503).end('no'),
        (response) => void response.writeHead(429, { 'retry-after': '1' }).end('{}'),
        (response) => {
          const text = event('MODIFIED', 'd', '22') + event('MODIFIED', 'd', '23');
          begin(response).end(text.slice(0, -20));
        },
        (response) => {
          const text = Buffer.from(event('DELETED', 'ö', '24'));
          begin(response).write(text.subarray(0, 60), () => setImmediate(() => response.write(text.subarray(60))));
        },
      ),
    );
    await using client = api.open();
    expect(await first(5, client.watch(query, { resourceVersion: '10' }, patient))).toEqual([
      'ADDED c 11',
      'BOOKMARK - 20',
      'ADDED d 21',
      'MODIFIED d 22',
      'DELETED ö 24',
    ]);
    expect(versions(api.asked)).toEqual(['10', '20', '21', '21', '21', '22']);
  });

  test.each<[how: string, turn: Turn]>([
    ['as an event', (response) => void begin(response).end(gone)],
    [
      'as an answer',
      (response) => void response.writeHead(410).end(JSON.stringify(refusal(410, 'Expired', 'too old').body)),
    ],
  ])('ends when the server has forgotten where it was, said %s', async (_how, turn) => {
    await using api = await aScriptedApi(turns(turn));
    await using client = api.open();
    expect(await first(9, client.watch(query, { resourceVersion: '1' }, patient))).toEqual(['EXPIRED']);
  });

  test('goes on when the rest of a refusal never comes', async () => {
    await using api = await aScriptedApi(
      turns(
        (response) => void response.writeHead(503).write('n'),
        (response) => void begin(response).end(event('ADDED', 'c', '11')),
      ),
    );
    await using client = api.open({ deadlines: { answer: 300 } });
    expect(await first(1, client.watch(query, { resourceVersion: '10' }, patient))).toEqual(['ADDED c 11']);
  });

  test('comes back when the server wants it to, also when that is later than usual', async () => {
    await using api = await aScriptedApi(
      turns(
        (response) => void response.writeHead(429, { 'retry-after': '120' }).end('{}'),
        (response) => void begin(response).end(event('ADDED', 'c', '11')),
      ),
    );
    const waited: number[] = [];
    const pause: Pause = (ms, signal) => {
      if (ms === 120_000) waited.push(ms);
      return ms === 120_000 || ms < 60_000 ? Promise.resolve() : clock.sleep(ms, signal);
    };
    const clock = virtualClock();
    await using client = api.open({ pause });
    expect(await first(1, client.watch(query, { resourceVersion: '10' }, patient))).toEqual(['ADDED c 11']);
    expect(waited).toEqual([120_000]);
  });

  test('ends with a problem that asking again does not solve', async () => {
    await using api = await aScriptedApi(() =>
      refusal(403, 'Forbidden', 'configmaps is forbidden: User "x" cannot watch'),
    );
    await using client = api.open();
    expect((await told(first(1, client.watch(query, { resourceVersion: '1' }, patient)))).code).toBe(
      'kubernetes-forbidden',
    );
  });

  test('that is silent for too long is begun anew, and hears bookmarks until then', async () => {
    const clock = virtualClock();
    let speak: (text: string) => void = () => undefined;
    await using api = await aScriptedApi(
      turns(
        (response) => {
          begin(response).flushHeaders();
          speak = (text) => void response.write(text);
        },
        (response) => void begin(response).write(event('ADDED', 'z', '40')),
      ),
    );
    await using client = api.open({
      pause: (ms, signal) => clock.sleep(ms, signal),
      now: () => clock.now(),
      deadlines: { silence: 100_000 },
    });
    const seen: string[] = [];
    const watching = (async () => {
      for await (const watched of client.watch(query, { resourceVersion: '10' }, patient))
        if (seen.push(shown(watched)) === 3) return;
    })();
    await expect.poll(() => versions(api.asked).length).toBe(1);
    for (const version of ['20', '30']) {
      await clock.advance(90_000);
      speak(bookmark(version));
      await expect.poll(() => seen.at(-1)).toBe(`BOOKMARK - ${version}`);
    }
    expect(versions(api.asked)).toEqual(['10']);
    // Twice: it is looked every 100 s whether anything came since.
    await expect
      .poll(async () => {
        await clock.advance(101_000);
        return seen;
      })
      .toEqual(['BOOKMARK - 20', 'BOOKMARK - 30', 'ADDED z 40']);
    await watching;
    expect(versions(api.asked)).toEqual(['10', '30']);
  });

  test('is left with its caller, and the server learns of it', async () => {
    let closed = false;
    await using api = await aScriptedApi(
      turns((response) => void begin(response.on('close', () => (closed = true))).write(bookmark('11'))),
    );
    await using client = api.open();
    const leaving = new AbortController();
    const watching = (async () => {
      for await (const { type } of client.watch(query, { resourceVersion: '10' }, leaving.signal))
        if (type === 'BOOKMARK') leaving.abort(new Error('I leave'));
    })();
    await expect(watching).rejects.toThrow('I leave');
    await expect.poll(() => closed).toBe(true);
  });

  test('waits longer and longer for a server that ends it at once', async () => {
    const waits: number[] = [];
    const leaving = new AbortController();
    await using api = await aScriptedApi(({ path }) =>
      path === all ? (response) => void begin(response).end() : undefined,
    );
    await using client = api.open({
      pause: (ms, signal) => {
        if (ms < 60_000 && waits.push(ms) === 9) leaving.abort(new Error('enough'));
        signal.throwIfAborted();
        return ms < 60_000 ? Promise.resolve() : new Promise(() => undefined);
      },
    });
    await expect(first(1, client.watch(query, { resourceVersion: '1' }, leaving.signal))).rejects.toThrow('enough');
    expect(waits).toEqual([187.5, 375, 750, 1500, 3000, 6000, 12_000, 22_500, 22_500]);
  });
});
