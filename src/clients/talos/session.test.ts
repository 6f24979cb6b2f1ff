import { connect } from 'node:net';
import { Duplex } from 'node:stream';
import { beforeAll, describe, expect, test } from 'vitest';
import { aCluster, aPeer, machine, running, type Cluster, type Peer } from '../../../test/talos/peer.ts';
import { aGate, collect, told } from '../../../test/talos/told.ts';
import type { TalosAccess, TalosNode } from '../talos.ts';
import { openTalos } from './node.ts';

let cluster: Cluster;
let access: TalosAccess;
beforeAll(async () => {
  cluster = await aCluster();
  access = { kind: 'mutual', ca: cluster.authority.crt, ...cluster.admin };
});

const patient = AbortSignal.timeout(60_000);
const open = ({ host, port }: Peer): TalosNode => openTalos({ host, port, access });
const named = { messages: [{ hostname: 'cp-1' }] };

/** A connection that is no socket, as that of a tunnel, and hands on what came a little later, in one lump. */
function lumpy(host: string, port: number): Duplex {
  const socket = connect({ host, port, noDelay: true });
  let came: Buffer[] = [];
  const stream = new Duplex({
    read: () => undefined,
    write: (chunk, _, done) => void socket.write(chunk as Buffer, done),
    destroy: (error, done) => done(socket.destroy(error ?? undefined).errored ?? error),
  });
  socket.on('data', (chunk) => {
    if (came.push(chunk) > 1) return;
    setTimeout(() => {
      stream.push(Buffer.concat(came));
      came = [];
    }, 5);
  });
  return stream;
}

