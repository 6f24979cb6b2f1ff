import type { AnyMachine } from '../../provider.ts';
import type { ProxmoxApi } from '../api/api.ts';
import { textOf } from '../api/row.ts';
import { uuidIn } from '../mark.ts';
import { readConfig } from './config.ts';
import { observedOf } from './observed.ts';
import { listResources, type ListedVm } from './resources.ts';

/** A call for every VM of the cluster: for an import, and for nothing that happens often. */
export async function readEverything(api: ProxmoxApi, signal: AbortSignal): Promise<readonly AnyMachine[]> {
  const { vms, hosts } = await listResources(api, signal);
  const online = new Set(hosts.filter((host) => host.online).map(({ name }) => name));
  const there = vms.filter(({ kind, template, host }) => kind === 'qemu' && !template && online.has(host));
  return (await Promise.all(there.map((vm) => lookAt(api, vm, signal)))).flat();
}

async function lookAt(api: ProxmoxApi, vm: ListedVm, signal: AbortSignal): Promise<readonly AnyMachine[]> {
  const config = await readConfig(api, vm.host, vm.vmid, signal);
  if (config === undefined) return [];
  const uuid = uuidIn(config);
  const nobody = { platform: '', name: '', uuid: uuid ?? '' };
  const { id, host, macs, cpu, memoryMiB, disks, settings } = observedOf(nobody, vm, config, undefined);
  return [{ id, host, name: textOf(config, 'name') ?? '', uuid, macs, cpu, memoryMiB, disks, settings }];
}
