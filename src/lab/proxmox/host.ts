import type { HostSystem } from './nodes/system.ts';
import type { Issued } from './server/certificates.ts';
import type { Task } from './tasks/task.ts';
import type { FileLock } from './vm.ts';

export type HostState = 'up' | 'dead' | 'frozen' | 'cut off';

/** A hypervisor of the data centre: what the API calls a node. */
export interface Host {
  readonly name: string;
  /** 1, 2, … in a cluster; 0 for a host alone. */
  readonly nodeid: number;
  readonly address: string;
  readonly certificate: Issued;
  readonly cpus: number;
  readonly memoryBytes: number;
  readonly bridges: ReadonlyMap<string, { readonly vlanAware: boolean }>;
  readonly system: HostSystem;
  bootedAt: Date;
  state: HostState;
  /** Newest last; running ones are among them. */
  readonly tasks: Task[];
  /** Pids of its processes come from here. */
  nextPid: number;
  /** By path. Those of VMs are there before the VM is, and after. */
  readonly lockFiles: Map<string, FileLock>;
  /**
   * Warnings that each worker of its daemon has counted while it answered requests. Nothing resets them: every later task of
   * that worker ends with WARNINGS.
   */
  readonly daemonWarnings: number[];
}
