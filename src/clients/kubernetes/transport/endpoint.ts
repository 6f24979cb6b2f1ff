import { Problem } from '../../../model/problem.ts';
import type { KubernetesTarget } from '../../kubernetes.ts';

/** Where requests of one target go. */
export type Endpoint = {
  readonly secure: boolean;
  readonly host: string;
  readonly port: number;
  /** As people write it: `10.10.0.5:6443`, `[fd00::5]:6443`. */
  readonly name: string;
  /** What comes before every path; empty as a rule. */
  readonly prefix: string;
  /** Whom the certificate must name. */
  readonly tlsName: string;
};

export function endpointOf({ server, tlsServerName }: KubernetesTarget): Endpoint {
  const url = urlOf(server);
  const secure = url.protocol === 'https:';
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const port = Number(url.port || (secure ? 443 : 80));
  return {
    secure,
    host,
    port,
    name: `${url.hostname}:${port}`,
    prefix: url.pathname.replace(/\/+$/, ''),
    tlsName: tlsServerName ?? host,
  };
}

/** `server` may be without a scheme; like kubectl we take that for http. */
function urlOf(server: string): URL {
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(server) ? server : `http://${server}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && (url.protocol === 'https:' || url.protocol === 'http:')) return url;
  throw new Problem('kubernetes-address', `"${server}" is not the address of an API server.`, {
    remedy: 'Write it as https://HOST:PORT:\n    kubectl config set-cluster NAME --server https://HOST:6443',
  });
}
