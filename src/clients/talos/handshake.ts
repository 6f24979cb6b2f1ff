import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect, type TLSSocket } from 'node:tls';
import type { TalosAccess } from '../talos.ts';
import { secureContextOf } from './credentials.ts';
import { asError } from './tcp.ts';

export type Shown = { readonly socket: TLSSocket; readonly fingerprint: string };

/**
 * A node whose certificate is not believed is refused here, before a byte is sent, and so that it can be said what it showed.
 * In maintenance mode anybody may answer: there the caller compares the fingerprint before it sends a byte.
 */
export function handshake(stream: Duplex, host: string, access: TalosAccess, signal: AbortSignal): Promise<Shown> {
  return new Promise((resolve, reject) => {
    const socket = connect({
      socket: stream,
      host,
      ...(isIP(host) === 0 ? { servername: host } : {}),
      secureContext: secureContextOf(access),
      ALPNProtocols: ['h2'],
      rejectUnauthorized: false,
    });
    // A refusal of our certificate arrives after the handshake, maybe before anybody else listens.
    socket.on('error', () => undefined);
    const settle = (outcome: () => void): void => {
      signal.removeEventListener('abort', onAbort);
      socket.off('error', onError).off('secureConnect', onSecure).off('close', onClose);
      outcome();
    };
    const fail = (error: Error): void =>
      settle(() => {
        socket.destroy();
        stream.destroy();
        reject(error);
      });
    const onAbort = (): void => fail(asError(signal.reason));
    const onError = (error: Error): void => fail(error);
    const onClose = (): void => fail(connectionEnded());
    const onSecure = (): void => {
      if (access.kind === 'mutual' && !socket.authorized) fail(unbelieved(socket));
      else settle(() => resolve({ socket, fingerprint: fingerprintOf(socket) }));
    };
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    return void socket.once('error', onError).once('close', onClose).once('secureConnect', onSecure);
  });
}

export const connectionEnded = (): Error =>
  Object.assign(new Error('the other end closed the connection'), { code: 'ECONNRESET' });

/** base64(SHA-256(SubjectPublicKeyInfo)), as Talos prints it on its console. */
function fingerprintOf(socket: TLSSocket): string {
  const key = socket.getPeerX509Certificate()?.publicKey.export({ type: 'spki', format: 'der' });
  return createHash('sha256')
    .update(key ?? Buffer.alloc(0))
    .digest('base64');
}

/** Whose certificate was not believed tells maintenance mode from another cluster. */
function unbelieved(socket: TLSSocket): Error {
  const subject = socket.getPeerX509Certificate()?.subject ?? '';
  const shownBy = /^CN=(.*)$/m.exec(subject)?.[1] ?? '';
  const code = String(socket.authorizationError);
  return Object.assign(new Error(`the certificate is not believed: ${code}`), { code, shownBy });
}
