import { badRequest } from '../refusal.ts';
import type { SubresourceHandler } from '../verbs/subresource.ts';
import { ContainerOutput } from './container-output.ts';
import type { ContainerStatus, Pod } from './shapes.ts';
import { find, isOver, keyOf } from './tools.ts';

/** What a container that is not there has to say: that it is not there, and what its command would have said. */
export const logsWith =
  (output: ContainerOutput): SubresourceHandler =>
  ({ parent, query, api, clock, signal }) => {
    const pod = parent as unknown as Pod;
    const container = containerOf(pod, query.get('container') ?? undefined);
    // Nobody to ask yet: an answer without a word.
    if ((pod.spec.nodeName ?? '') === '') return { kind: 'nothing' };
    const status = statusOf(pod, container);
    const { name } = pod.metadata;
    const ran = status?.lastState.terminated !== undefined;
    if (query.get('previous') === 'true' && !ran)
      throw badRequest(`previous terminated container "${container}" in pod "${name}" not found`);
    if (status?.state.waiting !== undefined && !ran)
      throw badRequest(`container "${container}" in pod "${name}" is waiting to start: ${status.state.waiting.reason}`);
    if (status === undefined)
      throw badRequest(`container "${container}" in pod "${name}" is waiting to start: ContainerCreating`);
    const text = linesOf(pod, container, status, query, output.of(pod.metadata.uid, container));
    if (query.get('follow') !== 'true' || isOver(pod)) return { kind: 'text', text };
    return {
      kind: 'text',
      text: follow(text, () => find(api, '/pods', keyOf(pod))?.metadata.uid === pod.metadata.uid, clock, signal),
    };
  };

/** Of a twin that does nothing. */
export const logs = logsWith(new ContainerOutput());

function containerOf(pod: Pod, wanted: string | undefined): string {
  const names = pod.spec.containers.map(({ name }) => name);
  const inits = (pod.spec.initContainers ?? []).map(({ name }) => name);
  if (wanted !== undefined && wanted !== '') {
    if (![...names, ...inits].includes(wanted))
      throw badRequest(`container ${wanted} is not valid for pod ${pod.metadata.name}`);
    return wanted;
  }
  const usual = pod.metadata.annotations?.['kubectl.kubernetes.io/default-container'];
  if (names.length === 1 || (usual !== undefined && names.includes(usual))) return usual ?? names[0] ?? '';
  const hint = inits.length === 0 ? '' : ` or one of the init containers: [${inits.join(' ')}]`;
  throw badRequest(
    `a container name must be specified for pod ${pod.metadata.name}, choose one of: [${names.join(' ')}]${hint}`,
  );
}

const statusOf = ({ status }: Pod, name: string): ContainerStatus | undefined =>
  [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])].find((each) => each.name === name);

function linesOf(
  pod: Pod,
  container: string,
  { state, lastState, image, restartCount }: ContainerStatus,
  query: URLSearchParams,
  said: readonly string[],
): string {
  const past =
    query.get('previous') === 'true'
      ? lastState.terminated
      : (state.terminated ?? (state.waiting === undefined ? undefined : lastState.terminated));
  const started = past?.startedAt ?? state.running?.startedAt ?? '';
  const lines: [string, string][] = [
    [started, `This pod is a twin's: no process runs in it, and this is all that it logs.`],
    [
      started,
      `${keyOf(pod)}, container ${container}, image ${image}, node ${pod.spec.nodeName ?? ''}, restarts ${restartCount}`,
    ],
    [started, `started at ${started}`],
    ...said.map((line): [string, string] => [past?.finishedAt ?? started, line]),
  ];
  if (past !== undefined) lines.push([past.finishedAt, `ended at ${past.finishedAt} with exit code ${past.exitCode}`]);
  const tail = Number(query.get('tailLines') ?? Infinity);
  const kept = tail >= lines.length ? lines : lines.slice(lines.length - tail);
  const text = kept
    .map(([at, line]) => `${query.get('timestamps') === 'true' ? `${at.replace('Z', '.000000000Z')} ` : ''}${line}\n`)
    .join('');
  const limit = query.get('limitBytes');
  return limit === null ? text : text.slice(0, Number(limit));
}

async function* follow(
  text: string,
  isThere: () => boolean,
  clock: { sleep(ms: number, signal?: AbortSignal): Promise<void> },
  signal: AbortSignal,
): AsyncIterable<string> {
  yield text;
  while (isThere() && !signal.aborted) await clock.sleep(1000, signal).catch(() => undefined);
}
