import { Composer, isAlias, isMap, isScalar, isSeq, LineCounter, Parser, type Document, type ParsedNode } from 'yaml';
import { Problem, type Position } from '../model/problem.ts';
import { decode, unreadable, type Source } from './source.ts';
import type { Entry, Scalar, Tree } from './tree.ts';

export type Parsed = {
  readonly documents: readonly Tree[];
  readonly problems: readonly Problem[];
  readonly text: string;
};

const maxDepth = 64;
/** After aliases are followed; a file that a person wrote stays far below. */
const maxNodes = 200_000;
/** Where YAML stops making sense, the first complaints are the useful ones. */
const maxSyntaxErrors = 10;

export function parseYaml(source: Source): Parsed {
  const text = decode(source);
  const refused = unreadable(source, text, 'YAML');
  if (refused) return { documents: [], problems: [refused], text };

  const lines = new LineCounter();
  const tokens = [...new Parser(lines.addNewLine).parse(text)];
  const place = placer(source.name, text, lines);
  const tooDeep = deepestOffset(tokens);
  if (tooDeep !== undefined) {
    const problem = new Problem('too-deep', `The nesting is deeper than ${maxDepth} levels.`, {
      at: place(tooDeep, tooDeep + 1),
      remedy: 'Flatten it.',
    });
    return { documents: [], problems: [problem], text };
  }
  // Duplicate keys are found below: the library compares every key with every other one.
  const composer = new Composer({ uniqueKeys: false, merge: false, version: '1.2', lineCounter: lines });
  const problems: Problem[] = [];
  const documents: Tree[] = [];
  for (const document of composer.compose(tokens, true, text.length)) {
    const converted = convertDocument(document, place, problems);
    if (converted) documents.push(converted);
  }
  return { documents, problems, text };
}

type Placer = (start: number, end: number) => Position;

const placer =
  (file: string, text: string, lines: LineCounter): Placer =>
  (start, end) => {
    const { line, col } = lines.linePos(Math.min(start, text.length));
    const nextLine = lines.lineStarts[line];
    const last = Math.min(end, nextLine === undefined ? text.length : nextLine - 1);
    return { file, line: Math.max(1, line), column: Math.max(1, col), length: Math.max(1, last - start) };
  };

type Token = {
  readonly type: string;
  readonly offset: number;
  readonly value?: unknown;
  readonly items?: readonly unknown[];
};

/** The parser does not recurse, the composer does: so the depth is measured between the two. */
function deepestOffset(tokens: Iterable<unknown>): number | undefined {
  const stack: { readonly token: Token; readonly depth: number }[] = [];
  const push = (token: unknown, depth: number): void => {
    if (typeof token === 'object' && token !== null && 'type' in token) stack.push({ token: token as Token, depth });
  };
  for (const token of tokens) push(token, 0);
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (next.depth > maxDepth) return next.token.offset;
    if (next.token.type === 'document') push(next.token.value, next.depth);
    for (const item of next.token.items ?? []) {
      const { key, value } = item as { key?: unknown; value?: unknown };
      push(key, next.depth + 1);
      push(value, next.depth + 1);
    }
  }
  return undefined;
}

function convertDocument(document: Document.Parsed, place: Placer, problems: Problem[]): Tree | undefined {
  for (const error of document.errors.slice(0, maxSyntaxErrors)) {
    const [start, end] = error.pos;
    problems.push(
      new Problem('yaml', firstLine(error.message), {
        at: place(start, Math.max(end, start + 1)),
        remedy: yamlRemedy(error.code),
      }),
    );
  }
  if (document.errors.length > 0 || document.contents === null) return undefined;
  if (isScalar(document.contents) && document.contents.value === null) return undefined;
  for (const warning of document.warnings) {
    const [start, end] = warning.pos;
    problems.push(
      new Problem('yaml', firstLine(warning.message), { at: place(start, end), remedy: 'Leave the tag out.' }),
    );
  }
  const converter = new Converter(place, problems);
  const { tree } = converter.convert(document.contents);
  return converter.overflowed ? undefined : tree;
}

const firstLine = (message: string): string =>
  `${(message.split('\n')[0] ?? message).replace(/ at line \d+, column \d+:?$/, '').replace(/:$/, '')}.`;

function yamlRemedy(code: string): string {
  switch (code) {
    case 'TAB_AS_INDENT':
      return 'Indent with spaces.';
    case 'BAD_INDENT':
    case 'MULTILINE_IMPLICIT_KEY':
      return 'Check the indentation, and that text with ": " or " #" in it is quoted.';
    case 'MISSING_CHAR':
      return 'Close the bracket, brace or quote.';
    default:
      return 'Check the YAML around here.';
  }
}

type Sized = { readonly tree: Tree; readonly nodes: number };

