/** A terminal of a few rows and columns: wraps, scrolls, and understands what the live view writes. Anything else is refused. */
export class FakeScreen {
  columns: number;
  rows: number;
  cursorShown = true;
  muted = false;
  /** Everything that ever stood there, with what was scrolled away; each is one row. */
  readonly #lines: string[] = [''];
  #row = 0;
  #column = 0;

  constructor(columns: number, rows: number) {
    this.columns = columns;
    this.rows = rows;
  }

  write(text: string): void {
    // oxlint-disable-next-line no-control-regex -- that is what terminals are told
    for (const [part, code] of text.matchAll(/\u001B\[([?\d;]*[A-Za-z])|[\s\S]/gu))
      if (code === undefined) this.#put(part);
      else this.#control(code);
  }

  #put(character: string): void {
    if (character === '\r') this.#column = 0;
    else if (character === '\n') this.#newLine();
    else {
      if (this.#column === this.columns) this.#newLine();
      const line = (this.#lines[this.#row] ?? '').padEnd(this.#column);
      this.#lines[this.#row] = line.slice(0, this.#column) + character + line.slice(this.#column + 1);
      this.#column++;
    }
  }

  #newLine(): void {
    this.#row++;
    this.#column = 0;
    if (this.#row === this.#lines.length) this.#lines.push('');
  }

  get #top(): number {
    return Math.max(0, this.#lines.length - this.rows);
  }

  #control(code: string): void {
    const count = Number.parseInt(code, 10) || 1;
    if (code.endsWith('F')) {
      this.#row = Math.max(this.#top, this.#row - count);
      this.#column = 0;
    } else if (code === 'K') this.#lines[this.#row] = (this.#lines[this.#row] ?? '').slice(0, this.#column);
    else if (code === 'J') {
      this.#lines[this.#row] = (this.#lines[this.#row] ?? '').slice(0, this.#column);
      this.#lines.length = this.#row + 1;
    } else if (code === '?25l') this.cursorShown = false;
    else if (code === '?25h') this.cursorShown = true;
    else if (!code.endsWith('m')) throw new Error(`The screen does not know ${code}.`);
  }

  /** As terminals do that fold long lines anew; the cursor stays where its text is. */
  resize(columns: number, rows: number): void {
    const folded = this.#lines.map((line) =>
      line === '' ? [''] : (line.match(new RegExp(`.{1,${columns}}`, 'gu')) ?? ['']),
    );
    this.#row = folded.slice(0, this.#row).flat().length;
    this.#lines.splice(0, this.#lines.length, ...folded.flat());
    this.columns = columns;
    this.rows = rows;
  }

  get text(): string {
    return this.#lines.map((line) => line.trimEnd()).join('\n');
  }
}
