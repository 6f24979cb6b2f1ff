import { Problem, type Position } from '../../model/problem.ts';

type Complaint = { readonly message: string; readonly remedy: string; readonly code?: string };

/** A place in HCL text that moves forward, and knows lines and columns. */
export class Cursor {
  readonly file: string;
  readonly text: string;
  offset = 0;
  readonly #lineStarts: readonly number[];

  constructor(file: string, text: string) {
    this.file = file;
    this.text = text;
    this.#lineStarts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  }

  get atEnd(): boolean {
    return this.offset >= this.text.length;
  }

  sees(text: string): boolean {
    return this.text.startsWith(text, this.offset);
  }

  get seesNewline(): boolean {
    return this.sees('\n') || this.sees('\r\n');
  }

  /** Moves over what a sticky pattern matches here. */
  take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.offset;
    const match = pattern.exec(this.text);
    if (!match) return undefined;
    this.offset += match[0].length;
    return match;
  }

  takeText(text: string): boolean {
    if (!this.sees(text)) return false;
    this.offset += text.length;
    return true;
  }

  /** Moves over blanks and comments. A comment to the end of the line leaves the line break to be seen. */
  skip({ newlines }: { readonly newlines: boolean }): void {
    const blanks = newlines ? /(?:[ \t]|\r?\n)+/y : /[ \t]+/y;
    for (;;) {
      if (this.take(blanks)) continue;
      if (this.take(/(?:#|\/\/)[^\n]*/y)) continue;
      if (!this.sees('/*')) return;
      const end = this.text.indexOf('*/', this.offset + 2);
      if (end === -1)
        throw this.problem(this.offset, this.offset + 2, {
          message: 'This comment has no end.',
          remedy: 'Close it with "*/".',
        });
      this.offset = end + 2;
    }
  }

  at(start: number, end: number): Position {
    const line = this.#lineOf(start);
    const lineStart = this.#lineStarts[line] ?? 0;
    const nextLine = this.#lineStarts[line + 1];
    const last = Math.min(end, nextLine === undefined ? this.text.length : nextLine - 1);
    return { file: this.file, line: line + 1, column: start - lineStart + 1, length: Math.max(1, last - start) };
  }

  problem(start: number, end: number, { message, remedy, code = 'hcl' }: Complaint): Problem {
    return new Problem(code, message, { at: this.at(start, Math.max(end, start + 1)), remedy });
  }

  #lineOf(offset: number): number {
    let low = 0;
    let high = this.#lineStarts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#lineStarts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
