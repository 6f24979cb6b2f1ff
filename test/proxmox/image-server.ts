import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type ImageServer = AsyncDisposable & {
  readonly url: string;
  /** Names that were fetched, in order. */
  readonly fetched: string[];
  readonly sha256: (name: string) => string;
};

/** As small as a disk image may be: its head says that it is 64 MiB large, and has nothing behind it. */
function qcow2(): Buffer {
  const head = Buffer.alloc(512);
  head.write('QFI\xfb', 0, 'latin1');
  head.writeUInt32BE(3, 4);
  head.writeUInt32BE(16, 20);
  head.writeBigUInt64BE(64n * 1024n * 1024n, 24);
  head.writeUInt32BE(4, 96);
  head.writeUInt32BE(104, 100);
  return head;
}

const contents = (name: string): Buffer => (name.endsWith('.qcow2') ? qcow2() : Buffer.from(`an ISO called ${name}\n`));

/** Serves images to whoever comes, and counts. */
export async function serveImages(): Promise<ImageServer> {
  const fetched: string[] = [];
  const server = createServer((request, response) => {
    const name = (request.url ?? '').split('/').at(-1) ?? '';
    if (request.method === 'GET') fetched.push(name);
    const body = contents(name);
    response.setHeader('content-length', body.length);
    response.end(request.method === 'GET' ? body : undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fetched,
    sha256: (name) => createHash('sha256').update(contents(name)).digest('hex'),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
