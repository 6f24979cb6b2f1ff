import { createHash } from 'node:crypto';
import { readdir, writeFile } from 'node:fs/promises';
import { sh, tryTo } from './shell.ts';

/** The one network that all real nodes are on. Nothing that a node sends gets further than this machine. */
export type NodeNetwork = {
  /** Address of this machine on it. */
  readonly gateway: string;
  readonly prefix: number;
};

/** What a node finds on its only link when its power comes on. */
export type Plug = {
  readonly address: string;
  readonly prefix: number;
  readonly mac?: string;
  /** Another name of the link. Talos gives aliases to hardware only, and no link of a namespace is taken for that. */
  readonly alias?: string;
};

const bridge = 'ichor-real';
const prefix = 24;
const candidates = Array.from({ length: 32 }, (_, index) => `10.${61 + index}.0.1`);

export const networkNamespace = (node: string): string => `ichor-${node}`;

/** The first of ours that this machine is not on already. */
export async function freeNetwork(): Promise<NodeNetwork> {
  const taken = `${await sh('ip', '-o', '-4', 'addr')}${await sh('ip', '-4', 'route')}`;
  const gateway = candidates.find((address) => !taken.includes(address.replace(/\d+$/, '')));
  if (gateway === undefined) throw new Error('Every network that nodes could be on is taken on this machine.');
  return { gateway, prefix };
}

export async function bridgeUp({ gateway, prefix: length }: NodeNetwork): Promise<void> {
  await sh('ip', 'link', 'add', bridge, 'type', 'bridge');
  await sh('ip', 'addr', 'add', `${gateway}/${length}`, 'dev', bridge);
  await sh('ip', 'link', 'set', bridge, 'up');
  await writeFile(`/proc/sys/net/ipv4/conf/${bridge}/forwarding`, '0');
  await writeFile(`/proc/sys/net/ipv6/conf/${bridge}/disable_ipv6`, '1').catch(() => undefined);
}

export async function bridgeDown(): Promise<void> {
  await tryTo('ip', 'link', 'del', bridge);
}

/** A new network at every power-on, as a machine would find it: one link, one address, one route. */
export async function plugIn(node: string, { gateway }: NodeNetwork, plug: Plug): Promise<void> {
  const [namespace, cable] = [networkNamespace(node), cableOf(node)];
  const inside = (...args: readonly string[]): Promise<string> => sh('ip', '-n', namespace, ...args);
  await unplug(node);
  await sh('ip', 'netns', 'add', namespace);
  await sh('ip', 'link', 'add', cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace);
  await sh('ip', 'link', 'set', cable, 'master', bridge, 'up');
  if (plug.mac !== undefined) await inside('link', 'set', 'eth0', 'address', plug.mac);
  if (plug.alias !== undefined) await inside('link', 'property', 'add', 'dev', 'eth0', 'altname', plug.alias);
  await inside('link', 'set', 'lo', 'up');
  await inside('addr', 'add', `${plug.address}/${plug.prefix}`, 'dev', 'eth0');
  await inside('link', 'set', 'eth0', 'up');
  await inside('route', 'add', 'default', 'via', gateway);
}

export async function unplug(node: string): Promise<void> {
  await tryTo('ip', 'netns', 'del', networkNamespace(node));
  await tryTo('ip', 'link', 'del', cableOf(node));
}

/** What a killed run left behind. */
export async function unplugLeftovers(): Promise<void> {
  const names = await readdir('/run/netns').catch(() => []);
  for (const name of names) if (name.startsWith('ichor-')) await unplug(name.slice('ichor-'.length));
  await bridgeDown();
}

const cableOf = (node: string): string => `ich${createHash('sha256').update(node).digest('hex').slice(0, 8)}`;
