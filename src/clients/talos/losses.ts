import { Problem } from '../../model/problem.ts';
import type { Advice } from './problems.ts';

/** Why no answer came, for a person. */
export type Loss = Advice & { readonly because: string };

type Row = Loss & { readonly errors: readonly string[] };

/** What Node calls a failure to connect, or a connection that broke. TLS alerts come after a handshake that looked complete. */
const rows: readonly Row[] = [
  {
    errors: ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED'],
    code: 'talos-configured',
    recovery: 'ask',
    because: 'it is configured and wants a client certificate',
    remedy: 'Use the talosconfig of its cluster:\n    ichor talos version -n NODE --talosconfig FILE',
  },
  {
    errors: ['ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED', 'ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_EXPIRED'],
    code: 'talos-certificate-expired',
    recovery: 'ask',
    because: 'your client certificate has expired',
    remedy: 'Issue a new one from the secrets of the cluster:\n    ichor talos talosconfig renew',
  },
  {
    errors: ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA'],
    code: 'talos-other-cluster',
    recovery: 'ask',
    because: 'it is configured, and not ours: it does not know who signed your client certificate',
    remedy: 'Use the talosconfig of its cluster:\n    ichor talos version -n NODE --talosconfig FILE',
  },
  {
    errors: ['ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE', 'ERR_SSL_SSL/TLS_ALERT_BAD_CERTIFICATE'],
    code: 'talos-certificate-unfit',
    recovery: 'ask',
    because: 'your client certificate is not one for clients alone (extended key usage must be exactly clientAuth)',
    remedy: 'Issue a new one from the secrets of the cluster:\n    ichor talos talosconfig renew',
  },
  {
    errors: ['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID'],
    code: 'talos-clock',
    recovery: 'ask',
    because: 'its certificate is not valid now, by the clock of this machine',
    remedy: 'Compare the clocks of this machine and of the node:\n    date -u',
  },
  {
    errors: ['ERR_TLS_CERT_ALTNAME_INVALID'],
    code: 'talos-other-name',
    recovery: 'ask',
    because: 'its certificate is for other names and addresses',
    remedy: 'Reach the node at an address of its own, or add this one to machine.certSANs.',
  },
  {
    errors: [
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      'UNABLE_TO_GET_ISSUER_CERT',
      'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
      'SELF_SIGNED_CERT_IN_CHAIN',
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'CERT_SIGNATURE_FAILURE',
      'INVALID_CA',
    ],
    code: 'talos-other-cluster',
    recovery: 'ask',
    because: 'its certificate was not signed by the CA of your talosconfig',
    remedy: 'Use the talosconfig of its cluster:\n    ichor talos version -n NODE --talosconfig FILE',
  },
  {
    errors: ['ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', 'ERR_HTTP2_ERROR', 'EPROTO'],
    code: 'talos-no-talos',
    recovery: 'ask',
    because: 'something else than Talos answers there',
    remedy: 'Look at the address and the port.',
  },
  {
    errors: ['ENOTFOUND', 'EAI_AGAIN'],
    code: 'talos-no-address',
    recovery: 'ask',
    because: 'the name has no address',
    remedy: 'Use an address, or a name that this machine can resolve.',
  },
  {
    errors: ['ECONNREFUSED'],
    code: 'talos-unreachable',
    recovery: 'retry',
    because: 'nothing listens there; it may be starting, installing or waiting for a control plane',
    remedy: 'Look at its console, or wait.',
  },
  {
    errors: ['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'TimeoutError'],
    code: 'talos-unreachable',
    recovery: 'retry',
    because: 'it cannot be reached over the network',
    remedy: 'Look whether the machine is on, and whether port 50000 is open on the way to it.',
  },
];

const connectionLost: Loss = {
  code: 'talos-connection-lost',
  recovery: 'retry',
  because: 'the connection was lost',
  remedy: 'Ask again when the node is back:\n    ichor talos version -n NODE',
};

/** A node that has not taken its configuration yet shows a certificate that nobody’s CA signed. */
const maintenance: Loss = {
  code: 'talos-still-maintenance',
  recovery: 'wait',
  because: 'it is in maintenance mode',
  remedy: 'Give it its configuration, or wait until it has taken it:\n    ichor talos apply --insecure -n NODE',
};

export function lossOf(error: unknown): Loss {
  for (let at = error; at instanceof Error; at = at.cause) {
    const names = [(at as NodeJS.ErrnoException).code, at.name];
    // Whoever dialled for us knows better: a tunnel that could not be opened.
    if (at instanceof Problem && at.code.startsWith('ssh-'))
      return { code: at.code, recovery: at.recovery, because: at.message.replace(/\.$/, ''), remedy: at.remedy };
    const row = rows.find(({ errors }) => names.some((name) => name !== undefined && errors.includes(name)));
    if (row === undefined) continue;
    const unbelieved = row.errors.includes('UNABLE_TO_VERIFY_LEAF_SIGNATURE');
    if (unbelieved && 'shownBy' in at && at.shownBy === 'maintenance-service.talos.dev') return maintenance;
    const { errors: _, ...loss } = row;
    return loss;
  }
  return connectionLost;
}
