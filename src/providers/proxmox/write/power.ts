import { Problem } from '../../../model/problem.ts';
import type { MachineRef, Power } from '../../provider.ts';
import type { ProxmoxApi } from '../api/api.ts';
import { path } from '../api/form.ts';
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

export async function setPower(hands: Hands, machine: MachineRef, power: Power, signal: AbortSignal): Promise<void> {
  const proved = await mustProve(hands.api, machine, power === 'on' ? 'start it' : 'stop it', signal);
  await (power === 'on' ? start(hands, proved, signal) : stop(hands, machine, proved, signal));
}

async function start(hands: Hands, { host, vmid }: Proved, signal: AbortSignal): Promise<void> {
  const request = {
    path: path`/nodes/${host}/qemu/${vmid}/status/start`,
    doing: `start VM ${vmid} on ${host}`,
    needs: { path: `/vms/${vmid}`, privilege: 'VM.PowerMgmt' },
  };
  const act = async (): Promise<true> => {
    try {
      return await dispatched(hands, request, { host, vmid, power: 'on' }, signal);
    } catch (error) {
      if (isProblem(error, 'proxmox-already-running')) return true;
      throw error;
    }
  };
  await persist(hands.api, { act, look: () => settled(hands, { host, vmid, power: 'on' }, 'qmstart', signal) }, signal);
}

/** Before it is asked for a second time, it is proved a second time. */
export async function stop(
  hands: Hands,
  machine: MachineRef,
  { host, vmid }: Proved,
  signal: AbortSignal,
): Promise<void> {
  // Somebody’s orderly shutdown holds the lock as long as it lasts, and may last for minutes.
  let overrule = canOverruleShutdown(await hands.facts.version(signal));
  const act = async (): Promise<true> => {
    const request = {
      path: path`/nodes/${host}/qemu/${vmid}/status/stop`,
      doing: `stop VM ${vmid} on ${host}`,
      needs: { path: `/vms/${vmid}`, privilege: 'VM.PowerMgmt' },
      params: overrule ? { 'overrule-shutdown': true } : {},
    };
    try {
      return await dispatched(hands, request, { host, vmid, power: 'off' }, signal);
    } catch (error) {
      // The HA manager does not know that word.
      if (!(error instanceof ApiProblem && overrule && error.errors['overrule-shutdown'] !== undefined)) throw error;
      overrule = false;
      return act();
    }
  };
  const look = async (): Promise<true | undefined> => {
    await mustProve(hands.api, machine, 'stop it', signal);
    return settled(hands, { host, vmid, power: 'off' }, 'qmstop', signal);
  };
  await persist(hands.api, { act, look }, signal);
}

type Aim = { readonly host: string; readonly vmid: number; readonly power: Power };
type Asked = { readonly path: string; readonly doing: string };

async function dispatched({ api, tasks }: Hands, request: Asked, aim: Aim, signal: AbortSignal): Promise<true> {
  for (let times = 1; times <= managerRequests; times++) {
    const task = await tasks.end(await api.write('POST', request, signal), request, signal);
    // Such a task ends when the manager has been told, not when the VM runs.
    if (task?.type.startsWith('ha') !== true || (await managed(api, aim, signal))) return true;
  }
  throw new Problem('proxmox-ha-slow', `The HA manager was asked to ${request.doing}, and has not done so yet.`, {
    recovery: 'wait',
    remedy: `Look what it waits for:\n    ssh root@${aim.host} ha-manager status`,
  });
}

/** Whether it does so in time. */
async function managed(api: ProxmoxApi, aim: Aim, signal: AbortSignal): Promise<boolean> {
  const { clock, pause } = api.tools;
  const until = clock.now().getTime() + managerMs;
  for (let last = false; !last;) {
    last = clock.now().getTime() > until;
    if ((await powerOf(api, aim, signal)) === aim.power) return true;
    await pause(managerLookMs, signal);
  }
  return false;
}

/** Nothing of ours is under way, and it is as it should be; undefined: it is not. */
async function settled({ api, tasks }: Hands, aim: Aim, type: string, signal: AbortSignal): Promise<true | undefined> {
  const running = await tasks.running(aim.host, aim.vmid, type, signal);
  if (running !== undefined) await tasks.end(running.upid, { doing: `wait for ${type} of VM ${aim.vmid}` }, signal);
  return (await powerOf(api, aim, signal)) === aim.power ? true : undefined;
}

export async function powerOf(
  api: ProxmoxApi,
  { host, vmid }: Omit<Aim, 'power'>,
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
  const { host, vmid } = await mustProve(api, machine, 'reset it', signal);
  const request = {
    path: path`/nodes/${host}/qemu/${vmid}/status/reset`,
    doing: `reset VM ${vmid} on ${host}`,
    needs: { path: `/vms/${vmid}`, privilege: 'VM.PowerMgmt' },
  };
  const begun = Math.floor((api.tools.clock.now().getTime() + (api.skewMs ?? 0)) / 1000) - 1;
  const act = async (): Promise<true> => {
    await tasks.end(await api.write('POST', request, signal), request, signal);
    return true;
  };
  const look = async (): Promise<true | undefined> => {
    await mustProve(api, machine, 'reset it', signal);
    const done = await tasks.since(host, vmid, 'qmreset', begun, signal);
    if (done === undefined) return undefined;
    await tasks.end(done.upid, request, signal);
    return true;
  };
  await persist(api, { act, look }, signal);
}
