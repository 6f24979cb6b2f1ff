import { globExpression } from '../glob.ts';
import type { Values } from '../reading.ts';
import { quote, section, textAt } from './report.ts';

/** What a selector can ask of a disk. */
export type DiskFacts = {
  readonly path: string;
  readonly sizeBytes?: bigint;
  readonly model?: string;
  readonly serial?: string;
  readonly wwid?: string;
  readonly uuid?: string;
  readonly modalias?: string;
  readonly busPath?: string;
  readonly transport?: string;
  readonly rotational?: boolean;
  readonly readonly?: boolean;
  readonly cdrom?: boolean;
};

type Term = { readonly text: string; readonly holds: (disk: DiskFacts) => boolean };

export type Selector = { readonly fault: string } | { readonly terms: readonly Term[] };

const globs = ['uuid', 'wwid', 'model', 'serial', 'modalias'] as const;
const types: Readonly<Record<string, Term>> = {
  nvme: { text: 'disk.transport == "nvme"', holds: ({ transport }) => transport === 'nvme' },
  sd: { text: 'disk.transport == "mmc"', holds: ({ transport }) => transport === 'mmc' },
  hdd: { text: 'disk.rotational', holds: ({ rotational }) => rotational === true },
  ssd: { text: '!disk.rotational', holds: ({ rotational }) => rotational !== true },
};

/** The install disk’s selector as the expression that Talos makes of it; undefined without one. */
export function diskSelector(install: Values | undefined): Selector | undefined {
  const selector = section(install, 'diskSelector');
  if (selector === undefined) return undefined;
  const type = textAt(selector, 'type');
  if (textAt(selector, 'name') !== '') return { fault: 'selector on name is not supported' };
  if (type !== '' && types[type] === undefined) return { fault: `unsupported disk type ${quote(type)}` };
  const terms = [
    ...sizeTerm(selector),
    ...globs.flatMap((field) => globTerm(field, field, textAt(selector, field))),
    { text: 'disk.transport != ""', holds: ({ transport = '' }: DiskFacts) => transport !== '' },
    ...(types[type] === undefined ? [] : [types[type]]),
    ...globTerm('bus_path', 'busPath', textAt(selector, 'busPath')),
    { text: '!disk.readonly', holds: (disk: DiskFacts) => disk.readonly !== true },
    { text: '!disk.cdrom', holds: (disk: DiskFacts) => disk.cdrom !== true },
  ];
  return { terms };
}

/** Lines are broken after an operator that ends beyond the 80th column. */
export function selectorText(terms: readonly Term[]): string {
  const [first, ...rest] = terms.map(({ text }) => text);
  let [text, lineStart] = [first ?? '', 0];
  for (const term of rest) {
    const wrap = text.length - lineStart + 4 >= 80;
    if (wrap) lineStart = text.length;
    text += `${wrap ? ' &&\n' : ' && '}${term}`;
  }
  return text;
}

function sizeTerm(selector: Values): readonly Term[] {
  const size = selector['size'] as { readonly operator: string; readonly bytes: bigint } | undefined;
  if (size === undefined) return [];
  const operator = size.operator === '' ? '==' : size.operator;
  return [
    {
      text: `disk.size ${operator} ${size.bytes}u`,
      holds: ({ sizeBytes = 0n }) => compare(sizeBytes, operator, size.bytes),
    },
  ];
}

function compare(a: bigint, operator: string, b: bigint): boolean {
  if (operator === '>=') return a >= b;
  if (operator === '<=') return a <= b;
  if (operator === '>') return a > b;
  return operator === '<' ? a < b : a === b;
}

function globTerm(field: string, fact: keyof DiskFacts, pattern: string): readonly Term[] {
  if (pattern === '') return [];
  const regexp = globExpression(pattern);
  return [{ text: `glob(${quote(pattern)}, disk.${field})`, holds: (disk) => regexp.test(String(disk[fact] ?? '')) }];
}
