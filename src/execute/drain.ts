import type { KubernetesReader, KubernetesWriter, ObjectRef } from '../clients/kubernetes.ts';
import { budgetsOf, leavingOf, podName, type DrainConsent, type Leaving } from '../kubernetes/drain.ts';
import type { Live } from '../kubernetes/live.ts';
import type { Clock } from '../model/clock.ts';
import type { Pause } from '../model/pause.ts';
import { Problem, Problems } from '../model/problem.ts';
import { refOf } from './set-tools.ts';
import { sideBySide } from './side-by-side.ts';
import { waitFor, type Look, type Waits } from './waiting.ts';

export type DrainTools = {
  readonly client: KubernetesReader & KubernetesWriter;
  readonly clock: Clock;
  readonly pause: Pause;
  readonly tell: (event: DrainEvent) => void;
};

export type DrainOptions = {
  readonly consent: DrainConsent;
  readonly atMostMs: number;
  readonly everyMs?: number;
  /** Absent: what each pod asks for itself. */
  readonly gracePeriodSeconds?: number;
};

export type DrainEvent =
  | Waits
  | { readonly kind: 'cordoned'; readonly node: string }
  | { readonly kind: 'skipped'; readonly pod: string; readonly because: string }
  | { readonly kind: 'evicted'; readonly pod: string }
  | { readonly kind: 'gone'; readonly pod: string };

export type Drained = {
  readonly node: string;
  readonly gone: readonly string[];
  readonly skipped: readonly { readonly pod: string; readonly because: string }[];
};

const nodeRef = (name: string): ObjectRef => ({ apiVersion: 'v1', kind: 'Node', name });

/** Lets nothing new onto a node, or lets it again. Whether that was a change. */
export async function cordon(
  name: string,
  on: boolean,
  { client }: Pick<DrainTools, 'client'>,
  signal: AbortSignal,
): Promise<boolean> {
  const node = await client.get(nodeRef(name), signal);
  if (node === undefined)
    throw new Problem('no-such-node', `There is no node ${name} in this cluster.`, {
      remedy: 'See which there are:\n    kubectl get nodes',
    });
  const { unschedulable = false } = (node['spec'] ?? {}) as { readonly unschedulable?: boolean };
  if (unschedulable === on) return false;
  await client.patch(nodeRef(name), { kind: 'merge', body: { spec: { unschedulable: on ? true : null } } }, {}, signal);
  return true;
}

/** Empties a node: nothing new comes, and what is there goes as budgets allow. May be repeated. */
export async function drain(
  name: string,
  options: DrainOptions,
  tools: DrainTools,
  signal: AbortSignal,
): Promise<Drained> {
  const { client, tell } = tools;
  if (await cordon(name, true, tools, signal)) tell({ kind: 'cordoned', node: name });
  const leaving = (await podsOn(name, client, signal)).map((pod) => leavingOf(pod, options.consent));
  const asked = leaving.filter((one) => one.fate === 'ask');
  if (asked.length > 0) throw needsYes(name, asked);
  const skipped = leaving.flatMap((one) =>
    one.fate === 'skip' ? [{ pod: podName(one.pod), because: one.because }] : [],
  );
  for (const one of skipped) tell({ kind: 'skipped', ...one });
  const going = leaving.flatMap(({ fate, pod }) => (fate === 'evict' ? [pod] : []));
  const answers = await sideBySide(going, going.length, (pod, stop) => letGo(pod, options, tools, stop), signal);
  const stuck = answers.filter((answer) => answer instanceof Problem);
  if (stuck.length > 0) throw stillThere(name, stuck, options);
  return { node: name, gone: going.map(podName), skipped };
}

async function podsOn(node: string, client: KubernetesReader, signal: AbortSignal): Promise<readonly Live[]> {
  const { items } = await client.list({ apiVersion: 'v1', kind: 'Pod', fields: `spec.nodeName=${node}` }, {}, signal);
  return items;
}

