import { Problem } from '../../../model/problem.ts';
import type { MachineRef } from '../../provider.ts';
import type { ProxmoxApi } from '../api/api.ts';
import { isProblem } from '../api/problem.ts';
import { textOf, type Row } from '../api/row.ts';
import { lacking, writtenIn } from '../mark.ts';
import { markAgain } from '../mending.ts';
import { isFree, readConfig } from '../read/config.ts';
import { listResources } from '../read/resources.ts';

/** Where a machine is now, and its configuration: it is the one that was meant. */
export type Proved = { readonly host: string; readonly vmid: number; readonly config: Row };

/** Undefined: nobody in the whole cluster has its VMID. Whatever else has it is left alone. */
export async function prove(api: ProxmoxApi, machine: MachineRef, signal: AbortSignal): Promise<Proved | undefined> {
  const vmid = Number(machine.id);
  const found = await find(api, vmid, machine.host, signal);
  if (found === undefined) return undefined;
  const missing = lacking(found.config, vmid, machine.mark);
  if (missing.length === 0) return found;
  const strange = missing.includes('the tags') && writtenIn(found.config) === undefined;
  if (strange && !missing.includes('the UUID')) throw unmarked(found, machine);
  throw missing.length === 1 && missing[0] === 'the tags' ? untagged(found, machine) : foreign(found, machine);
}

/** The same, where a machine that is gone is a problem. */
export async function mustProve(
  api: ProxmoxApi,
  machine: MachineRef,
  doing: string,
  signal: AbortSignal,
): Promise<Proved> {
  const proved = await prove(api, machine, signal);
  if (proved !== undefined) return proved;
  throw new Problem('proxmox-gone', `${machine.mark.name} is not there any more, so ichor cannot ${doing}.`, {
    recovery: 'wait',
    remedy: `Look what is there:\n    ichor machines`,
  });
}

/** Where it was last seen, then wherever it moved to. */
export async function find(
  api: ProxmoxApi,
  vmid: number,
  host: string,
  signal: AbortSignal,
): Promise<Proved | undefined> {
  const here = await lookOn(api, host, vmid, signal);
  if (here !== undefined) return { host, vmid, config: here };
  const { vms } = await listResources(api, signal, 'vm');
  const moved = vms.find((vm) => vm.vmid === vmid);
  if (moved?.kind === 'lxc') throw notEvenVm(moved.host, vmid);
  const config = moved === undefined ? undefined : await lookOn(api, moved.host, vmid, signal);
  if (moved !== undefined && config !== undefined) return { host: moved.host, vmid, config };
  // Not everything is in everybody’s list; whether a VMID is free, everybody is told.
  if (await isFree(api, vmid, signal)) return undefined;
  throw unseen(api.who, vmid);
}

/** A VM that is gone looks like one that is somebody else’s to whoever has rights on a pool alone; a host may be gone too. */
async function lookOn(api: ProxmoxApi, host: string, vmid: number, signal: AbortSignal): Promise<Row | undefined> {
  try {
    return await readConfig(api, host, vmid, signal);
  } catch (error) {
    if (isProblem(error, 'proxmox-permission', 'proxmox-no-host')) return undefined;
    throw error;
  }
}

export function foreign({ host, vmid, config }: Proved, { mark }: Pick<MachineRef, 'mark'>): Problem {
  const name = textOf(config, 'name') ?? 'without a name';
  return new Problem(
    'proxmox-foreign',
    `VMID ${vmid} on ${host} belongs to another VM, “${name}”, and not to ${mark.name}; nothing was done to it.`,
    {
      remedy: `Give ${mark.name} another VMID with cluster.nodes, or look who made that one:\n    ssh root@${host} qm config ${vmid}`,
    },
  );
}

const untagged = (found: Proved, { mark }: MachineRef): Problem =>
  new Problem(
    'proxmox-untagged',
    `VM ${found.vmid} on ${found.host} says that it is ${mark.name}, and somebody took its tags off; nothing was done to it.`,
    { remedy: `If it is ichor’s, give them back:\n    ${markAgain(found, mark, ['the tags'])}` },
  );

/** The file names it by VMID and UUID, which is enough to look; to stop or delete it, its owner says so on the VM itself. */
const unmarked = (found: Proved, { mark }: MachineRef): Problem =>
  new Problem(
    'proxmox-unmarked',
    `VM ${found.vmid} on ${found.host} is ${mark.name} by the file, but ichor did not make it and it does not carry ichor’s mark; nothing was done to it.`,
    {
      remedy: `If ichor may start, stop, change and delete it from now on, mark it:\n    ${markAgain(found, mark, ['the tags', 'the line in its notes'])}`,
    },
  );

const notEvenVm = (host: string, vmid: number): Problem =>
  new Problem('proxmox-foreign', `VMID ${vmid} on ${host} belongs to a container; nothing was done to it.`, {
    remedy: `Give the machine another VMID with cluster.nodes, or look whose it is:\n    ssh root@${host} pct config ${vmid}`,
  });

const unseen = (who: string, vmid: number): Problem =>
  new Problem(
    'proxmox-foreign',
    `VMID ${vmid} belongs to something that ${who} may not look at; nothing was done to it.`,
    {
      remedy:
        'Give the machine another VMID with cluster.nodes, or look whose it is, as root on any host:\n    cat /etc/pve/.vmlist',
    },
  );
