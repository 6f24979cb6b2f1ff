import { request as plainRequest, type IncomingMessage } from 'node:http';
import { request as secureRequest } from 'node:https';
import { isIP } from 'node:net';
import { checkServerIdentity, rootCertificates, type TLSSocket } from 'node:tls';

export type WebOptions = {
  /** Whether certificates have to be good. */
  readonly verify: boolean;
  /** PEMs that are trusted besides those that everybody trusts. */
  readonly trust: readonly string[];
  readonly signal: AbortSignal;
};

/** What is wrong with the certificate of a server. */
export type Distrust = {
  /** `UNABLE_TO_VERIFY_LEAF_SIGNATURE` …; undefined: its issuer is known. */
  readonly issuer: string | undefined;
  /** It is for somebody else. */
  readonly otherName: boolean;
};

export type Opened = { readonly response: IncomingMessage; readonly distrust: Distrust | undefined };

/** A server that could not be asked; `code` is that of the system. */
export class WebFailure extends Error {
  override readonly name = 'WebFailure';
  readonly code: string;
  readonly distrust: Distrust | undefined;

  constructor(code: string, distrust?: Distrust) {
    super(code);
    this.code = code;
    this.distrust = distrust;
  }
}

/** Asks once, over a connection of its own; redirections are the caller’s. */
export function openUrl(method: 'GET' | 'HEAD', url: URL, { verify, trust, signal }: WebOptions): Promise<Opened> {
  return new Promise((resolve, reject) => {
    let distrust: Distrust | undefined;
    const options = { method, signal, agent: false, headers: { 'User-Agent': 'Wget/1.25.0', Accept: '*/*' } } as const;
    const request =
      url.protocol === 'https:'
        ? secureRequest(url, { ...options, rejectUnauthorized: false, ca: [...rootCertificates, ...trust] })
        : plainRequest(url, options);
    request.once('socket', (socket) =>
      socket.once('secureConnect', () => {
        distrust = distrustOf(socket as TLSSocket, url);
        if (distrust !== undefined && verify) request.destroy(new WebFailure('CERTIFICATE', distrust));
      }),
    );
    request.once('response', (response) => resolve({ response, distrust }));
    request.once('error', (error: NodeJS.ErrnoException) =>
      reject(error instanceof WebFailure ? error : new WebFailure(error.code ?? error.message)),
    );
    request.end();
  });
}

function distrustOf(socket: TLSSocket, { hostname }: URL): Distrust | undefined {
  const name = hostname.replace(/^\[(.*)\]$/, '$1');
  const otherName = checkServerIdentity(name, socket.getPeerCertificate()) !== undefined;
  // With a name that does not fit, Node tells of that in the place of the issuer.
  const told = socket.authorized ? undefined : String(socket.authorizationError);
  const issuer = told === 'ERR_TLS_CERT_ALTNAME_INVALID' ? undefined : told;
  return issuer === undefined && !otherName ? undefined : { issuer, otherName };
}

/** Where a redirection leads; undefined: it is none. */
export function redirectionOf({ statusCode = 0, headers }: IncomingMessage): string | undefined {
  return [301, 302, 303, 307, 308].includes(statusCode) ? headers.location : undefined;
}

export const portOf = ({ port, protocol }: URL): string => (port !== '' ? port : protocol === 'https:' ? '443' : '80');

export const isAddress = ({ hostname }: URL): boolean => isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0;
