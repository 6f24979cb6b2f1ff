import { createHash, randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sweep } from '../../../test/sweep.ts';
import { aCluster, aPeer, machine, type Peer } from '../../../test/talos/peer.ts';
import { collect, told } from '../../../test/talos/told.ts';
import type { TalosNode } from '../talos.ts';
import { checkedSnapshot } from './snapshot.ts';
import { openTalos } from './node.ts';
import { firstFileOfTar } from './tar.ts';

/** As Talos writes it: a header, the file, and nothing after it. */
function openEndedTar(content: string): Buffer {
  const header = Buffer.alloc(512);
  header.write('kubeconfig', 0);
  header.write('0000600\0', 100);
  header.write(`${Buffer.byteLength(content).toString(8).padStart(11, '0')}\0`, 124);
  header.write('ustar', 257);
  return Buffer.concat([header, Buffer.from(content)]);
}

const kubeconfig = 'apiVersion: v1\nkind: Config\nclusters: [ä]\n';
let archive: Buffer = gzipSync(openEndedTar(kubeconfig));
const seen: unknown[] = [];
let peer: Peer;
let node: TalosNode;

beforeAll(async () => {
  const cluster = await aCluster();
  peer = await aPeer(
    cluster.server,
    machine({
      async *kubeconfig() {
        yield { bytes: archive.subarray(0, 10) };
        yield { bytes: archive.subarray(10) };
      },
      async *read({ path }) {
        yield { bytes: Buffer.from(`${path}\n`) };
      },
      async *logs({ id, namespace, driver, follow, tailLines }) {
        seen.push({ id, namespace, driver, follow, tailLines });
        yield { metadata: { error: 'only an error' } };
      },
      async etcdRecover(data) {
        let size = 0;
        let pieces = 0;
        for await (const { bytes } of data) {
          size += bytes.length;
          pieces++;
        }
        seen.push({ size, pieces });
        return { messages: [{}] };
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

describe('a kubeconfig', () => {
  test('is read from an archive that never ends', async () => {
    expect(await node.kubeconfig(patient)).toBe(kubeconfig);
  });

  test('that is cut short, or no archive, is not taken for whole', async () => {
    for (const broken of [
      gzipSync(openEndedTar(kubeconfig).subarray(0, 520)),
      archive.subarray(0, 40),
      gzipSync('x'),
    ]) {
      archive = broken;
      expect(await told(node.kubeconfig(patient))).toMatchObject({ code: 'talos-bad-archive', recovery: 'retry' });
    }
    expect(firstFileOfTar(new Uint8Array(512))).toBeUndefined();
  });
});

test('files, logs and items that are only errors', async () => {
  expect(await node.bootId(patient)).toBe('/proc/sys/kernel/random/boot_id');
  expect(await told(collect(node.logs({ id: 'kubelet' }, patient)))).toMatchObject({
    code: 'talos-refused',
    message: '127.0.0.1 answered: only an error',
  });
  const pod = { id: 'kube-system/x:y', namespace: 'k8s.io', tail: 3, follow: true } as const;
  await told(collect(node.logs(pod, patient)));
  expect(seen.splice(0)).toEqual([
    { id: 'kubelet', namespace: 'system', driver: 0, follow: false, tailLines: -1 },
    { id: 'kube-system/x:y', namespace: 'k8s.io', driver: 1, follow: true, tailLines: 3 },
  ]);
});

test('a snapshot goes back in pieces of at most 1 MiB', async () => {
  async function* snapshot() {
    yield randomBytes(2 * 1024 * 1024 + 5);
    yield randomBytes(7);
  }
  await node.etcdRecover(snapshot(), patient);
  expect(seen.splice(0)).toEqual([{ size: 2 * 1024 * 1024 + 12, pieces: 4 }]);
});

describe('a snapshot', () => {
  const withHash = (pages: number): Buffer => {
    const database = randomBytes(pages * 512);
    return Buffer.concat([database, createHash('sha256').update(database).digest()]);
  };
  async function* cut(bytes: Buffer, at: number) {
    for (let from = 0; from < bytes.length; from += at) yield bytes.subarray(from, from + at);
  }

  test('is passed on as it came, whatever its pieces', async () => {
    const anyCut = fc.record({ pages: fc.integer({ min: 0, max: 4 }), at: fc.integer({ min: 11, max: 600 }) });
    await fc.assert(
      fc.asyncProperty(anyCut, async ({ pages, at }) => {
        const bytes = withHash(pages);
        expect(Buffer.concat(await collect(checkedSnapshot('cp', cut(bytes, at))))).toEqual(bytes);
      }),
      sweep('snapshots', 40, 2000),
    );
  });

  test('that is damaged anywhere, or short, is refused at its end', async () => {
    const anyHarm = fc.record({ at: fc.nat({ max: 2 * 512 + 31 }), short: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(anyHarm, async ({ at, short }) => {
        const bytes = withHash(2);
        bytes[at] = (bytes[at] ?? 0) ^ 1;
        const sent = short ? bytes.subarray(0, at) : bytes;
        expect(await told(collect(checkedSnapshot('cp', cut(sent, 100))))).toMatchObject({
          code: 'talos-bad-snapshot',
          recovery: 'retry',
        });
      }),
      sweep('damaged snapshots', 40, 2000),
    );
  });
});
