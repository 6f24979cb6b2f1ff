import { gunzipSync } from 'node:zlib';
import { GrpcStatus } from './status.ts';

/** What a node reads at most in one message. */
const largestMessage = 33_554_432;
const prefixLength = 5;

export function frame(message: Uint8Array): Buffer {
  const framed = Buffer.allocUnsafe(5 + message.length);
  framed[0] = 0;
  framed.writeUInt32BE(message.length, 1);
  framed.set(message, 5);
  return framed;
}

/** Cuts a stream of bytes into messages; chunks are put together when a message is whole, and not before. */
export function frameReader(): { push(chunk: Buffer): Uint8Array[]; readonly rest: () => number } {
  let chunks: Buffer[] = [];
  let held = 0;
  const joined = (): Buffer => {
    const [only] = chunks;
    const all = chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks);
    chunks = [all];
    return all;
  };
  let wanted = prefixLength;
  return {
    rest: () => held,
    push: (chunk) => {
      chunks.push(chunk);
      held += chunk.length;
      const messages: Uint8Array[] = [];
      while (held >= wanted) {
        const all = joined();
        const length = all.readUInt32BE(1);
        if (length > largestMessage)
          throw new GrpcStatus(
            'RESOURCE_EXHAUSTED',
            `grpc: received message larger than max (${length} vs. ${largestMessage})`,
          );
        wanted = prefixLength + length;
        if (held < wanted) break;
        const body = all.subarray(prefixLength, wanted);
        messages.push(all[0] === 1 ? gunzipSync(body) : body);
        const left = all.subarray(wanted);
        chunks = left.length === 0 ? [] : [left];
        held = left.length;
        wanted = prefixLength;
      }
      return messages;
    },
  };
}

/** As the header `grpc-message` wants it. */
export const percentEncoded = (text: string): string =>
  [...Buffer.from(text, 'utf8')]
    .map((byte) =>
      byte >= 0x20 && byte <= 0x7e && byte !== 0x25
        ? String.fromCharCode(byte)
        : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`,
    )
    .join('');

export function percentDecoded(text: string): string {
  const bytes: number[] = [];
  for (let at = 0; at < text.length; at++) {
    const escape = /^%([0-9a-fA-F]{2})/.exec(text.slice(at, at + 3))?.[1];
    if (escape === undefined) bytes.push(text.charCodeAt(at));
    else {
      bytes.push(Number.parseInt(escape, 16));
      at += 2;
    }
  }
  return Buffer.from(bytes).toString('utf8');
}

const timeoutUnits: Readonly<Record<string, number>> = { H: 3_600_000, M: 60_000, S: 1000, m: 1, u: 1e-3, n: 1e-6 };

/** Milliseconds of a `grpc-timeout` header. */
export function timeoutMs(header: string | undefined): number | undefined {
  const [, amount, unit] = /^(\d{1,8})([HMSmun])$/.exec(header ?? '') ?? [];
  return amount === undefined || unit === undefined ? undefined : Number(amount) * (timeoutUnits[unit] ?? 1);
}
