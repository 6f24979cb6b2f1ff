/** A value of DER: its tag, what it holds, and the whole of it. */
export type DerValue = { readonly tag: number; readonly body: Buffer; readonly whole: Buffer };

export const tag = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  oid: 0x06,
  utf8: 0x0c,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const;

export function der(kind: number, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([kind]), lengthOf(body.length), body]);
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const hex = length.toString(16);
  const bytes = Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex');
  return Buffer.concat([Buffer.from([0x80 | bytes.length]), bytes]);
}

export const sequence = (...parts: readonly Uint8Array[]): Buffer => der(tag.sequence, ...parts);

export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const bytes = [first * 40 + second];
  for (const arc of rest) {
    const septets = [arc & 0x7f];
    for (let left = arc >> 7; left > 0; left >>= 7) septets.unshift((left & 0x7f) | 0x80);
    bytes.push(...septets);
  }
  return der(tag.oid, Buffer.from(bytes));
}

/** Of bytes that mean a number without sign. */
export function integer(bytes: Uint8Array): Buffer {
  let start = 0;
  while (start < bytes.length - 1 && bytes[start] === 0) start += 1;
  const rest = bytes.subarray(start);
  return der(tag.integer, (rest[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.from([0]), rest]) : rest);
}

/** Times until 2049 are written short, as the standard wants it. */
export function time(date: Date): Buffer {
  const digits = date.toISOString().replace(/[-:T]/g, '').slice(0, 14);
  return date.getUTCFullYear() < 2050
    ? der(tag.utcTime, Buffer.from(`${digits.slice(2)}Z`))
    : der(tag.generalizedTime, Buffer.from(`${digits}Z`));
}

export function readDer(bytes: Buffer): DerValue {
  const kind = bytes[0];
  let length = bytes[1];
  if (kind === undefined || length === undefined) throw new Error('DER ends too early.');
  let start = 2;
  if (length >= 0x80) {
    const count = length & 0x7f;
    if (count === 0 || count > 4 || bytes.length < 2 + count)
      throw new Error('DER has a length that nothing can have.');
    length = bytes.readUIntBE(2, count);
    start += count;
  }
  if (bytes.length < start + length) throw new Error('DER ends too early.');
  return { tag: kind, body: bytes.subarray(start, start + length), whole: bytes.subarray(0, start + length) };
}

export function readAll(body: Buffer): DerValue[] {
  const values: DerValue[] = [];
  for (let rest = body; rest.length > 0;) {
    const value = readDer(rest);
    values.push(value);
    rest = rest.subarray(value.whole.length);
  }
  return values;
}
