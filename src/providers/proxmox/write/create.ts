import { Problem } from '../../../model/problem.ts';
import type { MachineRef, MachineRequest } from '../../provider.ts';
import { path } from '../api/form.ts';
import { persist } from '../api/persist.ts';
import { isProblem } from '../api/problem.ts';
import { drivesOf } from '../drive.ts';
import { createParams, startupOf, systemSlot, tagsOf, type CreateOptions } from '../machine-params.ts';
import { isInTheMaking, isOursToFinish, lacking } from '../mark.ts';
import type { ProxmoxSettings } from '../settings.ts';
import { deleteCidata, uploadCidata } from './cidata.ts';
import { grow } from './grow.ts';
import { find, foreign, type Proved } from './prove.ts';
import type { Hands } from './hands.ts';

/** Made, as large as it should be, and marked; not started. What is there already is finished, not made again. */
export async function create(
  hands: Hands,
  settings: ProxmoxSettings,
  request: MachineRequest,
  signal: AbortSignal,
): Promise<MachineRef> {
  const { facts } = hands;
  const vmid = vmidOf(request);
  const [permissions] = await Promise.all([facts.permissions(signal), facts.version(signal)]);
  const before = request.firstConfig === undefined ? undefined : await lookAt(hands, request, vmid, signal);
  if (before !== undefined) return finish(hands, settings, request, before, signal);
  const options: CreateOptions = {
    // Checked against the VM itself, where rights on its pool do not count yet.
    tags: permissions.may(`/vms/${vmid}`, 'VM.Config.Options'),
    startup: permissions.may('/', 'Sys.Modify'),
    cidata: await uploadCidata(hands, settings, request, signal),
  };
  if (!options.startup && startupOf(settings) !== undefined) hands.api.tools.warn(noStartup(hands.api.who));
  const there = await make(hands, settings, request, vmid, options, signal).catch(async (error: unknown) => {
    if (options.cidata !== undefined) await deleteCidata(hands, request.host, options.cidata, signal);
    throw error;
  });
  if (there !== 'new') return finish(hands, settings, request, there, signal);
  const at = { host: request.host, vmid };
  const whose = proofs(hands, request, at, signal);
  if (request.image.kind === 'disk') await growSystem(hands, request, whose, signal);
  if (!options.tags) await tag(hands, settings, request, whose, signal);
  return refTo(request, at);
}

async function make(
  hands: Hands,
  settings: ProxmoxSettings,
  request: MachineRequest,
  vmid: number,
  options: CreateOptions,
  signal: AbortSignal,
): Promise<'new' | Proved> {
  const { api, tasks } = hands;
  const { host } = request;
  const call = {
    path: path`/nodes/${host}/qemu`,
    doing: `create VM ${vmid} on ${host}`,
    needs: { path: settings.pool === undefined ? `/vms/${vmid}` : `/pool/${settings.pool}`, privilege: 'VM.Allocate' },
    params: createParams(request, vmid, settings, options),
  };
  const look = () => lookAt(hands, request, vmid, signal);
  const act = async (): Promise<'new' | Proved> => {
    try {
      await tasks.end(await api.write('POST', call, signal), call, signal);
      return 'new';
    } catch (error) {
      const there = isProblem(error, 'proxmox-exists') ? await look() : undefined;
      if (there === undefined) throw error;
      return there;
    }
  };
  return persist(api, { act, look }, signal);
}

/** What stands at the VMID: nothing, the machine itself, or somebody else’s, which is a problem. */
async function lookAt(
  hands: Hands,
  request: MachineRequest,
  vmid: number,
  signal: AbortSignal,
): Promise<Proved | undefined> {
  for (let look = 1; ; look++) {
    const found = await find(hands.api, vmid, request.host, signal);
    if (found === undefined || isOursToFinish(found.config, vmid, request.mark)) return found;
    if (!isInTheMaking(found.config)) throw foreign(found, request);
    if (look === looks) throw leftBehind(found, request);
    await madeMeanwhile(hands, found, signal);
  }
}

const looks = 5;
const betweenMs = 2000;