describe('a connection', () => {
  test('is made when it is needed, and used by everybody', async () => {
    await using peer = await aPeer(cluster.server, machine({ version: () => running }));
    await using node = open(peer);
    expect(peer.connections()).toBe(0);
    const answers = await Promise.all(Array.from({ length: 20 }, () => node.version(patient)));
    answers.push(await node.version(patient));
    const answer = { tag: 'v1.13.9', sha: 'abc', arch: 'amd64', platform: 'metal', mode: 'metal' };
    expect(answers).toEqual(Array.from({ length: 21 }, () => answer));
    expect(peer.connections()).toBe(1);
  });

  test('opens both windows, so that latency does not throttle a snapshot', async () => {
    await using peer = await aPeer(cluster.server, machine({ version: () => running }));
    await using node = open(peer);
    await node.version(patient);
    const [session] = peer.sessions;
    await expect.poll(() => session?.state.remoteWindowSize).toBeGreaterThan(15 * 1024 * 1024);
    expect(session?.remoteSettings.initialWindowSize).toBe(4 * 1024 * 1024);
  });

  test('is made anew after it was lost', async () => {
    await using peer = await aPeer(cluster.server, machine({ version: () => running }));
    await using node = open(peer);
    await node.version(patient);
    peer.cut();
    await expect.poll(() => node.version(patient).then(({ tag }) => tag)).toBe('v1.13.9');
    expect(peer.connections()).toBe(2);
  });

  test('that died while nobody looked is not noticed by who only looks', async () => {
    await using peer = await aPeer(
      cluster.server,
      machine({ version: () => running, reboot: () => ({ messages: [{}] }), hostname: () => named }),
    );
    await using node = open(peer);
    for (let round = 1; round <= 20; round++) {
      await node.version(patient);
      peer.cut();
      const [version, hostname] = await Promise.all([node.version(patient), node.hostname(patient)]);
      expect([version.tag, hostname, peer.connections()]).toEqual(['v1.13.9', 'cp-1', round + 1]);
    }
  });

  test('that breaks under a call fails the call as one to be tried again', async () => {
    const started = aGate();
    let calls = 0;
    await using peer = await aPeer(
      cluster.server,
      machine({
        async hostname(_, { signal }) {
          if (calls++ > 0) return named;
          started.open();
          await new Promise((resolve) => signal.addEventListener('abort', resolve));
          return {};
        },
      }),
    );
    await using node = open(peer);
    const asked = told(node.hostname(patient));
    await started.opened;
    peer.cut();
    expect(await asked).toEqual({
      code: 'talos-connection-lost',
      recovery: 'retry',
      message: '127.0.0.1 could not be asked for the host name: the connection was lost.',
    });
    expect(await node.hostname(patient)).toBe('cp-1');
  });

  test('is left after GOAWAY: what is under way ends well, what is new takes another', async () => {
    const started = aGate();
    const finish = aGate();
    await using peer = await aPeer(
      cluster.server,
      machine({
        version: () => running,
        async hostname() {
          started.open();
          await finish.opened;
          return named;
        },
      }),
    );
    await using node = open(peer);
    const slow = node.hostname(patient);
    await started.opened;
    for (const session of peer.sessions) session.goaway(0);
    await expect
      .poll(async () => {
        await node.version(patient);
        return peer.connections();
      })
      .toBe(2);
    finish.open();
    expect(await slow).toBe('cp-1');
  });

  test('ended by too_many_pings is a lost one, and the next call dials again', async () => {
    const started = aGate();
    await using peer = await aPeer(
      cluster.server,
      machine({
        version: () => running,
        async *events(_, { signal }) {
          yield { id: 'hello', data: {} };
          started.open();
          await new Promise((resolve) => signal.addEventListener('abort', resolve));
        },
      }),
    );
    await using node = open(peer);
    const asked = told(collect(node.events({}, patient)));
    await started.opened;
    for (const session of peer.sessions) session.goaway(11, 0, Buffer.from('too_many_pings'));
    expect(await asked).toMatchObject({ code: 'talos-connection-lost', recovery: 'retry' });
    expect((await node.version(patient)).tag).toBe('v1.13.9');
  });

  test('goes through the connector that is given, and is believed for the node’s own address', async () => {
    await using peer = await aPeer(cluster.server, machine({ version: () => running }));
    const leaf = await cluster.authority.issue({ name: 'cp-2', use: ['server'], addresses: ['10.9.8.7'] });
    await using far = await aPeer(leaf, machine({ version: () => running }));
    const dialled: unknown[] = [];
    const tunnelTo =
      ({ host, port }: Peer) =>
      (target: object): Promise<Duplex> => {
        dialled.push(target);
        return Promise.resolve(connect(port, host));
      };
    await using wrong = openTalos({ host: '10.9.8.7', access, connect: tunnelTo(peer) });
    await using right = openTalos({ host: '10.9.8.7', port: 1, access, connect: tunnelTo(far) });
    expect((await told(wrong.version(patient))).code).toBe('talos-other-name');
    expect((await right.version(patient)).tag).toBe('v1.13.9');
    expect(dialled).toEqual([
      { host: '10.9.8.7', port: 50_000 },
      { host: '10.9.8.7', port: 1 },
    ]);
  });

  test('that carries an answer all at once loses none', async () => {
    await using peer = await aPeer(cluster.server, machine({ version: () => running }));
    await using node = openTalos({ ...peer, access, connect: ({ host, port }) => Promise.resolve(lumpy(host, port)) });
    for (let call = 1; call <= 20; call++) expect((await node.version(patient)).tag).toBe('v1.13.9');
    expect(peer.connections()).toBe(1);
  });

  test('that nobody accepts, or that never shakes hands, is a problem', async () => {
    const closed = await aPeer(cluster.server, () => undefined);
    await closed[Symbol.asyncDispose]();
    await using refused = open(closed);
    expect(await told(refused.version(patient))).toMatchObject({ code: 'talos-unreachable', recovery: 'retry' });
  });

  test('closed by its owner ends the calls on it', async () => {
    const started = aGate();
    await using peer = await aPeer(
      cluster.server,
      machine({
        async *events(_, { signal }) {
          yield { id: 'hello', data: {} };
          started.open();
          await new Promise((resolve) => signal.addEventListener('abort', resolve));
        },
      }),
    );
    const node = open(peer);
    const asked = told(collect(node.events({}, patient)));
    await started.opened;
    await node[Symbol.asyncDispose]();
    expect((await asked).code).toBe('talos-connection-lost');
    expect((await told(node.version(patient))).code).toBe('talos-connection-lost');
  });
});

describe('a message', () => {
  test('of 6 MiB comes through in both directions', async () => {
    const size = 6 * 1024 * 1024;
    await using peer = await aPeer(
      cluster.server,
      machine({
        hostname: () => ({ messages: [{ hostname: 'x'.repeat(size) }] }),
        applyConfiguration: ({ data }) => ({ messages: [{ mode: 2, modeDetails: String(data.length) }] }),
      }),
    );
    await using node = open(peer);
    expect((await node.hostname(patient)).length).toBe(size);
    expect(await node.apply('y'.repeat(size), { mode: 'auto' }, patient)).toEqual({
      mode: 'no-reboot',
      warnings: [],
      details: String(size),
    });
  });

  test('of more than 32 MiB is refused', async () => {
    await using peer = await aPeer(
      cluster.server,
      machine({ hostname: () => ({ messages: [{ hostname: 'x'.repeat(33 * 1024 * 1024) }] }) }),
    );
    await using node = open(peer);
    expect(await told(node.hostname(patient))).toMatchObject({ code: 'talos-too-large', recovery: 'ask' });
  });
});
