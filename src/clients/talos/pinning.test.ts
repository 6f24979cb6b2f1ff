import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { create, toBinary } from '@bufbuild/protobuf';
import { Code, ConnectError, type ConnectRouter } from '@connectrpc/connect';
import { beforeAll, describe, expect, test } from 'vitest';
import { anAuthority, type Issued } from '../../../test/talos/certificates.ts';
import { aCluster, aPeer, machine, running, type Cluster } from '../../../test/talos/peer.ts';
import { told } from '../../../test/talos/told.ts';
import { State } from '../../wire/gen/cosi/resource_pb.ts';
import { VersionSpecSchema } from '../../wire/gen/talos/resource/runtime_pb.ts';
import type { TalosAccess } from '../talos.ts';
import { openTalos } from './node.ts';
import { probeTalos } from './probe.ts';

let cluster: Cluster;
let mutual: TalosAccess;
/** Maintenance leaves are signed by a CA that nobody else knows. */
let first: Issued;
let second: Issued;

beforeAll(async () => {
  cluster = await aCluster();
  mutual = { kind: 'mutual', ca: cluster.authority.crt, ...cluster.admin };
  const leaf = { name: 'maintenance-service.talos.dev', use: ['server'], addresses: ['127.0.0.1'] } as const;
  [first, second] = await Promise.all([(await anAuthority()).issue(leaf), (await anAuthority()).issue(leaf)]);
});

const patient = AbortSignal.timeout(60_000);

describe('maintenance mode', () => {
  test('the first contact pins the fingerprint, and another key is a matter for a person', async () => {
    const before = await aPeer(first, machine({ hostname: () => ({ messages: [{ hostname: 'a' }] }) }));
    const { host, port } = before;
    await using node = openTalos({ host, port, access: { kind: 'maintenance' } });
    expect(node.fingerprint()).toBeUndefined();
    expect(await node.hostname(patient)).toBe('a');
    const pinned = node.fingerprint() ?? '';
    expect(pinned).toMatch(/^[A-Za-z0-9+/]{43}=$/);
    await before[Symbol.asyncDispose]();

    let asked = 0;
    await using after = await aPeer(
      second,
      machine({
        hostname() {
          asked++;
          return { messages: [{ hostname: 'b' }] };
        },
      }),
      port,
    );
    await expect.poll(async () => (await told(node.hostname(patient))).code).toBe('talos-fingerprint-changed');
    const problem = await told(node.hostname(patient));
    expect(problem).toEqual({
      code: 'talos-fingerprint-changed',
      recovery: 'ask',
      message: `127.0.0.1 showed the fingerprint ${node.fingerprint()}, and ${pinned} was expected.`,
    });
    expect({ asked, connections: after.connections() > 0 }).toEqual({ asked: 0, connections: true });

    await using trusting = openTalos({
      host,
      port,
      access: { kind: 'maintenance', fingerprint: node.fingerprint() ?? '' },
    });
    expect(await trusting.hostname(patient)).toBe('b');
    await using wrong = openTalos({ host, port, access: { kind: 'maintenance', fingerprint: pinned } });
    expect((await told(wrong.hostname(patient))).code).toBe('talos-fingerprint-changed');
  });

  test('met by somebody who expects a configured node is "not yet"', async () => {
    const { features: _, ...unconfigured } = running.messages?.[0] ?? {};
    await using old = await aPeer(first, machine({ version: () => running }));
    await using unbelieved = openTalos({ host: old.host, port: old.port, access: mutual });
    expect(await told(unbelieved.version(patient))).toEqual({
      code: 'talos-still-maintenance',
      recovery: 'wait',
      message: '127.0.0.1 could not be asked for version: it is in maintenance mode.',
    });
    await using between = await aPeer(cluster.server, machine({ version: () => ({ messages: [unconfigured] }) }));
    await using early = openTalos({ host: between.host, port: between.port, access: mutual });
    expect(await told(early.version(patient))).toEqual({
      code: 'talos-still-maintenance',
      recovery: 'wait',
      message: '127.0.0.1 still answers in maintenance mode.',
    });
  });

  test('a node of another cluster is not believed', async () => {
    const other = await aCluster();
    await using peer = await aPeer(other.server, machine({ version: () => running }));
    await using node = openTalos({ host: peer.host, port: peer.port, access: mutual });
    expect(await told(node.version(patient))).toMatchObject({ code: 'talos-other-cluster', recovery: 'ask' });
  });
});

