import type { Disk } from '../../model/machine.ts';
import type { Host, Inventory, Resident } from '../../model/host.ts';
import type { PlacedMachine, Proof } from '../../model/proof.ts';
import { formatGiB, formatMiB } from '../../model/size.ts';

/** The world after the plan, as a file for --hosts: what a next look would find. */
export function hostsYaml(proofs: readonly Proof[]): string {
  const hostsByName = new Map(proofs.flatMap(({ inventory }) => inventory.hosts).map((host) => [host.name, host]));
  const sharedSpace = Object.fromEntries(proofs.flatMap(({ inventory }) => Object.entries(inventory.shared)));
  const placed = proofs.flatMap(({ machines, platform }) => machines.map((machine) => ({ platform, ...machine })));
  const ours = new Set(placed.map(({ machine, platform }) => `${platform}/${machine.name}`));
  const platforms = new Set(proofs.map(({ platform }) => platform));
  const names = new Set(placed.flatMap(({ machine }) => [machine.name, machine.hostname]));
  const stays = ({ platform, name }: Resident): boolean => {
    if (platform === null) return true;
    if (platform === undefined) return name === undefined || !names.has(name);
    return !platforms.has(platform) && !ours.has(`${platform}/${name}`);
  };
  const hosts = [...hostsByName.values()].map((host) =>
    hostYaml(host, [
      ...host.residents.filter(stays).map(residentYaml),
      ...placed.filter((machine) => machine.host === host.name).map(placedYaml),
    ]),
  );
  return fileOf(hosts, sharedSpace);
}

/** What is there now, as a file for --hosts. */
export const inventoryYaml = ({ hosts, shared }: Inventory): string =>
  fileOf(
    hosts.map((host) => hostYaml(host, host.residents.map(residentYaml))),
    shared,
  );

function fileOf(hosts: readonly string[], space: Readonly<Record<string, number>>): string {
  const shared = Object.keys(space).length === 0 ? '' : `shared: ${flow(sizes(space))}\n`;
  return `hosts:\n${hosts.join('')}${shared}`;
}

function hostYaml({ name, cpu, memoryMiB, disks, used }: Host, machines: readonly string[]): string {
  const usedFields = {
    cpu: used.cpu,
    memory: formatMiB(used.memoryMiB),
    ...(Object.keys(used.disks).length > 0 ? { disk: sizes(used.disks) } : {}),
  };
  const fields = {
    cpu,
    memory: formatMiB(memoryMiB),
    ...(disks === undefined ? {} : { disk: sizes(disks) }),
    used: usedFields,
  };
  const lines = Object.entries(fields).map(([key, value]) => `    ${key}: ${flow(value)}\n`);
  const list = machines.length === 0 ? ' []\n' : `\n${machines.map((machine) => `      - ${machine}\n`).join('')}`;
  return `  ${JSON.stringify(name)}:\n${lines.join('')}    machines:${list}`;
}

const residentYaml = ({ name, platform, vmid, mac, uuid, address, size }: Resident): string =>
  flow({
    name,
    platform,
    vmid,
    ...(size ? { cpu: size.cpu, memory: formatMiB(size.memoryMiB), disk: perDatastore(size.disks) } : {}),
    mac,
    uuid,
    address,
  });

const placedYaml = ({ machine, identity, platform }: PlacedMachine & { readonly platform: string }): string =>
  flow({
    name: machine.name,
    platform,
    vmid: identity.vmid ?? undefined,
    cpu: machine.shape.cpu,
    memory: formatMiB(machine.shape.memoryMiB),
    disk: perDatastore(machine.shape.disks),
    mac: identity.mac,
    uuid: identity.uuid,
    address: identity.address ?? undefined,
  });

function perDatastore(disks: readonly Disk[]): Readonly<Record<string, string>> {
  const total: Record<string, number> = {};
  for (const { datastore, sizeGiB } of disks) total[datastore] = (total[datastore] ?? 0) + sizeGiB;
  return sizes(total);
}

const sizes = (inGiB: Readonly<Record<string, number>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(inGiB).map(([name, size]) => [name, formatGiB(size)]));

/** Flow style, quoted as JSON is, which every YAML reader takes. */
function flow(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return `{ ${entries.map(([key, inner]) => `${JSON.stringify(key)}: ${flow(inner)}`).join(', ')} }`.replace(
    '{  }',
    '{}',
  );
}
