import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseAllDocuments,
  type Document,
  type Node as Parsed,
} from 'yaml';
import { resolveScalar, type Resolved } from './yaml-scalar.ts';
import { syntaxWords } from './yaml-syntax.ts';

/** A document’s content as Go’s library sees it before it knows any type. */
export type Node = ScalarNode | MapNode | ListNode;
export type ScalarNode = Resolved & {
  readonly kind: 'scalar';
  readonly line: number;
  readonly text: string;
  readonly quote: '' | "'" | '"' | '|' | '>';
};
export type MapNode = {
  readonly kind: 'map';
  readonly line: number;
  readonly flow: boolean;
  readonly entries: readonly (readonly [key: Node, value: Node])[];
};
export type ListNode = {
  readonly kind: 'list';
  readonly line: number;
  readonly flow: boolean;
  readonly items: readonly Node[];
};

export const tagOf = (node: Node): string =>
  node.kind === 'scalar' ? node.tag : node.kind === 'map' ? '!!map' : '!!seq';

/** The value of a key, as text; undefined where there is none. */
export function textOf(node: MapNode, key: string): string | undefined {
  const found = node.entries.find(([name]) => name.kind === 'scalar' && name.text === key)?.[1];
  return found?.kind === 'scalar' ? found.text : undefined;
}

/** Every document of the text, up to the first that cannot be read; `problem` says why that one cannot. */
export function readDocuments(text: string): { readonly documents: readonly Node[]; readonly problem?: string } {
  const lines = new LineCounter();
  const parsed = parseAllDocuments(text, {
    schema: 'failsafe',
    uniqueKeys: false,
    lineCounter: lines,
    logLevel: 'silent',
  });
  const documents: Node[] = [];
  for (const document of Array.isArray(parsed) ? parsed : []) {
    const [error] = document.errors;
    if (error !== undefined) return { documents, problem: syntaxWords(error, text) };
    documents.push(read(document, document.contents, lines));
  }
  return { documents };
}

const quotes = { PLAIN: '', QUOTE_SINGLE: "'", QUOTE_DOUBLE: '"', BLOCK_LITERAL: '|', BLOCK_FOLDED: '>' } as const;

function read(document: Document, node: Parsed | null, lines: LineCounter): Node {
  const line = lines.linePos(node?.range?.[0] ?? 0).line;
  if (isAlias(node)) return read(document, node.resolve(document) ?? null, lines);
  if (isMap<Parsed, Parsed | null>(node))
    return {
      kind: 'map',
      line,
      flow: node.flow === true,
      entries: node.items.map(({ key, value }) => [read(document, key, lines), read(document, value, lines)]),
    };
  if (isSeq<Parsed>(node))
    return {
      kind: 'list',
      line,
      flow: node.flow === true,
      items: node.items.map((item) => read(document, item, lines)),
    };
  if (!isScalar(node)) return { kind: 'scalar', line, text: '', quote: '', tag: '!!null', value: null };
  const quote = quotes[(node.type ?? 'PLAIN') as keyof typeof quotes] ?? '';
  const text = typeof node.value === 'string' ? node.value : '';
  return { kind: 'scalar', line, text, quote, ...resolveScalar(text, quote !== '', node.tag) };
}
