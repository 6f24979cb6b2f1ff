import type { Entropy, KeyKind } from '../../model/entropy.ts';
import type { CertificateAndKey } from '../secrets/bundle.ts';
import { newCertificate, type KeyUse } from './certificate.ts';
import type { Life } from './life.ts';
import { privateKeyPem, readCertificate, readPrivateKey } from './pem.ts';
import type { Subject } from './subject.ts';

export type ClientRequest = {
  readonly authority: CertificateAndKey;
  readonly subject: Subject;
  readonly life: Life;
  readonly uses: readonly KeyUse[];
};

/** A certificate for a client, with a key of the same kind as its authority’s. */
export async function newClient(request: ClientRequest, entropy: Entropy): Promise<CertificateAndKey> {
  const signingKey = readPrivateKey(request.authority.key);
  const issuer = readCertificate(request.authority.crt);
  if (signingKey === undefined || issuer === undefined) throw new Error('The authority of a bundle cannot be read.');
  const pair = await entropy.keyPair(kindOf(signingKey.asymmetricKeyType));
  const crt = await newCertificate(
    {
      subject: request.subject,
      issuer: issuer.raw,
      signingKey,
      publicKey: pair.publicKey,
      ...request.life,
      uses: request.uses,
      extendedUses: ['clientAuth'],
    },
    entropy,
  );
  return { crt, key: privateKeyPem(pair) };
}

function kindOf(type: string | undefined): KeyKind {
  if (type === 'ed25519') return 'ed25519';
  return type === 'rsa' ? 'rsa4096' : 'p256';
}
