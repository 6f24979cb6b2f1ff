import { badRequest, quote } from '../refusal.ts';
import { labelKey, labelValueComplaints } from './names.ts';

export type Labels = Readonly<Record<string, string>>;
type Operator = 'in' | 'notin' | '=' | '==' | '!=' | 'gt' | 'lt' | 'exists' | '!';
type Requirement = { readonly key: string; readonly operator: Operator; readonly values: readonly string[] };
type Token = { readonly kind: 'word' | 'end' | 'wrong' | Sign; readonly text: string };
type Sign = ')' | ',' | '!' | '==' | '=' | '>' | 'in' | '<' | '!=' | 'notin' | '(';

const signs: ReadonlySet<string> = new Set<Sign>([')', ',', '!', '==', '=', '>', 'in', '<', '!=', 'notin', '(']);
const special = /[=!(),><]/;

/** `app=web,tier in (front,back),!old`; refused in the API server’s words. */
export function labelSelector(text: string): (labels: Labels | undefined) => boolean {
  if (text === '') return () => true;
  const requirements = new Parser(tokens(text)).parse();
  return (labels = {}) => requirements.every((each) => holds(each, labels));
}

function holds({ key, operator, values }: Requirement, labels: Labels): boolean {
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (operator) {
    case 'in':
    case '=':
    case '==':
      return value !== undefined && values.includes(value);
    case 'notin':
    case '!=':
      return value === undefined || !values.includes(value);
    case 'exists':
      return value !== undefined;
    case '!':
      return value === undefined;
    case 'gt':
    case 'lt': {
      if (value === undefined || !isInteger(value)) return false;
      const [left, right] = [BigInt(value), BigInt(values[0] ?? '0')];
      return operator === 'gt' ? left > right : left < right;
    }
  }
}

const isInteger = (text: string): boolean => /^[+-]?\d+$/.test(text);

function tokens(text: string): readonly Token[] {
  const found: Token[] = [];
  let at = 0;
  while (at < text.length) {
    const sign = text[at] as string;
    if (/[ \t\r\n]/.test(sign)) {
      at += 1;
    } else if (special.test(sign)) {
      const token = specialAt(text, at);
      found.push(token);
      at += token.text.length;
    } else {
      const [word] = /^[^=!(),><\s]+/.exec(text.slice(at)) as unknown as [string];
      found.push({ kind: signs.has(word) ? (word as Sign) : 'word', text: word });
      at += word.length;
    }
  }
  return [...found, { kind: 'end', text: '' }];
}

/** The longest that is known; everything special that stands together otherwise. */
function specialAt(text: string, at: number): Token {
  const both = text.slice(at, at + 2);
  if (signs.has(both)) return { kind: both as Sign, text: both };
  const one = text.slice(at, at + 1);
  return { kind: one as Sign, text: one };
}

class Parser {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(all: readonly Token[]) {
    this.#tokens = all;
  }

  parse(): readonly Requirement[] {
    const found: Requirement[] = [];
    for (;;) {
      const first = this.#peek();
      if (first.kind === 'end') return found;
      if (first.kind !== 'word' && first.kind !== '!')
        throw badRequest(`found '${first.text}', expected: !, identifier, or 'end of string'`);
      found.push(this.#requirement());
      const then = this.#take();
      if (then.kind === 'end') return found;
      if (then.kind !== ',') throw badRequest(`found '${then.text}', expected: ',' or 'end of string'`);
      const next = this.#peek();
      if (next.kind !== 'word' && next.kind !== '!')
        throw badRequest(`found '${next.text}', expected: identifier after ','`);
    }
  }

  /** `in` and `notin` are words, where no operator is expected. */
  #peek(): Token {
    const token = this.#tokens[this.#at] ?? { kind: 'end', text: '' };
    return token.kind === 'in' || token.kind === 'notin' ? { kind: 'word', text: token.text } : token;
  }

