import https from 'node:https';
import type { IncomingMessage } from 'node:http';
import { Caller } from '../conformance/kubernetes/call.ts';
import type { Target } from '../conformance/kubernetes/target.ts';

export type Speed = {
  readonly objects: number;
  /** Milliseconds. */
  readonly makeMs: number;
  readonly listMs: number;
  readonly listMiB: number;
  readonly watches: number;
  /** From the write until the last of them has it. */
  readonly fanOutMs: number;
  readonly applied: number;
  readonly applyMs: number;
};

export type Size = { readonly objects: number; readonly watches: number; readonly applied: number };

export const wholeSize: Size = { objects: 10_000, watches: 1000, applied: 500 };

type Server = Pick<Target, 'url' | 'ca' | 'token'>;

/** The same work on any server: make, list, tell many, apply. The client is the same and in this process. */
export async function speedOf(target: Server, { objects, watches, applied }: Size): Promise<Speed> {
  using caller = new Caller({
    patienceMs: 0,
    forget: () => Promise.resolve(),
    [Symbol.asyncDispose]: () => Promise.resolve(),
    ...target,
  });
  const ok = async (method: string, path: string, body?: unknown, type?: string): Promise<void> => {
    const { status, body: said } = await caller.ask(method, path, {
      ...(body === undefined ? {} : { body }),
      ...(type === undefined ? {} : { type }),
    });
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(said)}`);
  };
  await ok('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'speed' } });
  const maps = '/api/v1/namespaces/speed/configmaps';
  const map = (name: string, value: string): object => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, labels: { app: 'speed' } },
    data: { value },
  });
  const makeMs = await timed(() => many(objects, (index) => ok('POST', maps, map(`object-${index}`, 'x'.repeat(100)))));
  let listMiB = 0;
  const listMs = await best(3, async () => {
    const answer = await caller.open('GET', maps);
    let bytes = 0;
    for await (const chunk of answer as AsyncIterable<Buffer>) bytes += chunk.length;
    listMiB = bytes / 2 ** 20;
  });
  const fanOutMs = await fanOut(target, watches, (name) =>
    ok('POST', '/api/v1/namespaces/speed/secrets', { apiVersion: 'v1', kind: 'Secret', metadata: { name } }),
  );
  const applyMs = await timed(() =>
    many(applied, (index) =>
      ok(
        'PATCH',
        `${maps}/applied-${index}?fieldManager=speed`,
        map(`applied-${index}`, 'y'),
        'application/apply-patch+yaml',
      ),
    ),
  );
  return { objects, makeMs, listMs, listMiB, watches, fanOutMs, applied, applyMs };
}

async function fanOut(
  { url, ca, token }: Server,
  count: number,
  write: (name: string) => Promise<void>,
): Promise<number> {
  const agent = new https.Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY, ca });
  const path = '/api/v1/namespaces/speed/secrets?watch=1';
  const open: IncomingMessage[] = [];
  await many(count, async () => {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      https
        .get(new URL(path, url), { agent, headers: { authorization: `Bearer ${token}` } }, resolve)
        .on('error', reject);
    });
    answer.on('error', () => undefined);
    open.push(answer);
  });
  let round = 0;
  const ms = await best(3, async () => {
    const name = `told-${++round}`;
    const told = Promise.all(open.map((answer) => heard(answer, name)));
    await write(name);
    await told;
  });
  for (const answer of open) answer.destroy();
  agent.destroy();
  return ms;
}

const heard = (answer: IncomingMessage, name: string): Promise<void> =>
  new Promise((resolve) => {
    let text = '';
    const hear = (chunk: Buffer): void => {
      text += chunk.toString();
      if (!text.includes(`"${name}"`)) return;
      answer.off('data', hear);
      resolve();
    };
    answer.on('data', hear);
  });

const inFlight = 32;

async function many(count: number, run: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: Math.min(inFlight, count) }, async () => {
      while (next < count) await run(next++);
    }),
  );
}

async function timed(run: () => Promise<void>): Promise<number> {
  const from = performance.now();
  await run();
  return performance.now() - from;
}

async function best(times: number, run: () => Promise<void>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let each = 0; each < times; each++) least = Math.min(least, await timed(run));
  return least;
}
