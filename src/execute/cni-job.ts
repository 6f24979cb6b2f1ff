import { installerOf } from '../kubernetes/cni/installer.ts';
import { listAt, textAt, titleOf, type Live } from '../kubernetes/live.ts';
import { readinessOf } from '../kubernetes/readiness.ts';
import type { Manifest } from '../model/manifest.ts';
import { Problem } from '../model/problem.ts';
import type { Cilium, NetworkOptions, NetworkTools } from './cni.ts';
import { refOf } from './set-tools.ts';
import { waitFor, type Look } from './waiting.ts';

/** Has a Job in the cluster do what helm would. Its rights end with it, however it ended; only while helm works in it, it stays. */
export async function runInstaller(
  network: Cilium,
  options: NetworkOptions,
  tools: NetworkTools,
  signal: AbortSignal,
): Promise<void> {
  const { rights, job } = installerFor(network, options);
  const made: Live[] = [];
  try {
    for (const manifest of [...rights, job])
      made.push(await tools.client.apply(manifest, { manager: 'ichor', force: true }, signal));
    await ended(job, options, tools, signal);
  } catch (error) {
    await takeAwayUnlessAtWork(job, made, tools).catch(() => undefined);
    throw error;
  }
  const live = await tools.client.get(refOf(job), signal);
  const failure = live === undefined ? undefined : await failureOf(live, tools, signal);
  await takeAway(made, tools, signal);
  if (failure !== undefined) throw failure;
}

/** Also after Ctrl-C: nobody may keep the rights of a Job that never began. What cannot be taken away is left to the next run. */
async function takeAwayUnlessAtWork(job: Manifest, made: readonly Live[], tools: NetworkTools): Promise<void> {
  const signal = AbortSignal.timeout(graceMs);
  const live = await tools.client.get(refOf(job), signal);
  if (live === undefined || !(await isAtWork(live, tools, signal))) await takeAway(made, tools, signal);
}

const graceMs = 10_000;

/** What an earlier run left behind: waited for while helm works in it, and taken away then. */
export async function clearInstallers(
  network: Cilium,
  options: NetworkOptions,
  tools: NetworkTools,
  signal: AbortSignal,
): Promise<void> {
  const { label, rights, job } = installerFor(network, options);
  const { client } = tools;
  const labels = `${label.key}=${label.value}`;
  const left = await Promise.all(
    [job, ...rights].map(async ({ apiVersion, kind, metadata: { namespace } }) => {
      const query = { apiVersion, kind, labels, ...(namespace === undefined ? {} : { namespace }) };
      const { items } = await client.list(query, {}, signal);
      return items.map((item): Live => ({ ...item, apiVersion, kind }));
    }),
  );
  const [jobs = []] = left;
  for (const one of jobs) if (await isAtWork(one, tools, signal)) await ended(one, options, tools, signal);
  await takeAway(left.flat(), tools, signal);
}

/** Whether helm may be in the middle of something. */
async function isAtWork(job: Live, tools: NetworkTools, signal: AbortSignal): Promise<boolean> {
  const pods = await podsOf(job, tools, signal);
  return pods.some((pod) => textAt(pod, 'status', 'phase') === 'Running');
}

const installerFor = ({ release, reach }: Cilium, { image }: NetworkOptions) => installerOf(release, reach, image);

const ended = (job: Live | Manifest, options: NetworkOptions, tools: NetworkTools, signal: AbortSignal) =>
  waitFor(
    titleOf(job),
    async (): Promise<Look<undefined>> => {
      const live = await tools.client.get(refOf(job), signal);
      const { readiness } = await seen(live, tools, signal);
      return readiness.state === 'waiting'
        ? { state: 'not-yet', because: readiness.because }
        : { state: 'there', value: undefined };
    },
    {
      clock: tools.clock,
      pause: tools.pause,
      fromMs: Math.min(100, options.everyMs ?? 2000),
      everyMs: options.everyMs ?? 2000,
      atMostMs: options.atMostMs,
    },
    tools.tell,
    signal,
  );

async function seen(live: Live | undefined, tools: NetworkTools, signal: AbortSignal) {
  if (live === undefined) return { readiness: { state: 'failed', because: 'it is gone' }, pods: [] } as const;
  const pods = await podsOf(live, tools, signal);
  return { readiness: readinessOf(live, { pods }), pods };
}

async function podsOf({ metadata }: Live, { client }: NetworkTools, signal: AbortSignal): Promise<readonly Live[]> {
  const { name = '', namespace = '' } = metadata;
  const labels = `batch.kubernetes.io/job-name=${name}`;
  const { items } = await client.list({ apiVersion: 'v1', kind: 'Pod', namespace, labels }, {}, signal);
  return items;
}

/** What helm said last, where the Job failed. */
async function failureOf(job: Live, tools: NetworkTools, signal: AbortSignal): Promise<Problem | undefined> {
  const { readiness, pods } = await seen(job, tools, signal);
  if (readiness.state !== 'failed') return undefined;
  const said = await lastWords(pods, tools, signal);
  return new Problem('network-not-installed', `${titleOf(job)}: ${readiness.because}.${said}`, {
    remedy: 'Solve what helm says, and run this again; or put helm on the PATH, and it is used instead of a Job.',
  });
}

async function lastWords(pods: readonly Live[], { client }: NetworkTools, signal: AbortSignal): Promise<string> {
  const newest = pods
    .filter((pod) => listAt(pod, 'status', 'containerStatuses').length > 0)
    .toSorted((one, other) => (startOf(one) < startOf(other) ? 1 : -1))[0];
  if (newest === undefined) return '';
  const lines: string[] = [];
  try {
    for await (const line of client.logs(refOf(newest), { tailLines: 20 }, signal)) lines.push(line);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
  }
  return lines.length === 0 ? '' : ` Helm said:\n${lines.map((line) => `  ${line}`).join('\n')}`;
}

const startOf = (pod: Live): string => textAt(pod, 'status', 'startTime') ?? '';

/** What another run has made under the same name meanwhile is that run’s. */
async function takeAway(objects: readonly Live[], { client }: NetworkTools, signal: AbortSignal): Promise<void> {
  const one = async (object: Live): Promise<void> => {
    const { uid } = object.metadata;
    const exactly = uid === undefined ? {} : { preconditions: { uid } };
    try {
      await client.delete(refOf(object), { ...exactly, propagation: 'Background' }, signal);
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'kubernetes-conflict') throw error;
    }
  };
  await Promise.all(objects.map(one));
}
