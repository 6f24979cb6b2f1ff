import fc from 'fast-check';
import {
  bare,
  defaultOf,
  exampleOf,
  fieldsOf,
  isRequired,
  itemOf,
  typeOf,
  valueOf,
  type Schema,
} from '../src/spec/schema-walk.ts';

type Gen = fc.GeneratorValue;
type Plain = Record<string, unknown>;

const isMap = (value: unknown): value is Plain => typeof value === 'object' && value !== null && !Array.isArray(value);

/** One value of a document set to something else, taken away, or put where none was; mostly things a person could mean. */
export function mutated(g: Gen, schema: Schema, document: unknown): unknown {
  const fields = fieldsOf(schema);
  if (fields !== undefined && isMap(document)) return mutatedFields(g, fields, document);
  const value = valueOf(schema);
  if (value !== undefined && isMap(document)) return mutatedNames(g, value, document);
  const item = itemOf(schema);
  if (item !== undefined && Array.isArray(document)) return mutatedItems(g, item, document);
  return anyValue(g, schema);
}

/** Deeper more often than here: most of what can be said is far from the root. */
const goesDeeper = (g: Gen): boolean => g(fc.integer, { min: 0, max: 9 }) < 7;

function mutatedFields(g: Gen, fields: Readonly<Record<string, Schema>>, document: Plain): Plain {
  const [key, field] = pick(g, Object.entries(fields)) ?? [];
  if (key === undefined || field === undefined) return { ...document, unexpected: 1 };
  const before = document[key];
  if (before !== undefined && goesDeeper(g)) return { ...document, [key]: mutated(g, field, before) };
  switch (g(fc.integer, { min: 0, max: 11 })) {
    case 0:
      return { ...document, [`${key}s`]: anyValue(g, field) };
    case 1:
    case 2: {
      const { [key]: _, ...rest } = document;
      return rest;
    }
    default:
      return { ...document, [key]: anyValue(g, field) };
  }
}

function mutatedNames(g: Gen, value: Schema, document: Plain): Plain {
  const name = pick(g, Object.keys(document));
  if (name !== undefined && goesDeeper(g)) return { ...document, [name]: mutated(g, value, document[name]) };
  return { ...document, [pick(g, names) ?? '']: anyValue(g, value) };
}

function mutatedItems(g: Gen, item: Schema, document: readonly unknown[]): readonly unknown[] {
  const index = g(fc.nat, { max: document.length });
  if (index === document.length) return [...document, anyValue(g, item)];
  if (g(fc.integer, { min: 0, max: 3 }) === 0) return document.toSpliced(index, 1);
  return document.with(index, mutated(g, item, document[index]));
}

const names = [
  'a',
  'general',
  'cp',
  'cp-0',
  'cp-2',
  'general-0',
  'pve1',
  'pve9',
  'prod-cp-1',
  'tailscale',
  'www',
  '@',
  '*',
  'Upper',
  'with.dot',
  'with_underscore',
  'example.org',
  'example.org/tier',
  '-dash',
  'dash-',
  'a/b/c',
  '',
  ' ',
  'ä',
  '/etc/file',
  'TS_HOSTNAME',
  'registry.example.org:5000',
  'x'.repeat(63),
  'x'.repeat(64),
  'x'.repeat(254),
];

