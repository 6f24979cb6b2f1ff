import { setTimeout } from 'node:timers/promises';
import { generateKeyPair, randomBytes, type KeyPairKeyObjectResult } from 'node:crypto';
import { promisify } from 'node:util';
import type { Clock } from '../model/clock.ts';
import type { Entropy, KeyKind } from '../model/entropy.ts';
import type { Pause } from '../model/pause.ts';
import { shared } from '../model/signals.ts';

const makeKeyPair = promisify(generateKeyPair);

const makers: Readonly<Record<KeyKind, () => Promise<KeyPairKeyObjectResult>>> = {
  ed25519: () => makeKeyPair('ed25519'),
  p256: () => makeKeyPair('ec', { namedCurve: 'P-256' }),
  rsa4096: () => makeKeyPair('rsa', { modulusLength: 4096 }),
};

export const systemClock: Clock = { now: () => new Date() };

export const systemEntropy: Entropy = {
  bytes: (length) => new Uint8Array(randomBytes(length)),
  keyPair: async (kind) => {
    const { privateKey, publicKey } = await makers[kind]();
    return {
      kind,
      privateKey: new Uint8Array(privateKey.export({ format: 'der', type: 'pkcs8' })),
      publicKey: new Uint8Array(publicKey.export({ format: 'der', type: 'spki' })),
    };
  },
};

export const systemPause: Pause = (ms, signal) => setTimeout(ms, undefined, { signal: shared(signal) });
