import type { Clock } from '../../model/clock.ts';
import type { Entropy } from '../../model/entropy.ts';
import { readCertificate } from '../pki/pem.ts';
import type { SecretsBundle } from '../secrets/bundle.ts';
import { adminRole, newAdmin } from './new.ts';
import { noContext, readTalosconfig } from './read.ts';
import { rewriteContext } from './rewrite.ts';

export type RenewalRequest = {
  /** The file as it is, and its name. */
  readonly text: string;
  readonly file: string;
  readonly context: string;
  readonly bundle: SecretsBundle;
  readonly ttlMs?: number;
};

/** The same context with a new certificate: same roles, endpoints and nodes, and every other context as it was. */
export async function renewTalosconfig(request: RenewalRequest, entropy: Entropy, clock: Clock): Promise<string> {
  const { bundle, ttlMs, context } = request;
  const config = readTalosconfig(request.text, request.file);
  const before = config.contexts.get(context);
  if (before === undefined) throw noContext(config, request.file, context);
  const roles = before.crt === undefined ? [adminRole] : rolesOf(before.crt);
  const { crt, key } = await newAdmin({ bundle, roles, ...(ttlMs === undefined ? {} : { ttlMs }) }, entropy, clock);
  return rewriteContext(request, context, { ca: bundle.certs.os.crt, crt, key });
}

/** What a certificate allows: its organizations. */
export function rolesOf(crt: string): readonly string[] {
  const organizations: unknown = readCertificate(crt)?.toLegacyObject().subject.O;
  return [organizations ?? []].flat().map(String);
}

/** Whether a certificate comes from this bundle’s Talos authority. */
export function isIssuedBy(crt: string, bundle: SecretsBundle): boolean {
  const [leaf, authority] = [readCertificate(crt), readCertificate(bundle.certs.os.crt)];
  return leaf !== undefined && authority !== undefined && leaf.verify(authority.publicKey);
}
