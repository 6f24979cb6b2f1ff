/** Amounts as Kubernetes writes them: `500m`, `1Gi`, `12e6`. */

const shape = /^([+-]?)([0-9]*)(?:\.([0-9]*))?(m|n|u|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei|[eE][+-]?[0-9]+)?$/;
const decimals = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];
const binaries = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

type Format = 'decimal' | 'binary' | 'exponent';
/** In billionths: nothing smaller is kept. */
export type Quantity = { readonly nano: bigint; readonly format: Format };

/** Undefined: it is no quantity. */
export function parseQuantity(text: string): Quantity | undefined {
  const match = shape.exec(text);
  if (match === null) return undefined;
  const [, sign = '', whole = '', fraction = '', suffix = ''] = match;
  if (whole === '' && fraction === '') return undefined;
  const format = suffix.endsWith('i') ? 'binary' : /^[eE][+-]?[0-9]/.test(suffix) ? 'exponent' : 'decimal';
  const digits = BigInt(`${whole}${fraction}`);
  const tens =
    format === 'decimal' ? decimals.indexOf(suffix) * 3 - 9 : format === 'exponent' ? Number(suffix.slice(1)) : 0;
  const scale = tens - fraction.length + 9;
  const scaled = format === 'binary' ? digits * 1024n ** BigInt(binaries.indexOf(suffix)) : digits;
  // What is smaller than a billionth is rounded away from zero.
  const nano = scale >= 0 ? scaled * 10n ** BigInt(scale) : roundUp(scaled, 10n ** BigInt(-scale));
  return { nano: sign === '-' ? -nano : nano, format };
}

const roundUp = (value: bigint, by: bigint): bigint => (value + by - 1n) / by;

function formatQuantity({ nano, format }: Quantity): string {
  if (nano === 0n) return '0';
  const sign = nano < 0n ? '-' : '';
  const size = nano < 0n ? -nano : nano;
  if (format === 'binary' && size >= 1024n * unit) return sign + inBinary(roundUp(size, unit));
  return sign + inDecimal(size, format === 'exponent');
}

const unit = 10n ** 9n;

function inBinary(value: bigint): string {
  let [amount, step] = [value, 0];
  while (step < binaries.length - 1 && amount % 1024n === 0n) [amount, step] = [amount / 1024n, step + 1];
  return `${amount}${binaries[step]}`;
}

function inDecimal(nano: bigint, isExponent: boolean): string {
  let [amount, step] = [nano, 0];
  while (step < decimals.length - 1 && amount % 1000n === 0n) [amount, step] = [amount / 1000n, step + 1];
  if (!isExponent) return `${amount}${decimals[step]}`;
  const exponent = step * 3 - 9;
  return exponent === 0 ? `${amount}` : `${amount}e${exponent}`;
}

const read = (texts: readonly string[]): readonly Quantity[] => texts.flatMap((text) => parseQuantity(text) ?? []);

/** Written like the first that is more than nothing. */
export function sumOfQuantities(texts: readonly string[]): string {
  const all = read(texts);
  const nano = all.reduce((sum, each) => sum + each.nano, 0n);
  return formatQuantity({ nano, format: all.find((each) => each.nano !== 0n)?.format ?? 'decimal' });
}

export const greatestQuantity = (texts: readonly string[]): string =>
  formatQuantity(
    read(texts).reduce((most, each) => (each.nano > most.nano ? each : most), { nano: 0n, format: 'decimal' }),
  );

/** As the API server gives it back. What means the same and is as short stays as it was written. */
export function canonicalQuantity(text: string): string | undefined {
  const trimmed = text.trim();
  const parsed = parseQuantity(trimmed);
  if (parsed === undefined) return undefined;
  const canonical = formatQuantity(parsed);
  return trimmed.replace(/^\+/, '').replace(/\.$/, '').toLowerCase() === canonical.toLowerCase() ? trimmed : canonical;
}
