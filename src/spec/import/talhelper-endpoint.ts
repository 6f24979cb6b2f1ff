import type { Part } from './foreign.ts';
import type { Sketch } from './sketch.ts';
import { ofRole, type Node } from './talhelper-node.ts';
import { plainText } from './talhelper-text.ts';

/** https://HOST:PORT is a VIP when an interface of a control plane carries it, and a name or load balancer otherwise. */
export function putEndpoint(root: Part, nodes: readonly Node[], sketch: Sketch): void {
  const written = root.find('endpoint');
  const text = plainText(written);
  if (written === undefined || text === undefined) return;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const host = url?.hostname.replace(/^\[(.*)\]$/, '$1') ?? '';
  if (url === undefined || host === '') {
    written.note('Not carried over: it is not https://HOST:PORT.');
    return;
  }
  const controlPlanes = ofRole(nodes, 'controlPlane');
  const carrier = controlPlanes
    .flatMap(({ setting }) => devicesOf(setting('networkInterfaces')))
    .find(({ vip }) => vip === host);
  const addresses = controlPlanes.map(({ part }) => plainText(part.find('ipAddress'))?.split(',')[0]?.trim());
  if (carrier) {
    sketch.put('cluster.endpoint.vip', host, written);
    sketch.put('cluster.endpoint.link', carrier.link);
  } else if (addresses[0] !== host) {
    sketch.put('cluster.endpoint.host', host, written);
    if (addresses.includes(host))
      written.remark('Is the address of one control plane: when that is down, the API cannot be reached there.');
  }
  const port = url.port === '' ? 443 : Number(url.port);
  if (port !== 6443) sketch.put('cluster.endpoint.port', port, written);
}

type Device = { readonly link: string | undefined; readonly vip: string | undefined };

/** The links of a machine, each with the VIP that it carries. */
function devicesOf(interfaces: Part | undefined): readonly Device[] {
  return (interfaces?.parts() ?? []).flatMap((device): readonly Device[] => {
    const link = plainText(device.find('interface'));
    const vlans = device.find('vlans')?.parts() ?? [];
    return [
      { link, vip: plainText(device.find('vip.ip')) },
      ...vlans.map((vlan) => ({
        link: link === undefined ? undefined : `${link}.${vlan.find('vlanId')?.count()}`,
        vip: plainText(vlan.find('vip.ip')),
      })),
    ];
  });
}
