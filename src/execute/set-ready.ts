import { at, titleOf, type Live } from '../kubernetes/live.ts';
import { hasPods, readinessOf, type Readiness } from '../kubernetes/readiness.ts';
import { patienceOf, refOf, type SetOptions, type SetTools } from './set-tools.ts';
import { sideBySide } from './side-by-side.ts';
import { waitFor, type Look } from './waiting.ts';

/** Waits until every object does what it is there for, and says of each why it does not yet. The first look is at what was applied. */
export async function untilReady(
  objects: readonly Live[],
  options: SetOptions,
  tools: SetTools,
  signal: AbortSignal,
): Promise<void> {
  await sideBySide(
    objects,
    // All of them wait at once: one that takes long must not hide what is wrong with another.
    objects.length,
    async (object, stop) => {
      let applied: Live | undefined = object;
      const look = async (): Promise<Look<undefined>> => {
        const live = applied ?? (await tools.client.get(refOf(object), stop));
        applied = undefined;
        return seen(await readinessNow(live, tools, stop));
      };
      await waitFor(titleOf(object), look, patienceOf(options, tools), tools.tell, stop);
      tools.tell({ kind: 'ready', object: titleOf(object) });
    },
    signal,
  );
}

function seen(readiness: Readiness): Look<undefined> {
  switch (readiness.state) {
    case 'ready':
      return { state: 'there', value: undefined };
    case 'waiting':
      return { state: 'not-yet', because: readiness.because };
    case 'failed':
      return { state: 'never', because: readiness.because };
  }
}

async function readinessNow(live: Live | undefined, { client }: SetTools, signal: AbortSignal): Promise<Readiness> {
  if (live === undefined) return { state: 'waiting', because: 'it is not there' };
  const alone = readinessOf(live);
  if (alone.state !== 'waiting' || !hasPods(live)) return alone;
  const { namespace } = live.metadata;
  const labels = selectorText(at(live, 'spec', 'selector', 'matchLabels'));
  const query = { apiVersion: 'v1', kind: 'Pod', ...(namespace === undefined ? {} : { namespace }) };
  const { items } = await client.list({ ...query, ...(labels === '' ? {} : { labels }) }, {}, signal);
  return readinessOf(live, { pods: items });
}

const selectorText = (labels: unknown): string =>
  Object.entries((labels ?? {}) as Readonly<Record<string, string>>)
    .map(([key, value]) => `${key}=${value}`)
    .join(',');
