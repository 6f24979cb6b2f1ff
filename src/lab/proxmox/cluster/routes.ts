import { answer, type Call, type Routes } from '../call.ts';
import type { Datacenter } from '../datacenter.ts';
import { died, wrongParameters } from '../refusal.ts';
import { sdnRoutes } from '../sdn/sdn.ts';
import { changingFile } from './lock.ts';
import { sees } from './membership.ts';
import { propertiesOf, shownOptions } from './options.ts';
import { resourceRows } from './resources.ts';

const version = ({ datacenter }: Call) => {
  const { version: full, release, repoid } = datacenter.version;
  return answer({ version: full, release, repoid });
};

const status = ({ datacenter, host: asked }: Call) => {
  const hosts = [...datacenter.hosts.values()].map((host) => ({
    type: 'node',
    id: `node/${host.name}`,
    name: host.name,
    nodeid: host.nodeid,
    ip: host.address,
    local: host === asked ? 1 : 0,
    online: sees(asked, host) ? 1 : 0,
    level: '',
  }));
  if (datacenter.clusterName === undefined) return answer(hosts);
  const nodes = datacenter.hosts.size;
  const quorate = datacenter.quorate(asked) ? 1 : 0;
  return answer([
    { type: 'cluster', id: 'cluster', name: datacenter.clusterName, nodes, version: nodes, quorate },
    ...hosts,
  ]);
};

/** Taken by a VM or a container, on any host. */
const isTaken = ({ vms, containers }: Datacenter, vmid: number): boolean => vms.has(vmid) || containers.has(vmid);

const nextId = (call: Call) => {
  const { datacenter } = call;
  const asked = call.text('vmid');
  if (asked !== undefined) {
    if (isTaken(datacenter, Number(asked))) throw wrongParameters({ vmid: `VM ${asked} already exists` });
    return answer(asked);
  }
  const { lower = '100', upper = '1000000' } = propertiesOf(datacenter.options.get('next-id') ?? '');
  for (let vmid = Number(lower); vmid < Number(upper); vmid++)
    if (!isTaken(datacenter, vmid)) return answer(String(vmid));
  throw died(`unable to get any free VMID in range [${lower}, ${upper}]`);
};

const setOptions = (call: Call) =>
  changingFile(call, 'file-datacenter_cfg', undefined, () => {
    const { options } = call.datacenter;
    for (const key of Object.keys(call.params)) {
      const value = call.text(key);
      if (key !== 'delete' && value !== undefined) options.set(key, value);
    }
    for (const key of call.list('delete')) options.delete(key);
    return answer(null);
  });

export const clusterRoutes: Routes = {
  ...sdnRoutes,
  'GET /version': version,
  'GET /nodes/{node}/version': version,
  'GET /cluster/status': status,
  'GET /cluster/resources': (call) => answer(resourceRows(call)),
  'GET /cluster/nextid': nextId,
  'GET /cluster/options': (call) => answer(shownOptions(call)),
  'PUT /cluster/options': setOptions,
  'GET /cluster/config/nodes': ({ datacenter }) =>
    answer(
      datacenter.clusterName === undefined
        ? []
        : [...datacenter.hosts.values()].map(({ name, nodeid, address }) => ({
            node: name,
            name,
            nodeid: String(nodeid),
            ring0_addr: address,
            quorum_votes: '1',
          })),
    ),
};
