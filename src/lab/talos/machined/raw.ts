import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import type { Call } from '../../grpc/server.ts';
import type { Handler, LocalCall } from './call.ts';

/** A field of a message that the product never reads, and that we therefore have no .proto for. */
type RawValue = string | number | bigint | boolean | Uint8Array | { readonly double: number };
export type RawField = readonly [number: number, value: RawValue];

export function rawMessage(...fields: readonly RawField[]): Uint8Array {
  const out = new BinaryWriter();
  for (const [number, value] of fields) {
    if (value === '' || value === 0 || value === false || value === 0n) continue;
    if (typeof value === 'string') out.tag(number, WireType.LengthDelimited).string(value);
    else if (value instanceof Uint8Array) out.tag(number, WireType.LengthDelimited).bytes(value);
    else if (typeof value === 'boolean') out.tag(number, WireType.Varint).bool(value);
    else if (typeof value === 'object') out.tag(number, WireType.Bit64).double(value.double);
    else out.tag(number, WireType.Varint).int64(BigInt(value));
  }
  return out.finish();
}

/** `{messages: [x]}`. */
export const rawEnvelope = (...fields: readonly RawField[]): Uint8Array => rawMessage([1, rawMessage(...fields)]);

/** The text of a field in a request; empty when it is not there. */
export async function textIn(call: Call, number: number): Promise<string> {
  for await (const message of call.requests) {
    const reader = new BinaryReader(message);
    while (reader.pos < reader.len) {
      const [field, wire] = reader.tag();
      if (field === number && wire === WireType.LengthDelimited) return reader.string();
      reader.skip(wire);
    }
    return '';
  }
  return '';
}

export const rawUnary =
  (answer: (given: LocalCall) => Uint8Array | Promise<Uint8Array>): Handler =>
  async (given) =>
    given.call.send(await answer(given));
