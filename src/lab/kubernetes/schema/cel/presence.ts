import type { ASTNode } from '@marcbachmann/cel-js';

/**
 * The library’s `has()` takes fields of variables only. One of anything else, such as `has(self.matches[0].path)`, is asked for
 * as an optional value; undefined: there is none.
 */
export function withOptionalPresence(expression: string, ast: ASTNode): string | undefined {
  const found = nodesOf(ast).find(
    (node) => node.op === 'call' && node.args[0] === 'has' && !isOfVariable(node.args[1][0]),
  );
  const field = found?.op === 'call' ? found.args[1][0] : undefined;
  if (found === undefined || field?.op !== '.') return undefined;
  const owner = expression.slice(expression.indexOf('(', found.start) + 1, expression.lastIndexOf('.', field.pos));
  return `${expression.slice(0, found.start)}(${owner}.?${field.args[1]}.hasValue())${expression.slice(found.end)}`;
}

function isOfVariable(node: ASTNode | undefined): boolean {
  if (node === undefined || node.op === 'id') return true;
  return (node.op === '.' || node.op === '.?') && isOfVariable(node.args[0]);
}

const nodesOf = (value: unknown): readonly ASTNode[] => {
  if (Array.isArray(value)) return value.flatMap(nodesOf);
  if (typeof value !== 'object' || value === null || !('op' in value)) return [];
  const node = value as ASTNode;
  return [node, ...nodesOf(node.args)];
};
