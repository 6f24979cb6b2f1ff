import { isAlias, isMap, isScalar, isSeq, type Document, type ParsedNode } from 'yaml';
import { Problem, type Position } from '../model/problem.ts';
import { decode, placer, unreadable, type Placer, type Source } from './source.ts';
import { clip, type Entry, type Scalar, type Tree } from './tree.ts';
import { composeYaml } from './yaml-tokens.ts';

export type Parsed = {
  readonly documents: readonly Tree[];
  readonly problems: readonly Problem[];
  readonly text: string;
  /** Some of the text is in no document. */
  readonly broken: boolean;
};

/** After aliases are followed; a file that a person wrote stays far below. */
const maxNodes = 200_000;

export function parseYaml(source: Source): Parsed {
  const text = decode(source);
  const refused = unreadable(source, text, 'YAML');
  if (refused)
    return { documents: [], problems: [refused], text: refused.code === 'too-large' ? '' : text, broken: true };
  const place = placer(source.name, text);
  const composed = composeYaml(text, place);
  const problems = [...composed.problems];
  const documents = composed.documents.flatMap((document) => convertDocument(document, text, place, problems) ?? []);
  return { documents, problems, text, broken: problems.length > 0 };
}

function convertDocument(
  document: Document.Parsed,
  text: string,
  place: Placer,
  problems: Problem[],
): Tree | undefined {
  if (document.contents === null) return undefined;
  if (isScalar(document.contents) && document.contents.value === null) return undefined;
  const converter = new Converter(text, place, problems);
  const { tree } = converter.convert(document.contents);
  return converter.overflowed ? undefined : tree;
}

type Sized = { readonly tree: Tree; readonly nodes: number };

/** Turns the library's nodes into ours. The size of a shared node counts wherever an alias names it. */
class Converter {
  readonly #text: string;
  readonly #place: Placer;
  readonly #problems: Problem[];
  readonly #anchors = new Map<string, Sized>();
  overflowed = false;

  constructor(text: string, place: Placer, problems: Problem[]) {
    this.#text = text;
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
    const value = isScalar(node) ? scalarOf(node.value, node.source) : null;
    const written = typeof value === 'number' && isScalar(node) ? { written: node.source ?? String(value) } : {};
    return { tree: { kind: 'scalar', at, value, ...written }, nodes: 1 };
  }

  /** A word where a key and a value should be, such as the rest of a text with a comma in it: { token: abc,def:,ghi }. */
  #isBare({ key, value }: MapItem): boolean {
    return !value || (isScalar(value) && value.source === '' && this.#text.startsWith(':,', key?.range?.[1]));
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
      const key = keyOf(item.key);
      // No object of JavaScript can hold it as an ordinary key, so it would be lost on the way.
      if (key === '__proto__') this.#report('wrong-name', '"__proto__" cannot be a key.', keyAt, 'Use another name.');
      else if (key === '<<' && item.key?.type === 'PLAIN') merged.push(...this.#mergeSources(value.tree, keyAt));
      else if (entries.has(key))
        this.#report(
          'duplicate-key',
          `The key "${clip(key)}" is already given on line ${entries.get(key)?.keyAt.line}.`,
          keyAt,
          'Keep one of the two.',
        );
      else entries.set(key, { keyAt, value: value.tree, ...(this.#isBare(item) ? { bare: true } : {}) });
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
        'There is no anchor of this name before the alias.',
        at,
        'Put the anchor (&name) before the value it stands for; text that begins with * goes in quotes.',
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

/** A key is text as it was written: 010 is not 10, and .nan is not NaN. */
const keyOf = (key: { readonly value: unknown; readonly source?: string } | null): string =>
  typeof key?.value === 'string' ? key.value : (key?.source ?? '');

function scalarOf(value: unknown, source: string | undefined): Scalar {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' || value === null)
    return value;
  return typeof value === 'bigint' ? Number(value) : (source ?? null);
}

const sum = (sized: readonly Sized[]): number => sized.reduce((total, { nodes }) => total + nodes, 0);
