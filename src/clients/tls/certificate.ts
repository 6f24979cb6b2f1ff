import { connect } from 'node:tls';
import { X509Certificate } from 'node:crypto';
import type { Connector } from '../../model/connector.ts';
import { Problem } from '../../model/problem.ts';
import { within } from '../../model/signals.ts';

/** The certificate that a server shows, as PEM; nobody judges it, and nothing is said to who shows it. */
export async function shownCertificate(
  place: { readonly host: string; readonly port: number },
  dial: Connector,
  signal: AbortSignal,
): Promise<string> {
  const lost = (error: Error): Problem =>
    new Problem('tls-no-certificate', `${place.host}:${place.port} showed no certificate: ${error.message}.`, {
      recovery: 'retry',
      cause: error,
    });
  using limited = within(5000, signal);
  const stream = await dial(place, limited).catch((error: Error) => {
    signal.throwIfAborted();
    throw lost(error);
  });
  const socket = connect({ socket: stream, rejectUnauthorized: false });
  try {
    return await new Promise<string>((resolve, reject) => {
      socket.on('error', (error: Error) => reject(lost(error)));
      limited.addEventListener('abort', () => reject(lost(new Error('it did not answer in time'))), { once: true });
      socket.once('secureConnect', () => {
        const { raw } = socket.getPeerCertificate();
        if (raw === undefined) reject(lost(new Error('there is none')));
        else resolve(new X509Certificate(raw).toString());
      });
    });
  } finally {
    socket.destroy();
    stream.destroy();
  }
}
