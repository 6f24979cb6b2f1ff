import type { KubernetesReader } from '../clients/kubernetes.ts';
import type { TalosReader } from '../clients/talos.ts';
import { textAt } from '../kubernetes/live.ts';
import { Problem } from '../model/problem.ts';
import { openApi } from './kubernetes-client.ts';
import { listNodes, nodeOf } from './node-machines.ts';
import { openMachine } from './talos-node.ts';
import type { Handlers, Tools } from './tools.ts';
import { waitFor, type Look } from './waiting.ts';
import { patienceOf } from './where.ts';

/** Talos needs a moment to start a kubelet anew; before that the old one looks well. */
const restartsMs = 2000;

export const kubeletHandlers: Pick<Handlers, 'kubernetes.await-kubelet'> = {
  'kubernetes.await-kubelet': async ({ machine, ref, version }, tools, context, signal) => {
    await using opened = await openMachine(machine, ref, tools, signal);
    await using client = await openApi(tools, signal);
    const { node, address } = opened;
    const since = tools.clock.now().getTime();
    const look = async (): Promise<Look<undefined>> => {
      const missing = [
        ...(await serviceLacks(node, signal)),
        ...(version === undefined ? [] : await versionLacks(machine, version, client, tools, signal)),
      ];
      if (missing.length > 0) return { state: 'not-yet', because: missing.join('; ') };
      // Another version tells that it is the new one.
      if (version === undefined && tools.clock.now().getTime() - since < restartsMs)
        return { state: 'not-yet', because: 'it is configured' };
      return { state: 'there', value: undefined };
    };
    const late = (because: string, ms: number): Problem =>
      new Problem(
        'kubelet-not-back',
        `The kubelet on ${machine} does not work with its new configuration after ${Math.round(ms / 1000)} s: ${because}.`,
        {
          recovery: 'wait',
          remedy: `No other one was changed after it. Look why; if it is what the file says, set that right, and run this again:\n    ichor talos logs kubelet -n ${address}`,
        },
      );
    const what = `the kubelet on ${machine} to work`;
    await waitFor(what, look, { ...patienceOf(tools, context), late }, context.tell, signal);
  },
};

async function serviceLacks(node: Pick<TalosReader, 'services'>, signal: AbortSignal): Promise<readonly string[]> {
  const kubelet = (await node.services(signal)).find(({ id }) => id === 'kubelet');
  if (kubelet?.state === 'Running' && kubelet.health === 'healthy') return [];
  return [`it is ${kubelet?.state ?? 'not there'}${kubelet?.message ? ` (${kubelet.message})` : ''}`];
}

/** The Node says which kubelet reports: the old one does until the new one runs. */
async function versionLacks(
  machine: string,
  version: string,
  client: KubernetesReader,
  { material, found }: Tools,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const node = nodeOf(machine, await listNodes(client, signal), material, found.addresses);
  const says = node && textAt(node, 'status', 'nodeInfo', 'kubeletVersion');
  return says === version ? [] : [`its Node is at ${says ?? 'no version'}, and not at ${version}`];
}
