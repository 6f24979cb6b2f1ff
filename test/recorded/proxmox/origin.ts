import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { Readable } from 'node:stream';
import type { AddressInfo, Server } from 'node:net';
import { gzipSync } from 'node:zlib';
import { makeAuthority } from '../../../src/lab/pki/authority.ts';
import { issuerOf, issueWithKey } from '../../../src/lab/pki/issue.ts';

/** Nothing that could be packed. */
const smallIso = createHash('shake256', { outputLength: 300_000 }).update('small.iso').digest();

/** The head of a qcow2 image with nothing in it. */
function qcow2(virtualBytes: number, fileBytes: number, backing = ''): Buffer {
  const image = Buffer.alloc(fileBytes);
  image.write('QFI\xfb', 'latin1');
  image.writeUInt32BE(3, 4);
  if (backing !== '') {
    image.writeBigUInt64BE(112n, 8);
    image.writeUInt32BE(backing.length, 16);
    image.write(backing, 112);
  }
  image.writeUInt32BE(16, 20);
  image.writeBigUInt64BE(BigInt(virtualBytes), 24);
  image.writeUInt32BE(104, 100);
  return image;
}

const files: Readonly<Record<string, Buffer>> = {
  '/small.iso': smallIso,
  '/small.iso.gz': gzipSync(smallIso),
  '/talos.qcow2': qcow2(67_108_864, 196_616),
  '/backed.qcow2': qcow2(1_048_576, 196_616, '/etc/passwd'),
  '/disk.raw': Buffer.alloc(16_777_216),
};

/** SHA-256 of the recorded files; ours have the same names and sizes, and other bytes. */
const recordedSums: readonly (readonly [string, string])[] = [
  ['b2f72e1fb166d1d2eea9a08b58e8ef0495c2dfb23051fc7522b2d31f99d47ef0', '/small.iso'],
  ['1b7af784841125887e688254229e282829e17245d0e47fe7280da9b68a30d9e1', '/talos.qcow2'],
];

/** A recorded text with the checksums that the files have here. */
export const withOurSums = (text: string): string =>
  recordedSums.reduce(
    (changed, [sum, path]) =>
      changed.replaceAll(
        sum,
        createHash('sha256')
          .update(files[path] ?? '')
          .digest('hex'),
      ),
    text,
  );

/** The web server that the recorded machine loaded its files from. */
export interface Origin extends AsyncDisposable {
  readonly http: number;
  readonly https: number;
}

export async function startOrigin(): Promise<Origin> {
  const notBefore = new Date(Date.now() - 86_400_000);
  const notAfter = new Date(Date.now() + 86_400_000);
  const authority = makeAuthority({ commonName: 'nobody' }, { notBefore, notAfter });
  const { crt, key } = issueWithKey(issuerOf(authority.crt, authority.key), {
    subject: { commonName: 'other.example' },
    hosts: ['other.example'],
    usage: ['digitalSignature'],
    purposes: ['server'],
    notBefore,
    notAfter,
  });
  const plain = createServer(serve);
  const secure = createSecureServer({ cert: crt, key: key.export({ type: 'pkcs8', format: 'pem' }).toString() }, serve);
  const [http, https] = await Promise.all([listening(plain), listening(secure)]);
  return {
    http,
    https,
    [Symbol.asyncDispose]: async () => {
      plain.closeAllConnections();
      secure.closeAllConnections();
      await Promise.all([closed(plain), closed(secure)]);
    },
  };
}

const serve: RequestListener = (request, response) => {
  const path = request.url ?? '/';
  const file = files[path];
  if (file !== undefined) send(request, response, file, path);
  else if (path === '/redir') response.writeHead(302, { location: '/small.iso' }).end();
  else if (path === '/nohead' && request.method === 'HEAD') response.writeHead(403, 'Forbidden').end();
  else if (path === '/slow') slowly(request, response);
  else if (path === '/big.raw') emptiness(request, response, 500_000_000);
  else if (path === '/mid.raw') emptiness(request, response, 300_000_000);
  else response.writeHead(404, 'File not found').end();
};

function send({ method }: IncomingMessage, response: ServerResponse, file: Buffer, path: string): void {
  const type = path.endsWith('.iso')
    ? 'application/x-iso9660-image'
    : path.endsWith('.gz')
      ? 'application/gzip'
      : 'application/octet-stream';
  response.writeHead(200, { 'content-type': type, 'content-length': file.length });
  response.end(method === 'HEAD' ? undefined : file);
}

/** So many zeros. */
function emptiness({ method }: IncomingMessage, response: ServerResponse, bytes: number): void {
  response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': bytes });
  if (method === 'HEAD') response.end();
  else Readable.from(zeros(bytes)).pipe(response);
}

function* zeros(bytes: number): Generator<Buffer> {
  const piece = Buffer.alloc(1_000_000);
  for (let left = bytes; left > 0; left -= piece.length) yield piece;
}

/** Takes so long that somebody can look at it meanwhile. */
function slowly({ method }: IncomingMessage, response: ServerResponse): void {
  response.writeHead(200, { 'content-length': slowBytes });
  if (method === 'HEAD') return void response.end();
  response.write(Buffer.alloc(1000));
  setTimeout(() => response.end(Buffer.alloc(slowBytes - 1000)), slowMs);
}

const slowBytes = 2_000_000;
const slowMs = 1500;

const listening = (server: Server): Promise<number> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });

const closed = (server: Server): Promise<void> => new Promise((resolve) => void server.close(() => resolve()));
