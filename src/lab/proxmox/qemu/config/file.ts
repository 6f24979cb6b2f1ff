import type { Datacenter } from '../../datacenter.ts';
import { lockFile } from '../../file-lock.ts';
import type { Host } from '../../host.ts';
import { died } from '../../refusal.ts';
import type { ConfigFile, Vm } from '../../vm.ts';
import { drivesOf, isCloudInit } from './drive.ts';
import { digestOf, emptyFile, parseConfig, printConfig } from './text.ts';

/** A copy to work on; nothing is kept of it unless it is written. */
export const readConfig = (file: ConfigFile): ConfigFile => ({
  config: new Map(file.config),
  pending: new Map(file.pending),
  toDelete: new Map(file.toDelete),
  cloudInitDrift: new Map(file.cloudInitDrift),
  snapshots: new Map([...file.snapshots].map(([name, section]) => [name, new Map(section)])),
});

/** Writes the file whole. Without a quorum /etc/pve is read only, and that is all that anybody hears of it. */
export function writeConfig(datacenter: Datacenter, vm: Vm, file: ConfigFile): void {
  const host = datacenter.hosts.get(vm.host);
  checkValues(file);
  if (host !== undefined && !datacenter.quorate(host))
    throw died(
      `unable to open file '/etc/pve/nodes/${vm.host}/qemu-server/${vm.vmid}.conf.tmp.${host.nextPid}' - Permission denied`,
    );
  dropUsed(file.config);
  if (!drivesOf(file.config).some(isCloudInit)) file.cloudInitDrift.clear();
  const text = printConfig(file);
  vm.digest = digestOf(text);
  const written = parseConfig(text);
  refill(vm.config, written.config);
  refill(vm.pending, written.pending);
  refill(vm.toDelete, written.toDelete);
  refill(vm.cloudInitDrift, written.cloudInitDrift);
  refill(vm.snapshots, written.snapshots);
}

function refill<V>(into: Map<string, V>, from: ReadonlyMap<string, V>): void {
  into.clear();
  for (const [key, value] of from) into.set(key, value);
}

function checkValues(file: ConfigFile): void {
  for (const section of [file.config, file.pending])
    for (const [key, value] of section)
      if (key !== 'description' && /[\n\r]/.test(value))
        throw died(`unable to parse value of '${key}' - property contains a line feed`);
}

/** A volume that is attached again is not unused any more. */
function dropUsed(config: Map<string, string>): void {
  const used = new Set(drivesOf(config).map(({ file }) => file));
  for (const [key, value] of config) if (key.startsWith('unused') && used.has(value)) config.delete(key);
}

/** A VM that has nothing yet; `writeConfig` gives it a file. */
export function newVm(datacenter: Datacenter, host: Host, vmid: number): Vm {
  const vm: Vm = {
    ...emptyFile(),
    vmid,
    host: host.name,
    digest: digestOf(''),
    run: undefined,
    rebootRequested: false,
    saved: new Map(),
    get lock() {
      return lockFile(datacenter.clock, datacenter.hosts.get(vm.host) ?? host, vmid);
    },
  };
  return vm;
}
