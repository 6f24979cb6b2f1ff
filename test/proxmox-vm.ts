import type { Host } from '../src/lab/proxmox/host.ts';
import type { DatacenterOptions } from '../src/lab/proxmox/twin.ts';
import type { Vm } from '../src/lab/proxmox/vm.ts';
import { aDatacenter } from './proxmox-datacenter.ts';
import type { DoorlessDatacenter } from './proxmox-datacenter.ts';
import { puppets } from './proxmox-guest.ts';
import type { PuppetGuest } from './proxmox-guest.ts';

type Params = Readonly<Record<string, string | number>>;

export const node = 'pve1';
export const vmid = 100;

export type VmRig = DoorlessDatacenter & {
  readonly started: readonly PuppetGuest[];
  /** VM 100, unless another one is meant. */
  vm(id?: number): Vm;
  /** What a call about VM 100 answers, while time passes. */
  on(call: string, params?: Params): Promise<unknown>;
  /** How a call about VM 100 is refused, while time passes. */
  not(call: string, params?: Params): Promise<string>;
  /** The end of the task that a call about VM 100 starts, and its log without the last line. */
  ends(call: string, params?: Params): Promise<readonly string[]>;
};

/** Awaits while time passes. */
export async function passing<T>(lab: DoorlessDatacenter, promise: Promise<T>): Promise<T> {
  const settled = { yet: false };
  const settle = (): void => {
    settled.yet = true;
  };
  void promise.then(settle, settle);
  while (!settled.yet) await lab.clock.advance(100);
  return promise;
}

export function hostOf({ datacenter }: DoorlessDatacenter, name = node): Host {
  const host = datacenter.hosts.get(name);
  if (host === undefined) throw new Error(`There is no host ${name}.`);
  return host;
}

/** A data centre with VM 100 in it, and puppets for guests. */
export async function aVm(
  config: Params = {},
  options: DatacenterOptions & { readonly puppet?: Parameters<typeof puppets>[0]; readonly runs?: boolean } = {},
): Promise<VmRig> {
  const { guests, started } = puppets(options.puppet);
  const lab = aDatacenter({
    guests,
    storages: [
      { id: 'local', type: 'dir', content: ['iso', 'import', 'snippets'], totalGiB: 100 },
      { id: 'disks', type: 'dir', content: ['images'], totalGiB: 100 },
      { id: 'thin', type: 'lvmthin', content: ['images'], totalGiB: 100 },
      { id: 'shared', type: 'rbd', content: ['images'], totalGiB: 100 },
    ],
    ...options,
  });
  const full = (call: string): string => call.replace(/^(\w+)/, '$1 /nodes/{node}/qemu/{vmid}').replace('} ', '}');
  const rig: VmRig = Object.assign(lab, {
    started,
    vm: (id = vmid) => {
      const vm = lab.datacenter.vms.get(id);
      if (vm === undefined) throw new Error(`There is no VM ${id}.`);
      return vm;
    },
    on: (call: string, params: Params = {}) => passing(lab, lab.ask(full(call), { node, vmid, ...params })),
    not: (call: string, params: Params = {}) => passing(lab, lab.refused(full(call), { node, vmid, ...params })),
    ends: async (call: string, params: Params = {}) => {
      const task = await lab.task(full(call), { node, vmid, ...params });
      return [task.exit ?? '', ...task.log.slice(0, task.exit === 'unexpected status' ? undefined : -1)];
    },
  });
  await lab.task('POST /nodes/{node}/qemu', { node, vmid, ...config });
  if (options.runs === true) await rig.ends('POST /status/start');
  return rig;
}
