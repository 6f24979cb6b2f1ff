import { answer } from '../../call.ts';
import type { Answer, Call } from '../../call.ts';
import { died, wrongParameters } from '../../refusal.ts';
import { requestWorker } from '../../tasks/request-worker.ts';
import type { Worker } from '../../tasks/task.ts';
import { statusKind } from '../../tasks/filter.ts';
import type { ConfigFile, Vm } from '../../vm.ts';
import { orderOf } from '../config/boot-order.ts';
import { readConfig, writeConfig } from '../config/file.ts';
import { forgetIdle, hasPending } from '../config/pending.ts';
import { memoryMiB } from '../config/values.ts';
import { holding } from '../locking.ts';
import { mustBeUnlocked, vmidOf, vmOf } from '../lookup.ts';
import { applyPending } from './apply.ts';
import type { Change } from './change.ts';
import { hotplugPending } from './hotplug.ts';
import { removeKey } from './remove.ts';
import { wishOf } from './request.ts';
import type { Wish } from './request.ts';
import { setKey } from './set.ts';

/** `PUT config`: done when it is answered. */
export async function updateNow(call: Call): Promise<Answer> {
  const wish = wishOf(call, vmidOf(call));
  checked(call, wish);
  const worker = requestWorker(call);
  await holding(worker, vmOf(call).lock, call.datacenter.durations.lockWait, () => update(call, worker, wish));
  return answer(null);
}

/** `POST config`: by a worker, for which a client may wait a little. */
export async function updateLater(call: Call): Promise<Answer> {
  const { datacenter, host, who } = call;
  const vmid = vmidOf(call);
  const wish = wishOf(call, vmid);
  checked(call, wish);
  const upid = datacenter.startTask({
    host,
    who,
    type: 'qmconfig',
    id: String(vmid),
    work: (worker) => holding(worker, vmOf(call).lock, datacenter.durations.lockWait, () => update(call, worker, wish)),
  });
  const delay = call.number('background_delay');
  if (delay === undefined) return answer(upid);
  const task = host.tasks.findLast((each) => each.upid === upid);
  const enough = new AbortController();
  await Promise.race([task?.ended, datacenter.clock.sleep(delay * 1000, enough.signal).catch(() => undefined)]);
  enough.abort(new Error('it has ended'));
  if (task?.exit === undefined) return answer(upid);
  const kind = statusKind(task.exit);
  if (kind === 'ok' || kind === 'warning') return answer(null);
  throw died(`failed to update VM ${vmid}: ${task.exit}`);
}

/** What is looked at before anything is done, and once more under the lock. */
function checked(
  call: Call,
  wish: Wish,
): { readonly vm: Vm; readonly settings: Map<string, string>; remove: string[] } {
  const vm = vmOf(call);
  if (wish.digest !== undefined && wish.digest !== '' && wish.digest !== vm.digest)
    throw died('checksum mismatch (file change by other user?)');
  const remove = [...wish.remove];
  const wakes = remove.includes('vmstate') && vm.config.get('lock') === 'suspended';
  if (!wish.skipLock && !wakes) mustBeUnlocked(vm.config);
  if (remove.includes('vmstate'))
    remove.push(
      ...['lock', 'runningmachine', 'runningcpu', 'running-nets-host-mtu'].filter(
        (key) => vm.config.has(key) && (key !== 'lock' || wakes),
      ),
    );
  const settings = new Map(wish.settings);
  for (const key of wish.revert) {
    const value = vm.config.get(key);
    if (value !== undefined) settings.set(key, value);
    else if (vm.pending.has(key)) remove.push(key);
  }
  checkBalloon(settings, vm);
  return { vm, settings, remove };
}

function checkBalloon(settings: ReadonlyMap<string, string>, { config, pending }: ConfigFile): void {
  if (!settings.has('memory') && !settings.has('balloon')) return;
  const view = new Map([...config, ...pending, ...settings]);
  if (Number(view.get('balloon') ?? 0) > memoryMiB(view))
    throw died('balloon value too large (must be smaller than assigned memory)');
}

/**
 * Everything goes to the pending section first, key by key, and each time the file is written: what a later key fails with
 * does not take back the ones before it.
 */
async function update(call: Call, worker: Worker, wish: Wish): Promise<void> {
  const { datacenter } = call;
  const { vm, settings, remove } = checked(call, wish);
  worker.say(`update VM ${vm.vmid}: ${wish.line}`);
  await worker.sleep(datacenter.durations.config);
  const change: Change = {
    call,
    worker,
    vm,
    settings,
    remove,
    force: wish.force,
    bootOrder: orderOf(vm.config.get('boot')),
    modified: new Set(),
  };
  for (const key of remove) removeKey(change, key);
  for (const key of [...settings.keys()].sort()) await setKey(change, key);
  const file = readConfig(vm);
  if (forgetIdle(file)) writeConfig(datacenter, vm, file);
  if (!hasPending(vm)) return;
  if (vm.run === undefined) applyPending(call, vm, worker.say);
  else {
    const errors = await hotplugPending(change);
    if (Object.keys(errors).length > 0) throw wrongParameters(errors);
  }
}
