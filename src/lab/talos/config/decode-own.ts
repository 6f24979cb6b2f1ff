import { parseType } from './fields/table.ts';
import { decodeBase64 } from './go/base64.ts';
import { parseBytes } from './go/numbers.ts';
import { parseUrl } from './go/url.ts';
import { absent, fail, type Decode, type Reading } from './reading.ts';
import type { Node } from './yaml-node.ts';

/** A certificate, a key, or both, as bytes. */
export type Pem = { readonly crt: Uint8Array; readonly key: Uint8Array };

const aText = parseType('string');
const texts = parseType('[string');

/** Types that read themselves from a node. */
export function readOwn(type: string, node: Node, reading: Reading, decode: Decode): unknown {
  const short = type.split('.')[1] ?? type;
  if (short.startsWith('PEMEncoded')) return pem(short, node, reading, decode);
  if (short === 'ArgValue') return argument(node, reading, decode);
  if (short === 'PortRange') return portRange(node, reading, decode);
  const text = decode(node, aText, reading);
  if (typeof text !== 'string') return absent;
  switch (short) {
    case 'Endpoint':
      return url(text, node, reading);
    case 'URL':
      return text === '' ? absent : url(text, node, reading);
    case 'DiskSize':
      return bytes(text, node, reading);
    case 'Base64Bytes':
      return binary(text, node, reading);
    case 'InstallDiskSizeMatcher':
      return sizeCondition(text, node, reading);
    default:
      return text;
  }
}

function url(text: string, node: Node, reading: Reading): unknown {
  const parsed = parseUrl(text);
  return typeof parsed === 'string' ? fail(reading, node, parsed) : text;
}

function bytes(text: string, node: Node, reading: Reading): unknown {
  const size = parseBytes(text);
  return typeof size === 'string' ? fail(reading, node, size) : size;
}

function binary(text: string, node: Node, reading: Reading): Uint8Array | typeof absent {
  const data = decodeBase64(text);
  return typeof data === 'string' ? fail(reading, node, data) : data;
}

function pem(short: string, node: Node, reading: Reading, decode: Decode): unknown {
  const before = reading.errors.length;
  const read = decode(node, { kind: 'struct', name: `x509.${short}Text` }, reading);
  if (reading.errors.length > before || typeof read !== 'object' || read === null) return absent;
  const { crt = '', key = '' } = read as { readonly crt?: string; readonly key?: string };
  const [certificate, secret] = [short === 'PEMEncodedKey' ? '' : crt, short === 'PEMEncodedCertificate' ? '' : key];
  const first = binary(certificate, node, reading);
  if (first === absent) return absent;
  const second = secret === '******' ? Buffer.from(secret) : binary(secret, node, reading);
  return second === absent ? absent : ({ crt: first, key: second } satisfies Pem);
}

function argument(node: Node, reading: Reading, decode: Decode): unknown {
  const attempt = { ...reading, errors: [] };
  const text = decode(node, aText, attempt);
  if (attempt.errors.length === 0) return text === absent ? '' : text;
  const again = { ...reading, errors: [] };
  const list = decode(node, texts, again);
  return again.errors.length === 0 ? list : fail(reading, node, 'arg value must be a string or list of strings');
}

function portRange(node: Node, reading: Reading, decode: Decode): unknown {
  const attempt = { ...reading, errors: [] };
  const port = decode(node, parseType('uint16'), attempt);
  if (attempt.errors.length === 0 && typeof port === 'bigint') return { lo: Number(port), hi: Number(port) };
  const text = decode(node, aText, reading);
  if (typeof text !== 'string') return absent;
  const [, lo = '', hi = ''] = /^(\d+)-(\d+)$/.exec(text) ?? [];
  if (lo === '' || Number(lo) > 65_535 || Number(hi) > 65_535)
    return fail(reading, node, `invalid port range: ${JSON.stringify(text)}`);
  return { lo: Number(lo), hi: Number(hi) };
}

function sizeCondition(text: string, node: Node, reading: Reading): unknown {
  const trimmed = text.trim();
  const [, operator = '', rest = ''] = /^(>=|<=|>|<|==)?(.*)$/s.exec(trimmed) ?? [];
  const size = parseBytes(rest.trim());
  if (typeof size === 'string') return fail(reading, node, `failed to parse disk size ${rest}: ${size}`);
  return { text: trimmed, operator, bytes: size };
}
