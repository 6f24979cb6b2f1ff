import { isReadyNode, nodeStandings, standingWords } from '../kubernetes/nodes.ts';
import type { Live } from '../kubernetes/live.ts';
import { Problem } from '../model/problem.ts';
import { installNetwork, type NetworkEvent } from './cni.ts';
import { answeringTarget, openApi } from './kubernetes-client.ts';
import { nodeOf, listNodes } from './node-machines.ts';
import type { Handlers, StepContext } from './tools.ts';
import { waitFor, type Look } from './waiting.ts';
import { addressOf, patienceOf } from './where.ts';

type Kinds = 'kubernetes.await-api' | 'cni.install' | 'node.await-ready';

export const kubernetesHandlers: Pick<Handlers, Kinds> = {
  'kubernetes.await-api': async (_, tools, context, signal) => {
    await using client = await openApi(tools, signal);
    const look = async (): Promise<Look<undefined>> => {
      const { status, text } = await client.raw('/readyz', signal);
      if (status === 200) return { state: 'there', value: undefined };
      const failing = [...text.matchAll(/^\[-\](\S+) failed/gm)].map(([, check]) => check).join(', ');
      return {
        state: 'not-yet',
        because: failing === '' ? `it answers with status ${status}` : `not ready: ${failing}`,
      };
    };
    const late = (because: string, ms: number): Problem =>
      new Problem(
        'kubernetes-not-ready',
        `The Kubernetes API does not serve after ${Math.round(ms / 1000)} s: ${because}`,
        {
          recovery: 'wait',
          remedy: `Look at etcd and at the API server on the control planes; its images must be pulled first:\n    ichor talos services`,
        },
      );
    await waitFor('the Kubernetes API to serve', look, { ...patienceOf(tools, context), late }, context.tell, signal);
  },

  'cni.install': async (_, tools, context, signal) => {
    const { network } = tools.material;
    if (network.kind !== 'cilium') return;
    const helm = await tools.helm(signal);
    const { material, found, clock, pause, entropy } = tools;
    const others = () => material.apiServers(found.addresses);
    // helm knows one address, and none of our ways around one that does not answer.
    const target =
      helm === undefined ? await material.kubernetes(found.addresses) : await answeringTarget(tools, signal);
    await using client = tools.openKubernetes(target, others);
    const salt = Buffer.from(entropy.bytes(16)).toString('hex');
    await installNetwork(
      network,
      { atMostMs: context.atMostMs, nodes: undefined },
      { client, clock, pause, entropy, helm, salt, tell: (event) => tellNetwork(event, context) },
      signal,
    );
  },

  'node.await-ready': async ({ machines }, tools, context, signal) => {
    const { material, found } = tools;
    // Where DHCP names machines, their nodes are known by their addresses alone.
    for (const machine of machines)
      if (material.hostname(machine) === undefined) await addressOf(machine, undefined, tools, signal);
    await using client = await openApi(tools, signal);
    const look = async (): Promise<Look<undefined>> => {
      const nodes = await listNodes(client, signal);
      const missing = machines.flatMap((machine) => lacks(machine, nodeOf(machine, nodes, material, found.addresses)));
      return missing.length === 0
        ? { state: 'there', value: undefined }
        : { state: 'not-yet', because: missing.join('; ') };
    };
    const what = machines.length === 1 ? `${machines[0]} to be Ready` : `${machines.length} nodes to be Ready`;
    const late = (because: string, ms: number): Problem =>
      new Problem('nodes-not-ready', `Not Ready after ${Math.round(ms / 1000)} s: ${because}.`, {
        recovery: 'wait',
        remedy: 'Look what they lack; without a pod network no node is ever Ready:\n    kubectl describe nodes',
      });
    // One question for all of them, and the last that a run waits for.
    const patience = { ...patienceOf(tools, context), everyMs: 500, closely: true, late };
    await waitFor(what, look, patience, context.tell, signal);
  },
};

/** `cp-1: Ready is False: KubeletNotReady, cni plugin not initialized`. */
function lacks(machine: string, node: Live | undefined): readonly string[] {
  if (node === undefined) return [`${machine} has not joined the cluster yet`];
  return nodeStandings([node], [])
    .filter((standing) => !isReadyNode(standing))
    .map(standingWords);
}

function tellNetwork(event: NetworkEvent, { tell }: StepContext): void {
  if (event.kind === 'waits') tell(event);
  if (event.kind === 'installing') {
    const how = event.with === 'helm' ? 'helm' : 'a Job in the cluster';
    tell({ kind: 'says', text: `${how} installs ${event.release} ${event.version}` });
  }
  if (event.kind === 'made') tell({ kind: 'says', text: `made ${event.object}` });
}
