import type { Position } from '../model/problem.ts';
import { looksSecret } from '../model/secrets.ts';
import type { Read } from './documents.ts';
import { kinds } from './kinds.ts';
import { fieldsOf, holdsSecret, isPrivate, isSecret, stepInto, type Schema } from './schema-walk.ts';
import { guess, wordsOf, type Words } from './shown-guess.ts';
import type { Tree } from './tree.ts';
import { withNodePools } from './viti/short-form.ts';

/** Found out when the first broken file comes by. */
let words: Words | undefined;

/**
 * A file as it may be shown to anybody; every character stays in its place. What the schema knows to be no secret is
 * shown. Stars stand for the rest: secrets in clear, values of unknown keys, free text, comments.
 */
export function shownFile({ text, pieces, broken }: Read): string {
  const lines = text.split('\n');
  const shown = new Spans();
  const hidden = new Spans();
  const look = new Look(shown, hidden);
  for (const { tree, kind } of pieces) {
    if (kind === undefined) look.atHeader(tree);
    else
      look.at(kind === 'KubernetesCluster' && tree.kind === 'map' ? withNodePools(tree) : tree, kinds[kind].document);
  }
  if (broken) {
    words ??= wordsOf(Object.values(kinds).map(({ document }) => document));
    guess(lines, words, (at) => shown.add(at));
  }
  return lines
    .map((line, index) => hideUsers(cover(line, shown.over(line, index + 1), hidden.over(line, index + 1))))
    .join('\n');
}

/** Between values only the marks of YAML are shown, and in what is hidden not even those. */
function cover(line: string, shown: readonly boolean[], hidden: readonly boolean[]): string {
  let covered = '';
  for (let at = 0; at < line.length; at++) {
    const character = line.charAt(at);
    const plain = hidden[at] ? /\s/ : /[\s{}[\],:=|>&*!#'"-]/;
    covered += (shown[at] && !hidden[at]) || plain.test(character) ? character : '*';
  }
  return covered;
}

/** A URL can carry a user and a password. */
const hideUsers = (line: string): string =>
  line.replace(/(:\/\/)([^\s/@]+)(?=@)/g, (_, before: string, user: string) => before + '*'.repeat(user.length));

/** Parts of lines. A part that is named again and again, by aliases, counts once. */
class Spans {
  readonly #lines = new Map<number, Map<number, number>>();

  add({ line, column, length }: Omit<Position, 'file'>): void {
    const spans = this.#lines.get(line) ?? new Map<number, number>();
    spans.set(column - 1, Math.max(spans.get(column - 1) ?? 0, column - 1 + length));
    this.#lines.set(line, spans);
  }

  /** For each character of the line whether a span covers it. */
  over(line: string, number: number): readonly boolean[] {
    const covered = Array<boolean>(line.length).fill(false);
    for (const [start, end] of this.#lines.get(number) ?? []) covered.fill(true, start, Math.min(end, line.length));
    return covered;
  }
}

class Look {
  readonly #shown: Spans;
  readonly #hidden: Spans;

  constructor(shown: Spans, hidden: Spans) {
    this.#shown = shown;
    this.#hidden = hidden;
  }

  /** Of a document that is nobody's: what it says that it is. */
  atHeader(tree: Tree): void {
    for (const key of ['apiVersion', 'kind']) {
      const entry = tree.kind === 'map' ? tree.entries.get(key) : undefined;
      if (entry?.value.kind !== 'scalar') continue;
      this.#shown.add(entry.keyAt);
      this.#shown.add(entry.value.at);
    }
  }

  at(tree: Tree, schema: Schema): void {
    if (isSecret(schema)) this.#reference(tree, schema);
    else if (isPrivate(schema)) this.#hide(tree);
    else if (tree.kind === 'scalar') (holdsSecret(schema) ? this.#hidden : this.#shown).add(tree.at);
    else if (tree.kind === 'list') {
      for (const [index, item] of tree.items.entries()) this.#inside(item, stepInto(schema, index));
    } else {
      for (const [key, { keyAt, value, bare }] of tree.entries) {
        const inner = stepInto(schema, key);
        const stray = bare === true && !Object.hasOwn(fieldsOf(schema) ?? {}, key) && holdsSecret(schema);
        (stray ? this.#hidden : this.#shown).add(keyAt);
        const named = value.kind === 'scalar' && looksSecret(key);
        this.#inside(value, named ? undefined : inner);
      }
    }
  }

  #inside(tree: Tree, schema: Schema | undefined): void {
    if (schema === undefined) this.#hide(tree);
    else this.at(tree, schema);
  }

  /** Of a secret only the words of a reference: { env: ***** }. */
  #reference(tree: Tree, schema: Schema): void {
    if (tree.kind !== 'map') return this.#hide(tree);
    const fields = fieldsOf(schema) ?? {};
    for (const [key, { keyAt, value }] of tree.entries) {
      (Object.hasOwn(fields, key) ? this.#shown : this.#hidden).add(keyAt);
      this.#hide(value);
    }
  }

  #hide(tree: Tree): void {
    if (tree.kind === 'scalar') this.#hidden.add(tree.at);
    else if (tree.kind === 'list') for (const item of tree.items) this.#hide(item);
    else
      for (const { keyAt, value } of tree.entries.values()) {
        this.#hidden.add(keyAt);
        this.#hide(value);
      }
  }
}
