import type { Input } from '../../src/spec/documents.ts';
import { mangles } from './mangle.ts';
import { Random } from './random.ts';

export type Case = { readonly what: string; readonly input: Input };

/** The same seed and corpus give the same case. */
export function generate(seed: number, corpus: readonly string[]): Case {
  const random = new Random(seed);
  const [what, make] = random.pick(random.once(4) ? makers : [mangled]);
  return { what, input: make(random, corpus) };
}

type Maker = (random: Random, corpus: readonly string[]) => Input;

const one = (content: string | Uint8Array): Input => ({ sources: [{ name: 'a.yaml', content }] });

const head = 'apiVersion: ichor.dev/v1alpha1\nkind: Platform\nmetadata: { name: a }\nspec:\n';

/** More often a short one: there is as much to break in it, and it is read in no time. */
function aFile(random: Random, corpus: readonly string[]): string {
  const [first, other] = [random.pick(corpus), random.pick(corpus)];
  return random.once(3) || first.length < other.length ? first : other;
}

function mangle(random: Random, text: string): string {
  let mangled = text;
  for (let times = 1 + random.int(3); times > 0; times--)
    mangled = random.pick(Object.values(mangles))(random, mangled);
  return mangled;
}

const mangled: readonly [string, Maker] = [
  'a file after some mishaps',
  (random, corpus) => one(mangle(random, aFile(random, corpus))),
];

const words = [
  ...'spec machines proxmox cluster workers replicas apiVersion kind metadata name token'.split(' '),
  ...'&a *a << --- ... { } [ ] " \' | > # ! % ? \\ 0 1.5 true null 16GiB 10.0.0.0/8 x é'.split(' '),
  '- ',
  ': ',
  ', ',
  ' ',
  '\n',
  '\n  ',
  '\n    ',
  '\t',
  '\r\n',
];

const settingPaths = [
  'cluster.controlPlane.replicas',
  'spec.cluster.workers.general.replicas',
  'metadata.name',
  'machines.proxmox.hosts[0]',
  'machines.proxmox.hosts[9]',
  'machines.proxmox.hosts.a',
  'configuration.dns.powerdns.zones["prod.example.org"].ttl',
  'a["\\x"]',
  'a["\n"]',
  'a[99999999999999999999]',
  '["__proto__"].x',
  '__proto__.polluted',
  'constructor.prototype.polluted',
  'kind',
  'spec',
  '',
  '.',
  'a..b',
  '[0]',
  '"',
  'a b',
];

const settingValues = [
  '3',
  '',
  'null',
  '{}',
  '[a, b]',
  '{ a: 1',
  '"',
  '"x"',
  'a\n  b: 1\n c',
  '---\na\n---\nb',
  '*x',
  '!x y',
  '\u0000',
  '\ufeff1',
  'x'.repeat(5000),
];

