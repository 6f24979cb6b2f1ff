import type { Disk, Shape } from '../../../model/machine.ts';
import { Problem } from '../../../model/problem.ts';
import type { MachineRef } from '../../provider.ts';
import { path, type Params } from '../api/form.ts';
import { persist } from '../api/persist.ts';
import { isProblem } from '../api/problem.ts';
import { numberOf, rowsOf, textOf, type Row } from '../api/row.ts';
import { drivesOf, type Drive } from '../drive.ts';
import { newDisk, serialOf, slotOf, systemSlot } from '../machine-params.ts';
import { memoryOf } from '../read/observed.ts';
import { grow, type Growth } from './grow.ts';
import type { Hands } from './hands.ts';
import { mustProve, type Proved } from './prove.ts';

/** What is to be changed: single values, disks that are to be added, and disks that are to grow. */
type Changes = { readonly params: Params; readonly added: Params; readonly grown: readonly Growth[] };

export async function resize(
  hands: Hands,
  machine: MachineRef,
  shape: Shape,
  signal: AbortSignal,
): Promise<{ readonly afterRestart: readonly string[] }> {
  const prove: Prove = () => mustProve(hands.api, machine, 'resize it', signal);
  const act = async (): Promise<Proved> => {
    const proved = await prove();
    const { params, added, grown } = changesOf(proved, machine, shape, hands.api.tools.warn);
    if (Object.keys(params).length > 0) await setParams(hands, proved, params, prove, signal);
    if (Object.keys(added).length > 0) await addDisks(hands, await prove(), added, signal);
    for (const growth of grown) await grow(hands, prove, growth, signal);
    return proved;
  };
  // It looks at what is there before it changes anything, each time.
  const proved = await persist(hands.api, { act, look: () => Promise.resolve(undefined) }, signal);
  return { afterRestart: await waiting(hands, proved, shape, signal) };
}

function changesOf(
  { config, host, vmid }: Proved,
  { mark }: MachineRef,
  shape: Shape,
  warn: (problem: Problem) => void,
): Changes {
  const drives = drivesOf(config).filter(({ kind }) => kind === 'disk');
  const cpu = (numberOf(config, 'cores') ?? 1) * (numberOf(config, 'sockets') ?? 1);
  const added: Record<string, string> = {};
  const grown: Growth[] = [];
  for (const [index, disk] of shape.disks.entries()) {
    const drive = driveOf(drives, index, disk);
    if (drive === undefined) {
      const slot = freeSlot(index, [...drives.map((each) => each.slot), ...Object.keys(added)]);
      if (slot !== slotOf(index)) warn(otherSlot(mark.name, disk, slotOf(index), slot));
      added[slot] = newDisk(disk.datastore, disk.sizeGiB, disk.name);
    } else if (disk.sizeGiB < (drive.sizeGiB ?? 0)) throw shrinks(host, vmid, mark.name, disk, drive);
    else if (disk.sizeGiB > (drive.sizeGiB ?? 0)) grown.push({ slot: drive.slot, sizeGiB: disk.sizeGiB });
  }
  return {
    params: {
      ...(cpu === shape.cpu ? {} : { cores: shape.cpu, sockets: 1 }),
      ...(memoryOf(config) === shape.memoryMiB ? {} : { memory: shape.memoryMiB }),
    },
    added,
    grown,
  };
}

const driveOf = (drives: readonly Drive[], index: number, { name }: Disk): Drive | undefined =>
  drives.find(({ serial }) => serial === serialOf(name)) ??
  (index === 0 ? drives.find(({ slot }) => slot === systemSlot) : undefined);

function freeSlot(wanted: number, taken: readonly string[]): string {
  if (!taken.includes(slotOf(wanted))) return slotOf(wanted);
  let index = 1;
  while (taken.includes(slotOf(index))) index++;
  return slotOf(index);
}

type Prove = () => Promise<Proved>;

async function setParams(
  hands: Hands,
  { host, vmid, config }: Proved,
  params: Params,
  prove: Prove,
  signal: AbortSignal,
): Promise<void> {
  const call = {
    path: path`/nodes/${host}/qemu/${vmid}/config`,
    doing: `resize VM ${vmid} on ${host}`,
    needs: { path: `/vms/${vmid}`, privilege: 'VM.Config.CPU' },
  };
  try {
    await hands.api.write('PUT', { ...call, params: { ...params, digest: textOf(config, 'digest') } }, signal);
  } catch (error) {
    // A change that was refused to the running VM would still come with its next cold start.
    if (isProblem(error, 'proxmox-hotplug')) {
      const revert = { revert: Object.keys(params).join(','), digest: textOf((await prove()).config, 'digest') };
      await hands.api.write('PUT', { ...call, params: revert }, signal);
    }
    throw error;
  }
}

/** Allocating takes its time, so a task does it. */
async function addDisks(
  { api, tasks }: Hands,
  { host, vmid, config }: Proved,
  added: Params,
  signal: AbortSignal,
): Promise<void> {
  const call = {
    path: path`/nodes/${host}/qemu/${vmid}/config`,
    doing: `add ${Object.keys(added).join(' and ')} to VM ${vmid} on ${host}`,
    needs: { path: `/vms/${vmid}`, privilege: 'VM.Config.Disk' },
    params: { ...added, digest: textOf(config, 'digest') },
  };
  await tasks.end(await api.write('POST', call, signal), call, signal);
}

/** What the VM has been told and does not have yet, in the words of a shape. */
async function waiting(
  { api }: Hands,
  { host, vmid }: Proved,
  shape: Shape,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const request = { path: path`/nodes/${host}/qemu/${vmid}/pending`, doing: `look what VM ${vmid} waits for` };
  const rows = rowsOf(await api.get(request, signal)).filter((row) => 'pending' in row || 'delete' in row);
  return [...new Set(rows.flatMap((row) => wordOf(row, shape)))].toSorted();
}

function wordOf(row: Row, shape: Shape): readonly string[] {
  const key = textOf(row, 'key') ?? '';
  if (key === 'cores' || key === 'sockets') return ['cpu'];
  if (key === 'memory') return ['memory'];
  const text = textOf(row, 'pending') ?? '';
  const disk = shape.disks.find(({ name }) => text.includes(`serial=${serialOf(name)}`));
  return /^scsi\d+$/.test(key) && disk !== undefined ? [`disk ${disk.name}`] : [];
}

const shrinks = (host: string, vmid: number, name: string, disk: Disk, drive: Drive): Problem =>
  new Problem(
    'proxmox-shrink',
    `The disk “${disk.name}” of ${name} (VM ${vmid} on ${host}) has ${drive.sizeGiB} GiB and cannot become smaller: the file asks for ${disk.sizeGiB} GiB.`,
    {
      remedy: `Ask for at least ${Math.ceil(drive.sizeGiB ?? 0)} GiB, or delete the machine and make it anew:\n    ichor plan`,
    },
  );

const otherSlot = (name: string, disk: Disk, wanted: string, slot: string): Problem =>
  new Problem(
    'proxmox-other-slot',
    `The new disk “${disk.name}” of ${name} goes to ${slot}: another one is in ${wanted}, where its name would put it.`,
    { severity: 'warning', remedy: 'Name new disks so that they come last by alphabet, or make the machine anew.' },
  );
