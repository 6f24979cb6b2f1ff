import { randomBytes } from 'node:crypto';

const alphabet = '0123456789abcdefghijklmnopqrstuv';
const bytesOfId = 12;

/** Ids of events: twenty characters, in order of time. */
export function xidSource(): (at: Date) => string {
  const machine = randomBytes(5);
  let counter = randomBytes(3).readUIntBE(0, 3);
  return (at) => {
    const id = Buffer.alloc(bytesOfId);
    id.writeUInt32BE(Math.floor(at.getTime() / 1000));
    machine.copy(id, 4);
    counter = (counter + 1) % 0x1_00_00_00;
    id.writeUIntBE(counter, 9, 3);
    return base32(id);
  };
}

function base32(bytes: Buffer): string {
  let text = '';
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = (value << 8) | byte;
    bits += 8;
    for (; bits >= 5; bits -= 5) text += alphabet[(value >> (bits - 5)) & 31];
    value &= (1 << bits) - 1;
  }
  return bits === 0 ? text : text + alphabet[(value << (5 - bits)) & 31];
}

export const isXid = (text: string): boolean => /^[0-9a-v]{19}[0-9a-v]$/.test(text);
