import type * as z from 'zod';
import { Problem } from '../model/problem.ts';
import type { VmidRange } from '../model/range.ts';
import { Complainer, type Issue } from './complaint.ts';
import type { DataDisk } from './schema/values.ts';
import { formatPath, locate, toValue, type Path, type PathStep, type Tree } from './tree.ts';

/** What could be read of a document that may be wrong elsewhere: rules look at what is there. */
export type Draft<T> = unknown extends T
  ? T
  : T extends string | number | boolean | null | undefined | VmidRange | DataDisk
    ? T
    : T extends readonly (infer Item)[]
      ? readonly (Draft<Item> | undefined)[]
      : { readonly [Key in keyof T]?: Draft<T[Key]> };

/** Whether the file says something there, be it right or broken. */
export const isGiven = <T extends object>(mapping: T | undefined, key: keyof T): boolean =>
  mapping !== undefined && Object.hasOwn(mapping, key);

export type Checked<T> = { readonly draft: Draft<T>; readonly problems: readonly Problem[] };

/** A file with more mistakes than these is shown the first ones: nobody reads on. */
const mostProblems = 200;

/** Holds a document against its schema. What is wrong is reported, and everything right is in the draft. */
export function check<S extends z.ZodType>(
  schema: S,
  tree: Tree,
  nameOf: (path: Path) => string = formatPath,
): Checked<z.output<S>> {
  const payload = schema._zod.run({ value: toValue(tree), issues: [] }, { async: false });
  if (payload instanceof Promise) throw new Error('A schema must not be asynchronous.');
  const issues = payload.issues.map((issue) => ({
    ...issue,
    path: (issue.path ?? []).map((step) => (typeof step === 'number' ? step : String(step))),
  }));
  const spoiled: Spoiled = { inner: new Map() };
  for (const { code, path } of issues) if (spoils(code, tree, path)) mark(spoiled, path);
  const draft = without(payload.value, spoiled) ?? {};
  return {
    draft: draft as Draft<z.output<S>>,
    problems: complaints(new Complainer(schema, tree, nameOf), issues, tree),
  };
}

function complaints(complainer: Complainer, issues: readonly Issue[], tree: Tree): readonly Problem[] {
  const problems: Problem[] = [];
  const seen = new Set<string>();
  for (const issue of issues) {
    for (const problem of complainer.complain(issue)) {
      // One mistake can break two checks of one value (too short, and of the wrong form): the first says enough.
      const { path, code } = problem;
      const key = code === 'unknown-key' || code === 'rule' ? `${code} ${path}` : `value ${path}`;
      if (seen.has(key)) continue;
      seen.add(key);
      if (problems.length === mostProblems) return [...problems, manyMore(tree)];
      problems.push(problem);
    }
  }
  return problems;
}

const manyMore = (tree: Tree): Problem =>
  new Problem('many-more', `There is more wrong here than the first ${mostProblems} problems.`, {
    at: tree.at,
    path: '',
    remedy: 'Mend those first.',
  });

/** Whether the value at the path is unusable; a mapping with an unknown key or two alternatives is not. */
function spoils(code: string, tree: Tree, path: Path): boolean {
  if (code === 'unrecognized_keys') return false;
  const { depth, node } = locate(tree, path);
  return code !== 'custom' || depth < path.length || node.kind === 'scalar';
}

/** The paths of unusable values, as a tree. */
type Spoiled = { whole?: true; readonly inner: Map<PathStep, Spoiled> };

function mark(spoiled: Spoiled, path: Path): void {
  let current = spoiled;
  for (const step of path) {
    const next = current.inner.get(step) ?? { inner: new Map() };
    current.inner.set(step, next);
    current = next;
  }
  current.whole = true;
}

/** Keys stay, and items keep their places: a broken value is there, and what is said about the third item is found at the third. */
function without(value: unknown, { whole, inner }: Spoiled): unknown {
  if (whole === true) return undefined;
  if (inner.size === 0 || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    return items.map((item, index) => {
      const spoiled = inner.get(index);
      return spoiled === undefined ? item : without(item, spoiled);
    });
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, item]: [string, unknown]) => {
      const spoiled = inner.get(key);
      return [key, spoiled === undefined ? item : without(item, spoiled)];
    }),
  );
}
