import type { KubernetesReader } from '../clients/kubernetes.ts';
import type { TalosReader } from '../clients/talos.ts';
import { controlPlanePods, staticPodsLack, type StaticPod } from '../kubernetes/static-pods.ts';
import { Problem } from '../model/problem.ts';
import { openMachine } from './talos-node.ts';
import type { Handlers, Tools } from './tools.ts';
import { waitFor, type Look } from './waiting.ts';
import { patienceOf } from './where.ts';

/** Talos needs a moment to make static pods of a configuration; before that the old ones look right. */
const rendersMs = 2000;

export const controlPlaneHandlers: Pick<Handlers, 'kubernetes.await-server'> = {
  'kubernetes.await-server': async ({ machine, ref }, tools, context, signal) => {
    await using opened = await openMachine(machine, ref, tools, signal);
    const { node, address } = opened;
    await using own = await openOwn(address, tools);
    const since = tools.clock.now().getTime();
    const look = async (): Promise<Look<undefined>> => {
      const wanted = await wantedBy(node, signal);
      if (tools.clock.now().getTime() - since < rendersMs) return { state: 'not-yet', because: 'it is configured' };
      const missing = [...(await serverLacks(own, signal)), ...(await podsLack(node, own, wanted, signal))];
      return missing.length === 0
        ? { state: 'there', value: undefined }
        : { state: 'not-yet', because: missing.join('; ') };
    };
    const late = (because: string, ms: number): Problem =>
      new Problem(
        'control-plane-not-back',
        `The control plane on ${machine} does not work with its new configuration after ${Math.round(ms / 1000)} s: ${because}.`,
        {
          recovery: 'wait',
          remedy: `No other one was changed after it. Look why; if it is what the file says, set that right, and run this again:\n    ichor talos get staticpodstatuses -n ${address} --output yaml`,
        },
      );
    const what = `the control plane on ${machine} to serve`;
    await waitFor(what, look, { ...patienceOf(tools, context), late }, context.tell, signal);
  },
};

/** The API server of this control plane alone: any other one would hide what is wrong with it. */
async function openOwn(address: string, { material, found, openKubernetes }: Tools) {
  const port = material.apiServers(found.addresses)[0]?.port ?? 6443;
  const host = address.includes(':') ? `[${address}]` : address;
  return openKubernetes({ ...(await material.kubernetes(found.addresses)), server: `https://${host}:${port}` });
}

async function wantedBy(node: Pick<TalosReader, 'list'>, signal: AbortSignal): Promise<readonly StaticPod[]> {
  const pods = await node.list({ type: 'StaticPods.kubernetes.talos.dev', namespace: 'k8s' }, signal);
  return pods.flatMap(({ id, spec }) => {
    if (!controlPlanePods.some((name) => name === id)) return [];
    const { metadata } = spec as { readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> } };
    return [{ name: id, annotations: metadata?.annotations ?? {} }];
  });
}

async function serverLacks(own: Pick<KubernetesReader, 'raw'>, signal: AbortSignal): Promise<readonly string[]> {
  const { status } = await own.raw('/readyz', signal);
  return status === 200 ? [] : [`its API server answers with status ${status}`];
}

async function podsLack(
  node: Pick<TalosReader, 'get'>,
  own: Pick<KubernetesReader, 'list'>,
  wanted: readonly StaticPod[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const found = await node.get({ type: 'Nodenames.kubernetes.talos.dev', namespace: 'k8s', id: 'nodename' }, signal);
  const { nodename = '' } = (found?.spec ?? {}) as { readonly nodename?: string };
  const query = { apiVersion: 'v1', kind: 'Pod', namespace: 'kube-system', fields: `spec.nodeName=${nodename}` };
  return staticPodsLack(nodename, wanted, (await own.list(query, {}, signal)).items);
}
