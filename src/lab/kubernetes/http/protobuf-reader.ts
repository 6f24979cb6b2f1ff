/** One field of a message: a number, or bytes; the other one is empty. */
type WireField = { readonly number: number; readonly value: bigint; readonly bytes: Buffer };

const nothing = Buffer.alloc(0);

/** The bytes of a protobuf message, field by field. */
export class ProtobufReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  *fields(): Generator<WireField> {
    while (this.#at < this.#bytes.length) {
      const tag = Number(this.#varint());
      const number = tag >>> 3;
      switch (tag & 7) {
        case 0:
          yield { number, value: this.#varint(), bytes: nothing };
          break;
        case 1:
          yield { number, value: 0n, bytes: this.#take(8) };
          break;
        case 2:
          yield { number, value: 0n, bytes: this.#take(Number(this.#varint())) };
          break;
        case 5:
          yield { number, value: 0n, bytes: this.#take(4) };
          break;
        default:
          throw new Error(`proto: illegal wireType ${tag & 7}`);
      }
    }
  }

  #varint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) throw new Error('unexpected EOF');
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw new Error('proto: integer overflow');
  }

  #take(length: number): Buffer {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new Error('unexpected EOF');
    const part = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return part;
  }
}
