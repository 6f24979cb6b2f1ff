import type { Datacenter } from '../../datacenter.ts';
import type { Host } from '../../host.ts';
import { killTasks } from '../../tasks/workers.ts';
import type { Vm } from '../../vm.ts';
import { parseProperties } from '../config/property-string.ts';
import { root } from '../site.ts';
import { orderStart } from './order.ts';

/** Whatever happens to hosts happens to what runs on them. */
export function watchPower(datacenter: Datacenter): void {
  datacenter.hostWatchers.add((host, before) => {
    if (host.state === 'dead') void powerFailure(datacenter, host);
    else if (before === 'dead') powerReturns(datacenter, host);
  });
}

/** A host goes dark: workers are killed, guests are cut off, and locks are nobody’s. Configurations are the cluster’s, and stay. */
export async function powerFailure(datacenter: Datacenter, host: Host): Promise<void> {
  killTasks(host);
  host.lockFiles.clear();
  await Promise.all(vmsOf(datacenter, host).map(async ({ run }) => run?.end()));
}

/** A host is back: what starts on boot does, in its order. */
function powerReturns(datacenter: Datacenter, host: Host): void {
  const site = { datacenter, host, who: root };
  for (const vm of vmsOf(datacenter, host).sort(byStartup))
    if (vm.config.get('onboot') === '1' && vm.run === undefined && datacenter.quorate(host)) orderStart(site, vm.vmid);
}

const vmsOf = ({ vms }: Datacenter, host: Host): Vm[] => [...vms.values()].filter((vm) => vm.host === host.name);

const byStartup = (one: Vm, other: Vm): number => orderOf(one) - orderOf(other) || one.vmid - other.vmid;

const orderOf = ({ config }: Vm): number => {
  const order = parseProperties(config.get('startup') ?? '', 'order').get('order');
  return order === undefined ? Number.MAX_SAFE_INTEGER : Number(order);
};
