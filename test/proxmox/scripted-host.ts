import type { AddressInfo } from 'node:net';
import { createServer, type TLSSocket } from 'node:tls';
import { wallClock } from '../../src/lab/clock.ts';
import { clusterAuthority, hostCertificate, type Issued } from '../../src/lab/proxmox/server/certificates.ts';

export type Heard = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Which connection it came on, counted from 1. */
  readonly connection: number;
  readonly resumed: boolean;
};

/** What it answers, byte by byte; `hang`: nothing ever; `close`: nothing, and the connection is closed. */
export type Script = (heard: Heard, index: number) => string;

export type ScriptedHost = AsyncDisposable & {
  readonly url: string;
  readonly port: number;
  readonly certificate: Issued;
  readonly heard: readonly Heard[];
};

export const authority = clusterAuthority(wallClock());

/** A host that says exactly what it is told to, over a real socket. */
export async function aHost(script: Script, names: readonly string[] = ['pve1']): Promise<ScriptedHost> {
  const certificate = hostCertificate(authority, wallClock(), names);
  const heard: Heard[] = [];
  const open = new Set<TLSSocket>();
  let connections = 0;
  const server = createServer({ key: certificate.key, cert: certificate.crt }, (socket) => {
    const connection = ++connections;
    open.add(socket);
    socket.on('close', () => open.delete(socket)).on('error', () => undefined);
    let buffer = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      buffer = Buffer.concat([buffer, chunk]);
      for (let request = take(buffer); request !== undefined; request = take(buffer)) {
        buffer = buffer.subarray(request.bytes);
        const { bytes: _, ...rest } = request;
        const asked = { ...rest, connection, resumed: socket.isSessionReused() };
        heard.push(asked);
        const said = script(asked, heard.length - 1);
        if (said === 'close') socket.destroy();
        else if (said !== 'hang') socket.write(said);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${port}`,
    port,
    certificate,
    heard,
    [Symbol.asyncDispose]: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function take(buffer: Buffer): (Omit<Heard, 'connection' | 'resumed'> & { readonly bytes: number }) | undefined {
  const end = buffer.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [line = '', ...lines] = buffer.subarray(0, end).toString().split('\r\n');
  const headers = Object.fromEntries(
    lines.map((each) => [each.slice(0, each.indexOf(':')).toLowerCase(), each.slice(each.indexOf(':') + 1).trim()]),
  );
  const length = Number(headers['content-length'] ?? 0);
  if (buffer.length < end + 4 + length) return undefined;
  const [method = '', path = ''] = line.split(' ');
  return {
    method,
    path,
    headers,
    body: buffer.subarray(end + 4, end + 4 + length).toString(),
    bytes: end + 4 + length,
  };
}

/** An answer as hosts write it. */
export const ok = (data: unknown, headers: readonly string[] = []): string =>
  answer('200 OK', JSON.stringify({ data }), headers);

export const refused = (status: number, message: string, errors?: Readonly<Record<string, string>>): string =>
  answer(`${status} ${message.split('\n')[0]}`, JSON.stringify({ data: null, message: `${message}\n`, errors }));

export const answer = (status: string, body: string, headers: readonly string[] = []): string =>
  [`HTTP/1.1 ${status}`, `Content-Length: ${Buffer.byteLength(body)}`, ...headers, '', body].join('\r\n');
