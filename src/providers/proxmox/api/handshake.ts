import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect, createSecureContext, type SecureContext, type TLSSocket } from 'node:tls';
import { Problem } from '../../../model/problem.ts';
import type { Endpoint } from './endpoint.ts';

/** What connections to one host have in common; most of the work of a handshake is to make this. */
export type Acquaintance = {
  readonly context: SecureContext;
  /** Kept of one whose host was believed: the next one resumes it, and then no certificate is shown again. */
  session: Buffer | undefined;
  fingerprint: string | undefined;
};

export function acquaintance({ trust }: Endpoint): Acquaintance {
  const ca = trust.kind === 'authority' ? { ca: trust.ca } : {};
  try {
    // A context takes any text, and then believes nobody.
    if (trust.kind === 'authority') void new X509Certificate(trust.ca);
    return {
      context: createSecureContext({ minVersion: 'TLSv1.2', ...ca }),
      session: undefined,
      fingerprint: undefined,
    };
  } catch (error) {
    throw new Problem('proxmox-authority', 'The certificate authority of the file is no certificate in PEM.', {
      remedy: 'Name a copy of the cluster’s own in tls.ca:\n    scp root@HOST:/etc/pve/pve-root-ca.pem .',
      cause: error,
    });
  }
}

export type Secured = { readonly socket: TLSSocket; readonly fingerprint: string | undefined };

/** Not a byte of ours is sent before the host is believed. */
export function handshake(
  stream: Duplex,
  endpoint: Endpoint,
  known: Acquaintance,
  signal: AbortSignal,
): Promise<Secured> {
  return new Promise((resolve, reject) => {
    const { host } = endpoint;
    const socket = connect({
      socket: stream,
      host,
      ...(isIP(host) === 0 ? { servername: host } : {}),
      secureContext: known.context,
      ...(known.session === undefined ? {} : { session: known.session }),
      rejectUnauthorized: false,
    });
    const settle = (outcome: () => void): void => {
      signal.removeEventListener('abort', onAbort);
      socket.off('error', onError).off('secureConnect', onSecure).off('close', onClose);
      outcome();
    };
    const fail = (error: Error): void =>
      settle(() => {
        socket.on('error', () => undefined).destroy();
        stream.destroy();
        reject(error);
      });
    const onAbort = (): void => fail(asError(signal.reason));
    const onError = (error: Error): void => fail(error);
    const onClose = (): void => fail(connectionEnded());
    const onSecure = (): void => {
      const fingerprint = socket.isSessionReused() ? known.fingerprint : shownBy(socket);
      const disbelief = disbeliefIn(socket, endpoint, fingerprint ?? 'none');
      if (disbelief !== undefined) return fail(disbelief);
      socket.on('session', (session) => Object.assign(known, { session, fingerprint }));
      return settle(() => resolve({ socket, fingerprint }));
    };
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    return void socket.once('error', onError).once('close', onClose).once('secureConnect', onSecure);
  });
}

const shownBy = (socket: TLSSocket): string | undefined => socket.getPeerX509Certificate()?.fingerprint256;

function disbeliefIn(socket: TLSSocket, endpoint: Endpoint, shown: string): Problem | undefined {
  const { trust } = endpoint;
  if (trust.kind === 'anything') return undefined;
  if (trust.kind !== 'pinned') return socket.authorized ? undefined : unbelieved(socket, endpoint, shown);
  if (trust.fingerprint === shown) return undefined;
  return new Problem(
    'proxmox-fingerprint',
    `${endpoint.name} shows a certificate with the fingerprint ${shown}, and ${trust.fingerprint} is pinned.`,
    { remedy: compare(endpoint, 'then pin the new one', shown) },
  );
}

function unbelieved(socket: TLSSocket, endpoint: Endpoint, shown: string): Problem {
  const code = String((socket.authorizationError as NodeJS.ErrnoException | null)?.code ?? socket.authorizationError);
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID') return notNow(socket, endpoint, code);
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return otherName(endpoint, shown);
  const by = endpoint.trust.kind === 'authority' ? 'the certificate authority of the file' : 'this system';
  return new Problem(
    'proxmox-unknown-authority',
    `${endpoint.name} shows a certificate that ${by} does not vouch for; its fingerprint is ${shown}.`,
    { remedy: compare(endpoint, 'then pin it', shown) },
  );
}

const otherName = (endpoint: Endpoint, shown: string): Problem =>
  new Problem(
    'proxmox-other-name',
    `${endpoint.name} shows a certificate for other names and addresses; its fingerprint is ${shown}.`,
    {
      remedy: `Use a name that the certificate has. Or ${lowerFirst(compare(endpoint, 'then pin it', shown))}`,
    },
  );

function notNow(socket: TLSSocket, endpoint: Endpoint, code: string): Problem {
  const { validFrom, validTo } = socket.getPeerX509Certificate() ?? { validFrom: '?', validTo: '?' };
  const when = code === 'CERT_HAS_EXPIRED' ? `was valid until ${validTo}` : `is valid from ${validFrom} on`;
  return new Problem(
    'proxmox-certificate-date',
    `${endpoint.name} shows a certificate that ${when}, by the clock of this machine.`,
    {
      remedy: `Compare the clocks; when they agree, renew the certificate of the host:\n    ssh root@${endpoint.host} pvecm updatecerts --force`,
    },
  );
}

const compare = ({ host }: Endpoint, then: string, shown: string): string =>
  `Compare it with what the host itself says, ${then}: tls.fingerprint: "${shown}".\n    ssh root@${host} openssl x509 -noout -fingerprint -sha256 -in /etc/pve/local/pve-ssl.pem`;

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

export const connectionEnded = (): Error =>
  Object.assign(new Error('the other end closed the connection'), { code: 'ECONNRESET' });

const asError = (reason: unknown): Error => (reason instanceof Error ? reason : new Error(String(reason)));
