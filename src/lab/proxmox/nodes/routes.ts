import { answer, type Call, type Routes } from '../call.ts';
import { nodeRow } from '../cluster/resources.ts';
import { containerNumbers } from '../cluster/numbers.ts';
import { capabilityRoutes } from './capabilities.ts';
import { certificateRows } from './certificates.ts';
import { networkRoutes } from './network.ts';
import { nodeRrdData, storageRrdData } from './rrd-data.ts';
import { nodeStatus } from './status.ts';
import { systemRoutes } from './system.ts';

const listContainers = ({ datacenter, host, may }: Call) =>
  answer(
    [...datacenter.containers.values()]
      .filter((container) => container.host === host.name && may(`/vms/${container.vmid}`, ['VM.Audit']))
      .map((container) => {
        const { maxcpu, template: _template, ...numbers } = containerNumbers(container);
        return { vmid: String(container.vmid), type: 'lxc', cpus: maxcpu, ...numbers, maxswap: 0, swap: 0 };
      }),
  );

/** Until a host has ended everything and is off, and until it is back. */
const shutdownMs = 20_000;
const bootMs = 90_000;

/** A host that is told to go down or to start again does so after it has answered; its guests go with it. */
const powerHost = (call: Call) => {
  const { datacenter, host } = call;
  const { clock, over } = datacenter;
  void (async () => {
    await clock.sleep(shutdownMs, over);
    datacenter.setHost(host.name, 'dead');
    if (call.text('command') !== 'reboot') return;
    await clock.sleep(bootMs, over);
    datacenter.setHost(host.name, 'up');
  })().catch(() => undefined);
  return answer(null);
};

export const nodesRoutes: Routes = {
  ...networkRoutes,
  ...capabilityRoutes,
  ...systemRoutes,
  'GET /nodes': (call) =>
    answer(
      [...call.datacenter.hosts.values()].map((host) => ({
        ...nodeRow(call, host.name),
        ssl_fingerprint: host.certificate.fingerprint,
      })),
    ),
  'GET /nodes/{node}/status': (call) => answer(nodeStatus(call)),
  'POST /nodes/{node}/status': powerHost,
  'GET /nodes/{node}/certificates/info': (call) => answer(certificateRows(call)),
  'GET /nodes/{node}/rrddata': (call) => answer(nodeRrdData(call)),
  'GET /nodes/{node}/storage/{storage}/rrddata': (call) => answer(storageRrdData(call)),
  'GET /nodes/{node}/lxc': listContainers,
};
