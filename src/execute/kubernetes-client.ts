import type { KubernetesClient, KubernetesTarget } from '../clients/kubernetes.ts';
import { Problem } from '../model/problem.ts';
import type { Tools } from './tools.ts';
import { addressOf } from './where.ts';
import { within } from '../model/signals.ts';

/** The Kubernetes API as an administrator, by its endpoint or, while that is not up, by any control plane. */
export async function openApi(tools: Tools, signal: AbortSignal): Promise<KubernetesClient> {
  await findServers(tools, signal);
  const { material, found, openKubernetes } = tools;
  return openKubernetes(await material.kubernetes(found.addresses), () => material.apiServers(found.addresses));
}

/** At least one control plane must be known, for an endpoint that is not up yet. */
async function findServers(tools: Tools, signal: AbortSignal): Promise<void> {
  const { material, found } = tools;
  const needed = material.endpointMachine ?? material.controlPlanes[0];
  if (
    needed === undefined ||
    (material.endpointMachine === undefined && material.apiServers(found.addresses).length > 0)
  )
    return;
  await addressOf(needed, undefined, tools, signal);
}

/** How long one server may take to say that it is ready. */
const readyMs = 4000;

/**
 * The API at one address that surely answers, for programs that know only one: the endpoint, or a control plane’s own address,
 * whose certificate names it as well.
 */
export async function answeringTarget(tools: Tools, signal: AbortSignal): Promise<KubernetesTarget> {
  await findServers(tools, signal);
  const { material, found } = tools;
  const target = await material.kubernetes(found.addresses);
  const own = material.apiServers(found.addresses).map(({ host, port }) => ({
    ...target,
    server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
  }));
  let last: unknown;
  for (const each of [target, ...own]) {
    try {
      await using client = tools.openKubernetes(each);
      using soon = within(readyMs, signal);
      const { status } = await client.raw('/readyz', soon);
      if (status === 200) return each;
    } catch (error) {
      signal.throwIfAborted();
      last = error;
    }
  }
  throw new Problem(
    'kubernetes-not-ready',
    `Neither ${target.server} nor any control plane serves the Kubernetes API.`,
    {
      recovery: 'wait',
      remedy: 'Look at the control planes:\n    ichor talos services',
      ...(last === undefined ? {} : { cause: last }),
    },
  );
}
