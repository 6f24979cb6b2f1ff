import type { KeyObject } from 'node:crypto';
import { keyId } from '../access/account-tokens.ts';
import type { AccountTokens } from '../access/account-tokens.ts';

const algorithm = (key: KeyObject): string => (key.asymmetricKeyType === 'rsa' ? 'RS256' : 'ES256');

/** How others check tokens of this cluster’s service accounts. */
export const openIdConfiguration = (tokens: AccountTokens, address: string): object => ({
  issuer: tokens.issuer,
  jwks_uri: `https://${address}/openid/v1/jwks`,
  response_types_supported: ['id_token'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: [algorithm(tokens.publicKey())],
});

export function openIdKeys(tokens: AccountTokens): object {
  const key = tokens.publicKey();
  return { keys: [{ use: 'sig', kid: keyId(key), alg: algorithm(key), ...key.export({ format: 'jwk' }) }] };
}
