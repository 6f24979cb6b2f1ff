/** What nobody can foresee. Handed in, so that a test can repeat it. */
export type Entropy = {
  readonly bytes: (length: number) => Uint8Array;
  readonly keyPair: (kind: KeyKind) => Promise<KeyPair>;
};

export type KeyKind = 'ed25519' | 'p256' | 'rsa4096';

/** Both halves as DER: PKCS#8 and SubjectPublicKeyInfo. */
export type KeyPair = { readonly kind: KeyKind; readonly privateKey: Uint8Array; readonly publicKey: Uint8Array };
