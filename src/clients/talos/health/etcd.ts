import { canonical } from '../../../model/ip.ts';
import type { EtcdMember } from '../../talos.ts';
import { controlPlanes, eachOf, ok, serviceCheck, verdictOf, type Check } from './check.ts';

export const etcdChecks: readonly Check[] = [
  serviceCheck('etcd'),
  {
    name: 'etcd members to be consistent across nodes',
    async look(cluster, signal) {
      const nodes = controlPlanes(cluster);
      // Each node’s own etcd is asked: any other answer may come from another node, and hide a second cluster.
      const lists = await eachOf(nodes, ({ talos }) => talos.etcdMembers(signal, { local: true }));
      const [first = []] = lists;
      return verdictOf(lists.map((members, index) => differenceFrom(first, members, nodes[index]?.name ?? '')));
    },
  },
  {
    name: 'etcd members to be control plane nodes',
    async look(cluster, signal) {
      const nodes = controlPlanes(cluster);
      const members = (await nodes[0]?.talos.etcdMembers(signal, { local: true })) ?? [];
      const known = new Set(nodes.flatMap(({ addresses }) => addresses.map(canonical)));
      const peers = members.flatMap(({ peerUrls }) => peerUrls.map(hostOf));
      if (peers.every((peer) => known.has(peer))) return ok;
      return {
        missing: `etcd member ips ${quoted(peers)} are not subset of control plane node ips ${quoted([...known])}`,
      };
    },
  },
];

function differenceFrom(
  expected: readonly EtcdMember[],
  actual: readonly EtcdMember[],
  node: string,
): string | undefined {
  const names = (members: readonly EtcdMember[]): string => `[${members.map(({ hostname }) => hostname).join(' ')}]`;
  if (actual.length !== expected.length)
    return `${node}: expected to have ${names(expected)} members, got ${names(actual)}`;
  const known = new Set(expected.map(identity));
  const stranger = actual.find((member) => !known.has(identity(member)));
  return stranger && `${node}: found unexpected etcd member ${stranger.hostname}`;
}

const identity = ({ hostname, id, learner }: EtcdMember): string => JSON.stringify([hostname, id, learner]);

const hostOf = (url: string): string =>
  canonical((URL.canParse(url) ? new URL(url).hostname : url).replace(/^\[(.*)\]$/, '$1'));

const quoted = (texts: readonly string[]): string => `[${texts.map((text) => JSON.stringify(text)).join(' ')}]`;
