import type { KubernetesReader } from '../../clients/kubernetes.ts';
import type { Network } from '../../kubernetes/cni/network.ts';
import { readinessOf } from '../../kubernetes/readiness.ts';
import { titleOf, type Live } from '../../kubernetes/live.ts';
import { Problem } from '../../model/problem.ts';
import { skipped, unless, type Check } from './check.ts';
import { orProblem } from './machines.ts';

const namespace = 'kube-system';

/** What keeps a cluster alive runs. */
export async function podCheck(client: KubernetesReader, signal: AbortSignal): Promise<Check> {
  const what = 'All pods of kube-system are ready.';
  const found = await client.list({ apiVersion: 'v1', kind: 'Pod', namespace }, {}, signal).catch(orProblem);
  if (found instanceof Problem) return unless('pods', what, [found.message], found.remedy);
  return unless(
    'pods',
    what,
    found.items.filter((pod) => pod.metadata.deletionTimestamp === undefined).flatMap(unready),
    `See what it waits for:\n    kubectl get pods -n ${namespace}`,
  );
}

const unready = (object: Live): readonly string[] => {
  const readiness = readinessOf(object);
  return readiness.state === 'ready' ? [] : [`${titleOf(object)}: ${readiness.because}`];
};

export const networkSkipped = (network: Network, why: string): Check =>
  skipped(
    'network',
    'Cilium is ready on every node.',
    network.kind === 'cilium' ? why : 'the file has another network',
  );

/** The pod network, where it is ours: what its chart brings is ready everywhere. */
export async function networkCheck(network: Network, client: KubernetesReader, signal: AbortSignal): Promise<Check> {
  if (network.kind !== 'cilium') return networkSkipped(network, '');
  const { name } = network.release;
  const [agents, operator] = await Promise.all([
    client.get({ apiVersion: 'apps/v1', kind: 'DaemonSet', namespace, name }, signal).catch(orProblem),
    client
      .get({ apiVersion: 'apps/v1', kind: 'Deployment', namespace, name: `${name}-operator` }, signal)
      .catch(orProblem),
  ]);
  const against = [agents, operator].flatMap((found, index) => {
    if (found instanceof Problem) return [found.message];
    return found === undefined ? [`${index === 0 ? name : `${name}-operator`} is not there`] : unready(found);
  });
  return unless(
    'network',
    'Cilium is ready on every node.',
    against,
    `See what it waits for:\n    kubectl rollout status -n ${namespace} daemonset/${name}`,
  );
}

/** Servers answer with a Status, or in plain words. */
function saidIn({ status, text }: { readonly status: number; readonly text: string }): string {
  const [first = ''] = text.split('\n');
  try {
    const { message } = JSON.parse(text) as { readonly message?: unknown };
    return `${status}: ${typeof message === 'string' ? message : first}`;
  } catch {
    return `${status}: ${first}`;
  }
}

/** The API through the one address that people use, with nobody standing in for it. */
export async function endpointCheck(
  server: string,
  client: KubernetesReader,
  vipHolder: string | undefined,
  signal: AbortSignal,
): Promise<Check> {
  const what = `The Kubernetes API answers at ${server}.`;
  const answer = await client.raw('/readyz', signal).catch(orProblem);
  const remedy = `Ask it yourself:\n    kubectl get --raw /readyz --server ${server}`;
  if (answer instanceof Problem) return unless('endpoint', what, [answer.message], remedy);
  if (answer.status !== 200) return unless('endpoint', what, [`it says ${saidIn(answer)}`], remedy);
  return { ...unless('endpoint', what, [], ''), why: vipHolder === undefined ? '' : `${vipHolder} has the address` };
}
