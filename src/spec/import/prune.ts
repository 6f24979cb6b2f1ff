import { formatPath, type Path, type Scalar, type Tree } from '../tree.ts';
import type { Configuration } from './configuration.ts';
import { manifestHoldsSecret } from './manifest-secrets.ts';
import { isSecret, mayHoldSecret } from './secrets.ts';

export type Reason = 'secret' | 'environment' | 'template';

/** A piece that cannot be carried over, and the value inside it that is the reason. */
type Left = { readonly dropped: Path; readonly cause: Path; readonly reason: Reason };

type Pruned = {
  /** Undefined when nothing is left. */
  readonly value: unknown;
  readonly left: readonly Left[];
};

export type Judge = (key: string, value: Scalar) => Reason | undefined;

/** What Talos configuration must not bring along: secrets. */
export function secretsOnly(key: string, value: Scalar): Reason | undefined {
  const text = typeof value === 'string' ? value : '';
  if (key === 'content') return mayHoldSecret(text) ? 'secret' : undefined;
  if (key === 'contents') return manifestHoldsSecret(text) ? 'secret' : undefined;
  return isSecret(key, value) ? 'secret' : undefined;
}

/**
 * The configuration without what a judge refuses. A list loses the whole item, a document and an encryption are lost
 * whole: an interface without its key or a volume that is silently no longer encrypted would be worse than none.
 */
function prune(tree: Tree, judge: Judge): Pruned {
  const pruned = pruneAt(tree, [], judge);
  if (pruned.left.length === 0 || !isDocument(tree)) return pruned;
  return { value: undefined, left: pruned.left.map((left) => ({ ...left, dropped: [] })) };
}

const isDocument = (tree: Tree): boolean => tree.kind === 'map' && tree.entries.has('kind');

function pruneAt(tree: Tree, path: Path, judge: Judge): Pruned {
  if (tree.kind === 'scalar') {
    const key = path.findLast((step) => typeof step === 'string') ?? '';
    const reason = judge(key, tree.value);
    return reason
      ? { value: undefined, left: [{ dropped: path, cause: path, reason }] }
      : { value: tree.value, left: [] };
  }
  const children =
    tree.kind === 'list'
      ? [...tree.items.entries()]
      : [...tree.entries].map(([key, { value }]) => [key, value] as const);
  const pruned = children.map(([step, child]) => {
    const result = pruneAt(child, [...path, step], judge);
    const whole = tree.kind === 'list' || /encryption/i.test(String(step));
    return { step, ...(whole ? droppedWhole(result, [...path, step]) : result) };
  });
  const left = pruned.flatMap((child) => child.left);
  const kept = pruned.filter(({ value }) => value !== undefined);
  if (kept.length === 0 && children.length > 0) return { value: undefined, left };
  const value =
    tree.kind === 'list'
      ? kept.map((item) => item.value)
      : Object.fromEntries(kept.map((entry) => [entry.step, entry.value]));
  return { value, left };
}

const droppedWhole = (result: Pruned, path: Path): Pruned =>
  result.left.length === 0
    ? result
    : { value: undefined, left: result.left.map((left) => ({ ...left, dropped: path })) };

const because: Readonly<Record<Reason, string>> = {
  secret: 'is a secret',
  environment: 'takes its value from an environment variable',
  template: 'is a template',
};

/** Said of the piece that was dropped. */
const sentence = ({ dropped, cause, reason }: Left): string =>
  `Not carried over: ${formatPath(cause.slice(dropped.length)) || 'it'} ${because[reason]}.`;

/** The configuration as far as it may stand in a file; what may not is named. */
export function carry({ tree, say }: Configuration, judge: Judge): unknown {
  const { value, left } = prune(tree, judge);
  for (const piece of left) say(piece.dropped, sentence(piece));
  return value;
}

/** All of it or nothing: a part of it would not be what it was. */
export function carryWhole({ tree, say }: Configuration, judge: Judge): unknown {
  const { value, left } = prune(tree, judge);
  for (const piece of left) say([], sentence({ ...piece, dropped: [] }));
  return left.length === 0 ? value : undefined;
}
