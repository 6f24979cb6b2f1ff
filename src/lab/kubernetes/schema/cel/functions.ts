import { isIP, isIPv4 } from 'node:net';
import type { Environment } from '@marcbachmann/cel-js';
import { formats, isCidr } from '../formats.ts';
import { parseQuantity } from '../quantity.ts';
import { goPattern } from '../values.ts';

/** Values that rules make and only functions look into. */
class QuantityValue {
  readonly nano: bigint;
  constructor(nano: bigint) {
    this.nano = nano;
  }
}
class UrlValue {
  readonly url: URL;
  constructor(parsed: URL) {
    this.url = parsed;
  }
}
class IpValue {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}
class CidrValue {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

const unit = 10n ** 9n;

/** What Kubernetes adds to CEL, besides what the library has already. */
export function registerFunctions(environment: Environment): void {
  lists(environment);
  texts(environment);
  quantities(environment);
  addresses(environment);
  urls(environment);
}

type Comparable = bigint | number | string;

function lists(environment: Environment): void {
  environment
    .registerFunction('list.isSorted(): bool', (list: Comparable[]) =>
      list.every((each, at) => at === 0 || (list[at - 1] ?? each) <= each),
    )
    .registerFunction('list.sum(): dyn', (list: (bigint | number)[]) =>
      list.reduce<bigint | number>((sum, each) => add(sum, each), 0n),
    )
    .registerFunction('list.min(): dyn', (list: Comparable[]) => extreme(list, (a, b) => a < b, 'min'))
    .registerFunction('list.max(): dyn', (list: Comparable[]) => extreme(list, (a, b) => a > b, 'max'))
    .registerFunction('list.indexOf(dyn): int', (list: unknown[], item: unknown) => BigInt(list.indexOf(item)))
    .registerFunction('list.lastIndexOf(dyn): int', (list: unknown[], item: unknown) => BigInt(list.lastIndexOf(item)))
    .registerFunction('list.distinct(): list', (list: unknown[]) => [...new Set(list)])
    .registerFunction('list.reverse(): list', (list: unknown[]) => list.toReversed())
    .registerFunction('list.sort(): list', (list: Comparable[]) =>
      list.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)),
    )
    .registerFunction('list.slice(int, int): list', (list: unknown[], from: bigint, to: bigint) =>
      list.slice(Number(from), Number(to)),
    )
    .registerFunction('list.flatten(): list', (list: unknown[]) => list.flat());
}

const add = (a: bigint | number, b: bigint | number): bigint | number =>
  typeof a === 'bigint' && typeof b === 'bigint' ? a + b : Number(a) + Number(b);

function extreme(
  list: readonly Comparable[],
  isBetter: (a: Comparable, b: Comparable) => boolean,
  name: string,
): Comparable {
  const [first, ...rest] = list;
  if (first === undefined) throw new Error(`${name} called on empty list`);
  return rest.reduce((best, each) => (isBetter(each, best) ? each : best), first);
}

function texts(environment: Environment): void {
  environment
    .registerFunction(
      'string.find(string): string',
      (text: string, pattern: string) => goPattern(pattern).exec(text)?.[0] ?? '',
    )
    .registerFunction('string.findAll(string): list<string>', (text: string, pattern: string) => found(text, pattern))
    .registerFunction('string.findAll(string, int): list<string>', (text: string, pattern: string, most: bigint) =>
      most < 0n ? found(text, pattern) : found(text, pattern).slice(0, Number(most)),
    )
    .registerFunction('string.charAt(int): string', (text: string, at: bigint) => Array.from(text)[Number(at)] ?? '')
    .registerFunction('string.replace(string, string): string', (text: string, what: string, by: string) =>
      text.replaceAll(what, () => by),
    )
    .registerFunction(
      'string.replace(string, string, int): string',
      (text: string, what: string, by: string, times: bigint) => replaced(text, what, by, Number(times)),
    )
    .registerFunction('string.reverse(): string', (text: string) => Array.from(text).toReversed().join(''))
    .registerFunction('string.format(list): string', (text: string, values: unknown[]) => formatted(text, values));
}

function found(text: string, pattern: string): string[] {
  const { source, flags } = goPattern(pattern);
  return [...text.matchAll(new RegExp(source, `${flags}g`))].map(([match]) => match);
}

