import type { EtcdMember, EtcdStatus } from '../clients/talos.ts';
import { Problem } from '../model/problem.ts';
import { openAt } from './talos-node.ts';
import type { Tools } from './tools.ts';
import { addressOf } from './where.ts';

/** The addresses of a member, as others reach it. */
export const hostsOf = ({ peerUrls, clientUrls }: EtcdMember): readonly string[] => [
  ...new Set(
    [...peerUrls, ...clientUrls].flatMap((url) =>
      URL.canParse(url) ? [new URL(url).hostname.replace(/^\[(.*)\]$/, '$1')] : [],
    ),
  ),
];

/** Where control planes of the file are, as far as that is known without waiting. */
export async function controlPlaneAddresses(tools: Tools, signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
  const { controlPlanes } = tools.material;
  const found = await Promise.all(
    controlPlanes.map(async (machine) => [machine, await addressOf(machine, undefined, tools, signal)] as const),
  );
  return new Map(found.flatMap(([machine, address]) => (address === undefined ? [] : [[machine, address] as const])));
}

/** What the first of these that answers knows of etcd’s members. */
export async function membersFrom(
  addresses: Iterable<string>,
  tools: Tools,
  signal: AbortSignal,
): Promise<readonly EtcdMember[]> {
  let last: unknown;
  for (const address of addresses) {
    try {
      await using opened = await openAt(address, tools);
      const members = await opened.node.etcdMembers(signal, { local: true });
      if (members.length > 0) return members;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof Problem)) throw error;
      last = error;
    }
  }
  throw new Problem('etcd-silent', 'No control plane says who the members of etcd are.', {
    recovery: 'wait',
    remedy: 'Look at the control planes:\n    ichor talos etcd members',
    ...(last === undefined ? {} : { cause: last }),
  });
}

/** What a member says of itself; undefined: it does not answer. */
export async function statusOf(member: EtcdMember, tools: Tools, signal: AbortSignal): Promise<EtcdStatus | undefined> {
  for (const host of hostsOf(member)) {
    try {
      await using opened = await openAt(host, tools);
      return await opened.node.etcdStatus(signal);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof Problem)) throw error;
    }
  }
  return undefined;
}

/** Whether a member works: it is who it should be, follows a leader, and complains of nothing. */
export const isHealthy = (member: EtcdMember, status: EtcdStatus | undefined): boolean =>
  status !== undefined &&
  status.memberId === member.id &&
  !status.learner &&
  status.errors.length === 0 &&
  !/^0*$/.test(status.leader);
