import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { checkServerIdentity, connect, createSecureContext, type SecureContext, type TLSSocket } from 'node:tls';
import { Problem } from '../../../model/problem.ts';
import type { Identity } from '../credentials/proof.ts';
import type { Endpoint } from './endpoint.ts';
import { asError, connectionEnded } from './tcp.ts';

export type Trust = {
  readonly ca: string | undefined;
  readonly insecure: boolean;
  /** Others that serve the same API: a certificate for one of them is as good, as that of a virtual address that is still to come. */
  readonly alsoNamed?: () => readonly string[];
};

/** What connections with one identity have in common; most of the work of a handshake is to make this. */
export type Acquaintance = {
  readonly context: SecureContext;
  /** Kept of one whose server was believed: the next one resumes it. */
  session: Buffer | undefined;
};

export function acquaintance({ ca }: Trust, { certificate }: Identity): Acquaintance {
  // A context takes any text as an authority, and then believes nobody.
  if (ca !== undefined) judged('kubernetes-authority', 'certificate authority', () => new X509Certificate(ca));
  return judged('kubernetes-client-certificate', 'client certificate', () => ({
    context: createSecureContext({
      minVersion: 'TLSv1.2',
      ...(ca === undefined ? {} : { ca }),
      ...(certificate === undefined ? {} : { cert: certificate.crt, key: certificate.key }),
    }),
    session: undefined,
  }));
}

function judged<T>(code: string, what: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    // What OpenSSL says here is for us; it may quote the key.
    const because = (error as NodeJS.ErrnoException).code === 'ERR_OSSL_X509_KEY_VALUES_MISMATCH';
    throw new Problem(
      code,
      because ? 'The key does not belong to the client certificate.' : `The ${what} is not PEM that can be read.`,
      { remedy: 'See what the kubeconfig has for this cluster:\n    kubectl config view --minify --flatten' },
    );
  }
}

/** Not a byte of ours is sent before the server is believed. */
export function handshake(
  stream: Duplex,
  endpoint: Endpoint,
  trust: Trust,
  known: Acquaintance,
  signal: AbortSignal,
): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const { tlsName } = endpoint;
    const socket = connect({
      socket: stream,
      host: tlsName,
      ...(isIP(tlsName) === 0 ? { servername: tlsName } : {}),
      secureContext: known.context,
      ALPNProtocols: ['http/1.1'],
      ...(known.session === undefined ? {} : { session: known.session }),
      rejectUnauthorized: false,
      checkServerIdentity: (host, shown) => {
        const wrong = checkServerIdentity(host, shown);
        const others = wrong === undefined ? [] : (trust.alsoNamed?.() ?? []);
        return others.some((other) => checkServerIdentity(other, shown) === undefined) ? undefined : wrong;
      },
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
      if (!trust.insecure && !socket.authorized) return fail(disbelief(socket, endpoint, trust));
      socket.on('session', (session) => (known.session = session));
      return settle(() => resolve(socket));
    };
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    return void socket.once('error', onError).once('close', onClose).once('secureConnect', onSecure);
  });
}

function disbelief(socket: TLSSocket, endpoint: Endpoint, trust: Trust): Problem {
  const code = String((socket.authorizationError as NodeJS.ErrnoException | null)?.code ?? socket.authorizationError);
  const shown = socket.getPeerX509Certificate();
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID') return notNow(endpoint, shown, code);
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return otherName(endpoint, shown);
  const by = trust.ca === undefined ? 'this system' : 'the certificate authority of the kubeconfig';
  return new Problem(
    'kubernetes-unknown-authority',
    `${endpoint.name} shows a certificate that ${by} does not vouch for: this is another cluster, something in between, or a cluster whose authority was replaced.`,
    {
      remedy: `Fetch the kubeconfig anew, or compare what the server shows:\n    openssl s_client -connect ${endpoint.name} -showcerts </dev/null`,
    },
  );
}

const otherName = (endpoint: Endpoint, shown: X509Certificate | undefined): Problem =>
  new Problem(
    'kubernetes-other-name',
    `${endpoint.name} shows a certificate for other names than ${endpoint.tlsName}: ${shown?.subjectAltName?.replaceAll('IP Address:', '').replaceAll('DNS:', '') ?? 'none'}.`,
    {
      remedy:
        'Use one of these names as the server, or say which one is meant:\n    kubectl config set-cluster NAME --tls-server-name kubernetes.default.svc',
    },
  );

function notNow(endpoint: Endpoint, shown: X509Certificate | undefined, code: string): Problem {
  const when =
    code === 'CERT_HAS_EXPIRED' ? `was valid until ${shown?.validTo}` : `is valid from ${shown?.validFrom} on`;
  return new Problem(
    'kubernetes-certificate-date',
    `${endpoint.name} shows a certificate that ${when}, by the clock of this machine.`,
    {
      remedy:
        'Compare the clocks; when they agree, the control plane has to renew its certificate. Talos does that when a control plane restarts:\n    date -u',
    },
  );
}
