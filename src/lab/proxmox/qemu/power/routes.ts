import { answer } from '../../call.ts';
import type { Answer, Call, Routes } from '../../call.ts';
import { died, wrongParameters } from '../../refusal.ts';
import type { Task, Worker } from '../../tasks/task.ts';
import { owns } from '../../tasks/rights.ts';
import { mustBeHere, vmidOf, vmOf } from '../lookup.ts';
import { onlyRoot } from '../rights/vm.ts';
import { shownBeside, vmStatus } from '../status.ts';
import { haCommandMs, orderStart, startAgain } from './order.ts';
import { startVm } from './start.ts';
import { rebootVm, stopVm } from './stop.ts';
import { pauseVm, resetVm, resumeVm, stateStorage, suspendToDisk } from './suspend.ts';

export const powerRoutes: Routes = {
  'GET /nodes/{node}/qemu/{vmid}/status': () =>
    answer(['current', 'start', 'stop', 'reset', 'shutdown', 'suspend', 'reboot'].map((subdir) => ({ subdir }))),
  'GET /nodes/{node}/qemu/{vmid}/status/current': (call) => {
    const vm = vmOf(call);
    return answer({ ...vmStatus(call.datacenter, vm, true), ...shownBeside(call.datacenter, vm) });
  },
  'POST /nodes/{node}/qemu/{vmid}/status/start': start,
  'POST /nodes/{node}/qemu/{vmid}/status/stop': stop,
  'POST /nodes/{node}/qemu/{vmid}/status/shutdown': shutdown,
  'POST /nodes/{node}/qemu/{vmid}/status/reboot': reboot,
  'POST /nodes/{node}/qemu/{vmid}/status/reset': (call) => {
    onlyRoot(call, 'skiplock');
    mustRun(call);
    return task(call, 'qmreset', (worker) => resetVm(call, worker, vmidOf(call), call.flag('skiplock')));
  },
  'POST /nodes/{node}/qemu/{vmid}/status/suspend': suspend,
  'POST /nodes/{node}/qemu/{vmid}/status/resume': resume,
};

const task = (call: Call, type: string, work: (worker: Worker) => Promise<void>): Answer =>
  answer(call.datacenter.startTask({ host: call.host, who: call.who, type, id: String(vmidOf(call)), work }));

function mustRun(call: Call): void {
  const vmid = vmidOf(call);
  if (mustBeHere(call.datacenter, call.host, vmid).run === undefined) throw died(`VM ${vmid} not running`);
}

const isPaused = (call: Call): boolean => {
  const vm = call.datacenter.vms.get(vmidOf(call));
  return vm?.host === call.host.name && vm.run?.paused === true;
};

/** A VMID that nobody has is not noticed before the task runs. */
function start(call: Call): Answer {
  onlyRoot(
    call,
    'stateuri',
    'skiplock',
    'migratedfrom',
    'migration_type',
    'migration_network',
    'targetstorage',
    'force-cpu',
    'with-conntrack-state',
    'nets-host-mtu',
  );
  return answer(orderStart(call, vmidOf(call), { skipLock: call.flag('skiplock') }));
}

function stop(call: Call): Answer {
  const vmid = vmidOf(call);
  onlyRoot(call, 'skiplock', 'keepActive', 'migratedfrom');
  const overrules = call.flag('overrule-shutdown');
  if (call.datacenter.ha.isManaged(vmid)) {
    if (overrules) throw wrongParameters({ 'overrule-shutdown': 'Not applicable for HA resources.' });
    return haStop(call, 0);
  }
  return task(call, 'qmstop', async (worker) => {
    if (overrules) await overruleShutdowns(call, worker);
    await stopVm(call, worker, vmid, {
      skipLock: call.flag('skiplock'),
      orderly: false,
      timeoutSeconds: call.number('timeout'),
      force: true,
    });
  });
}

const haStop = (call: Call, timeoutSeconds: number): Answer => {
  const vmid = vmidOf(call);
  return task(call, 'hastop', async (worker) => {
    worker.say(`Requesting HA stop for VM ${vmid}`);
    await worker.sleep(haCommandMs);
    call.datacenter.ha.request(vmid, 'stopped', timeoutSeconds);
  });
};

/** Shutdowns hold the lock for as long as they wait: who may abort them gets past. */
async function overruleShutdowns(call: Call, worker: Worker): Promise<void> {
  const id = String(vmidOf(call));
  const all = call.may(`/nodes/${call.host.name}`, ['Sys.Modify']);
  const mine = (each: Task): boolean =>
    each.exit === undefined && each.type === 'qmshutdown' && each.id === id && (all || owns(call.who, each));
  const overruled = call.host.tasks.filter(mine);
  for (const each of overruled) each.abort();
  await Promise.all(overruled.map(({ ended }) => ended));
  if (overruled.length > 0) worker.say(`overruled qmshutdown tasks: ${overruled.map(({ upid }) => upid).join(', ')}`);
}

function shutdown(call: Call): Answer {
  const vmid = vmidOf(call);
  onlyRoot(call, 'skiplock', 'keepActive');
  const paused = isPaused(call);
  if (paused && !call.flag('forceStop')) throw died('VM is paused - cannot shutdown');
  if (call.datacenter.ha.isManaged(vmid)) return haStop(call, call.number('timeout') ?? 60);
  return task(call, 'qmshutdown', (worker) =>
    stopVm(call, worker, vmid, {
      skipLock: call.flag('skiplock'),
      orderly: !paused,
      timeoutSeconds: call.number('timeout'),
      force: call.flag('forceStop'),
    }),
  );
}

function reboot(call: Call): Answer {
  if (isPaused(call)) throw died('VM is paused - cannot shutdown');
  mustRun(call);
  return task(call, 'qmreboot', (worker) => rebootVm(call, worker, vmidOf(call), call.number('timeout')));
}

function suspend(call: Call): Answer {
  onlyRoot(call, 'skiplock');
  mustRun(call);
  const vmid = vmidOf(call);
  const skipLock = call.flag('skiplock');
  if (!call.flag('todisk')) return task(call, 'qmpause', (worker) => pauseVm(call, worker, vmid, skipLock));
  if (call.datacenter.ha.isManaged(vmid)) throw died('Cannot suspend HA managed VM to disk');
  call.require(`/vms/${vmid}`, ['VM.Config.Disk']);
  const storage = call.text('statestorage') ?? stateStorage(call, vmOf(call));
  call.require(`/storage/${storage}`, ['Datastore.AllocateSpace']);
  return task(call, 'qmsuspend', (worker) => suspendToDisk(call, worker, vmid, { skipLock, storage }));
}

function resume(call: Call): Answer {
  onlyRoot(call, 'skiplock', 'nocheck');
  const vmid = vmidOf(call);
  const skipLock = call.flag('skiplock');
  const vm = call.datacenter.vms.get(vmid);
  if (vm?.host === call.host.name && vm.config.get('lock') === 'suspended')
    return task(call, 'qmresume', (worker) => startVm(call, worker, vmid, { skipLock, restart: startAgain }));
  mustRun(call);
  return task(call, 'qmresume', (worker) => resumeVm(call, worker, vmid, skipLock));
}