const makers: readonly (readonly [string, Maker])[] = [
  ['random bytes', (random) => one(Uint8Array.from({ length: random.int(400) }, () => random.int(256)))],
  ['random words', (random) => one(Array.from({ length: random.int(80) }, () => random.pick(words)).join(''))],
  [
    'random words below a good beginning',
    (random) => one(`${head}  ${Array.from({ length: random.int(60) }, () => random.pick(words)).join('')}`),
  ],
  [
    'a file with bytes in it',
    (random, corpus) => {
      const bytes = new TextEncoder().encode(aFile(random, corpus));
      for (let times = 1 + random.int(4); times > 0; times--) bytes[random.int(bytes.length)] = random.int(256);
      return one(bytes);
    },
  ],
  ['UTF-16', (random, corpus) => one(Uint8Array.from([0xff, 0xfe, ...Buffer.from(aFile(random, corpus), 'utf16le')]))],
  [
    'deep nesting',
    (random) => {
      const depth = random.pick([10, 63, 64, 65, 100, 1000, 20_000]);
      const [open, close] = random.pick([
        ['[', ']'],
        ['{a: ', '}'],
        ['- ', ''],
        ['? ', ''],
        ['a:\n ', ''],
      ] as const);
      return one(
        `${random.once(2) ? head : ''}  deep: ${open.repeat(depth)}${random.once(2) ? close.repeat(depth) : ''}`,
      );
    },
  ],
  [
    'aliases of aliases',
    (random) => {
      const width = 1 + random.int(12);
      const levels = Array.from({ length: random.int(30) }, (_, level) => {
        const inner = Array(width).fill(level === 0 ? 'x' : `*l${level - 1}`);
        const body = random.once(2)
          ? `[${inner.join(', ')}]`
          : `{ ${inner.map((item, key) => `k${key}: ${item}`).join(', ')} }`;
        return `  l${level}: &l${level} ${body}`;
      });
      return one(`${head}${levels.join('\n')}\n  cluster: *l${random.int(levels.length)}\n`);
    },
  ],
  [
    'very many of something',
    (random) => {
      const many = random.once(40) ? 20_000 : random.once(8) ? 1000 : random.pick([30, 100, 300]);
      const list = (item: (index: number) => string) =>
        Array.from({ length: many }, (_, index) => item(index)).join(', ');
      return one(
        random.pick([
          () => `${head}  cluster: { workers: { ${list((i) => `p${i}: { replicas: 5000, host: h }`)} } }`,
          () => `${head}  cluster: { nodes: { ${list((i) => `n${i}: { address: 10.0.0.1, hots: x }`)} } }`,
          () => `${head}  machines: { proxmox: { hosts: [${list((i) => `h${i % 7}`)}] } }`,
          () => `${head}  machines: { proxmox: { hosts: [h], tags: [${list(() => '-')}] } }`,
          () => `${head}  ${list((i) => `key${i}: 1`).replaceAll(', ', '\n  ')}`,
          () =>
            `${head}  machines: { existing: { machines: { ${list((i) => `cp-${i}: { address: 10.0.0.${i} }`)} } } }`,
          () => `${head}  cluster: { controlPlane: { labels: { ${list((i) => `l${i}: [x]`)} } } }`,
          () =>
            list((i) => `--- { apiVersion: ichor.dev/v1alpha1, kind: Platform, metadata: { name: a${i} } }`).replaceAll(
              ', ---',
              '\n---',
            ),
          () => '---\n'.repeat(many),
          () => `a: ${'!x '.repeat(many)}`,
          () => `a: [${','.repeat(many)}]`,
          () => '"'.repeat(many),
          () => `a: "${'\\n'.repeat(many)}"`,
          () => `? ${'x'.repeat(many)}\n: ${'y\n  '.repeat(many)}`,
        ])(),
      );
    },
  ],
  [
    'overlays, values and settings',
    (random, corpus) => {
      const files = Array.from({ length: 1 + random.int(3) }, (_, index) => ({
        name: random.once(5) ? 'a.yaml' : `${index}.yaml`,
        content: random.once(2) ? aFile(random, corpus) : mangle(random, aFile(random, corpus)),
      }));
      const values = Array.from({ length: random.int(2) }, (_, index) => ({
        name: `values-${index}.yaml`,
        content: random.pick([
          () => mangle(random, aFile(random, corpus)),
          () => `cluster: { controlPlane: { replicas: ${random.pick(strange)} } }`,
          () => Array.from({ length: random.int(20) }, () => random.pick(words)).join(''),
        ])(),
      }));
      const settings = Array.from({ length: random.int(4) }, () =>
        random.once(6) ? random.pick(words) : `${random.pick(settingPaths)}=${random.pick(settingValues)}`,
      );
      return { sources: files, varFiles: values, settings };
    },
  ],
];

const strange = ['3', 'null', '[1]', '{ a: 1 }', '1.30', '"3"', '*x', '1e999'];
