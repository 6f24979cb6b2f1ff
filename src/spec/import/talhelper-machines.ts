import { formatAddress, parseAddress, parseCidr } from '../../model/ip.ts';
import type { Part } from './foreign.ts';
import type { Sketch } from './sketch.ts';
import { groupPlace, ofRole, shared, type Node } from './talhelper-node.ts';
import { plainText, plainTexts } from './talhelper-text.ts';

/** Addresses and names. */
export function putMachines(root: Part, nodes: readonly Node[], sketch: Sketch): void {
  sketch.put('machines.existing.machines', {}, root.find('nodes'));
  for (const node of nodes) {
    const address = addressOf(node);
    if (address)
      sketch.put(['machines', 'existing', 'machines', node.machine], { address: address.text }, address.from);
  }
  for (const role of ['controlPlane', 'worker'] as const) {
    const count = ofRole(nodes, role).length;
    if (role === 'controlPlane' || count > 0) sketch.put(`${groupPlace[role]}.replicas`, count, root.find('nodes'));
  }
  putHostnames(nodes, sketch);
  const network = shared(nodes.map(networkOf));
  sketch.put('cluster.network.nodes', network);
}

function addressOf({ part }: Node): { readonly text: string; readonly from: Part } | undefined {
  const written = part.find('ipAddress');
  const [text, ...others] = (plainText(written) ?? '').split(',').map((address) => address.trim());
  if (written === undefined || text === undefined || text === '') return undefined;
  if (parseAddress(text) === undefined) {
    written.note('Not carried over: it is not an address.');
    return undefined;
  }
  if (others.length > 0) written.remark('Only the first address is carried over.');
  return { text, from: written };
}

function putHostnames(nodes: readonly Node[], sketch: Sketch): void {
  const ignored = nodes.flatMap(({ part }) => {
    const found = part.find('ignoreHostname');
    return found?.flag() === true ? [found] : [];
  });
  const byDhcp = ignored.length > 0 && ignored.length === nodes.length;
  if (byDhcp) sketch.put('cluster.hostnames', 'dhcp', ignored[0]);
  else
    for (const flag of ignored)
      flag.note('Not carried over: machines are named by Talos or by DHCP, all of them alike.');
  for (const { part, machine } of nodes) {
    const written = part.find('hostname');
    const name = plainText(written);
    if (name === undefined || byDhcp) continue;
    const hostname = name.toLowerCase();
    if (hostname !== name) written?.remark(`Becomes ${hostname}: names are written in lower case.`);
    if (hostname !== `${sketch.name}-${machine}`)
      sketch.put(['cluster', 'nodes', machine, 'hostname'], hostname, written);
  }
}

/** The network that a static address of a machine is in. */
function networkOf({ part, setting }: Node): string | undefined {
  const own = parseAddress((plainText(part.find('ipAddress')) ?? '').split(',')[0]?.trim() ?? '');
  for (const device of setting('networkInterfaces')?.parts() ?? []) {
    for (const written of plainTexts(device.find('addresses'))) {
      const cidr = parseCidr(written);
      const address = parseAddress(written.split('/')[0] ?? '');
      if (cidr && own && address?.family === own.family && address.value === own.value)
        return `${formatAddress({ family: cidr.family, value: cidr.first })}/${cidr.prefix}`;
    }
  }
  return undefined;
}
