import { stringify } from 'yaml';
import type { Clock } from '../../model/clock.ts';
import type { Entropy } from '../../model/entropy.ts';
import { newClient } from '../pki/client.ts';
import { hourMs, lifeFrom } from '../pki/life.ts';
import { toBase64 } from '../pki/pem.ts';
import type { CertificateAndKey, SecretsBundle } from '../secrets/bundle.ts';

export type KubeconfigRequest = {
  readonly bundle: SecretsBundle;
  /** The cluster’s name; user and context are `admin@<name>`. */
  readonly cluster: string;
  /** As in the machine config: https://host:port. */
  readonly endpoint: string;
  /** Further authorities that the cluster accepts, as PEM, while one takes over from another. */
  readonly acceptedCAs?: readonly string[];
  readonly ttlMs?: number;
};

const adminLifeMs = 8760 * hourMs;
/** A node’s clock may be behind ours. */
const skewMs = 10_000;

/** Who an administrator of Kubernetes is. */
export function newKubernetesAdmin(
  { bundle, ttlMs = adminLifeMs }: Pick<KubeconfigRequest, 'bundle' | 'ttlMs'>,
  entropy: Entropy,
  clock: Clock,
): Promise<CertificateAndKey> {
  const now = clock.now();
  return newClient(
    {
      authority: bundle.certs.k8s,
      subject: { organizations: ['system:masters'], commonName: 'admin' },
      life: lifeFrom(new Date(now.getTime() - skewMs), ttlMs + skewMs),
      uses: ['digitalSignature', 'keyEncipherment'],
    },
    entropy,
  );
}

/** The kubeconfig that a node would hand out, made without one. */
export async function newKubeconfig(request: KubeconfigRequest, entropy: Entropy, clock: Clock): Promise<string> {
  const { bundle, cluster, endpoint } = request;
  const client = await newKubernetesAdmin(request, entropy, clock);
  const authorities = [...(request.acceptedCAs ?? []), bundle.certs.k8s.crt].join('');
  const user = `admin@${cluster}`;
  const file = {
    apiVersion: 'v1',
    clusters: [{ cluster: { 'certificate-authority-data': toBase64(authorities), server: endpoint }, name: cluster }],
    contexts: [{ context: { cluster, namespace: 'default', user }, name: user }],
    'current-context': user,
    kind: 'Config',
    users: [
      {
        name: user,
        user: { 'client-certificate-data': toBase64(client.crt), 'client-key-data': toBase64(client.key) },
      },
    ],
  };
  // kubectl reads YAML 1.1, where a cluster called "on" would be a yes.
  return stringify(file, { lineWidth: 0, indentSeq: false, compat: 'yaml-1.1' });
}
