import type { Datacenter } from '../datacenter.ts';
import { FirewallFile } from './file.ts';

/** Rules of the whole cluster and of single VMs. */
interface ClusterFirewall {
  /** The file of a VM that is gone goes with it. */
  forgetVm(vmid: number): void;
}

export class LabFirewall implements ClusterFirewall {
  readonly cluster = new FirewallFile();
  readonly #vms = new Map<number, FirewallFile>();

  /** Nobody looks whether the VM is there. */
  readVm(vmid: number): FirewallFile {
    return this.#vms.get(vmid) ?? new FirewallFile();
  }

  writeVm(vmid: number): FirewallFile {
    const file = this.readVm(vmid);
    this.#vms.set(vmid, file);
    return file;
  }

  forgetVm(vmid: number): void {
    this.#vms.delete(vmid);
  }

  /** Every list of rules there is. */
  files(): readonly FirewallFile[] {
    return [this.cluster, ...this.#vms.values()];
  }
}

export const createFirewall = (_datacenter: () => Datacenter): LabFirewall => new LabFirewall();
