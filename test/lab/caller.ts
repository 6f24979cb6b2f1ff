import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { TLSSocket } from 'node:tls';
import { callThrough, openSession } from '../../src/lab/grpc/client.ts';
import { GrpcStatus } from '../../src/lab/grpc/status.ts';
import type { ClientCertificate } from './secrets.ts';

export type Target = { readonly host: string; readonly port?: number; readonly client?: ClientCertificate };

export type Outcome = { readonly code: number; readonly message: string; readonly messages: readonly Uint8Array[] };

/** A TLS connection on which nothing has been said; the server is taken at its word. */
export async function secured({ host, port = 50_000, client }: Target): Promise<TLSSocket> {
  const raw = connect({ host, port });
  await new Promise<void>((resolve, reject) => {
    raw.once('connect', resolve);
    raw.once('error', reject);
  });
  const socket = connectTls({
    socket: raw,
    rejectUnauthorized: false,
    ALPNProtocols: ['h2'],
    ...(client === undefined ? {} : { cert: client.crt, key: client.key }),
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('secureConnect', resolve);
    socket.once('error', reject);
  });
  return socket;
}

/** One call over a connection of its own; ends by itself after `deadlineMs` as a client’s deadline would end it. */
export async function call(
  target: Target,
  path: string,
  requests: readonly Uint8Array[],
  options: { readonly metadata?: readonly (readonly [string, string])[]; readonly deadlineMs?: number } = {},
): Promise<Outcome> {
  const socket = await secured(target);
  const session = openSession(socket);
  const metadata = new Map<string, string[]>();
  for (const [key, value] of options.metadata ?? []) metadata.set(key, [...(metadata.get(key) ?? []), value]);
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(new GrpcStatus('DEADLINE_EXCEEDED', '')), options.deadlineMs ?? 10_000);
  const messages: Uint8Array[] = [];
  let broken: Error | undefined;
  socket.on('error', (error: Error) => (broken = error));
  try {
    for await (const message of callThrough(session, { path, metadata, requests: each(requests) }, deadline.signal))
      messages.push(message);
    return { code: 0, message: '', messages };
  } catch (error) {
    if (deadline.signal.aborted) return { code: 4, message: '', messages };
    if (broken !== undefined) throw broken;
    if (error instanceof GrpcStatus) return { code: error.code, message: error.message, messages };
    throw error;
  } finally {
    clearTimeout(timer);
    session.destroy();
    socket.destroy();
  }
}

async function* each(messages: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* messages;
}
