import { answer } from '../call.ts';
import type { Answer, Call, Handler, Routes } from '../call.ts';
import { lockFile } from '../file-lock.ts';
import { vmRrdData } from '../nodes/rrd-data.ts';
import { agentRoutes } from './agent/routes.ts';
import { configRoutes } from './config/routes.ts';
import { consoleRoutes } from './console.ts';
import { moveDisk } from './disks/move.ts';
import { resizeDisk } from './disks/resize.ts';
import { cloneVm } from './life/clone.ts';
import { createVm } from './life/create.ts';
import { destroyVm } from './life/destroy.ts';
import { showFeature } from './life/feature.ts';
import { makeTemplate } from './life/template.ts';
import { vmidOf, vmOf } from './lookup.ts';
import { migrateRoutes } from './migrate/routes.ts';
import { powerRoutes } from './power/routes.ts';
import { snapshotRoutes } from './snapshot/routes.ts';
import { vmStatus } from './status.ts';

const below =
  'config cloudinit pending status unlink vncproxy termproxy migrate resize move rrd rrddata monitor agent snapshot spiceproxy sendkey firewall mtunnel remote_migrate';

const routes: Routes = {
  'GET /nodes/{node}/qemu': listVms,
  'POST /nodes/{node}/qemu': createVm,
  'GET /nodes/{node}/qemu/{vmid}': () => answer(below.split(' ').map((subdir) => ({ subdir }))),
  'DELETE /nodes/{node}/qemu/{vmid}': destroyVm,
  'PUT /nodes/{node}/qemu/{vmid}/resize': resizeDisk,
  'POST /nodes/{node}/qemu/{vmid}/move_disk': moveDisk,
  'POST /nodes/{node}/qemu/{vmid}/clone': cloneVm,
  'POST /nodes/{node}/qemu/{vmid}/template': makeTemplate,
  'GET /nodes/{node}/qemu/{vmid}/feature': showFeature,
  'GET /nodes/{node}/qemu/{vmid}/rrddata': (call) => answer(vmRrdData(call, vmOf(call))),
  ...agentRoutes,
  ...configRoutes,
  ...consoleRoutes,
  ...migrateRoutes,
  ...powerRoutes,
  ...snapshotRoutes,
};

/** Everything about VMs. */
export const qemuRoutes: Routes = Object.fromEntries(
  Object.entries(routes).map(([key, handler]) => [key, underLock(handler)]),
);

/** Somebody may have been told to sit on the lock of the VM that a request is about. */
function underLock(handler: Handler): Handler {
  return (call) => {
    const { datacenter, host } = call;
    const fault = datacenter.faults.take('lock');
    if (fault !== undefined) {
      const held = lockFile(datacenter.clock, host, vmidOf(call));
      void held.take(0, () => datacenter.clock.sleep(fault.delayMs ?? 0, call.signal)).catch(() => undefined);
    }
    return handler(call);
  };
}

function listVms(call: Call): Answer {
  const { datacenter, host } = call;
  const rows = [...datacenter.vms.values()]
    .filter((vm) => vm.host === host.name && call.may(`/vms/${vm.vmid}`, ['VM.Audit']))
    .map((vm) => vmStatus(datacenter, vm, call.flag('full')));
  return answer(rows);
}
