import type { KubernetesClient, ObjectRef } from '../clients/kubernetes.ts';
import { leavingOf, podName } from '../kubernetes/drain.ts';
import { at } from '../kubernetes/live.ts';
import { drainedMark } from '../kubernetes/nodes.ts';
import { Problem, Problems } from '../model/problem.ts';
import { drain, type DrainEvent } from './drain.ts';
import { openApi } from './kubernetes-client.ts';
import { addressesOf } from './node-machines.ts';
import type { Handlers, StepContext, Tools } from './tools.ts';

const nodeRef = (name: string): ObjectRef => ({ apiVersion: 'v1', kind: 'Node', name });

/** Scratch data goes with its pod, as everybody expects of it; a pod that nobody makes anew is for a person to decide. */
const consent = { emptyDir: true, unmanaged: false } as const;

export const nodeHandlers: Pick<Handlers, 'node.drain' | 'node.uncordon' | 'node.delete'> = {
  'node.drain': async ({ node }, tools, context, signal) => {
    await using client = await openApi(tools, signal);
    if (!(await cordonAsOurs(node, tools, client, signal))) return;
    await sayWhatIsLost(node, client, context, signal);
    const { clock, pause } = tools;
    const tell = (event: DrainEvent): void => tellDrain(event, context);
    try {
      await drain(node, { consent, atMostMs: context.atMostMs }, { client, clock, pause, tell }, signal);
    } catch (error) {
      throw error instanceof Problems ? forAPerson(node, error) : error;
    }
  },

  'node.uncordon': async ({ node: name }, tools, { tell }, signal) => {
    await using client = await openApi(tools, signal);
    const node = await client.get(nodeRef(name), signal);
    if (node === undefined)
      throw new Problem('no-such-node', `There is no node ${name} in this cluster.`, {
        recovery: 'wait',
        remedy: 'See which there are:\n    kubectl get nodes',
      });
    if (node.metadata.annotations?.[drainedMark] === undefined) {
      if (at(node, 'spec', 'unschedulable') === true)
        tell({ kind: 'says', text: `${name} stays cordoned: somebody else did that` });
      return;
    }
    const body = { metadata: { annotations: { [drainedMark]: null } }, spec: { unschedulable: null } };
    await client.patch(nodeRef(name), { kind: 'merge', body }, {}, signal);
  },

  'node.delete': async ({ machine, node: name }, tools, _, signal) => {
    await using client = await openApi(tools, signal);
    const node = await client.get(nodeRef(name), signal);
    if (node === undefined) return;
    const { material, found } = tools;
    const addresses = addressesOf(node);
    const other = material.machines.find((each) => {
      if (each === machine) return false;
      const address = material.fixedAddress(each) ?? found.addresses.get(each);
      return material.hostname(each) === name || (address !== undefined && addresses.includes(address));
    });
    if (other !== undefined)
      throw new Problem('node-other', `The node ${name} is ${other}, and not ${machine}; it stays.`, {
        remedy: 'Look which node is which:\n    kubectl get nodes -o wide',
      });
    const { uid } = node.metadata;
    await client.delete(nodeRef(name), uid === undefined ? {} : { preconditions: { uid } }, signal);
  },
};

/** Leaves our mark with the cordon, so that whoever goes on knows that it may be taken away. False: there is no such node. */
async function cordonAsOurs(
  name: string,
  { clock }: Tools,
  client: KubernetesClient,
  signal: AbortSignal,
): Promise<boolean> {
  const node = await client.get(nodeRef(name), signal);
  if (node === undefined) return false;
  if (at(node, 'spec', 'unschedulable') === true) return true;
  const annotations = { [drainedMark]: clock.now().toISOString() };
  const body = { metadata: { annotations }, spec: { unschedulable: true } };
  await client.patch(nodeRef(name), { kind: 'merge', body }, {}, signal);
  return true;
}

async function sayWhatIsLost(
  node: string,
  client: KubernetesClient,
  { tell }: StepContext,
  signal: AbortSignal,
): Promise<void> {
  const { items } = await client.list({ apiVersion: 'v1', kind: 'Pod', fields: `spec.nodeName=${node}` }, {}, signal);
  const scratch = items
    .map((pod) => leavingOf(pod, { emptyDir: false, unmanaged: true }))
    .flatMap((one) => (one.fate === 'ask' ? [podName(one.pod)] : []));
  if (scratch.length > 0)
    tell({ kind: 'says', text: `what these keep in an emptyDir goes with them: ${scratch.join(', ')}` });
}

function tellDrain(event: DrainEvent, { tell }: StepContext): void {
  if (event.kind === 'waits') tell(event);
  if (event.kind === 'gone') tell({ kind: 'says', text: `${event.pod} has gone` });
}

const forAPerson = (node: string, { problems }: Problems): Problem =>
  new Problem('drain-needs-yes', problems.map(({ message }) => message).join('\n'), {
    remedy: `Nobody makes these pods anew, so ichor does not end them by itself; the node is cordoned, and nothing was evicted. Move them, or say that they may go, and run this again:\n    ichor drain ${node} --unmanaged --delete-emptydir-data`,
    cause: new Problems(problems),
  });
