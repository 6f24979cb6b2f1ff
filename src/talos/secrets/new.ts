import type { Clock } from '../../model/clock.ts';
import type { Entropy } from '../../model/entropy.ts';
import type { Contract } from '../config/contract.ts';
import { newAuthority } from '../pki/authority.ts';
import { privateKeyPem } from '../pki/pem.ts';
import type { SecretsBundle } from './bundle.ts';
import { newToken } from './token.ts';

/** Everything anew. For a cluster that exists this is never right: its own bundle is adopted. */
export async function newSecrets(entropy: Entropy, clock: Clock, contract: Contract): Promise<SecretsBundle> {
  const secret = (): string => Buffer.from(entropy.bytes(32)).toString('base64');
  return {
    cluster: { id: clusterId(secret(), contract), secret: secret() },
    secrets: { bootstraptoken: newToken(entropy), secretboxencryptionsecret: secret() },
    trustdinfo: { token: newToken(entropy) },
    certs: {
      etcd: await newAuthority('etcd', entropy, clock),
      k8s: await newAuthority('k8s', entropy, clock),
      k8saggregator: await newAuthority('k8saggregator', entropy, clock),
      k8sserviceaccount: { key: privateKeyPem(await entropy.keyPair('rsa4096')) },
      os: await newAuthority('os', entropy, clock),
    },
  };
}

/** Up to 1.13 in the alphabet for URLs, its padding kept. */
const clusterId = (standard: string, contract: Contract): string =>
  contract === '1.14' ? standard : standard.replaceAll('+', '-').replaceAll('/', '_');
