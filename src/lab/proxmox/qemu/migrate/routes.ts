import { answer } from '../../call.ts';
import type { Answer, Call, Routes } from '../../call.ts';
import { died, wrongParameters } from '../../refusal.ts';
import { drivesOf, parseVolumeId } from '../config/drive.ts';
import { parseProperties } from '../config/property-string.ts';
import { mustBeUnlocked, vmidOf, vmOf } from '../lookup.ts';
import { haCommandMs } from '../power/order.ts';
import { mustBeQuorate } from '../quorum.ts';
import { onlyRoot, requireOnVm } from '../rights/vm.ts';
import { localDiskRow, localDisks } from './local-disks.ts';
import { migrateVm } from './migrate.ts';

export const migrateRoutes: Routes = {
  'GET /nodes/{node}/qemu/{vmid}/migrate': preconditions,
  'POST /nodes/{node}/qemu/{vmid}/migrate': migrate,
};

function preconditions(call: Call): Answer {
  const { datacenter, host } = call;
  mustBeQuorate(datacenter, host);
  const vm = vmOf(call);
  mustBeUnlocked(vm.config);
  const others = [...datacenter.hosts.keys()].filter((name) => name !== host.name);
  const missing = new Map(others.map((name) => [name, unavailable(call, name)]));
  return answer({
    running: vm.run === undefined ? 0 : 1,
    allowed_nodes: others.filter((name) => missing.get(name)?.length === 0),
    not_allowed_nodes: Object.fromEntries(
      [...missing].map(([name, storages]) => [name, storages.length === 0 ? {} : { unavailable_storages: storages }]),
    ),
    local_disks: localDisks(datacenter, vm).map(localDiskRow),
    local_resources: [...vm.config.keys()].filter((key) => /^(hostpci|usb|parallel)\d+$/.test(key)),
    'mapped-resources': [],
    'mapped-resource-info': {},
    'has-dbus-vmstate': 1,
    ...(datacenter.ha.isManaged(vm.vmid) ? { 'dependent-ha-resources': [] } : {}),
  });
}

/** Storages of the VM that a host does not have. */
function unavailable(call: Call, name: string): string[] {
  const { storages } = call.datacenter;
  const used = drivesOf(vmOf(call).config).flatMap(({ file }) => parseVolumeId(file)?.storage ?? []);
  return [...new Set(used)].filter((id) => !storages.hostsOf(id).includes(name)).sort();
}

function migrate(call: Call): Answer {
  const { datacenter, host, who } = call;
  const vmid = vmidOf(call);
  const target = call.text('target') ?? '';
  if (target === host.name) throw wrongParameters({ target: 'target is local node.' });
  mustBeQuorate(datacenter, host);
  if (!datacenter.hosts.has(target)) throw died(`no such cluster node '${target}'`);
  onlyRoot(call, 'force', 'migration_type', 'migration_network');
  const vm = vmOf(call);
  mustBeUnlocked(vm.config);
  if (vm.run !== undefined && !call.flag('online')) throw died("can't migrate running VM without --online");
  const how = { target, withLocalDisks: call.flag('with-local-disks'), storageFor: storagesOf(call, target) };
  const managed = datacenter.ha.isManaged(vmid);
  const upid = datacenter.startTask({
    host,
    who,
    type: managed ? 'hamigrate' : 'qmigrate',
    id: String(vmid),
    work: async (worker) => {
      if (!managed) return migrateVm(call, worker, vmid, how);
      worker.say(`Requesting HA migration for VM ${vmid} to node ${target}`);
      await worker.sleep(haCommandMs);
      datacenter.ha.migrate(vmid, target);
    },
  });
  return answer(upid);
}

/** Where volumes of a storage go: one for all, `from:to` pairs, or each to its own (`1`). */
function storagesOf(call: Call, target: string): (storage: string) => string {
  const { storages } = call.datacenter;
  const given = call.text('targetstorage');
  if (given === undefined || given === '1') {
    for (const id of unavailable(call, target)) throw died(`storage '${id}' is not available on node '${target}'`);
    return (storage) => storage;
  }
  requireOnVm(call, vmidOf(call), undefined, ['VM.Config.Disk']);
  const entries = given.split(',').map((each) => each.split(':'));
  for (const [first = '', second = first] of entries) {
    if (!storages.exists(second)) throw died(`storage '${second}' does not exist`);
    if (!storages.hostsOf(second).includes(target))
      throw died(`storage '${second}' is not available on node '${target}'`);
    call.require(`/storage/${second}`, ['Datastore.AllocateSpace']);
    if (!storages.holds(second, 'images')) throw died(`storage '${second}' does not support vm images`);
  }
  const map = parseProperties(entries.map(([first = '', second = '*']) => `${first}=${second}`).join(','));
  const all = entries.find(([, second]) => second === undefined)?.[0];
  return (storage) => map.get(storage) ?? all ?? storage;
}