/** Turns the library's nodes into ours. The size of a shared node counts wherever an alias names it. */
class Converter {
  readonly #place: Placer;
  readonly #problems: Problem[];
  readonly #anchors = new Map<string, Sized>();
  overflowed = false;

  constructor(place: Placer, problems: Problem[]) {
    this.#place = place;
    this.#problems = problems;
  }

  convert(node: ParsedNode | null, fallback = 0): Sized {
    if (node === null)
      return { tree: { kind: 'scalar', at: this.#place(fallback, fallback + 1), value: null }, nodes: 1 };
    if (isAlias(node)) return this.#follow(node.source, node.range[0], node.range[1]);
    const sized = this.#convertPlain(node);
    if (sized.nodes > maxNodes) this.#tooMany(sized.tree.at);
    if (node.anchor !== undefined) this.#anchors.set(node.anchor, sized);
    return sized;
  }

  #convertPlain(node: Exclude<ParsedNode, { type?: 'ALIAS' }>): Sized {
    const at = this.#place(node.range[0], node.range[1]);
    if (isMap(node)) return this.#map(node.items, at);
    if (isSeq(node)) {
      const items = (node.items as readonly (ParsedNode | null)[]).map((item) => this.convert(item, node.range[0]));
      return { tree: { kind: 'list', at, items: items.map((item) => item.tree) }, nodes: 1 + sum(items) };
    }
    return { tree: { kind: 'scalar', at, value: isScalar(node) ? scalarOf(node.value, node.source) : null }, nodes: 1 };
  }

  #map(items: readonly MapItem[], at: Position): Sized {
    const entries = new Map<string, Entry>();
    const merged: Tree[] = [];
    let nodes = 1;
    for (const item of items) {
      const keyAt = this.#keyPosition(item, at);
      const value = this.convert(item.value ?? null, item.key?.range?.[1] ?? 0);
      nodes += value.nodes;
      if (!isScalar(item.key) && item.key !== null) {
        this.#report('complex-key', 'A key must be plain text.', keyAt, 'Write the key as text.');
        continue;
      }
      const key = item.key === null ? '' : String(scalarOf(item.key.value, item.key.source) ?? item.key.source ?? '');
      if (key === '<<' && item.key?.type === 'PLAIN') merged.push(...this.#mergeSources(value.tree, keyAt));
      else if (entries.has(key))
        this.#report(
          'duplicate-key',
          `The key "${clip(key)}" is already given on line ${entries.get(key)?.keyAt.line}.`,
          keyAt,
          'Keep one of the two.',
        );
      else entries.set(key, { keyAt, value: value.tree });
    }
    for (const source of merged) {
      if (source.kind !== 'map') continue;
      for (const [key, entry] of source.entries) if (!entries.has(key)) entries.set(key, entry);
    }
    return { tree: { kind: 'map', at, entries }, nodes };
  }

  #keyPosition(item: MapItem, at: Position): Position {
    const range = item.key?.range ?? item.value?.range;
    return range ? this.#place(range[0], Math.max(range[1], range[0] + 1)) : at;
  }

  #mergeSources(value: Tree, at: Position): readonly Tree[] {
    const sources = value.kind === 'list' ? value.items : [value];
    if (sources.every((source) => source.kind === 'map')) return sources;
    this.#report(
      'merge-key',
      'A merge key (<<) takes a mapping or a list of mappings.',
      at,
      'Point it at an anchor of a mapping.',
    );
    return [];
  }

  #follow(anchor: string, start: number, end: number): Sized {
    const target = this.#anchors.get(anchor);
    const at = this.#place(start, end);
    if (target === undefined) {
      this.#report(
        'unknown-anchor',
        `There is no anchor &${clip(anchor)} before this alias.`,
        at,
        `Put &${clip(anchor)} in front of the value that it stands for.`,
      );
      return { tree: { kind: 'scalar', at, value: null }, nodes: 1 };
    }
    return this.overflowed ? { tree: { kind: 'scalar', at, value: null }, nodes: 1 } : target;
  }

  #tooMany(at: Position): void {
    if (this.overflowed) return;
    this.overflowed = true;
    this.#report(
      'too-many-values',
      `The aliases of this file stand for more than ${maxNodes} values.`,
      at,
      'Use fewer aliases of aliases.',
    );
  }

  #report(code: string, message: string, at: Position, remedy: string): void {
    this.#problems.push(new Problem(code, message, { at, remedy }));
  }
}

type MapItem = { readonly key: ParsedNode | null; readonly value: ParsedNode | null };

function scalarOf(value: unknown, source: string | undefined): Scalar {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' || value === null)
    return value;
  return typeof value === 'bigint' ? Number(value) : (source ?? null);
}

const sum = (sized: readonly Sized[]): number => sized.reduce((total, { nodes }) => total + nodes, 0);

const clip = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}…` : text);
