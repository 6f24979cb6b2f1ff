import type { Entropy } from '../../model/entropy.ts';
import type { Manifest } from '../../model/manifest.ts';

/** Where Cilium's chart looks for the keys of IPsec. */
export const ipsecSecret = { apiVersion: 'v1', kind: 'Secret', name: 'cilium-ipsec-keys', namespace: 'kube-system' };

/** A first key; made once, and never again: nodes with different keys do not understand each other. */
export function newIpsecKeys(entropy: Entropy): Manifest {
  // 16 bytes of key and 4 of salt; the plus asks for a key of its own between every two nodes.
  const key = Buffer.from(entropy.bytes(20)).toString('hex');
  const { apiVersion, kind, name, namespace } = ipsecSecret;
  return {
    apiVersion,
    kind,
    metadata: { name, namespace },
    type: 'Opaque',
    stringData: { keys: `3+ rfc4106(gcm(aes)) ${key} 128` },
  };
}