  #take(): Token {
    const token = this.#peek();
    this.#at += 1;
    return token;
  }

  #requirement(): Requirement {
    let token = this.#take();
    const isNegated = token.kind === '!';
    if (isNegated) token = this.#take();
    if (token.kind !== 'word') throw wrong(`found '${token.text}', expected: identifier`);
    const key = token.text;
    const complaints = labelKey(key);
    if (complaints.length > 0) throw wrong(`<nil>: Invalid value: ${quote(key)}: ${complaints.join('; ')}`);
    const next = this.#peek();
    if (isNegated) return { key, operator: '!', values: [] };
    if (next.kind === 'end' || next.kind === ',') return { key, operator: 'exists', values: [] };
    const operator = this.#operator();
    const values = operator === 'in' || operator === 'notin' ? this.#values() : this.#value();
    const distinct = [...new Set(values)].sort();
    checkValues(key, operator, distinct);
    return { key, operator, values: distinct };
  }

  #operator(): Operator {
    const token = this.#tokens[this.#at] ?? { kind: 'end', text: '' };
    this.#at += 1;
    switch (token.kind) {
      case 'in':
      case 'notin':
      case '=':
      case '==':
      case '!=':
        return token.kind;
      case '>':
        return 'gt';
      case '<':
        return 'lt';
      default:
        throw wrong(`found '${token.text}', expected: in, notin, =, ==, !=, gt, lt`);
    }
  }

  #value(): readonly string[] {
    const { kind } = this.#peek();
    if (kind === 'end' || kind === ',') return [''];
    const token = this.#take();
    if (token.kind !== 'word') throw wrong(`found '${token.text}', expected: identifier`);
    return [token.text];
  }

  #values(): readonly string[] {
    const open = this.#take();
    if (open.kind !== '(') throw wrong(`found '${open.text}' expected: '('`);
    const first = this.#peek();
    if (first.kind === ')') {
      this.#take();
      return [''];
    }
    if (first.kind !== 'word' && first.kind !== ',')
      throw wrong(`found '${first.text}', expected: ',', ')' or identifier`);
    const values: string[] = [];
    for (;;) {
      const token = this.#take();
      const next = this.#peek();
      if (token.kind === 'word') {
        values.push(token.text);
        if (next.kind !== ',' && next.kind !== ')') throw wrong(`found '${next.text}', expected: ',' or ')'`);
      } else if (token.kind === ',') {
        if (values.length === 0 || next.kind === ',' || next.kind === ')') values.push('');
      } else {
        throw wrong(`found '${token.text}', expected: ',', or identifier`);
      }
      if (next.kind === ')') {
        this.#take();
        return values;
      }
    }
  }
}

const wrong = (message: string) => badRequest(`unable to parse requirement: ${message}`);

function checkValues(key: string, operator: Operator, values: readonly string[]): void {
  const errors: string[] = [];
  for (const [index, value] of values.entries())
    if ((operator === 'gt' || operator === 'lt') && !isInteger(value))
      errors.push(
        `values[${index}]: Invalid value: ${quote(value)}: for 'Gt', 'Lt' operators, the value must be an integer`,
      );
  for (const [index, value] of values.entries()) {
    const complaints = labelValueComplaints(value);
    if (complaints.length > 0)
      errors.push(`values[${index}][${key}]: Invalid value: ${quote(value)}: ${complaints.join('; ')}`);
  }
  if (errors.length > 0) throw wrong(errors.length === 1 ? errors.join('') : `[${errors.join(', ')}]`);
}

/** As objects carry it. */
export type LabelSelector = {
  readonly matchLabels?: Labels;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values?: readonly string[];
  }[];
};

const operators: Readonly<Record<string, Operator>> = { In: 'in', NotIn: 'notin', Exists: 'exists', DoesNotExist: '!' };

/** An empty one selects everything. */
export function selectorOf({ matchLabels = {}, matchExpressions = [] }: LabelSelector): (labels?: Labels) => boolean {
  const requirements: readonly Requirement[] = [
    ...Object.entries(matchLabels).map(([key, value]) => ({ key, operator: '=' as const, values: [value] })),
    ...matchExpressions.map(({ key, operator, values = [] }) => ({
      key,
      operator: operators[operator] ?? 'in',
      values,
    })),
  ];
  return (labels = {}) => requirements.every((each) => holds(each, labels));
}
