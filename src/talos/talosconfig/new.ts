import type { Clock } from '../../model/clock.ts';
import type { Entropy } from '../../model/entropy.ts';
import { newClient } from '../pki/client.ts';
import { hourMs, lifeFrom } from '../pki/life.ts';
import type { CertificateAndKey, SecretsBundle } from '../secrets/bundle.ts';
import type { Talosconfig } from './talosconfig.ts';

/** A year of 365 days. */
const adminLifeMs = 8760 * hourMs;

export const adminRole = 'os:admin';

export type AdminRequest = {
  readonly bundle: SecretsBundle;
  /** `os:admin` alone unless said otherwise. */
  readonly roles?: readonly string[];
  readonly ttlMs?: number;
};

export type TalosconfigRequest = AdminRequest & {
  /** The cluster’s name, which becomes the context’s. */
  readonly cluster: string;
  readonly endpoints: readonly string[];
  readonly nodes?: readonly string[];
};

/** The roles are the organizations of the certificate; it has no other name. */
export const newAdmin = (request: AdminRequest, entropy: Entropy, clock: Clock): Promise<CertificateAndKey> =>
  newClient(
    {
      authority: request.bundle.certs.os,
      subject: { organizations: [...new Set(request.roles ?? [adminRole])].toSorted() },
      life: lifeFrom(clock.now(), request.ttlMs ?? adminLifeMs),
      uses: ['digitalSignature'],
    },
    entropy,
  );

export async function newTalosconfig(
  request: TalosconfigRequest,
  entropy: Entropy,
  clock: Clock,
): Promise<Talosconfig> {
  const { crt, key } = await newAdmin(request, entropy, clock);
  const ca = request.bundle.certs.os.crt;
  const context = { endpoints: request.endpoints, nodes: request.nodes ?? [], ca, crt, key };
  return { context: request.cluster, contexts: new Map([[request.cluster, context]]) };
}
