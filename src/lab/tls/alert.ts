import { createCipheriv, createHmac } from 'node:crypto';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';

/** Alerts with which a node ends a connection whose client certificate it does not take. */
export const tlsAlert = { badCertificate: 42, expired: 45, unknownCa: 48 } as const;

const recordType = { alert: 0x15, applicationData: 0x17 } as const;

/** The secret under which this side writes; known before the handshake ends. */
export function writeSecretOf(socket: TLSSocket): () => Buffer | undefined {
  let secret: Buffer | undefined;
  socket.on('keylog', (line) => {
    const hex = /^SERVER_TRAFFIC_SECRET_0 \S+ ([0-9a-f]+)/.exec(line.toString('latin1'))?.[1];
    if (hex !== undefined) secret = Buffer.from(hex, 'hex');
  });
  return () => secret;
}

/**
 * Node judges a client certificate after the handshake and hangs up without a word, and has no call for sending an alert.
 * Nothing has been written under the new keys yet, so the record below is the first one.
 */
export function sendAlert(raw: Socket, cipher: string, secret: Buffer, alert: number): void {
  const hash = cipher.endsWith('384') ? 'sha384' : 'sha256';
  const [algorithm, keyLength] = cipher.includes('CHACHA20')
    ? (['chacha20-poly1305', 32] as const)
    : cipher.includes('128')
      ? (['aes-128-gcm', 16] as const)
      : (['aes-256-gcm', 32] as const);
  const plain = Buffer.from([2, alert, recordType.alert]);
  const header = Buffer.from([recordType.applicationData, 3, 3, 0, plain.length + 16]);
  const sealed = createCipheriv(
    algorithm as 'aes-128-gcm',
    expand(hash, secret, 'key', keyLength),
    expand(hash, secret, 'iv', 12),
    { authTagLength: 16 },
  );
  sealed.setAAD(header, { plaintextLength: plain.length });
  raw.write(Buffer.concat([header, sealed.update(plain), sealed.final(), sealed.getAuthTag()]));
}

/** HKDF-Expand-Label of TLS 1.3, for lengths of one block. */
function expand(hash: string, secret: Buffer, label: string, length: number): Buffer {
  const name = Buffer.from(`tls13 ${label}`);
  const info = Buffer.concat([Buffer.from([0, length, name.length]), name, Buffer.from([0, 1])]);
  return createHmac(hash, secret).update(info).digest().subarray(0, length);
}