/** Evicts a pod as soon as it may go and waits until it is gone; a problem only where time ran out. */
async function letGo(
  pod: Live,
  options: DrainOptions,
  tools: DrainTools,
  signal: AbortSignal,
): Promise<Problem | undefined> {
  const { client, clock, pause, tell } = tools;
  const { atMostMs, everyMs = 5000 } = options;
  let evicted = pod.metadata.deletionTimestamp !== undefined;
  const look = async (): Promise<Look<undefined>> => {
    const now = await client.get(refOf(pod), signal);
    // Another pod under the same name is somebody else.
    if (now === undefined || now.metadata.uid !== pod.metadata.uid) return { state: 'there', value: undefined };
    if (evicted || now.metadata.deletionTimestamp !== undefined) return { state: 'not-yet', because: ending(now) };
    const refused = await evict(pod, options, tools, signal);
    if (refused !== undefined) return { state: 'not-yet', because: refused };
    evicted = true;
    tell({ kind: 'evicted', pod: podName(pod) });
    return { state: 'not-yet', because: 'it is ending' };
  };
  try {
    await waitFor(podName(pod), look, { clock, pause, everyMs: Math.min(everyMs, 1000), atMostMs }, tell, signal);
  } catch (error) {
    if (error instanceof Problem && error.code === 'took-too-long') return error;
    throw error;
  }
  tell({ kind: 'gone', pod: podName(pod) });
  return undefined;
}

const ending = ({ metadata: { finalizers = [], deletionTimestamp } }: Live): string =>
  finalizers.length > 0
    ? `it is ending, held by ${finalizers.join(', ')}`
    : `it is ending${deletionTimestamp === undefined ? '' : `, at the latest at ${deletionTimestamp}`}`;

/** Undefined: it goes. Otherwise which budget does not allow it. */
async function evict(
  pod: Live,
  { gracePeriodSeconds }: DrainOptions,
  { client }: DrainTools,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { uid } = pod.metadata;
  try {
    await client.evict(
      refOf(pod),
      {
        ...(uid === undefined ? {} : { preconditions: { uid } }),
        ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
      },
      signal,
    );
    return undefined;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const tooMany = error.message.includes('more than one PodDisruptionBudget');
    if (error.code !== 'kubernetes-disruption-budget' && !tooMany) throw error;
    const { namespace } = pod.metadata;
    const kind = { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget' };
    const { items } = await client.list(namespace === undefined ? kind : { ...kind, namespace }, {}, signal);
    const named = budgetsOf(pod, items);
    if (tooMany) throw contested(pod, named, error);
    return named.length === 0 ? error.message : named.join('; ');
  }
}

/** Kubernetes evicts no pod that two budgets speak of, however much each of them allows. */
const contested = (pod: Live, budgets: readonly string[], cause: Problem): Problem =>
  new Problem(
    'drain-budgets-overlap',
    `${podName(pod)} cannot be evicted: more than one budget speaks of it. ${budgets.join('; ')}.`,
    { remedy: `Leave it to one of them:\n    kubectl get poddisruptionbudgets -n ${pod.metadata.namespace}`, cause },
  );

const flags: Readonly<Record<keyof DrainConsent, string>> = {
  unmanaged: '--unmanaged',
  emptyDir: '--delete-emptydir-data',
};

const needsYes = (node: string, asked: readonly Extract<Leaving, { fate: 'ask' }>[]): Problems =>
  new Problems(
    asked.map(
      ({ pod, because, consent }) =>
        new Problem('drain-needs-yes', `${podName(pod)} on ${node} stays: ${because}.`, {
          remedy: `Say that it may go with ${flags[consent]}. The node is cordoned, and nothing was evicted.`,
        }),
    ),
  );

const stillThere = (node: string, stuck: readonly Problem[], { atMostMs }: DrainOptions): Problem =>
  new Problem(
    'drain-took-too-long',
    `${node} is not empty after ${Math.round(atMostMs / 1000)} s. Still there:\n${stuck
      .map(({ message }) => `  ${message.replace(/^Waited \d+ s for /, '').replace(', in vain:', ':')}`)
      .join('\n')}`,
    {
      recovery: 'wait',
      remedy:
        'Give budgets more pods to count on, or wait longer with --timeout. Running this again goes on from here.',
    },
  );
