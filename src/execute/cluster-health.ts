import type { KubernetesClient } from '../clients/kubernetes.ts';
import type { EtcdMember } from '../clients/talos.ts';
import { isReadyNode, nodeStandings, standingWords } from '../kubernetes/nodes.ts';
import { Problem } from '../model/problem.ts';
import { controlPlaneAddresses, hostsOf, isHealthy, membersFrom, statusOf } from './etcd-members.ts';
import { openApi } from './kubernetes-client.ts';
import { listNodes, nodeOf } from './node-machines.ts';
import { openAt } from './talos-node.ts';
import type { Handlers, Tools } from './tools.ts';
import { waitFor, type Look } from './waiting.ts';
import { patienceOf } from './where.ts';

export const healthHandlers: Pick<Handlers, 'cluster.await-healthy'> = {
  'cluster.await-healthy': async ({ except }, tools, context, signal) => {
    await using client = await openApi(tools, signal);
    const look = async (): Promise<Look<undefined>> => {
      const missing = [
        ...(await etcdLacks(except, tools, signal)),
        ...(await nodesLack(except, client, tools, signal)),
      ];
      return missing.length === 0
        ? { state: 'there', value: undefined }
        : { state: 'not-yet', because: missing.join('; ') };
    };
    const late = (because: string, ms: number): Problem =>
      new Problem('cluster-not-healthy', `The cluster is not healthy after ${Math.round(ms / 1000)} s: ${because}.`, {
        recovery: 'wait',
        remedy: 'Nothing more is disturbed before it is. Look what keeps it:\n    ichor talos health',
      });
    await waitFor('the cluster to be healthy', look, { ...patienceOf(tools, context), late }, context.tell, signal);
  },
};

/** Every member votes and is well, and every control plane that is up is a member. */
async function etcdLacks(except: readonly string[], tools: Tools, signal: AbortSignal): Promise<readonly string[]> {
  const addresses = await controlPlaneAddresses(tools, signal);
  const asked = [...addresses].filter(([machine]) => !except.includes(machine)).map(([, address]) => address);
  const members = await membersFrom([...asked, ...addresses.values()], tools, signal);
  const isExcepted = (member: EtcdMember): boolean =>
    except.some((machine) => isMember(machine, addresses.get(machine), member, tools));
  const judged = members.filter((member) => !isExcepted(member));
  const sick = await Promise.all(
    judged.map(async (member) => {
      if (member.learner) return [`${member.hostname} is still joining etcd`];
      return isHealthy(member, await statusOf(member, tools, signal)) ? [] : [`etcd on ${member.hostname} is not well`];
    }),
  );
  const outside = [...addresses].filter(
    ([machine, address]) =>
      !except.includes(machine) && !members.some((member) => isMember(machine, address, member, tools)),
  );
  const missing = await Promise.all(
    outside.map(async ([machine, address]) =>
      (await isUp(address, tools, signal)) ? [`${machine} is up, and no member of etcd yet`] : [],
    ),
  );
  return [...sick, ...missing].flat();
}

const isMember = (machine: string, address: string | undefined, member: EtcdMember, { material }: Tools): boolean =>
  (material.hostname(machine) ?? machine) === member.hostname ||
  (address !== undefined && hostsOf(member).includes(address));

async function isUp(address: string, tools: Tools, signal: AbortSignal): Promise<boolean> {
  try {
    await using opened = await openAt(address, tools);
    await opened.node.machineStatus(signal);
    return true;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof Problem) return false;
    throw error;
  }
}

async function nodesLack(
  except: readonly string[],
  client: KubernetesClient,
  { material, found }: Tools,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const nodes = await listNodes(client, signal);
  const excepted = new Set(
    except.flatMap((machine) => [machine, nodeOf(machine, nodes, material, found.addresses)?.metadata.name]),
  );
  const judged = nodes.filter(({ metadata }) => !excepted.has(metadata.name));
  return nodeStandings(judged, [])
    .filter((standing) => !isReadyNode(standing))
    .map(standingWords);
}
