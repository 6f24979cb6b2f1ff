import type { Recovery } from '../../../model/problem.ts';
import { KubernetesProblem, problemIn, type Asked } from './problem.ts';

type Row = {
  readonly errors: readonly string[];
  readonly code?: string;
  readonly recovery?: Recovery;
  readonly because: string;
  readonly remedy?: string;
};

/** What Node, OpenSSL and undici call a failure to connect, or a connection that broke. */
const rows: readonly Row[] = [
  { errors: ['ECONNREFUSED'], because: 'nothing listens there' },
  {
    errors: ['ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA'],
    code: 'kubernetes-no-such-host',
    because: 'the name has no address',
    remedy: 'Look the name up, or use the address of a control plane:\n    getent hosts HOST',
  },
  { errors: ['EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN'], because: 'it cannot be reached over the network' },
  {
    errors: ['ETIMEDOUT', 'TimeoutError', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'],
    because: 'it took too long',
  },
  {
    errors: ['ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED', 'ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_EXPIRED'],
    code: 'kubernetes-client-certificate-expired',
    recovery: 'ask',
    because: 'your client certificate has expired',
    remedy: 'Fetch a new kubeconfig:\n    ichor talos kubeconfig',
  },
  {
    errors: [
      'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED',
      'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA',
      'ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE',
      'ERR_SSL_SSL/TLS_ALERT_BAD_CERTIFICATE',
    ],
    code: 'kubernetes-client-certificate',
    recovery: 'ask',
    because: 'it does not take your client certificate',
    remedy: 'Use the kubeconfig of this cluster:\n    kubectl config get-contexts',
  },
  {
    errors: ['ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_PACKET_LENGTH_TOO_LONG', 'EPROTO', 'HPE_INVALID_CONSTANT'],
    code: 'kubernetes-not-an-api-server',
    recovery: 'ask',
    because: 'something else than an API server answers there',
    remedy: 'Look what listens there, and whether the server of the kubeconfig is right:\n    curl -k ADDRESS/version',
  },
];

const usualRemedy =
  'Look whether the control plane is up, and whether this machine reaches it:\n    curl -k ADDRESS/readyz';

/** Nothing was sent. */
export function unreachable(error: unknown, asked: Asked): Error {
  const known = problemIn(error);
  if (known !== undefined) return known;
  const { code = 'kubernetes-unreachable', recovery = 'retry', because, remedy = usualRemedy } = rowOf(error);
  return new KubernetesProblem(
    code,
    `${asked.endpoint} could not be asked to ${asked.doing}: ${because}.`,
    {},
    { recovery, remedy: withAddress(remedy, asked) },
  );
}

/** It was sent, and what became of it is not known. */
export function lostAnswer(error: unknown, asked: Asked): Error {
  const known = problemIn(error);
  if (known !== undefined) return known;
  const { code = 'kubernetes-lost-answer', recovery = 'retry', because, remedy } = rowOf(error);
  return new KubernetesProblem(
    code,
    `${asked.endpoint} was asked to ${asked.doing}, and no answer came: ${because}.`,
    {},
    { recovery, remedy: withAddress(remedy ?? usualRemedy, asked) },
  );
}

const lost: Row = { errors: [], because: 'the connection was lost' };

function rowOf(error: unknown): Row {
  for (let at = error; at instanceof Error; at = at.cause) {
    const names = [(at as NodeJS.ErrnoException).code ?? '', at.name];
    const row = rows.find(({ errors }) => names.some((name) => errors.includes(name)));
    if (row !== undefined) return row;
    // A dial to several addresses fails with all of their errors.
    if (at instanceof AggregateError && at.errors.length > 0) return rowOf(at.errors[0]);
  }
  return lost;
}

const withAddress = (remedy: string, { endpoint }: Asked): string =>
  remedy.replaceAll('ADDRESS', `https://${endpoint}`).replaceAll('HOST', endpoint.replace(/:\d+$/, ''));
