/** What a scalar is before any type is asked of it. Whole numbers are bigint. */
export type Resolved = { readonly tag: string; readonly value: string | bigint | number | boolean | null };

const constants: ReadonlyMap<string, Resolved> = new Map<string, Resolved>([
  ...['', '~', 'null', 'Null', 'NULL'].map((word) => [word, { tag: '!!null', value: null }] as const),
  ...['true', 'True', 'TRUE'].map((word) => [word, { tag: '!!bool', value: true }] as const),
  ...['false', 'False', 'FALSE'].map((word) => [word, { tag: '!!bool', value: false }] as const),
  ...['.nan', '.NaN', '.NAN'].map((word) => [word, { tag: '!!float', value: Number.NaN }] as const),
  ...['.inf', '.Inf', '.INF', '+.inf', '+.Inf', '+.INF'].map(
    (word) => [word, { tag: '!!float', value: Infinity }] as const,
  ),
  ...['-.inf', '-.Inf', '-.INF'].map((word) => [word, { tag: '!!float', value: -Infinity }] as const),
  ['<<', { tag: '!!merge', value: '<<' }],
]);

const timestamp = /^\d{4}-\d\d?-\d\d?(?:[Tt ]\d\d?:\d\d?:\d\d?(?:\.\d+)?(?:Z|[-+]\d\d:\d\d)?)?$/;
const float = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;

const shortTags: Readonly<Record<string, string>> = {
  'tag:yaml.org,2002:str': '!!str',
  'tag:yaml.org,2002:int': '!!int',
  'tag:yaml.org,2002:bool': '!!bool',
  'tag:yaml.org,2002:float': '!!float',
  'tag:yaml.org,2002:null': '!!null',
};

/** As Go’s library reads it: words of YAML 1.1 like `yes` are texts until a boolean is wanted. */
export function resolveScalar(text: string, quoted: boolean, tag?: string): Resolved {
  const asked = tag === undefined ? undefined : (shortTags[tag] ?? tag);
  if (quoted && asked === undefined) return { tag: '!!str', value: text };
  if (asked === '!!str') return { tag: '!!str', value: text };
  const known = constants.get(text);
  if (known !== undefined) return known;
  if (/^[-+0-9.]/.test(text)) return numeral(text) ?? { tag: '!!str', value: text };
  return { tag: '!!str', value: text };
}

function numeral(text: string): Resolved | undefined {
  if (timestamp.test(text)) return { tag: '!!timestamp', value: text };
  const plain = text.replaceAll('_', '');
  const whole = text.startsWith('.') ? undefined : wholeNumber(plain);
  if (whole !== undefined) return { tag: '!!int', value: whole };
  if (float.test(plain)) return { tag: '!!float', value: Number(plain) };
  return undefined;
}

/** Decimal, 0x, 0b, 0o and a leading 0 for octal, with a sign. */
function wholeNumber(text: string): bigint | undefined {
  const [, sign = '', body = ''] =
    /^([-+]?)(0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO][0-7]+|0[0-7]+|0|[1-9][0-9]*)$/.exec(text) ?? [];
  if (body === '') return undefined;
  const value = BigInt(/^0[0-7]+$/.test(body) ? `0o${body.slice(1)}` : body);
  const signed = sign === '-' ? -value : value;
  return signed >= -(2n ** 63n) && signed < 2n ** 64n ? signed : undefined;
}
