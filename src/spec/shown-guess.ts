import type { Position } from '../model/problem.ts';
import { looksSecret } from '../model/secrets.ts';
import { childrenOf, fieldsOf, holdsSecret, isPrivate, type Schema } from './schema-walk.ts';

type Show = (at: Omit<Position, 'file'>) => void;

/** What can follow a key, by its name. Names that no schema knows are absent. */
type Word = 'open' | 'holds secrets' | 'secret';

const key = /(^\s*(?:[-?]\s+)*|[{,]\s*)(["']?)([A-Za-z_][A-Za-z0-9_-]*)\2(\s*:(?=\s|$))/g;
const settingPath = /^[^\s=]*/;
/** What goes on below: text with | or >, or a quote that is not closed on its line. */
const goesOn = /^\s*(?:[|>]|"[^"]*$|'[^']*$)/;

/**
 * What can be shown of lines that are not YAML: keys that ichor's schemas know, and what stands behind those of them that
 * are never a secret.
 */
export function guess(lines: readonly string[], words: Words, show: Show): void {
  let secretBelow = Infinity;
  for (const [index, line] of lines.entries()) {
    const indent = line.search(/\S/);
    if (indent > secretBelow || indent === -1) continue;
    secretBelow = Infinity;
    const found = [...line.matchAll(key)];
    if (found.length === 0) showPath(line, index + 1, words, show);
    for (const [number, match] of found.entries()) {
      const [whole, before = '', quote = '', name = ''] = match;
      const word = words.get(name);
      const behind = match.index + whole.length;
      const value = line.slice(behind, found[number + 1]?.index ?? line.length);
      const column = match.index + before.length + quote.length + 1;
      if (word !== undefined) show({ line: index + 1, column, length: name.length });
      if (word === 'open') show({ line: index + 1, column: behind + 1, length: value.search(/\s#|$/) });
      else if (goesOn.test(value) || (word === 'secret' && value.trim() === '')) secretBelow = indent;
    }
  }
}

/** Of `--set cluster.workers…` the words of the path. */
function showPath(line: string, number: number, words: Words, show: Show): void {
  const path = settingPath.exec(line)?.[0] ?? '';
  for (const { 0: step, 1: name = '', index } of path.matchAll(/([A-Za-z_][A-Za-z0-9_-]*)[.[]?/g))
    if (words.has(name)) show({ line: number, column: index + 1, length: step.length });
}

export type Words = ReadonlyMap<string, Word>;

/** Every name of a field. One that is secret anywhere is secret everywhere. */
export function wordsOf(schemas: readonly Schema[]): Words {
  const words = new Map<string, Word>();
  const visit = (schema: Schema, secret: boolean): void => {
    const inSecret = secret || isPrivate(schema);
    for (const [name, field] of Object.entries(fieldsOf(schema) ?? {})) {
      const before = words.get(name);
      if (inSecret || before === 'secret' || isPrivate(field) || looksSecret(name)) words.set(name, 'secret');
      else words.set(name, before === 'holds secrets' || holdsSecret(field) ? 'holds secrets' : 'open');
    }
    for (const inner of childrenOf(schema)) visit(inner, inSecret);
  };
  for (const schema of schemas) visit(schema, false);
  return words;
}
