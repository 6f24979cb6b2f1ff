import type { Position } from '../../model/problem.ts';
import { formatPath, type Path } from '../tree.ts';
import type { Part } from './foreign.ts';

type Mapping = { [key: string]: unknown };

/** Names come from other people's files: one called __proto__ is a name like any other. */
const mapping = (): Mapping => Object.create(null) as Mapping;

/** A Platform in the making: what it says, where each of it came from, and what a reader should be told there. */
export class Sketch {
  readonly name: string;
  readonly spec: Mapping = mapping();
  readonly #comments = new Map<string, string>();
  readonly #origins = new Map<string, Position>();

  constructor(name: string) {
    this.name = name;
  }

  /** Paths begin at spec; nothing is written for undefined. */
  put(written: string | Path, value: unknown, from?: Part): void {
    if (value === undefined) return;
    const path = stepsOf(written);
    const last = path.at(-1);
    if (last === undefined) throw new Error('A value needs a place.');
    let inside = this.spec;
    for (const step of path.slice(0, -1)) inside = (inside[String(step)] ??= mapping()) as Mapping;
    inside[String(last)] = value;
    if (from) this.#origins.set(formatPath(path), from.at);
  }

  /** Appends to a list. */
  add(written: string | Path, value: unknown): void {
    const before = this.get(written);
    this.put(written, [...(Array.isArray(before) ? (before as readonly unknown[]) : []), value]);
  }

  get(written: string | Path): unknown {
    return stepsOf(written).reduce<unknown>((inside, step) => (inside as Mapping | undefined)?.[step], this.spec);
  }

  comment(written: string | Path, text: string): void {
    this.#comments.set(formatPath(stepsOf(written)), text);
  }

  commentAt(path: Path): string | undefined {
    return this.#comments.get(formatPath(path));
  }

  /** Where in the foreign file this came from, or what it is part of. */
  originOf(path: Path): Position | undefined {
    for (let depth = path.length; depth > 0; depth--) {
      const origin = this.#origins.get(formatPath(path.slice(0, depth)));
      if (origin) return origin;
    }
    return undefined;
  }
}

const stepsOf = (written: string | Path): Path => (typeof written === 'string' ? written.split('.') : written);
