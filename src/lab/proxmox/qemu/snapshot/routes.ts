import { answer } from '../../call.ts';
import type { Answer, Call, Routes } from '../../call.ts';
import { died } from '../../refusal.ts';
import { requestWorker } from '../../tasks/request-worker.ts';
import type { Worker } from '../../tasks/task.ts';
import { readConfig, writeConfig } from '../config/file.ts';
import { shown } from '../config/values.ts';
import { holding } from '../locking.ts';
import { mustBeUnlocked, vmidOf, vmOf } from '../lookup.ts';
import { removeSnapshot } from './remove.ts';
import { rollBack } from './rollback.ts';
import { takeSnapshot } from './take.ts';

export const snapshotRoutes: Routes = {
  'GET /nodes/{node}/qemu/{vmid}/snapshot': listSnapshots,
  'POST /nodes/{node}/qemu/{vmid}/snapshot': (call) => {
    const name = nameOf(call);
    if (name === 'current' || name.toLowerCase() === 'pending')
      throw died(`unable to use snapshot name '${name.toLowerCase()}' (reserved name)`);
    vmOf(call);
    return task(call, 'qmsnapshot', (worker) => takeSnapshot(call, worker, name));
  },
  'GET /nodes/{node}/qemu/{vmid}/snapshot/{snapname}': () => answer([{ cmd: 'rollback' }, { cmd: 'config' }]),
  'DELETE /nodes/{node}/qemu/{vmid}/snapshot/{snapname}': (call) =>
    task(call, 'qmdelsnapshot', (worker) => removeSnapshot(call, worker, nameOf(call))),
  'GET /nodes/{node}/qemu/{vmid}/snapshot/{snapname}/config': (call) => answer(shown(sectionOf(call))),
  'PUT /nodes/{node}/qemu/{vmid}/snapshot/{snapname}/config': describe,
  'POST /nodes/{node}/qemu/{vmid}/snapshot/{snapname}/rollback': (call) => {
    if (call.flag('start') && call.datacenter.version.major >= 9)
      call.require(`/vms/${vmidOf(call)}`, ['VM.PowerMgmt']);
    return task(call, 'qmrollback', (worker) => rollBack(call, worker, nameOf(call)));
  },
};

const nameOf = (call: Call): string => call.text('snapname') ?? '';

function sectionOf(call: Call): ReadonlyMap<string, string> {
  const section = vmOf(call).snapshots.get(nameOf(call));
  if (section === undefined) throw died(`snapshot '${nameOf(call)}' does not exist`);
  return section;
}

const task = (call: Call, type: string, work: (worker: Worker) => Promise<void>): Answer =>
  answer(call.datacenter.startTask({ host: call.host, who: call.who, type, id: String(vmidOf(call)), work }));

function listSnapshots(call: Call): Answer {
  const vm = vmOf(call);
  const rows = [...vm.snapshots].map(([name, section]): Record<string, unknown> => ({
    name,
    snaptime: Number(section.get('snaptime') ?? 0),
    vmstate: section.has('vmstate') ? 1 : 0,
    description: section.get('description') ?? '',
    ...(section.has('parent') ? { parent: section.get('parent') } : {}),
    ...(section.has('snapstate') ? { snapstate: section.get('snapstate') } : {}),
  }));
  const parent = vm.config.get('parent');
  const current = {
    name: 'current',
    digest: vm.digest,
    running: vm.run === undefined ? 0 : 1,
    description: 'You are here!',
    ...(parent === undefined ? {} : { parent }),
  };
  return answer([...rows, current]);
}

async function describe(call: Call): Promise<Answer> {
  const description = call.text('description');
  if (description === undefined) return answer(null);
  const vm = vmOf(call);
  await holding(requestWorker(call), vm.lock, call.datacenter.durations.lockWait, async () => {
    mustBeUnlocked(vm.config);
    sectionOf(call);
    const file = readConfig(vm);
    file.snapshots.get(nameOf(call))?.set('description', description);
    writeConfig(call.datacenter, vm, file);
  });
  return answer(null);
}