function replaced(text: string, what: string, by: string, times: number): string {
  if (times < 0) return text.replaceAll(what, () => by);
  let result = text;
  for (let at = 0, done = 0; done < times; done++) {
    const next = result.indexOf(what, at);
    if (next === -1) break;
    result = result.slice(0, next) + by + result.slice(next + what.length);
    at = next + by.length;
  }
  return result;
}

function formatted(text: string, values: readonly unknown[]): string {
  let next = 0;
  return text.replaceAll(/%(?:\.(\d+))?([sdfexXob%])/g, (_, digits: string | undefined, verb: string) => {
    if (verb === '%') return '%';
    const value = values[next++];
    if (verb === 'f') return Number(value).toFixed(digits === undefined ? 6 : Number(digits));
    if (verb === 'e') return Number(value).toExponential(digits === undefined ? 6 : Number(digits));
    if (verb === 'x' || verb === 'X') return verb === 'x' ? inHex(value) : inHex(value).toUpperCase();
    if (verb === 'o' || verb === 'b') return (value as bigint).toString(verb === 'o' ? 8 : 2);
    return textOf(value);
  });
}

const inHex = (value: unknown): string =>
  typeof value === 'bigint' ? value.toString(16) : Buffer.from(String(value)).toString('hex');

const textOf = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(textOf).join(', ')}]`;
  if (value instanceof Date) return value.toISOString().replace('.000Z', 'Z');
  return String(value);
};

function quantity(text: string): QuantityValue {
  const parsed = parseQuantity(text);
  if (parsed === undefined)
    throw new Error("quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
  return new QuantityValue(parsed.nano);
}

const whole = (value: QuantityValue | bigint): bigint => (typeof value === 'bigint' ? value * unit : value.nano);

function quantities(environment: Environment): void {
  environment.registerType('Quantity', QuantityValue);
  environment
    .registerFunction('quantity(string): Quantity', quantity)
    .registerFunction('isQuantity(string): bool', (text: string) => parseQuantity(text) !== undefined)
    .registerFunction('Quantity.isGreaterThan(Quantity): bool', (a: QuantityValue, b: QuantityValue) => a.nano > b.nano)
    .registerFunction('Quantity.isLessThan(Quantity): bool', (a: QuantityValue, b: QuantityValue) => a.nano < b.nano)
    .registerFunction('Quantity.compareTo(Quantity): int', (a: QuantityValue, b: QuantityValue) =>
      a.nano > b.nano ? 1n : a.nano < b.nano ? -1n : 0n,
    )
    .registerFunction('Quantity.isInteger(): bool', (value: QuantityValue) => value.nano % unit === 0n)
    .registerFunction('Quantity.asInteger(): int', (value: QuantityValue) => value.nano / unit)
    .registerFunction('Quantity.asApproximateFloat(): double', (value: QuantityValue) => Number(value.nano) / 1e9)
    .registerFunction('Quantity.sign(): int', (value: QuantityValue) =>
      value.nano > 0n ? 1n : value.nano < 0n ? -1n : 0n,
    )
    .registerFunction(
      'Quantity.add(Quantity): Quantity',
      (a: QuantityValue, b: QuantityValue) => new QuantityValue(a.nano + whole(b)),
    )
    .registerFunction(
      'Quantity.add(int): Quantity',
      (a: QuantityValue, b: bigint) => new QuantityValue(a.nano + whole(b)),
    )
    .registerFunction(
      'Quantity.sub(Quantity): Quantity',
      (a: QuantityValue, b: QuantityValue) => new QuantityValue(a.nano - whole(b)),
    )
    .registerFunction(
      'Quantity.sub(int): Quantity',
      (a: QuantityValue, b: bigint) => new QuantityValue(a.nano - whole(b)),
    );
  environment.registerOperator('Quantity == Quantity', (a: QuantityValue, b: QuantityValue) => a.nano === b.nano);
}

function ip(text: string): IpValue {
  if (isIP(text) === 0) throw new Error(`IP Address in ${JSON.stringify(text)} is not valid`);
  return new IpValue(text);
}

function cidr(text: string): CidrValue {
  if (!isCidr(text))
    throw new Error(`network address parse error during conversion from string: ${JSON.stringify(text)}`);
  return new CidrValue(text);
}

/** An address as a number, IPv6 with its zeros filled in. */
function bitsOf(text: string): bigint {
  if (isIPv4(text)) return text.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n);
  const [head = '', tail] = text.split('::');
  const groups = (part: string): string[] => (part === '' ? [] : part.split(':'));
  const [first, last] = [groups(head), groups(tail ?? '')];
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - first.length - last.length }, () => '0');
  return [...first, ...zeros, ...last].reduce((sum, group) => sum * 65536n + BigInt(`0x${group}`), 0n);
}

function contains(network: CidrValue, address: string, length: number): boolean {
  const [base = '', bits = ''] = network.text.split('/');
  if (isIPv4(base) !== isIPv4(address) || Number(bits) > length) return false;
  const shift = BigInt((isIPv4(base) ? 32 : 128) - Number(bits));
  return bitsOf(base) >> shift === bitsOf(address) >> shift;
}

const widthOf = (address: string): number => (isIPv4(address) ? 32 : 128);
const family = (address: string): bigint => (isIPv4(address) ? 4n : 6n);

function addresses(environment: Environment): void {
  environment.registerType('net.IP', IpValue);
  environment.registerType('net.CIDR', CidrValue);
  environment
    .registerFunction('ip(string): net.IP', ip)
    .registerFunction('isIP(string): bool', (text: string) => isIP(text) !== 0)
    .registerFunction('net.IP.family(): int', (value: IpValue) => family(value.text))
    .registerFunction(
      'net.IP.isLoopback(): bool',
      (value: IpValue) => value.text.startsWith('127.') || bitsOf(value.text) === 1n,
    )
    .registerFunction('net.IP.isUnspecified(): bool', (value: IpValue) => bitsOf(value.text) === 0n)
    .registerFunction('net.IP.isLinkLocalUnicast(): bool', (value: IpValue) =>
      /^(169\.254\.|fe[89ab])/i.test(value.text),
    )
    .registerFunction('cidr(string): net.CIDR', cidr)
    .registerFunction('isCIDR(string): bool', isCidr)
    .registerFunction('net.CIDR.containsIP(string): bool', (value: CidrValue, text: string) =>
      contains(value, ip(text).text, widthOf(text)),
    )
    .registerFunction('net.CIDR.containsIP(net.IP): bool', (value: CidrValue, { text }: IpValue) =>
      contains(value, text, widthOf(text)),
    )
    .registerFunction('net.CIDR.containsCIDR(string): bool', (value: CidrValue, text: string) =>
      within(value, cidr(text)),
    )
    .registerFunction('net.CIDR.containsCIDR(net.CIDR): bool', within)
    .registerFunction('net.CIDR.ip(): net.IP', (value: CidrValue) => new IpValue(value.text.split('/')[0] ?? ''))
    .registerFunction('net.CIDR.prefixLength(): int', (value: CidrValue) => BigInt(value.text.split('/')[1] ?? 0))
    .registerFunction('string(net.IP): string', ({ text }: IpValue) => text)
    .registerFunction('string(net.CIDR): string', ({ text }: CidrValue) => text);
}

function within(outer: CidrValue, inner: CidrValue): boolean {
  const [address = '', bits = ''] = inner.text.split('/');
  return contains(outer, address, Number(bits));
}

function url(text: string): UrlValue {
  if (!isUrl(text))
    throw new Error(
      `URL parse error during conversion from string: parse ${JSON.stringify(text)}: invalid URI for request`,
    );
  return new UrlValue(new URL(text, 'none:///'));
}

const isUrl = (text: string): boolean => formats['uri']?.(text) === true && URL.canParse(text, 'none:///');

function urls(environment: Environment): void {
  environment.registerType('URL', UrlValue);
  environment
    .registerFunction('url(string): URL', url)
    .registerFunction('isURL(string): bool', isUrl)
    .registerFunction('URL.getScheme(): string', (value: UrlValue) =>
      value.url.protocol.replace(':', '').replace('none', ''),
    )
    .registerFunction('URL.getHost(): string', (value: UrlValue) => value.url.host)
    .registerFunction('URL.getHostname(): string', (value: UrlValue) => value.url.hostname.replaceAll(/[[\]]/g, ''))
    .registerFunction('URL.getPort(): string', (value: UrlValue) => value.url.port)
    .registerFunction('URL.getEscapedPath(): string', (value: UrlValue) => value.url.pathname)
    .registerFunction('URL.getQuery(): map<string, list<string>>', (value: UrlValue) => {
      const names = [...new Set(value.url.searchParams.keys())];
      return Object.fromEntries(names.map((name) => [name, value.url.searchParams.getAll(name)]));
    });
}
