import { addressFault, addressPortFault, prefixFault } from './go/net.ts';
import { parseBytes } from './go/numbers.ts';
import { wordsOf } from './fields/words.ts';

/** Read, or what is wrong with it. */
export type Read = { readonly value: unknown } | { readonly fault: string };

const read = (value: unknown): Read => ({ value });
const wrong = (fault: string): Read => ({ fault });
const unless = (fault: string | undefined, value: unknown): Read => (fault === undefined ? read(value) : wrong(fault));

/** Types that read themselves from a text. An empty one stays absent, where Talos takes it so. */
export function readText(type: string, text: string): Read {
  const short = type.split('.')[1] ?? type;
  switch (short) {
    case 'Addr':
      return text === '' ? read(undefined) : unless(addressFault(text), text);
    case 'Prefix':
      return text === '' ? read(undefined) : unless(prefixFault(text), text);
    case 'AddrPort':
      return text === '' ? read(undefined) : unless(addressPortFault(text), text);
    case 'Expression':
      return read(text === '' ? undefined : text);
    case 'HardwareAddr':
      return hardwareAddress(text);
    case 'ByteSize':
      return size(text);
    case 'Size':
      return text.includes('%') ? percentage(text) : size(text);
    case 'FailOverMAC':
      return ['', 'none', 'active', 'follow'].includes(text)
        ? read(text)
        : wrong(`invalid fail_over_mac value ${text}`);
    case 'RoutingTable':
      return routingTable(text);
    default:
      return oneOf(type, short, text);
  }
}

function oneOf(type: string, short: string, text: string): Read {
  const words = wordsOf[type];
  const found =
    words?.find((word) => word === text) ?? words?.find((word) => word.toLowerCase() === text.toLowerCase());
  if (words === undefined) return read(text);
  return found === undefined ? wrong(`${text} does not belong to ${short} values`) : read(found);
}

function routingTable(text: string): Read {
  const words = ['unspec', 'default', 'main', 'local'];
  const found = words.find((word) => word === text.toLowerCase());
  if (found !== undefined) return read(found);
  const number = /^\d+$/.test(text) ? Number(text) : -1;
  return number >= 1 && number <= 252 && String(number) === text
    ? read(text)
    : wrong(`${text} does not belong to RoutingTable values`);
}

function hardwareAddress(text: string): Read {
  const hex = text.replaceAll(':', '');
  const strange = /[^0-9a-fA-F]/u.exec(hex)?.[0];
  if (strange !== undefined) {
    const code = (strange.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return wrong(`encoding/hex: invalid byte: U+${code} '${strange}'`);
  }
  if (hex.length % 2 === 1) return wrong('encoding/hex: odd length hex string');
  return read(hex === '' ? undefined : hex.toLowerCase().replace(/(..)(?=.)/g, '$1:'));
}

export type Size = {
  readonly text: string;
  readonly bytes: bigint;
  readonly negative: boolean;
  readonly relative: boolean;
};

function size(text: string): Read {
  if (text === '') return read(undefined);
  const negative = text.startsWith('-');
  const bytes = parseBytes(negative ? text.slice(1) : text);
  return typeof bytes === 'string' ? wrong(bytes) : read({ text, bytes, negative, relative: false } satisfies Size);
}

function percentage(text: string): Read {
  if (!text.endsWith('%')) return wrong("percentage must end with '%'");
  const negative = text.startsWith('-');
  const digits = text.slice(negative ? 1 : 0, -1);
  if (!/^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/.test(digits))
    return wrong(`invalid percentage value: strconv.ParseFloat: parsing ${JSON.stringify(digits)}: invalid syntax`);
  const value = Number(digits);
  if (value < 0 || value > 100) return wrong(`percentage must be between 0 and 100, got ${value}`);
  return read({ text, bytes: BigInt(Math.floor(value)), negative, relative: true } satisfies Size);
}
