import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import type { KeyPair } from '../../model/entropy.ts';

/** One block: the label between the dashes, and the bytes inside. */
export type Pem = { readonly label: string; readonly der: Uint8Array };

const block = /-----BEGIN ([A-Z0-9 ]+)-----\r?\n([A-Za-z0-9+/=\r\n]*?)-----END \1-----/;

export function pemText({ label, der }: Pem): string {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.map((line) => `${line}\n`).join('')}-----END ${label}-----\n`;
}

/** The first block of a text; undefined when there is none. */
export function readPem(text: string): Pem | undefined {
  const [, label, body] = block.exec(text) ?? [];
  if (label === undefined || body === undefined) return undefined;
  return { label, der: new Uint8Array(Buffer.from(body, 'base64')) };
}

/** Files of Talos hold PEM texts in base64 once more. */
export const toBase64 = (text: string): string => Buffer.from(text).toString('base64');

export function fromBase64(text: string): string | undefined {
  const packed = text.replaceAll(/\s/g, '');
  const fits = packed.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(packed);
  return fits ? Buffer.from(packed, 'base64').toString() : undefined;
}

/** As Talos writes private keys: one label per algorithm, and a label of its own for Ed25519. */
export function privateKeyPem(pair: KeyPair): string {
  switch (pair.kind) {
    case 'ed25519':
      return pemText({ label: 'ED25519 PRIVATE KEY', der: pair.privateKey });
    case 'p256':
      return pemText({ label: 'EC PRIVATE KEY', der: pkcs8(pair.privateKey).export({ format: 'der', type: 'sec1' }) });
    case 'rsa4096':
      return pemText({
        label: 'RSA PRIVATE KEY',
        der: pkcs8(pair.privateKey).export({ format: 'der', type: 'pkcs1' }),
      });
  }
}

const pkcs8 = (der: Uint8Array): KeyObject => createPrivateKey({ key: Buffer.from(der), format: 'der', type: 'pkcs8' });

const forms: Readonly<Record<string, 'pkcs8' | 'sec1' | 'pkcs1'>> = {
  'ED25519 PRIVATE KEY': 'pkcs8',
  'EC PRIVATE KEY': 'sec1',
  'RSA PRIVATE KEY': 'pkcs1',
  'PRIVATE KEY': 'pkcs8',
};

/** Under any of the labels that Talos takes; undefined when it is no private key. */
export function readPrivateKey(text: string): KeyObject | undefined {
  const pem = readPem(text);
  const type = forms[pem?.label ?? ''];
  if (pem === undefined || type === undefined) return undefined;
  try {
    return createPrivateKey({ key: Buffer.from(pem.der), format: 'der', type });
  } catch {
    return undefined;
  }
}

export function readCertificate(text: string): X509Certificate | undefined {
  const pem = readPem(text);
  if (pem?.label !== 'CERTIFICATE') return undefined;
  try {
    return new X509Certificate(pem.der);
  } catch {
    return undefined;
  }
}

/** OpenSSL knows Ed25519 keys only under the label that all keys of this form have. */
export const opensslKey = (text: string): string =>
  text.replaceAll(/-----(BEGIN|END) ED25519 PRIVATE KEY-----/g, '-----$1 PRIVATE KEY-----');
