import assert from 'node:assert/strict';
import { Problem } from '../model/problem.ts';
import type { World } from './conformance-world.ts';
import type { ObservedMachine, Provider } from './provider.ts';

/** The only machine of the platform, and it could be read. */
export async function observed(provider: Provider, world: World, signal: AbortSignal): Promise<ObservedMachine> {
  const seen = await provider.reader.machines(world.platform, signal);
  const [only] = seen;
  assert.ok(only?.kind === 'known' && seen.length === 1, `one machine was to be seen: ${JSON.stringify(seen)}`);
  return only.value;
}

/** What a person would read; anything else than a problem is a failure of the provider. */
export async function problemOf(failing: Promise<unknown>): Promise<Problem> {
  const error = await failing.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof Problem) return error;
  throw new Error('A problem was to be told.', { cause: error });
}

/** Does it once, and then by another run: that changes nothing any more. */
export async function unchanged(
  world: World,
  signal: AbortSignal,
  act: (provider: Provider) => Promise<void>,
): Promise<void> {
  signal.throwIfAborted();
  await using first = world.open();
  await act(first);
  const once = await world.picture();
  await using second = world.open();
  await act(second);
  assert.equal(await world.picture(), once, 'the second time changed something');
}

/** All that stands in an error, and in everything that it carries. */
export function textOf(error: unknown): string {
  const seen = new Set<unknown>();
  const collect = (value: unknown): string => {
    if (typeof value !== 'object' || value === null) return String(value);
    if (seen.has(value)) return '';
    seen.add(value);
    return Reflect.ownKeys(value)
      .map((key) => `${String(key)}: ${collect((value as Record<PropertyKey, unknown>)[key])}`)
      .join('\n');
  };
  return collect(error);
}
