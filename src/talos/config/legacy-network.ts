import { parseCidr } from '../../model/ip.ts';
import type { Fields } from './document.ts';
import type { LinkSelector, NodeIntent, NodeNetwork } from './intent.ts';
import { present, unlessEmpty } from './table.ts';

/** `machine.network`, before networks got documents of their own. */
export const legacyNetwork = ({ hostname, network, nameservers, kubeSpan }: NodeIntent): Fields =>
  present({
    hostname: hostname.kind === 'fixed' ? hostname.name : undefined,
    interfaces: unlessEmpty(interfacesOf(network)),
    nameservers: unlessEmpty(nameservers),
    kubespan: kubeSpan === undefined ? undefined : present({ enabled: true, mtu: kubeSpan.mtu }),
  });

/** Nothing to say about a link leaves it to DHCP. */
function interfacesOf(network: NodeNetwork): readonly Fields[] {
  const { link, address, mtu, vlan, vip } = network;
  if ((address ?? mtu ?? vlan ?? vip) === undefined) return [];
  const addressing = addressingOf(network);
  const shared = vip === undefined ? undefined : { ip: vip };
  if (vlan === undefined)
    return [present({ ...selectorOf(link), ...addressing, mtu, dhcp: address === undefined, vip: shared })];
  const tagged = present({ ...addressing, dhcp: address === undefined, vlanId: vlan, mtu, vip: shared });
  return [present({ ...selectorOf(link), vlans: [tagged], mtu, dhcp: false })];
}

function addressingOf({ address, gateway }: NodeNetwork): Fields {
  if (address === undefined) return {};
  const everywhere = parseCidr(address)?.family === 6 ? '::/0' : '0.0.0.0/0';
  return { addresses: [address], routes: gateway === undefined ? [] : [{ network: everywhere, gateway }] };
}

function selectorOf(link: LinkSelector): Fields {
  switch (link.kind) {
    case 'name':
      return { interface: link.name };
    case 'mac':
      return { deviceSelector: { hardwareAddr: link.mac } };
    case 'only':
      return { deviceSelector: { physical: true } };
  }
}
