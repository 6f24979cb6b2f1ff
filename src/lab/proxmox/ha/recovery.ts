import type { Datacenter } from '../datacenter.ts';
import type { HaRule } from './config.ts';
import type { Service } from './manager.ts';

/** The host with the fewest guests among those that the rules leave; undefined: there is none. */
export function homeFor(
  service: Service,
  services: readonly Service[],
  rules: readonly HaRule[],
  online: readonly string[],
): string | undefined {
  const ours = rules.filter(
    ({ resources, properties }) => resources.has(service.sid) && properties.get('disable') !== '1',
  );
  const others = services.filter(({ sid, node }) => sid !== service.sid && online.includes(node));
  const strict = ours.find(({ type, properties }) => type === 'node-affinity' && properties.get('strict') === '1');
  const apart = ours.filter(({ properties }) => properties.get('affinity') === 'negative');
  const taken = new Set(
    others.filter(({ sid }) => apart.some(({ resources }) => resources.has(sid))).map(({ node }) => node),
  );
  return online
    .filter((name) => strict?.nodes?.has(name) !== false && !taken.has(name))
    .map((name) => ({ name, load: others.filter(({ node }) => node === name).length }))
    .toSorted((one, other) => one.load - other.load)[0]?.name;
}

/** Whether everything that the configuration of a VM names can be seen from a host. */
export function volumesCanMove({ vms, storages }: Datacenter, vmid: number, host: string): boolean {
  const drives = [...(vms.get(vmid)?.config ?? [])].filter(([key]) =>
    /^(?:ide|sata|scsi|virtio|efidisk|tpmstate|unused)\d+$/.test(key),
  );
  return drives.every(([, drive]) => {
    const storage = /^(?:file=)?([^:,]+):/.exec(drive)?.[1];
    return storage === undefined || (storages.isShared(storage) && storages.hostsOf(storage).includes(host));
  });
}
