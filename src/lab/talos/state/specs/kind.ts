import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { addressBytes, addressText, macBytes } from './address.ts';
import type { YamlValue } from '../go-yaml.ts';
import { inKeyOrder } from './key-order.ts';

/** A kind of value in a spec: how it is written in either encoding. */
export type Kind<T> = {
  readonly zero: T;
  readonly isZero: (value: T) => boolean;
  /** Writes tag and value; called for zero values only inside of lists. */
  readonly write: (out: BinaryWriter, number: number, value: T) => void;
  readonly yaml: (value: T) => YamlValue;
  /** What it is made of: the words of a choice, the kind of a list’s items, the fields of a spec. */
  readonly words?: readonly string[];
  readonly items?: AnyKind;
  readonly fields?: Readonly<Record<string, { readonly kind: AnyKind }>>;
};

// Whoever looks inside does not know which kind is there.
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyKind = Kind<any>;

const varint = (out: BinaryWriter, number: number): BinaryWriter => out.tag(number, WireType.Varint);
const bytes = (out: BinaryWriter, number: number, value: Uint8Array): void =>
  void out.tag(number, WireType.LengthDelimited).bytes(value);

export const text: Kind<string> = {
  zero: '',
  isZero: (value) => value === '',
  write: (out, number, value) => void out.tag(number, WireType.LengthDelimited).string(value),
  yaml: (value) => value,
};

export const flag: Kind<boolean> = {
  zero: false,
  isZero: (value) => !value,
  write: (out, number, value) => void varint(out, number).bool(value),
  yaml: (value) => value,
};

/** Signed or not: negative numbers are the same ten bytes in both. */
export const whole: Kind<number | bigint> = {
  zero: 0,
  isZero: (value) => value == 0,
  write: (out, number, value) => void varint(out, number).int64(BigInt.asIntN(64, BigInt(value))),
  yaml: (value) => value,
};

/** Words in YAML, numbers in protobuf. */
export function word<Word extends string>(numbers: Readonly<Record<Word, number>>, zero: NoInfer<Word>): Kind<Word> {
  return {
    zero,
    words: Object.keys(numbers),
    isZero: (value) => numbers[value] === 0,
    write: (out, number, value) => void varint(out, number).int64(numbers[value]),
    yaml: (value) => value,
  };
}

/** Several words at once, written in the order of their bits. */
export function words<Word extends string>(bits: Readonly<Record<Word, number>>): Kind<readonly Word[]> {
  const sum = (value: readonly Word[]): number => value.reduce((all, each) => all | bits[each], 0);
  const inOrder = (value: readonly Word[]): readonly Word[] => [...value].sort((a, b) => bits[a] - bits[b]);
  return {
    zero: [],
    words: Object.keys(bits),
    isZero: (value) => value.length === 0,
    write: (out, number, value) => void varint(out, number).uint32(sum(value)),
    yaml: (value) => inOrder(value).join(','),
  };
}

const addressMessage = (address: string): Uint8Array =>
  new BinaryWriter().tag(1, WireType.LengthDelimited).bytes(addressBytes(address)).finish();

export const ip: Kind<string> = {
  zero: '',
  isZero: (value) => value === '',
  write: (out, number, value) => bytes(out, number, value === '' ? new Uint8Array() : addressMessage(value)),
  yaml: addressText,
};

export const prefix: Kind<string> = {
  zero: '',
  isZero: (value) => value === '',
  write(out, number, value) {
    const [address = '', length = ''] = value.split('/');
    const message = new BinaryWriter();
    if (address !== '') message.raw(addressMessage(address));
    const bits = value === '' ? -1 : Number(length);
    if (bits !== 0) message.tag(2, WireType.Varint).int32(bits);
    bytes(out, number, message.finish());
  },
  yaml: (value) => value.replace(/^[^/]+/, addressText),
};

export const mac: Kind<string> = {
  zero: '',
  isZero: (value) => value === '',
  write: (out, number, value) => bytes(out, number, macBytes(value)),
  yaml: (value) => value,
};

export const list = <T>(of: Kind<T>): Kind<readonly T[]> => ({
  zero: [],
  items: of,
  isZero: (value) => value.length === 0,
  write: (out, number, value) => value.forEach((each) => of.write(out, number, each)),
  yaml: (value) => value.map((each) => of.yaml(each)),
});

export const textMap: Kind<Readonly<Record<string, string>>> = {
  zero: {},
  isZero: (value) => Object.keys(value).length === 0,
  write(out, number, value) {
    for (const [key, each] of inKeyOrder(Object.entries(value))) {
      const entry = new BinaryWriter();
      text.write(entry, 1, key);
      text.write(entry, 2, each);
      bytes(out, number, entry.finish());
    }
  },
  yaml: (value) => new Map(inKeyOrder(Object.entries(value))),
};
