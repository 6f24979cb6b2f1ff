/** What a room may import and touch; the table of the style guide, as data. */
export type Room = {
  /** Rooms, besides itself. `contracts` are the files that lie directly in providers/, clients/ and state/. */
  readonly imports: readonly string[] | 'everything';
  /** Of those, the ones that are loaded when they are used and not before. */
  readonly lazily?: readonly string[];
  readonly packages?: readonly string[];
  /** Modules of Node: those that only compute, or all of them. */
  readonly node: 'pure' | 'all';
  readonly console?: true;
  /** One folder, one outside system: neighbours do not know each other. */
  readonly apart?: true;
  /** The end of the sentence "it may not, because …". */
  readonly because: string;
};

const pure = 'it is pure: text, clock and entropy arrive as arguments';
const knowledge = { node: 'pure', packages: ['yaml', 'zod'], because: pure } as const;
const reach = {
  imports: ['model', 'wire'],
  node: 'all',
  apart: true,
  because: 'it reaches one outside system and is unaware of plans',
} as const;
const door = { imports: ['engine', 'model', 'contracts'], node: 'all', lazily: ['engine'], console: true } as const;

export const rooms: Readonly<Record<string, Room>> = {
  model: { imports: [], node: 'pure', because: 'nouns and their laws need nothing' },
  spec: { ...knowledge, imports: ['model'] },
  talos: {
    ...knowledge,
    imports: ['model', 'spec'],
    packages: [...knowledge.packages, '@peculiar/x509', 'reflect-metadata'],
  },
  kubernetes: { ...knowledge, imports: ['model', 'spec'] },
  plan: { imports: ['model', 'spec', 'talos', 'kubernetes'], node: 'pure', because: pure },
  observe: {
    imports: ['model', 'spec', 'talos', 'kubernetes', 'contracts'],
    node: 'pure',
    because: 'it looks at the world through the readers that it is handed',
  },
  execute: {
    imports: ['model', 'talos', 'kubernetes', 'contracts'],
    node: 'pure',
    because: 'it changes the world through the writers that it is handed, and decides nothing',
  },
  wire: { imports: [], node: 'pure', packages: ['@bufbuild/protobuf'], because: 'vendors’ contracts know nobody' },
  providers: { ...reach, packages: ['undici'] },
  clients: {
    ...reach,
    packages: ['@bufbuild/protobuf', '@connectrpc/connect', '@connectrpc/connect-node', 'undici', 'yaml'],
  },
  state: reach,
  engine: {
    imports: ['model', 'spec', 'talos', 'kubernetes', 'observe', 'plan', 'execute', 'contracts'],
    node: 'pure',
    because: 'it touches the world only through the stages',
  },
  cli: {
    ...door,
    imports: [...door.imports, 'lab'],
    lazily: [...door.lazily, 'lab'],
    packages: ['commander', '@clack/prompts'],
    because: 'a door turns a request into one call of the engine, loaded when it is used, and events into words',
  },
  operator: { ...door, because: 'a door turns a request into one call of the engine, and events into words' },
  dashboard: { ...door, because: 'a door turns a request into one call of the engine, and events into words' },
  lab: {
    imports: ['wire'],
    node: 'all',
    packages: [
      '@bufbuild/protobuf',
      '@connectrpc/connect',
      '@connectrpc/connect-node',
      '@marcbachmann/cel-js',
      '@peculiar/x509',
      'reflect-metadata',
      'yaml',
    ],
    because: 'twins share the wire with us and nothing else',
  },
  main: {
    imports: 'everything',
    node: 'all',
    packages: ['commander'],
    console: true,
    because: 'it starts things, and nothing more',
  },
};

/** Modules of Node that only compute. Of node:crypto everything but what makes up its own randomness. */
export const pureModules: readonly string[] = [
  'node:util',
  'node:events',
  'node:buffer',
  'node:crypto',
  'node:zlib',
  'node:path/posix',
];
export const entropy = /^(random|generate|webcrypto|getRandomValues|subtle)/;

/** Globals that touch the world; `console` and `process` are for the doors, the others for whoever may use all of Node. */
export const worldly: readonly string[] = [
  'fetch',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'Date.now',
  'new Date\\(\\)',
  'Math.random',
  'performance.now',
  'crypto.randomUUID',
  'crypto.getRandomValues',
];
/** Nobody’s, but for twins, whose signals live as long as they do. */
export const forgetful = {
  names: ['AbortSignal.any'],
  instead: 'Node forgets its deadlines; use firstOf or within of src/model/signals.ts.',
};
export const doorways: readonly string[] = ['console', 'process'];
