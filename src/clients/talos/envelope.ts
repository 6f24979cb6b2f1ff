import { Problem } from '../../model/problem.ts';
import type { Metadata } from '../../wire/gen/talos/common_pb.ts';
import { redact } from './redact.ts';

type Item = { readonly metadata?: Metadata | undefined };
export type Enveloped = { readonly messages: readonly Item[] };

/** A node that is asked at its own address answers with exactly one item. */
export function onlyOne<T extends Item>(host: string, { messages }: { readonly messages: readonly T[] }): T {
  const [item] = messages;
  if (item === undefined)
    throw new Problem('talos-empty-answer', `${host} answered with nothing in it.`, { recovery: 'retry' });
  return withoutError(host, item);
}

/** Some failures come as an item that holds nothing but an error, while the call itself ends well. */
export function withoutError<T extends Item>(host: string, item: T): T {
  const said = item.metadata?.error ?? '';
  if (said === '') return item;
  throw new Problem('talos-refused', `${host} answered: ${redact(said)}`, { recovery: 'ask' });
}
