import { Problem } from '../../../model/problem.ts';
import type { MachineRef, Power } from '../../provider.ts';
import type { ProxmoxApi } from '../api/api.ts';
import { path, type Params } from '../api/form.ts';
import { persist } from '../api/persist.ts';
import { ApiProblem, isProblem } from '../api/problem.ts';
import { rowOf, textOf } from '../api/row.ts';
import { canOverruleShutdown } from '../version.ts';
import type { Hands } from './hands.ts';
import { mustProve, type Proved } from './prove.ts';

/** The HA manager starts and stops by itself, some seconds after it was asked; what it does not know yet it forgets. */
const managerMs = 30_000;
const managerLookMs = 2000;
const managerRequests = 4;

export const setPower = (hands: Hands, machine: MachineRef, power: Power, signal: AbortSignal): Promise<void> =>
  power === 'on' ? start(hands, machine, signal) : stop(hands, machine, signal);

async function start(hands: Hands, machine: MachineRef, signal: AbortSignal): Promise<void> {
  const aim = { machine, power: 'on' } as const;
  const act = async (): Promise<true> => {
    try {
      return await dispatched(hands, aim, 'start', {}, signal);
    } catch (error) {
      if (isProblem(error, 'proxmox-already-running')) return true;
      throw error;
    }
  };
  await persist(hands.api, { act, look: () => settled(hands, aim, 'qmstart', signal) }, signal);
}

export async function stop(hands: Hands, machine: MachineRef, signal: AbortSignal): Promise<void> {
  // Somebody’s orderly shutdown holds the lock as long as it lasts, and may last for minutes.
  let overrule = canOverruleShutdown(await hands.facts.version(signal));
  const aim = { machine, power: 'off' } as const;
  const act = async (): Promise<true> => {
    try {
      return await dispatched(hands, aim, 'stop', overrule ? { 'overrule-shutdown': true } : {}, signal);
    } catch (error) {
      // The HA manager does not know that word.
      if (!(error instanceof ApiProblem && overrule && error.errors['overrule-shutdown'] !== undefined)) throw error;
      overrule = false;
      return act();
    }
  };
  await persist(hands.api, { act, look: () => settled(hands, aim, 'qmstop', signal) }, signal);
}

type Aim = { readonly machine: MachineRef; readonly power: Power };

/** Each request has a proof of its own: whoever repeats it does so some time later. */
async function dispatched(
  { api, tasks }: Hands,
  { machine, power }: Aim,
  verb: 'start' | 'stop',
  params: Params,
  signal: AbortSignal,
): Promise<true> {
  let last: Proved | undefined;
  for (let times = 1; times <= managerRequests; times++) {
    const { host, vmid } = (last = await mustProve(api, machine, `${verb} it`, signal));
    const request = {
      path: path`/nodes/${host}/qemu/${vmid}/status/${verb}`,
      doing: `${verb} VM ${vmid} on ${host}`,
      needs: { path: `/vms/${vmid}`, privilege: 'VM.PowerMgmt' },
      params,
    };
    const task = await tasks.end(await api.write('POST', request, signal), request, signal);
    // Such a task ends when the manager has been told, not when the VM runs.
    if (task?.type.startsWith('ha') !== true || (await managed(api, last, power, signal))) return true;
  }
  throw new Problem(
    'proxmox-ha-slow',
    `The HA manager was asked to ${verb} VM ${machine.id} on ${last?.host}, and has not done so yet.`,
    { recovery: 'wait', remedy: `Look what it waits for:\n    ssh root@${last?.host} ha-manager status` },
  );
}

/** Whether it does so in time. */
async function managed(api: ProxmoxApi, at: Proved, power: Power, signal: AbortSignal): Promise<boolean> {
  const { clock, pause } = api.tools;
  const until = clock.now().getTime() + managerMs;
  for (let last = false; !last;) {
    last = clock.now().getTime() > until;
    if ((await powerOf(api, at, signal)) === power) return true;
    await pause(managerLookMs, signal);
  }
  return false;
}

/** Nothing of ours is under way, and it is as it should be; undefined: it is not. */
async function settled(
  { api, tasks }: Hands,
  { machine, power }: Aim,
  type: string,
  signal: AbortSignal,
): Promise<true | undefined> {
  const at = await mustProve(api, machine, power === 'on' ? 'start it' : 'stop it', signal);
  const running = await tasks.running(at.host, at.vmid, type, signal);
  if (running !== undefined) await tasks.end(running.upid, { doing: `wait for ${type} of VM ${at.vmid}` }, signal);
  return (await powerOf(api, at, signal)) === power ? true : undefined;
}

export async function powerOf(
  api: ProxmoxApi,
  { host, vmid }: Pick<Proved, 'host' | 'vmid'>,
  signal: AbortSignal,
): Promise<Power | undefined> {
  const request = { path: path`/nodes/${host}/qemu/${vmid}/status/current`, doing: `look whether VM ${vmid} runs` };
  try {
    return textOf(rowOf(await api.get(request, signal)), 'status') === 'running' ? 'on' : 'off';
  } catch (error) {
    if (isProblem(error, 'proxmox-no-vm')) return undefined;
    throw error;
  }
}

/** A second press would restart what has just begun to boot: it is pressed again only if nobody heard the first. */
export async function reset(hands: Hands, machine: MachineRef, signal: AbortSignal): Promise<void> {
  const { api, tasks } = hands;
  const vmid = Number(machine.id);
  const asked = { doing: `reset VM ${vmid}`, needs: { path: `/vms/${vmid}`, privilege: 'VM.PowerMgmt' } };
  const begun = Math.floor((api.tools.clock.now().getTime() + (api.skewMs ?? 0)) / 1000) - 1;
  const act = async (): Promise<true> => {
    const { host } = await mustProve(api, machine, 'reset it', signal);
    const request = {
      ...asked,
      path: path`/nodes/${host}/qemu/${vmid}/status/reset`,
      doing: `${asked.doing} on ${host}`,
    };
    await tasks.end(await api.write('POST', request, signal), request, signal);
    return true;
  };
  const look = async (): Promise<true | undefined> => {
    const { host } = await mustProve(api, machine, 'reset it', signal);
    const done = await tasks.since(host, vmid, 'qmreset', begun, signal);
    if (done === undefined) return undefined;
    await tasks.end(done.upid, asked, signal);
    return true;
  };
  await persist(api, { act, look }, signal);
}
