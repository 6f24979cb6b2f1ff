import { Environment } from '@marcbachmann/cel-js';
import type { ParseResult } from '@marcbachmann/cel-js';
import type { RawSchema } from '../structural.ts';
import { undefinedField } from './fields.ts';
import { registerFunctions } from './functions.ts';
import { withOptionalPresence } from './presence.ts';

let shared: Environment | undefined;

function environment(): Environment {
  if (shared === undefined) {
    shared = new Environment({
      unlistedVariablesAreDyn: false,
      enableOptionalTypes: true,
      homogeneousAggregateLiterals: false,
    });
    shared.registerVariable('self', 'dyn').registerVariable('oldSelf', 'dyn');
    registerFunctions(shared);
  }
  return shared;
}

const compiled = new Map<string, ParseResult>();

export function compile(expression: string): ParseResult {
  let program = compiled.get(expression);
  if (program === undefined) compiled.set(expression, (program = parse(expression)));
  return program;
}

function parse(expression: string): ParseResult {
  const program = environment().parse(expression);
  const other = withOptionalPresence(expression, program.ast);
  return other === undefined ? program : parse(other);
}

/** What an expression speaks of. */
export type Subject = { readonly self: RawSchema; readonly oldSelf: RawSchema | undefined };

/** What is wrong with an expression itself; undefined: nothing. */
export function compileProblem(
  expression: string,
  { self, oldSelf }: Subject,
  type: 'bool' | 'string' = 'bool',
): string | undefined {
  const failed = `${type === 'bool' ? '' : 'messageExpression '}compilation failed: `;
  try {
    const program = compile(expression);
    const { valid, error, type: found } = program.check();
    if (!valid) return failed + told(expression, error?.node?.pos ?? 0, inGoWords(summaryOf(error)));
    const missing = undefinedField(program.ast, self, oldSelf);
    if (missing !== undefined) return failed + told(expression, missing.at, `undefined field '${missing.name}'`);
    const is = String(found);
    if (is === type || is === 'dyn') return undefined;
    return type === 'bool' ? 'cel expression must evaluate to a bool' : 'messageExpression must evaluate to a string';
  } catch (error) {
    const { node } = error as { readonly node?: { readonly pos: number } };
    return failed + told(expression, node?.pos ?? 0, `Syntax error: ${summaryOf(error as Error)}`);
  }
}

/** The library draws below it where in the expression it is. */
const summaryOf = (error: Error | undefined): string => error?.message.split('\n')[0] ?? 'it has no type';

const inGoWords = (summary: string): string =>
  summary.replace(/^Unknown variable: (.*)$/, `undeclared reference to '$1' (in container '')`);

/** As the real compiler tells it: line and column, and below them the line with a finger at the place. */
function told(expression: string, at: number, what: string): string {
  const before = expression.slice(0, at).split('\n');
  const column = before.at(-1)?.length ?? 0;
  const line = expression.split('\n')[before.length - 1] ?? '';
  return `ERROR: <input>:${before.length}:${column + 1}: ${what}\n | ${line}\n | ${'.'.repeat(column)}^`;
}
