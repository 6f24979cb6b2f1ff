import { readdir, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { sh, tryTo } from './shell.ts';

const bridge = 'ichor-real';
const prefix = 24;
/** Address of this machine on the nodes’ bridge. */
export const gateway = '10.61.0.1';

export const networkNamespace = (node: string): string => `ichor-${node}`;

export async function bridgeUp(): Promise<void> {
  await sh('ip', 'link', 'add', bridge, 'type', 'bridge');
  await sh('ip', 'addr', 'add', `${gateway}/${prefix}`, 'dev', bridge);
  await sh('ip', 'link', 'set', bridge, 'up');
  // Nothing that a node sends gets further than this machine.
  await writeFile(`/proc/sys/net/ipv4/conf/${bridge}/forwarding`, '0');
  await writeFile(`/proc/sys/net/ipv6/conf/${bridge}/disable_ipv6`, '1').catch(() => undefined);
}

export async function bridgeDown(): Promise<void> {
  await tryTo('ip', 'link', 'del', bridge);
}

/** A new network at every power-on, as a machine would find it: one link, one address, one route. */
export async function plugIn(node: string, address: string): Promise<void> {
  const [namespace, cable] = [networkNamespace(node), cableOf(node)];
  await unplug(node);
  await sh('ip', 'netns', 'add', namespace);
  await sh('ip', 'link', 'add', cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace);
  await sh('ip', 'link', 'set', cable, 'master', bridge, 'up');
  await sh('ip', '-n', namespace, 'link', 'set', 'lo', 'up');
  await sh('ip', '-n', namespace, 'addr', 'add', `${address}/${prefix}`, 'dev', 'eth0');
  await sh('ip', '-n', namespace, 'link', 'set', 'eth0', 'up');
  await sh('ip', '-n', namespace, 'route', 'add', 'default', 'via', gateway);
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
