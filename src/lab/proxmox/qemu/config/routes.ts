import { answer } from '../../call.ts';
import type { Answer, Call, Routes } from '../../call.ts';
import { died, wrongParameters } from '../../refusal.ts';
import { requestWorker } from '../../tasks/request-worker.ts';
import { updateLater, updateNow } from '../change/update.ts';
import { dumped } from '../cloud-init/content.ts';
import { writeDrive } from '../cloud-init/drive.ts';
import { driftRows } from '../cloud-init/drift.ts';
import { holding } from '../locking.ts';
import { mustBeUnlocked, vmidOf, vmOf } from '../lookup.ts';
import { merged, pendingRows } from './pending.ts';
import { mask, shown, shownValue } from './values.ts';

export const configRoutes: Routes = {
  'GET /nodes/{node}/qemu/{vmid}/config': showConfig,
  'PUT /nodes/{node}/qemu/{vmid}/config': updateNow,
  'POST /nodes/{node}/qemu/{vmid}/config': updateLater,
  'GET /nodes/{node}/qemu/{vmid}/pending': (call) => {
    const vm = vmOf(call);
    const rows = pendingRows(vm, (key, value) => (key === 'cipassword' ? mask : shownValue(key, value)));
    return answer([...rows, { key: 'digest', value: vm.digest }]);
  },
  'PUT /nodes/{node}/qemu/{vmid}/unlink': (call) => {
    const { idlist, ...rest } = call.params;
    const text = (name: string): string | undefined => call.text(name === 'delete' ? 'idlist' : name);
    const list = (name: string): readonly string[] => call.list(name === 'delete' ? 'idlist' : name);
    return updateNow({ ...call, params: { ...rest, delete: idlist }, text, list });
  },
  'GET /nodes/{node}/qemu/{vmid}/cloudinit': (call) => {
    const { config, cloudInitDrift } = vmOf(call);
    return answer(driftRows(config, cloudInitDrift));
  },
  'PUT /nodes/{node}/qemu/{vmid}/cloudinit': regenerate,
  'GET /nodes/{node}/qemu/{vmid}/cloudinit/dump': (call) => {
    const hidden = !call.may(`/vms/${vmidOf(call)}`, ['VM.Config.Cloudinit']);
    return answer(dumped(vmOf(call).config, vmidOf(call), call.text('type') ?? 'user', hidden));
  },
};

function showConfig(call: Call): Answer {
  const snapshot = call.text('snapshot');
  const vm = vmOf(call);
  if (snapshot === undefined)
    return answer({ ...shown(call.flag('current') ? vm.config : merged(vm)), digest: vm.digest });
  if (call.flag('current')) {
    const both = "cannot use 'snapshot' parameter with 'current'";
    throw wrongParameters({ snapshot: both, current: both });
  }
  const section = vm.snapshots.get(snapshot);
  if (section === undefined) throw died(`snapshot '${snapshot}' does not exist`);
  return answer({ ...shown(section), digest: vm.digest });
}

async function regenerate(call: Call): Promise<Answer> {
  const worker = requestWorker(call);
  const vm = vmOf(call);
  await holding(worker, vm.lock, call.datacenter.durations.lockWait, async () => {
    mustBeUnlocked(vmOf(call).config);
    writeDrive(call.datacenter, vm, worker.say);
  });
  return answer(null);
}
