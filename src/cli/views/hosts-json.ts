import type { HostLoad, Surveyed } from '../../engine/hosts.ts';

const field: Readonly<Record<string, string>> = { cpu: 'cpu', memory: 'memoryMiB' };

/** For programs: amounts as numbers, in the units that their names say. */
export const hostsJson = ({ provider, loads, shared, silent, readOnly }: Surveyed): unknown => ({
  provider,
  readOnly: readOnly ?? null,
  hosts: loads.map(hostJson),
  sharedGiB: shared,
  silent,
});

const hostJson = ({ name, loads, residents }: HostLoad): unknown => {
  const amounts = ({ total, ours, others }: HostLoad['loads'][number]) => ({
    total,
    platforms: ours,
    others,
    free: Math.max(0, total - ours - others),
  });
  const datastores = loads.filter(({ resource }) => resource.startsWith('disk:'));
  return {
    name,
    ...Object.fromEntries(
      loads.flatMap((load) => (field[load.resource] === undefined ? [] : [[field[load.resource], amounts(load)]])),
    ),
    datastoresGiB: Object.fromEntries(datastores.map((load) => [load.resource.slice('disk:'.length), amounts(load)])),
    machines: residents.map(({ name: called, vmid, platform, size, uuid, mac, address }) => ({
      name: called ?? null,
      vmid: vmid ?? null,
      platform: platform ?? null,
      cpu: size?.cpu ?? null,
      memoryMiB: size?.memoryMiB ?? null,
      uuid: uuid ?? null,
      mac: mac ?? null,
      address: address ?? null,
    })),
  };
};
