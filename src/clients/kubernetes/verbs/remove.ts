import type { DeleteOptions, ObjectRef } from '../../kubernetes.ts';
import type { Mapping } from '../discovery.ts';
import { readJson } from '../json.ts';
import { pathOf } from '../path.ts';
import type { Answer } from '../transport/link.ts';
import { isRecord } from '../record.ts';
import { askedFor, isNotFound, namespaceOf, withMapping, type Asking } from './asking.ts';
import { get } from './read.ts';
import { isLost } from './write.ts';

/** Sent a second time only with a uid: somebody may have made another object with that name meanwhile. */
export const remove = (
  asking: Asking,
  ref: ObjectRef,
  options: DeleteOptions,
  signal: AbortSignal,
): Promise<'gone' | 'going'> =>
  withMapping(asking, ref, signal, async (mapping) => {
    const at = { namespace: namespaceOf(mapping, ref.namespace, asking), name: ref.name };
    try {
      const answer = await ask(asking, mapping, { ...at, verb: 'delete' }, optionsBody(options), options, signal);
      return answer === undefined ? 'gone' : fateIn(readJson(answer.text, askedFor(asking, mapping, 'delete', at)));
    } catch (error) {
      if (!isLost(error) || options.dryRun === true) throw error;
      const live = await get(asking, ref, signal);
      const { uid } = options.preconditions ?? {};
      if (live === undefined || (uid !== undefined && live.metadata.uid !== uid)) return 'gone';
      if (live.metadata.deletionTimestamp !== undefined) return 'going';
      throw error;
    }
  });

/** The object as it was is the answer while something holds it; a Status that it is gone. */
function fateIn(answer: unknown): 'gone' | 'going' {
  if (!isRecord(answer) || answer['kind'] === 'Status') return 'gone';
  const metadata = isRecord(answer['metadata']) ? answer['metadata'] : {};
  if (metadata['deletionTimestamp'] === undefined) return 'gone';
  const held = Array.isArray(metadata['finalizers']) && metadata['finalizers'].length > 0;
  return held || metadata['deletionGracePeriodSeconds'] !== 0 ? 'going' : 'gone';
}

export const evict = (
  asking: Asking,
  pod: ObjectRef,
  options: DeleteOptions,
  signal: AbortSignal,
): Promise<'evicted' | 'gone'> =>
  withMapping(asking, pod, signal, async (mapping) => {
    const at = { namespace: namespaceOf(mapping, pod.namespace, asking), name: pod.name, subresource: 'eviction' };
    const body = {
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: { name: pod.name, namespace: at.namespace },
      deleteOptions: optionsBody(options),
    };
    try {
      const answer = await ask(asking, mapping, { ...at, verb: 'evict' }, body, options, signal);
      return answer === undefined ? 'gone' : 'evicted';
    } catch (error) {
      if (!isLost(error) || options.dryRun === true) throw error;
      const live = await get(asking, pod, signal);
      const { uid } = options.preconditions ?? {};
      if (live === undefined || (uid !== undefined && live.metadata.uid !== uid)) return 'gone';
      if (live.metadata.deletionTimestamp !== undefined) return 'evicted';
      throw error;
    }
  });

/** Undefined: it was not there. */
async function ask(
  asking: Asking,
  mapping: Mapping,
  {
    verb,
    ...at
  }: {
    readonly verb: 'delete' | 'evict';
    readonly namespace: string | undefined;
    readonly name: string;
    readonly subresource?: string;
  },
  body: object,
  { preconditions, dryRun }: DeleteOptions,
  signal: AbortSignal,
): Promise<Answer | undefined> {
  try {
    return await asking.caller.call(
      {
        asked: askedFor(asking, mapping, verb, { namespace: at.namespace, name: at.name }),
        outgoing: {
          method: verb === 'delete' ? 'DELETE' : 'POST',
          path: pathOf(mapping, at),
          body: JSON.stringify(body),
          headers: { 'content-type': 'application/json' },
        },
        repeatable: preconditions?.uid !== undefined || dryRun === true,
        ...(verb === 'evict' ? { busyIsAnswer: true } : {}),
      },
      signal,
    );
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

const optionsBody = ({ dryRun, preconditions, propagation, gracePeriodSeconds }: DeleteOptions): object => ({
  apiVersion: 'v1',
  kind: 'DeleteOptions',
  ...(dryRun === true ? { dryRun: ['All'] } : {}),
  ...(preconditions === undefined ? {} : { preconditions }),
  ...(propagation === undefined ? {} : { propagationPolicy: propagation }),
  ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
});
