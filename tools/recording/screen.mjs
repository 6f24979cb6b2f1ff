const escape = '\u001B';
const unfinished = new RegExp(`${escape}(\\[[?\\d;]*)?$`);
const tokens = new RegExp(`${escape}\\[[?\\d;]*[A-Za-z]|${escape}.|[\\s\\S]`, 'gu');

/** A terminal as far as ichor draws on one: lines, a cursor, colours, and what scrolls away at the top. */
export class TerminalScreen {
  constructor(columns, rows) {
    this.columns = columns;
    this.rows = rows;
    this.lines = [[]];
    this.top = 0;
    this.row = 0;
    this.column = 0;
    this.style = plain;
    this.rest = '';
  }

  write(text) {
    const whole = this.rest + text;
    // A sequence may come in two pieces.
    const cut = unfinished.exec(whole);
    this.rest = cut === null ? '' : cut[0];
    const ready = cut === null ? whole : whole.slice(0, cut.index);
    for (const [token] of ready.matchAll(tokens)) {
      if (token.startsWith('\u001B[')) this.#control(token);
      else if (!token.startsWith('\u001B')) this.#put(token);
    }
  }

  /** What is seen now: rows of cells. */
  seen() {
    return Array.from({ length: this.rows }, (_, index) => [...(this.lines[this.top + index] ?? [])]);
  }

  #put(character) {
    if (character === '\r') this.column = 0;
    else if (character === '\n') this.#feed();
    else if (character >= ' ') {
      if (this.column >= this.columns) {
        this.column = 0;
        this.#feed();
      }
      const line = this.#line();
      while (line.length < this.column) line.push({ character: ' ', style: plain });
      line[this.column++] = { character, style: this.style };
    }
  }

  #feed() {
    this.row += 1;
    if (this.row - this.top >= this.rows) this.top = this.row - this.rows + 1;
    this.#line();
  }

  #line() {
    while (this.lines.length <= this.row) this.lines.push([]);
    return this.lines[this.row];
  }

  #control(sequence) {
    const kind = sequence.at(-1);
    const numbers = sequence
      .slice(2, -1)
      .split(';')
      .map((part) => Number.parseInt(part, 10) || 0);
    const [first = 0] = numbers;
    switch (kind) {
      case 'A':
      case 'F':
        this.row = Math.max(this.top, this.row - Math.max(1, first));
        if (kind === 'F') this.column = 0;
        return;
      case 'G':
        this.column = Math.max(0, first - 1);
        return;
      case 'K':
        this.#line().length = Math.min(this.#line().length, this.column);
        return;
      case 'J':
        this.#line().length = Math.min(this.#line().length, this.column);
        this.lines.length = this.row + 1;
        return;
      case 'm':
        this.style = numbers.reduce(styled, this.style);
        return;
      default:
    }
  }
}

const plain = Object.freeze({ bold: false, dim: false, colour: '' });

const colours = { 31: 'red', 32: 'green', 33: 'yellow', 34: 'blue', 35: 'magenta', 36: 'cyan' };

function styled(style, code) {
  if (code === 0) return plain;
  if (code === 1) return { ...style, bold: true };
  if (code === 2) return { ...style, dim: true };
  if (code === 22) return { ...style, bold: false, dim: false };
  if (code === 39) return { ...style, colour: '' };
  return code in colours ? { ...style, colour: colours[code] } : style;
}
