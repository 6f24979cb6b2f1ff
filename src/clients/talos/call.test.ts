import { Code, ConnectError } from '@connectrpc/connect';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aCluster, aPeer, machine, type Peer } from '../../../test/talos/peer.ts';
import { aGate, collect, told, type Gate } from '../../../test/talos/told.ts';
import type { TalosNode } from '../talos.ts';
import { openTalos } from './node.ts';

let peer: Peer;
let node: TalosNode;
/** Opens when the server sees that the call it serves was given up. */
let givenUp: Gate;
let sent = 0;

const never = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) =>
    signal.addEventListener('abort', () => {
      givenUp.open();
      resolve();
    }),
  );

beforeAll(async () => {
  const cluster = await aCluster();
  peer = await aPeer(
    cluster.server,
    machine({
      async etcdMemberList(_, { signal }) {
        await never(signal);
        return {};
      },
      async *events(_, { signal }) {
        yield { id: '1', data: {} };
        yield { id: '2', data: { typeUrl: 'talos/runtime/machine.RestartEvent' } };
        await never(signal);
      },
      async *dmesg({ tail }) {
        const bytes = new Uint8Array(64 * 1024);
        for (let count = 0; count < (tail ? 2 : 2000); count++) {
          sent = count;
          yield { bytes };
          await new Promise((resolve) => setImmediate(resolve));
        }
      },
      async *logs({ id }, { signal }) {
        yield { bytes: new TextEncoder().encode('first\n') };
        if (id === 'silent') await never(signal);
        throw new ConnectError('log "x" was not registered', Code.Unknown);
      },
    }),
  );
  const access = { kind: 'mutual', ca: cluster.authority.crt, ...cluster.admin } as const;
  node = openTalos({ host: peer.host, port: peer.port, access });
});
afterAll(async () => {
  await node[Symbol.asyncDispose]();
  await peer[Symbol.asyncDispose]();
});

const patient = AbortSignal.timeout(60_000);

describe('a call', () => {
  test('ends at its deadline, on both ends', async () => {
    givenUp = aGate();
    expect(await told(node.etcdMembers(patient, { deadlineMs: 50 }))).toEqual({
      code: 'talos-no-answer',
      recovery: 'retry',
      message: '127.0.0.1 did not answer etcd members in time.',
    });
    await givenUp.opened;
  });

  test('ends with the caller’s own reason when its signal says so, on both ends', async () => {
    givenUp = aGate();
    const stop = new AbortController();
    const asked = node.etcdMembers(stop.signal, { deadlineMs: 30_000 });
    setImmediate(() => stop.abort(new Error('enough')));
    await expect(asked).rejects.toThrow('enough');
    const late = AbortSignal.abort(new Error('before it began'));
    await expect(node.version(late)).rejects.toThrow('before it began');
  });
});

describe('a stream', () => {
  test('is given up when its reader stops reading', async () => {
    givenUp = aGate();
    for await (const event of node.events({}, patient)) {
      expect(event).toEqual({ id: '2', actor: '', kind: 'restart' });
      break;
    }
    await givenUp.opened;
  });

  test('ends with the caller’s own reason in the middle of it', async () => {
    givenUp = aGate();
    const stop = new AbortController();
    const seen: string[] = [];
    const reading = (async () => {
      for await (const event of node.events({}, stop.signal)) {
        seen.push(event.id);
        stop.abort(new Error('enough'));
      }
    })();
    await expect(reading).rejects.toThrow('enough');
    expect(seen).toEqual(['2']);
    await givenUp.opened;
  });

  test('waits for a slow reader instead of piling up', async () => {
    const stop = new AbortController();
    const chunks = node.dmesg({}, stop.signal)[Symbol.asyncIterator]();
    await chunks.next();
    let before = -1;
    // What the windows hold is sent ahead; then the sender stands still.
    await expect
      .poll(
        () => {
          const still = sent === before;
          before = sent;
          return still;
        },
        { interval: 200 },
      )
      .toBe(true);
    expect(sent * 64).toBeLessThan(24 * 1024);
    await chunks.return?.();
    expect((await collect(node.dmesg({ tail: true }, patient))).length).toBe(2);
  });

  test('that fails after some messages gives those, then the problem', async () => {
    const lines: string[] = [];
    const reading = (async () => {
      for await (const chunk of node.logs({ id: 'x' }, patient)) lines.push(new TextDecoder().decode(chunk));
    })();
    expect(await told(reading)).toEqual({
      code: 'talos-refused',
      recovery: 'ask',
      message: '127.0.0.1 refused logs: log "x" was not registered',
    });
    expect(lines).toEqual(['first\n']);
  });
});
