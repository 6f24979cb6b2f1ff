import { createHash, createPrivateKey, createPublicKey } from 'node:crypto';
import type { Clock } from '../src/model/clock.ts';
import type { Entropy, KeyKind, KeyPair } from '../src/model/entropy.ts';
import { rsaKeys } from './rsa-keys.ts';

/** The moment at which tests happen. */
export const testNow = new Date('2026-11-16T12:00:00Z');

export const testClock: Clock = { now: () => testNow };

/** The same bytes and keys for the same seed. Signatures with EC keys still differ: OpenSSL draws a number for each. */
export function seededEntropy(seed: string | number): Entropy {
  let counter = 0;
  const draw = (length: number): Buffer => {
    const blocks: Buffer[] = [];
    for (let have = 0; have < length; have += 32)
      blocks.push(createHash('sha256').update(`${seed}/${counter++}`).digest());
    return Buffer.concat(blocks).subarray(0, length);
  };
  return {
    bytes: (length) => new Uint8Array(draw(length)),
    keyPair: (kind) => Promise.resolve(pairOf(kind, makers[kind](draw))),
  };
}

type Draw = (length: number) => Buffer;

const ed25519Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');
const p256Prefix = Buffer.from('3041020100301306072a8648ce3d020106082a8648ce3d030107042730250201010420', 'hex');

const makers: Readonly<Record<KeyKind, (draw: Draw) => Buffer>> = {
  ed25519: (draw) => Buffer.concat([ed25519Prefix, draw(32)]),
  // With its first byte small a number is below the order of the curve.
  p256: (draw) => Buffer.concat([p256Prefix, Buffer.from([1]), draw(31)]),
  rsa4096: (draw) => Buffer.from(rsaKeys[(draw(1)[0] ?? 0) % rsaKeys.length] ?? '', 'base64'),
};

function pairOf(kind: KeyKind, pkcs8: Buffer): KeyPair {
  const key = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
  return {
    kind,
    privateKey: new Uint8Array(key.export({ format: 'der', type: 'pkcs8' })),
    publicKey: new Uint8Array(createPublicKey(key).export({ format: 'der', type: 'spki' })),
  };
}
