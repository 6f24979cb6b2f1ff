import type { Fields } from './document.ts';
import type { DiskKey } from './intent.ts';

/** A partition locked with one key; old and new documents say it alike. */
export const encryptionFields = (key: DiskKey): Fields => ({
  provider: 'luks2',
  keys: [{ slot: 0, ...keyFields(key) }],
});

function keyFields(key: DiskKey): Fields {
  switch (key.kind) {
    case 'nodeID':
      return { nodeID: {} };
    case 'tpm':
      return { tpm: {} };
    case 'passphrase':
      return { static: { passphrase: key.passphrase } };
    case 'kms':
      return { kms: { endpoint: key.endpoint } };
  }
}