/** What Node reports when the other end ends the connection with a TLS alert after the handshake. */
const alerts = [
  ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'talos-configured'],
  ['ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED', 'talos-certificate-expired'],
  ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', 'talos-other-cluster'],
  ['ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE', 'talos-certificate-unfit'],
] as const;

test.each(alerts)('%s after the handshake is %s', async (alert, code) => {
  await using peer = await aPeer(cluster.server, machine({ version: () => running }));
  await using node = openTalos({
    host: peer.host,
    port: peer.port,
    access: mutual,
    connect: () => Promise.resolve(breaking(connect(peer.port, peer.host), alert)),
  });
  expect(await told(node.version(patient))).toMatchObject({ code, recovery: 'ask' });
});

/** Passes the handshake on, and fails at the first bytes that come after it. */
function breaking(socket: Socket, code: string): Duplex {
  let flights = 0;
  const stream: Duplex = new Duplex({
    read: () => undefined,
    write: (chunk: Uint8Array, _, done) => void socket.write(chunk, done),
    final: (done) => void socket.end(done),
  });
  socket.on('data', (chunk) => {
    if (flights++ === 0) stream.push(chunk);
    else stream.destroy(Object.assign(new Error('tls alert'), { code }));
  });
  stream.once('close', () => socket.destroy());
  return stream;
}

describe('asked without credentials', () => {
  const version = (answer: () => object) => (router: ConnectRouter) => void router.service(State, { get: answer });
  const spec = { protoSpec: toBinary(VersionSpecSchema, create(VersionSpecSchema, { version: 'v1.13.9' })) };

  test('maintenance mode tells its version and fingerprint, or at least the fingerprint', async () => {
    await using peer = await aPeer(
      first,
      version(() => ({ resource: { spec } })),
    );
    await using shy = await aPeer(
      first,
      version(() => {
        throw new ConnectError('not authorized', Code.PermissionDenied);
      }),
    );
    await using node = openTalos({ host: peer.host, port: peer.port, access: { kind: 'maintenance' } });
    await told(node.version(patient));
    const fingerprint = node.fingerprint();
    expect(await probeTalos(peer, patient)).toEqual({ kind: 'maintenance', version: 'v1.13.9', fingerprint });
    expect(await probeTalos(shy, patient)).toEqual({ kind: 'maintenance', version: undefined, fingerprint });
  });

  test('a configured node is known by its refusal', async () => {
    await using peer = await aPeer(cluster.server, () => undefined);
    const [code] = alerts[0];
    const dial = () => Promise.resolve(breaking(connect(peer.port, peer.host), code));
    expect(await probeTalos({ ...peer, connect: dial }, patient)).toEqual({ kind: 'configured' });
  });

  test('nothing there, or something else', async () => {
    const mute = createServer((socket) =>
      socket
        .on('error', () => undefined)
        .resume()
        .end('SSH-2.0-OpenSSH_9.2\r\n'),
    );
    await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
    const { port } = mute.address() as AddressInfo;
    const host = '127.0.0.1';
    const stranger = await probeTalos({ host, port }, patient);
    await new Promise((resolve) => mute.close(resolve));
    expect(stranger).toEqual({ kind: 'absent', because: 'something else than Talos answers there' });
    expect(await probeTalos({ host, port }, patient)).toEqual({
      kind: 'absent',
      because: 'nothing listens there; it may be starting, installing or waiting for a control plane',
    });
    await expect(probeTalos({ host, port }, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
  });
});
