/** JSON as Go’s decoder takes and refuses it. */
class JsonProblem extends Error {}

export type ParsedJson = {
  readonly value: unknown;
  /** `metadata.name`, where a key stood twice; the last one counts. */
  readonly duplicates: readonly string[];
};

export function parseJson(text: string): ParsedJson {
  const parser = new Parser(text);
  return { value: parser.document(), duplicates: [...parser.duplicates] };
}

const blank = /[ \t\r\n]*/y;
// oxlint-disable-next-line no-control-regex -- these may not stand in a string as they are
const plain = /[^"\\\u0000-\u001f]*/y;
const numeric = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const escapes: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  '"': '"',
  '\\': '\\',
  '/': '/',
};

class Parser {
  readonly duplicates = new Set<string>();
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): unknown {
    const value = this.#value('', 'looking for beginning of value');
    this.#skip();
    if (this.#at < this.#text.length) throw this.#unexpected('after top-level value');
    return value;
  }

  #skip(): void {
    blank.lastIndex = this.#at;
    blank.test(this.#text);
    this.#at = blank.lastIndex;
  }

  #unexpected(where: string): JsonProblem {
    const sign = this.#text[this.#at];
    if (sign === undefined) return new JsonProblem('unexpected end of JSON input');
    return new JsonProblem(`invalid character ${quoted(sign)} ${where}`);
  }

  #value(path: string, where: string): unknown {
    this.#skip();
    const sign = this.#text[this.#at];
    if (sign === '{') return this.#object(path);
    if (sign === '[') return this.#array(path);
    if (sign === '"') return this.#string();
    if (sign === 't') return this.#literal('true', true);
    if (sign === 'f') return this.#literal('false', false);
    if (sign === 'n') return this.#literal('null', null);
    if (sign !== undefined && /[-0-9]/.test(sign)) return this.#number();
    throw this.#unexpected(where);
  }

  #object(path: string): unknown {
    const result: Record<string, unknown> = {};
    this.#at += 1;
    this.#skip();
    if (this.#text[this.#at] === '}') {
      this.#at += 1;
      return result;
    }
    for (;;) {
      this.#skip();
      if (this.#text[this.#at] !== '"') throw this.#unexpected('looking for beginning of object key string');
      const key = this.#string();
      const where = path === '' ? key : `${path}.${key}`;
      if (Object.hasOwn(result, key)) this.duplicates.add(where);
      this.#skip();
      if (this.#text[this.#at] !== ':') throw this.#unexpected('after object key');
      this.#at += 1;
      define(result, key, this.#value(where, 'looking for beginning of value'));
      this.#skip();
      const sign = this.#text[this.#at];
      if (sign !== ',' && sign !== '}') throw this.#unexpected('after object key:value pair');
      this.#at += 1;
      if (sign === '}') return result;
    }
  }

  #array(path: string): unknown {
    const result: unknown[] = [];
    this.#at += 1;
    this.#skip();
    if (this.#text[this.#at] === ']') {
      this.#at += 1;
      return result;
    }
    for (;;) {
      result.push(this.#value(`${path}[${result.length}]`, 'looking for beginning of value'));
      this.#skip();
      const sign = this.#text[this.#at];
      if (sign !== ',' && sign !== ']') throw this.#unexpected('after array element');
      this.#at += 1;
      if (sign === ']') return result;
    }
  }

  #string(): string {
    this.#at += 1;
    let result = '';
    for (;;) {
      plain.lastIndex = this.#at;
      result += plain.exec(this.#text)?.[0] ?? '';
      this.#at = plain.lastIndex;
      const sign = this.#text[this.#at];
      if (sign === '"') {
        this.#at += 1;
        return result;
      }
      if (sign !== '\\') throw this.#unexpected('in string literal');
      this.#at += 1;
      result += this.#escape();
    }
  }

  #escape(): string {
    const sign = this.#text[this.#at] ?? '';
    if (sign === 'u') {
      const digits = /^[0-9a-fA-F]{0,4}/.exec(this.#text.slice(this.#at + 1, this.#at + 5))?.[0] ?? '';
      this.#at += 1 + digits.length;
      if (digits.length < 4) throw this.#unexpected('in \\u hexadecimal character escape');
      return String.fromCharCode(Number.parseInt(digits, 16));
    }
    const meant = escapes[sign];
    if (meant === undefined) throw this.#unexpected('in string escape code');
    this.#at += 1;
    return meant;
  }

  #literal(word: string, value: unknown): unknown {
    for (const letter of word) {
      if (this.#text[this.#at] !== letter) throw this.#unexpected(`in literal ${word} (expecting ${quoted(letter)})`);
      this.#at += 1;
    }
    return value;
  }

  #number(): number {
    numeric.lastIndex = this.#at;
    const match = numeric.exec(this.#text);
    if (match === null) {
      this.#at += 1;
      throw this.#unexpected('in numeric literal');
    }
    this.#at = numeric.lastIndex;
    const next = this.#text[this.#at] ?? '';
    if (next === '.' || next === 'e' || next === 'E') {
      this.#at += 1;
      throw this.#unexpected(
        next === '.' ? 'after decimal point in numeric literal' : 'in exponent of numeric literal',
      );
    }
    return Number(match[0]);
  }
}

function quoted(sign: string): string {
  if (sign === "'") return `'\\''`;
  if (sign === '"') return `'"'`;
  return `'${JSON.stringify(sign).slice(1, -1)}'`;
}

/** Also for a key that an object would take for something else. */
function define(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  else object[key] = value;
}
