import type { LogOptions, ObjectRef } from '../../kubernetes.ts';
import { linesOf } from '../lines.ts';
import { pathOf } from '../path.ts';
import { lostAnswer } from '../problems/losses.ts';
import { askedFor, namespaceOf, withMapping, type Asking } from './asking.ts';
import { firstOf } from '../../../model/signals.ts';

/** Line by line. Ends with the container’s output; a connection that breaks in the middle is a problem. */
export async function* logs(
  asking: Asking,
  pod: ObjectRef,
  options: LogOptions,
  answerMs: number,
  callers: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  using signal = firstOf(callers);
  const { asked, stream } = await withMapping(asking, pod, signal, async (mapping) => {
    const at = { ...pod, namespace: namespaceOf(mapping, pod.namespace, asking), subresource: 'log' };
    const query = {
      container: options.container,
      follow: options.follow,
      previous: options.previous,
      tailLines: options.tailLines,
      sinceSeconds: options.sinceSeconds,
    };
    const question = {
      asked: askedFor(asking, mapping, 'get', at),
      outgoing: { method: 'GET', path: pathOf(mapping, at, query), body: undefined, headers: { accept: '*/*' } },
      repeatable: true,
    } as const;
    const opened = await asking.caller.stream(question, options.follow === true ? 0 : answerMs, signal);
    return { asked: question.asked, stream: opened };
  });
  try {
    yield* linesOf(stream.body as AsyncIterable<Buffer>);
  } catch (error) {
    signal.throwIfAborted();
    throw lostAnswer(error, asked);
  } finally {
    stream.close();
  }
}
