import { answer, type Call, type Routes } from '../call.ts';
import type { Host } from '../host.ts';
import { wrongParameters } from '../refusal.ts';
import { bridgePath, vnetsOn } from '../sdn/sdn.ts';

type Interface = Readonly<Record<string, unknown>>;

/** The card of a host, and its bridges; the first bridge has the address of the host, and the card in it. */
function interfacesOf({ address, bridges }: Host): ReadonlyMap<string, Interface> {
  const card: Interface = {
    type: 'eth',
    method: 'manual',
    method6: 'manual',
    active: 1,
    priority: 3,
    families: ['inet'],
  };
  const gateway = address.replace(/\.\d+$/, '.1');
  return new Map([
    ['eno1', card],
    ...[...bridges].map(([name, { vlanAware }], index): [string, Interface] => [
      name,
      {
        type: 'bridge',
        method6: 'manual',
        autostart: 1,
        active: 1,
        priority: 4 + index,
        families: ['inet'],
        bridge_fd: '0',
        bridge_stp: 'off',
        ...(vlanAware ? { bridge_vlan_aware: 1, bridge_vids: '2-4094' } : {}),
        ...(index === 0
          ? { method: 'static', address, netmask: '24', cidr: `${address}/24`, gateway, bridge_ports: 'eno1' }
          : { method: 'manual', bridge_ports: '' }),
      },
    ]),
  ]);
}

const isBridge = ({ type }: Interface): boolean => type === 'bridge';

/** Bridges are for whoever may use them; cards are for everybody to see. */
const listInterfaces = (call: Call) => {
  const wanted = call.text('type');
  const fits = (each: Interface): boolean =>
    wanted === undefined ||
    wanted === 'include_sdn' ||
    wanted === each['type'] ||
    (isBridge(each) && (wanted === 'any_bridge' || wanted === 'any_local_bridge'));
  const mayUse = (name: string): boolean =>
    call.may(bridgePath(call.datacenter, name), ['SDN.Audit', 'SDN.Use'], 'any');
  // They stand on every host once they are applied, and are listed for who asks for any bridge.
  const virtual = wanted === 'any_bridge' || wanted === 'include_sdn' ? vnetsOn(call.datacenter, call.host) : [];
  return answer([
    ...[...interfacesOf(call.host)]
      .filter(([name, each]) => fits(each) && (!isBridge(each) || mayUse(name)))
      .map(([iface, each]) => ({ iface, ...each })),
    ...virtual.filter(mayUse).map((iface) => ({ iface, type: 'vnet', active: 1 })),
  ]);
};

const readInterface = (call: Call) => {
  const found = interfacesOf(call.host).get(call.text('iface') ?? '');
  if (found === undefined) throw wrongParameters({ iface: 'interface does not exist' });
  return answer(found);
};

export const networkRoutes: Routes = {
  'GET /nodes/{node}/network': listInterfaces,
  'GET /nodes/{node}/network/{iface}': readInterface,
};
