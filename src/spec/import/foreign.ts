import type { Position } from '../../model/problem.ts';
import { looksSecret } from '../../model/secrets.ts';
import { formatPath, type Path, type PathStep, type Tree } from '../tree.ts';

/** What a person should know about something that was, or was not, carried over. */
export type Note = { readonly path: string; readonly message: string; readonly at: Position | undefined };

/** What was taken out of a foreign file, so that the rest can be named. */
class Ledger {
  readonly #taken = new Set<string>();
  readonly #touched = new Set<string>();
  readonly #notes = new Map<string, Note>();

  take(path: Path): void {
    this.#taken.add(formatPath(path));
    for (let depth = 0; depth < path.length; depth++) this.#touched.add(formatPath(path.slice(0, depth)));
  }

  isTaken(path: Path): boolean {
    return this.#taken.has(formatPath(path));
  }

  isTouched(path: Path): boolean {
    return this.#touched.has(formatPath(path));
  }

  note(note: Note): void {
    this.#notes.set(`${note.path}\n${note.message}`, note);
  }

  get notes(): readonly Note[] {
    return [...this.#notes.values()].toSorted(byPlace);
  }
}

type Placed = { readonly at: Position | undefined };

/** As a person reads: file by file, from top to bottom. */
export const byPlace = ({ at: one }: Placed, { at: other }: Placed): number =>
  (one?.file ?? '').localeCompare(other?.file ?? '') ||
  (one?.line ?? 0) - (other?.line ?? 0) ||
  (one?.column ?? 0) - (other?.column ?? 0);

/** A piece of a file that another program reads. Whoever takes a value out of it says so by the way they take it. */
export class Part {
  readonly path: Path;
  readonly tree: Tree;
  /** Where a person looks for it: its key, or itself in a list. */
  readonly at: Position;
  readonly #ledger: Ledger;

  private constructor(tree: Tree, path: Path, at: Position, ledger: Ledger) {
    this.tree = tree;
    this.path = path;
    this.at = at;
    this.#ledger = ledger;
  }

  static whole(tree: Tree): Part {
    return new Part(tree, [], tree.at, new Ledger());
  }

  get key(): string {
    return String(this.path.at(-1) ?? '');
  }

  /** The first of these dotted paths that holds something. */
  find(...places: readonly string[]): Part | undefined {
    for (const place of places) {
      const found = place.split('.').reduce<Part | undefined>((part, step) => part?.child(step), this);
      if (found) return found;
    }
    return undefined;
  }

  /** What a mapping or a list holds, without what is null. */
  parts(): readonly Part[] {
    const { tree } = this;
    const steps: readonly PathStep[] =
      tree.kind === 'map' ? [...tree.entries.keys()] : tree.kind === 'list' ? [...tree.items.keys()] : [];
    return steps.flatMap((step) => this.child(step) ?? []);
  }

  child(step: PathStep): Part | undefined {
    const { tree } = this;
    const entry = tree.kind === 'map' ? tree.entries.get(String(step)) : undefined;
    const child = tree.kind === 'list' ? tree.items[Number(step)] : entry?.value;
    if (child === undefined || (child.kind === 'scalar' && child.value === null)) return undefined;
    return new Part(child, [...this.path, step], entry?.keyAt ?? child.at, this.#ledger);
  }

  /** The part at a path that is known to be there. */
  inside(path: Path): Part {
    return path.reduce<Part>((part, step) => part.child(step) ?? part, this);
  }

  text(): string | undefined {
    const { tree } = this;
    return tree.kind === 'scalar' ? this.#took(String(tree.value)) : this.#unlike('text');
  }

  number(): number | undefined {
    const { tree } = this;
    const value = tree.kind === 'scalar' && typeof tree.value !== 'boolean' ? Number(tree.value) : Number.NaN;
    const written = tree.kind === 'scalar' && tree.value !== '';
    return written && Number.isFinite(value) ? this.#took(value) : this.#unlike('a number');
  }

  count(): number | undefined {
    const value = this.number();
    if (value === undefined) return undefined;
    return Number.isSafeInteger(value) && value >= 0 ? value : this.#unlike('a whole number');
  }

  flag(): boolean | undefined {
    const { tree } = this;
    const value = tree.kind === 'scalar' ? String(tree.value).toLowerCase() : '';
    return value === 'true' || value === 'false' ? this.#took(value === 'true') : this.#unlike('true or false');
  }

  /** A list of texts; a text alone is a list of one. */
  texts(): readonly string[] | undefined {
    const items = this.tree.kind === 'list' ? this.parts() : [this];
    return items.every(({ tree }) => tree.kind === 'scalar')
      ? this.#took(items.map(({ tree }) => (tree.kind === 'scalar' ? String(tree.value) : '')))
      : this.#unlike('a list of texts');
  }

  /** It says nothing that ichor has to know. */
  leave(): void {
    this.#ledger.take(this.path);
  }

  note(message: string): void {
    this.leave();
    this.remark(message);
  }

  /** Says something about it, without taking it. */
  remark(message: string): void {
    this.#ledger.note({ path: formatPath(this.path), message, at: this.at });
  }

  /** Whether anybody took anything out of it. */
  get isUsed(): boolean {
    return this.#ledger.isTaken(this.path) || this.#ledger.isTouched(this.path);
  }

  /** Names everything that nobody took, as little as possible at a time. */
  noteTheRest(): void {
    if (this.#ledger.isTaken(this.path) || isEmpty(this.tree)) return;
    if (this.isUsed) for (const part of this.parts()) part.noteTheRest();
    else this.note(looksSecret(this.key) ? 'Looks like a secret: not carried over.' : 'Not carried over.');
  }

  /** In the order of the file. */
  get notes(): readonly Note[] {
    return this.#ledger.notes;
  }

  #took<T>(value: T): T {
    this.#ledger.take(this.path);
    return value;
  }

  #unlike(wanted: string): undefined {
    this.note(`Not carried over: it is not ${wanted}.`);
  }
}

const isEmpty = (tree: Tree): boolean =>
  tree.kind === 'map' ? tree.entries.size === 0 : tree.kind === 'list' ? tree.items.length === 0 : tree.value === null;
