import fc from 'fast-check';
import { struct } from '../../src/lab/talos/state/specs/config.ts';
import { flag, ip, mac, prefix, text, textMap, whole, type AnyKind } from '../../src/lab/talos/state/specs/kind.ts';

type Fields = NonNullable<AnyKind['fields']>;

/** Texts that make a YAML writer think. */
const strings = fc.oneof(
  fc.constantFrom('', 'y', 'no', 'On', '~', 'null', 'true', '1.0', '0x1f', '012', '1_000', '1e3', '.5', '.inf', '<<'),
  fc.constantFrom(
    '00:11:22:33:44:55',
    '12:30',
    '2026-11-16',
    '2026-11-16T10:00:00Z',
    '- a',
    '-a',
    '? b',
    ': c',
    'a: b',
    'a #b',
    '#c',
  ),
  fc.constantFrom(
    'a:b',
    ' lead',
    'trail ',
    '"q"',
    "it's",
    '[x]',
    '{y',
    '@z',
    '%w',
    '!t',
    '&a',
    '*b',
    '|',
    '>',
    'tab\there',
    '---',
    '...',
  ),
  fc.constantFrom(
    'two\nlines',
    'two\nlines\n',
    '\nfirst',
    'last\n\n',
    ' indented\nblock',
    'é ü 日本',
    '\u00a0nbsp',
    'bell\u0007',
    'a, b',
    'a\\b',
    'x\ny \n',
  ),
  fc.string({ maxLength: 20 }),
  fc.string({ unit: fc.constantFrom(...Array.from('ab:# -\'"\n1,.{}[]')), maxLength: 8 }),
);

const octet = fc.nat(255);
const ipv4 = fc.tuple(octet, octet, octet, octet).map((parts) => parts.join('.'));
const ipv6 = fc
  .array(fc.oneof(fc.constant(0), fc.nat(0xffff)), { minLength: 8, maxLength: 8 })
  .map((groups) => groups.map((group) => group.toString(16)).join(':'));
const addresses = fc.oneof(ipv4, ipv6);
const prefixes = fc.oneof(
  fc.tuple(ipv4, fc.nat(32)).map((parts) => parts.join('/')),
  fc.tuple(ipv6, fc.nat(128)).map((parts) => parts.join('/')),
);
const macs = fc
  .array(octet, { minLength: 6, maxLength: 6 })
  .map((bytes) => bytes.map((byte) => byte.toString(16).padStart(2, '0')).join(':'));

const json = fc.letrec<{ value: unknown; object: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    strings,
    fc.integer({ min: -1e6, max: 1e6 }),
    fc.maxSafeInteger(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    tie('object'),
    fc.array(tie('value'), { maxLength: 3 }),
  ),
  object: fc.dictionary(fc.stringMatching(/^[a-z][a-zA-Z0-9./-]{0,8}$/), tie('value'), {
    maxKeys: 5,
    noNullPrototype: true,
  }),
})).object;

/** Anything that a spec of these fields can say. */
export const specs = (fields: Fields): fc.Arbitrary<Record<string, unknown>> =>
  fc.record(Object.fromEntries(Object.entries(fields).map(([name, { kind }]) => [name, values(kind)])), {
    requiredKeys: [],
    noNullPrototype: true,
  });

function values(kind: AnyKind): fc.Arbitrary<unknown> {
  const known = scalars.get(kind);
  if (known !== undefined) return known;
  if (kind.items !== undefined) return fc.array(values(kind.items), { maxLength: 3 });
  if (kind.fields !== undefined) return specs(kind.fields);
  const { words } = kind;
  if (words === undefined) return fc.constant<unknown>(kind.zero);
  return Array.isArray(kind.zero) ? fc.subarray([...words]) : fc.constantFrom(...words);
}

const scalars = new Map<unknown, fc.Arbitrary<unknown>>([
  [text, strings],
  [flag, fc.boolean()],
  [whole, fc.oneof(fc.nat(300), fc.nat(2 ** 31 - 1))],
  [ip, addresses],
  [prefix, prefixes],
  [mac, macs],
  [
    textMap,
    fc.dictionary(
      fc.string({ unit: fc.constantFrom(...Array.from('ab19.0/-')), minLength: 1, maxLength: 6 }),
      strings,
      {
        maxKeys: 4,
        noNullPrototype: true,
      },
    ),
  ],
  [struct, json],
]);
