import type * as z from 'zod';
import type { Problem } from '../model/problem.ts';
import type { VmidRange } from '../model/range.ts';
import { Complainer } from './complaint.ts';
import type { DataDisk } from './schema/values.ts';
import { locate, toValue, type Path, type Tree } from './tree.ts';

/** What could be read of a document that may be wrong elsewhere: rules look at what is there. */
export type Draft<T> = unknown extends T
  ? T
  : T extends string | number | boolean | null | undefined | VmidRange | DataDisk
    ? T
    : T extends readonly (infer Item)[]
      ? readonly Draft<Item>[]
      : { readonly [Key in keyof T]?: Draft<T[Key]> };

export type Checked<T> = { readonly draft: Draft<T>; readonly problems: readonly Problem[] };

/** Holds a document against its schema. Everything wrong is reported, and everything right is in the draft. */
export function check<S extends z.ZodType>(schema: S, tree: Tree): Checked<z.output<S>> {
  const payload = schema._zod.run({ value: toValue(tree), issues: [] }, { async: false });
  if (payload instanceof Promise) throw new Error('A schema must not be asynchronous.');
  const complainer = new Complainer(schema, tree);
  const problems = payload.issues.flatMap((issue) => complainer.complain(issue));
  let draft: unknown = payload.value;
  for (const issue of payload.issues) {
    const path = (issue.path ?? []).map((step) => (typeof step === 'number' ? step : String(step)));
    if (spoils(issue.code, tree, path)) draft = without(draft, path);
  }
  return {
    draft: ((problems.length === 0 ? draft : compact(draft)) ?? {}) as Draft<z.output<S>>,
    problems: unique(problems),
  };
}

/** Whether the value at the path is unusable; a mapping with an unknown key or two alternatives is not. */
function spoils(code: string, tree: Tree, path: Path): boolean {
  if (code === 'unrecognized_keys') return false;
  const located = locate(tree, path);
  return located.depth < path.length || located.node.kind === 'scalar' || code === 'invalid_type';
}

function without(value: unknown, path: Path): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return undefined;
  if (Array.isArray(value)) {
    // A hole, so that what comes after it keeps its place; closed when all is done.
    const items: readonly unknown[] = value;
    return items.map((item, index) => (index === step ? without(item, rest) : item));
  }
  if (typeof value !== 'object' || value === null || !(step in value)) return value;
  const copy: Record<string, unknown> = { ...value };
  const inner = without(copy[step], rest);
  if (inner === undefined) delete copy[step];
  else copy[step] = inner;
  return copy;
}

function compact(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => item !== undefined).map(compact);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, compact(entry)]));
}

/** One mistake can break two checks of one value (too short, and of the wrong form): the first says enough. */
function unique(problems: readonly Problem[]): readonly Problem[] {
  const seen = new Set<string>();
  return problems.filter(({ path, code }) => {
    const key = code === 'unknown-key' || code === 'rule' ? `${code} ${path}` : `value ${path}`;
    const first = !seen.has(key);
    seen.add(key);
    return first;
  });
}
