import type { OpenTalos, TalosNode, TalosTarget } from '../clients/talos.ts';
import { Problem } from '../model/problem.ts';

/** A node as a person named it, and how it is reached. */
export type NamedNode = { readonly name: string; readonly target: TalosTarget };

export type NodeAnswer<T> =
  | { readonly node: string; readonly answer: T; readonly problem?: undefined }
  | { readonly node: string; readonly answer?: undefined; readonly problem: Problem };

/** Asks all nodes at once; answers stand in the order of the nodes, and one that fails does not silence the others. */
export const askNodes = <T>(
  nodes: readonly NamedNode[],
  open: OpenTalos,
  ask: (node: TalosNode, signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
): Promise<readonly NodeAnswer<T>[]> =>
  Promise.all(
    nodes.map(async ({ name, target }): Promise<NodeAnswer<T>> => {
      try {
        await using node = open(target);
        return { node: name, answer: await ask(node, signal) };
      } catch (error) {
        return { node: name, problem: problemOf(error) };
      }
    }),
  );

export type NodeItem<T> =
  | { readonly node: string; readonly item: T; readonly problem?: undefined }
  | { readonly node: string; readonly item?: undefined; readonly problem: Problem };

/** What one node streams; a failure is its last item. */
export async function* streamNode<T>(
  { name, target }: NamedNode,
  open: OpenTalos,
  stream: (node: TalosNode, signal: AbortSignal) => AsyncIterable<T>,
  signal: AbortSignal,
): AsyncIterable<NodeItem<T>> {
  try {
    await using node = open(target);
    for await (const item of stream(node, signal)) yield { node: name, item };
  } catch (error) {
    if (signal.aborted) return;
    yield { node: name, problem: problemOf(error) };
  }
}

/** One node after the other: what has an end is shown whole, node by node. */
export async function* inTurn<T>(streams: readonly AsyncIterable<T>[]): AsyncIterable<T> {
  for (const stream of streams) yield* stream;
}

/** All at once, as it arrives: what has no end. */
export async function* together<T>(streams: readonly AsyncIterable<T>[]): AsyncIterable<T> {
  const iterators = streams.map((stream) => stream[Symbol.asyncIterator]());
  const next = async (index: number) => ({ index, result: await iterators[index]!.next() });
  const waiting = new Map(iterators.map((_, index) => [index, next(index)]));
  try {
    while (waiting.size > 0) {
      const { index, result } = await Promise.race(waiting.values());
      if (result.done) waiting.delete(index);
      else {
        yield result.value;
        waiting.set(index, next(index));
      }
    }
  } finally {
    await Promise.all(iterators.map(async (iterator) => iterator.return?.()));
  }
}

/** What is no problem of the user is a bug, and stays one. */
function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  throw error;
}
