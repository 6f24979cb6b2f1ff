import type { Clock } from '../../model/clock.ts';
import type { Entropy } from '../../model/entropy.ts';
import type { CertificateAndKey } from '../secrets/bundle.ts';
import { newCertificate } from './certificate.ts';
import { hourMs, lifeFrom } from './life.ts';
import { privateKeyPem, readPrivateKey } from './pem.ts';

/** Ten years of 365 days. */
const authorityLifeMs = 87_600 * hourMs;

/** Every authority of a cluster. The aggregator has no name at all, and Talos relies on none. */
const authorities = {
  etcd: { kind: 'p256', organizations: ['etcd'] },
  k8s: { kind: 'p256', organizations: ['kubernetes'] },
  k8saggregator: { kind: 'p256', organizations: [] },
  os: { kind: 'ed25519', organizations: ['talos'] },
} as const;

export type AuthorityName = keyof typeof authorities;

export async function newAuthority(name: AuthorityName, entropy: Entropy, clock: Clock): Promise<CertificateAndKey> {
  const { kind, organizations } = authorities[name];
  const pair = await entropy.keyPair(kind);
  const key = privateKeyPem(pair);
  const signingKey = readPrivateKey(key);
  if (signingKey === undefined) throw new Error('A key that was just made cannot be read.');
  const crt = await newCertificate(
    {
      subject: { organizations },
      issuer: undefined,
      signingKey,
      publicKey: pair.publicKey,
      ...lifeFrom(clock.now(), authorityLifeMs),
      uses: ['digitalSignature', 'keyCertSign'],
      extendedUses: ['serverAuth', 'clientAuth'],
    },
    entropy,
  );
  return { crt, key };
}
