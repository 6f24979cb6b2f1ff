import { PassThrough, type Duplex } from 'node:stream';
import { expect, test } from 'vitest';
import type { Connector } from '../../../model/connector.ts';
import { dialAny } from './any.ts';

type Manner = 'answers' | 'refuses' | 'silent' | 'late';

/** Servers by their host, what was dialled, and what is open. */
function servers(manners: Readonly<Record<string, Manner>>) {
  const dialled: string[] = [];
  const open = new Set<Duplex>();
  const connect: Connector = ({ host }, signal) =>
    new Promise((resolve, reject) => {
      dialled.push(host);
      const answer = (): void => {
        const stream = new PassThrough();
        open.add(stream.on('close', () => open.delete(stream)));
        resolve(stream);
      };
      const manner = manners[host];
      if (manner === 'answers') answer();
      else if (manner === 'late') setTimeout(answer, 30);
      else if (manner === 'refuses') reject(new Error(`${host} refuses`));
      else signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    });
  return { dialled, open, connect };
}

const at = (host: string) => ({ host, port: 6443 });
const signal = AbortSignal.timeout(10_000);

test('who was asked for is dialled alone while it answers', async () => {
  const { connect, dialled } = servers({ vip: 'answers', cp: 'answers' });
  await dialAny(connect, () => [at('cp')], 10)(at('vip'), signal);
  expect(dialled).toEqual(['vip']);
});

test('where it refuses or stays silent the others are dialled, and whoever answered goes first the next time', async () => {
  for (const manner of ['refuses', 'silent'] as const) {
    const { connect, dialled } = servers({ vip: manner, cp0: 'refuses', cp1: 'answers' });
    const dial = dialAny(connect, () => [at('cp0'), at('cp1')], 10);
    await dial(at('vip'), signal);
    expect(dialled.splice(0)).toEqual(['vip', 'cp0', 'cp1']);
    await dial(at('vip'), signal);
    expect(dialled).toEqual(['cp1']);
  }
});

test('of two that answer in the end one connection is left', async () => {
  const { connect, open } = servers({ vip: 'late', cp: 'late' });
  await dialAny(connect, () => [at('cp')], 10)(at('vip'), signal);
  await new Promise((resolve) => setTimeout(resolve, 60));
  expect(open.size).toBe(1);
});

test('where nobody answers it says why the first did not, and an end of patience is told as such', async () => {
  const { connect } = servers({ vip: 'refuses', cp: 'refuses' });
  await expect(dialAny(connect, () => [at('cp')], 10)(at('vip'), signal)).rejects.toThrow('vip refuses');
  const silent = servers({});
  await expect(dialAny(silent.connect, () => [at('cp')], 5)(at('vip'), AbortSignal.timeout(30))).rejects.toThrow(
    /timeout/,
  );
});

test('what is open only after the caller gave up is hung up', async () => {
  const { connect, open, dialled } = servers({ vip: 'late', cp: 'late' });
  const enough = AbortSignal.timeout(15);
  await expect(dialAny(connect, () => [at('cp')], 1)(at('vip'), enough)).rejects.toThrow(/timeout/);
  expect(dialled).toEqual(['vip', 'cp']);
  await new Promise((resolve) => setTimeout(resolve, 60));
  expect(open.size).toBe(0);
});
