import { constants } from 'node:crypto';
import type { X509Certificate } from 'node:crypto';
import type { Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import type { SecureContext } from 'node:tls';
import { sendAlert, writeSecretOf } from './alert.ts';

export type Judgement =
  | { readonly kind: 'taken'; readonly certificate: X509Certificate | undefined }
  | { readonly kind: 'refused'; readonly alert: number };

export type TlsTerms = {
  readonly context: SecureContext;
  /** Absent: nobody is asked who they are. */
  readonly judge?: (certificate: X509Certificate) => Judgement;
};

export const secureContext = (own: { readonly crt: string; readonly key: string; readonly ca?: readonly string[] }) =>
  createSecureContext({
    cert: own.crt,
    key: own.key,
    ...(own.ca === undefined ? {} : { ca: [...own.ca] }),
    minVersion: 'TLSv1.3',
    secureOptions: constants.SSL_OP_NO_TICKET,
  });

export type Accepted = { readonly socket: TLSSocket; readonly certificate: X509Certificate | undefined };

/** TLS on a fresh connection; undefined when it came to nothing. A client without ALPN is served too. */
export function acceptTls(raw: Socket, terms: TlsTerms): Promise<Accepted | undefined> {
  return new Promise((resolve) => {
    const socket = new TLSSocket(raw, {
      isServer: true,
      secureContext: terms.context,
      requestCert: terms.judge !== undefined,
      rejectUnauthorized: terms.judge !== undefined,
      ALPNProtocols: ['h2'],
    });
    const secret = terms.judge === undefined ? undefined : writeSecretOf(socket);
    const nothing = (): void => {
      raw.destroy();
      resolve(undefined);
    };
    raw.on('error', nothing);
    socket.on('error', nothing);
    socket.on('close', () => resolve(undefined));
    socket.once('secure', () => {
      // http2 waits for an event that only a tls.Server sends; this is what that one sets.
      Object.assign(socket, { secureConnecting: false });
      if (terms.judge === undefined) return resolve({ socket, certificate: undefined });
      const certificate = socket.getPeerX509Certificate();
      if (certificate === undefined) return nothing();
      const judgement = terms.judge(certificate);
      if (judgement.kind === 'taken') return resolve({ socket, certificate });
      const key = secret?.();
      if (key !== undefined) sendAlert(raw, socket.getCipher().name, key, judgement.alert);
      raw.end();
      resolve(undefined);
    });
  });
}