const texts = [
  ...names,
  '16GiB',
  '512MiB',
  '100GiB',
  '1.5TiB',
  '100',
  '16 GiB',
  '16\u00a0GiB',
  '16GB',
  '0GiB',
  '1B',
  '200GiB on ceph',
  '200GiB  on  ceph',
  '200GiB\ton ceph',
  '5 Gi',
  '10.10.0.5',
  '10.10.0.10',
  '10.10.0.255',
  '10.10.1.1',
  '192.168.50.11',
  '010.0.0.1',
  '256.1.1.1',
  'fd00::1',
  '::ffff:10.0.0.1',
  'FD00::5',
  '::1.2.3.4',
  'fe80::1%eth0',
  '10.10.0.0/24',
  '10.10.0.5/24',
  '10.244.0.0/16',
  '10.96.0.0/12',
  '10.0.0.0/8',
  'fd00::/64',
  '::ffff:10.0.0.0/120',
  '0.0.0.0/0',
  '10.0.0.0/33',
  '10.10.0.0/024',
  '10.10.0.20-39',
  '10.10.0.20-10.10.0.39',
  '10.10.0.20 - 10.10.0.39',
  '10.10.0.64/27',
  '10.10.0.39-20',
  '401-499',
  '501-',
  '401 - 499',
  '401\u2003-499',
  '99-120',
  '600-500',
  'BC:24:11:00:00:10',
  'bc:24:11:00:00:10',
  '01:00:00:00:00:00',
  'BC:24:11',
  '02',
  'v1.13.9',
  '1.13.9',
  'v1.9.0',
  'v1.09.0',
  'v1.14.0-rc.1',
  'v1.15.0',
  'v1.8.3',
  'v1.35.2',
  'v1.36.3',
  'v1.26.0',
  'v2.0.0',
  'v1.13',
  '1.19.0',
  'https://pve1.example.org:8006',
  'http://example.org',
  'https://',
  'https://[',
  'ssh://git@example.org/x.git',
  'qemu:///system',
  'file:///a',
  'HTTPS://EXAMPLE.ORG',
  'local:iso/talos-1.9.0.iso',
  'local:iso/a\u00a0b.iso',
  'stable/epoxy',
  '31.3.0',
  '10m',
  '1h30m',
  'gpu=true:NoSchedule',
  'gpu:NoSchedule',
  'gpu',
  './secret',
  'secret/data/x#y',
  'ichor/proxmox',
  'harbor',
  'gitea',
  'wiki',
  '{platform}-{index}',
  '{platform}',
  '{pool}-{number:2}',
  'true',
  '1',
  'null',
  'line\nbreak',
  '\u{1f600}',
  'x'.repeat(1025),
  'x'.repeat(5000),
];

function anyValue(g: Gen, schema: Schema, depth = 0): unknown {
  if (g(fc.integer, { min: 0, max: 19 }) === 0)
    return pick(g, ['text', 1, 1.5, -1, true, null, [], {}, ['text'], { a: 1 }]);
  const fields = fieldsOf(schema);
  if (fields !== undefined) return anyFields(g, fields, depth);
  const value = valueOf(schema);
  if (value !== undefined && typeOf(schema) === 'record') {
    const count = g(fc.nat, { max: 2 });
    return Object.fromEntries(
      Array.from({ length: count }, () => [pick(g, names) ?? '', anyValue(g, value, depth + 1)]),
    );
  }
  const item = itemOf(schema);
  if (item !== undefined) return Array.from({ length: g(fc.nat, { max: 3 }) }, () => anyValue(g, item, depth + 1));
  switch (typeOf(schema)) {
    case 'enum':
      return pick(g, [...enumEntries(schema), 'nonsense']);
    case 'boolean':
      return g(fc.boolean);
    case 'int':
    case 'number':
      return pick(
        g,
        [0, 1, 2, 3, 4, 5, 9, 10, 100, 101, 443, 1500, 4094, 4095, 6443, 65535, 65536, 64512, 4294967294, 2.5],
      );
    case 'string':
      return anyText(g, schema);
    default:
      return pick(g, [{}, { a: { b: [1, 'two', null] } }, 'text', 'a: 1', { password: 'x' }]);
  }
}

function anyText(g: Gen, schema: Schema): unknown {
  const usual = [exampleOf(schema), defaultOf(schema)].filter((text) => text !== undefined);
  if (usual.length > 0 && g(fc.integer, { min: 0, max: 2 }) > 0) return pick(g, usual);
  return g(fc.integer, { min: 0, max: 4 }) === 0 ? g(fc.string, { unit: 'grapheme', maxLength: 12 }) : pick(g, texts);
}

const enumEntries = (schema: Schema): readonly unknown[] => {
  const { entries } = bare(schema)._zod.def as { readonly entries?: Record<string, unknown> };
  return Object.values(entries ?? {});
};

function anyFields(g: Gen, fields: Readonly<Record<string, Schema>>, depth: number): Plain {
  const chosen = Object.entries(fields).filter(([, field]) =>
    isRequired(field)
      ? g(fc.integer, { min: 0, max: 29 }) > 0
      : g(fc.integer, { min: 0, max: 5 }) < (depth > 2 ? 1 : 2),
  );
  return Object.fromEntries(chosen.map(([key, field]) => [key, anyValue(g, field, depth + 1)]));
}

const pick = <T>(g: Gen, items: readonly T[]): T | undefined =>
  items.length === 0 ? undefined : items[g(fc.nat, { max: items.length - 1 })];