/** Somebody makes it at this moment. If it is us, a task says so; how that ended shows in what is there then. */
async function madeMeanwhile({ api, tasks }: Hands, { host, vmid }: Proved, signal: AbortSignal): Promise<void> {
  const running = await tasks.running(host, vmid, 'qmcreate', signal);
  if (running === undefined) return api.tools.pause(betweenMs, signal);
  await tasks.end(running.upid, { doing: `create VM ${vmid} on ${host}` }, signal).catch((error: unknown) => {
    if (!(error instanceof Problem)) throw error;
  });
}

/** Nothing is changed on a machine that is whole. */
async function finish(
  hands: Hands,
  settings: ProxmoxSettings,
  request: MachineRequest,
  there: Proved,
  signal: AbortSignal,
): Promise<MachineRef> {
  const has = drivesOf(there.config).find(({ slot }) => slot === systemSlot)?.sizeGiB ?? 0;
  const whose = proofs(hands, request, there, signal);
  if (has < (request.shape.disks[0]?.sizeGiB ?? 0)) await growSystem(hands, request, whose, signal);
  if (lacking(there.config, there.vmid, request.mark).length > 0) await tag(hands, settings, request, whose, signal);
  return refTo(request, there);
}

const refTo = ({ mark }: MachineRequest, { host, vmid }: At): MachineRef => ({ mark, id: String(vmid), host });

type At = Pick<Proved, 'host' | 'vmid'>;

/** Once it is what was just made or looked at; whoever asks again does so some time later, and it is looked at again. */
function proofs(hands: Hands, request: MachineRequest, first: At, signal: AbortSignal): () => Promise<At> {
  let fresh: At | undefined = first;
  return async () => {
    const at = fresh ?? (await lookAt(hands, request, first.vmid, signal));
    fresh = undefined;
    if (at === undefined) throw vanished(request, first);
    return at;
  };
}

const growSystem = (
  hands: Hands,
  { shape }: MachineRequest,
  whose: () => Promise<At>,
  signal: AbortSignal,
): Promise<void> => grow(hands, whose, { slot: systemSlot, sizeGiB: shape.disks[0]?.sizeGiB ?? 0 }, signal);

async function tag(
  { api }: Hands,
  settings: ProxmoxSettings,
  request: MachineRequest,
  whose: () => Promise<At>,
  signal: AbortSignal,
): Promise<void> {
  const act = async (): Promise<true> => {
    const { host, vmid } = await whose();
    const call = {
      path: path`/nodes/${host}/qemu/${vmid}/config`,
      doing: `tag VM ${vmid} on ${host}`,
      needs: { path: `/vms/${vmid}`, privilege: 'VM.Config.Options' },
      params: { tags: tagsOf(request, settings) },
    };
    await api.write('PUT', call, signal);
    return true;
  };
  // The same tags twice are the same tags.
  await persist(api, { act, look: () => Promise.resolve(undefined) }, signal);
}

function vmidOf({ id, mark }: MachineRequest): number {
  const vmid = Number(id);
  if (Number.isInteger(vmid) && vmid >= 100) return vmid;
  throw new Problem('proxmox-no-vmid', `${mark.name} has no VMID, and Proxmox makes no VM without one.`, {
    remedy: 'Widen machines.proxmox.vmids until every machine has one:\n    ichor place',
  });
}

const vanished = ({ mark }: MachineRequest, { host, vmid }: At): Problem =>
  new Problem('proxmox-gone', `${mark.name} (VM ${vmid} on ${host}) was taken away while ichor made it.`, {
    recovery: 'wait',
    remedy: `Look what is there:\n    ichor machines`,
  });

const leftBehind = ({ host, vmid }: Proved, { mark }: MachineRequest): Problem =>
  new Problem(
    'proxmox-left-behind',
    `VMID ${vmid} on ${host}, which ${mark.name} is to have, is locked by a creation that is not ours, or that nobody works on any more.`,
    {
      remedy: `If nobody makes it and nothing of it is needed, remove what is left, as root:\n    ssh root@${host} 'qm unlock ${vmid} && qm destroy ${vmid} --purge --destroy-unreferenced-disks 1'`,
    },
  );

const noStartup = (who: string): Problem =>
  new Problem('proxmox-no-startup', `The start order is left out: ${who} lacks Sys.Modify on /, which it takes.`, {
    severity: 'warning',
    remedy: `Give it that right, or take machines.proxmox.startup out of the file:\n    ichor doctor`,
  });
