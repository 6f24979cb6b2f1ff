import { connect as connectPlain } from 'node:net';
import type { Socket } from 'node:net';
import { connect } from 'node:tls';

/** An answer of HTTP as its bytes have it. */
export type Exchanged = {
  readonly statusLine: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
};

/** A connection to an endpoint; plain: without TLS, where TLS is expected. */
export function dial(endpoint: string, ca: string, plain = false): Socket {
  const { hostname, port } = new URL(endpoint);
  const target = { host: hostname, port: Number(port) };
  return plain ? connectPlain(target) : connect({ ...target, ca, servername: '' });
}

/** Sends bytes and reads until the other side closes. */
export function exchange(endpoint: string, ca: string, bytes: Buffer | string, plain = false): Promise<Exchanged> {
  return new Promise((resolve, reject) => {
    const socket = dial(endpoint, ca, plain);
    const pieces: Buffer[] = [];
    socket.on('data', (piece: Buffer) => pieces.push(piece));
    socket.on('error', (error) => (pieces.length === 0 ? reject(error) : undefined));
    socket.on('close', () => resolve(parseAnswer(Buffer.concat(pieces))));
    socket.write(bytes);
  });
}

export function parseAnswer(bytes: Buffer): Exchanged {
  const end = bytes.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = bytes.toString('utf8', 0, Math.max(0, end)).split('\r\n');
  const headers = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trim()] as const;
  });
  return { statusLine, headers, body: bytes.toString('utf8', end + 4) };
}
