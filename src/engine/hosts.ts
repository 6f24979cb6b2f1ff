import { byHostName, type Host, type Resident } from '../model/host.ts';
import type { Resource } from '../model/proof.ts';
import type { MachineReader, Survey } from '../providers/provider.ts';

/** How much of a resource is there, and who has it. */
export type Load = {
  readonly resource: Resource;
  readonly total: number;
  /** Machines of platforms. */
  readonly ours: number;
  /** Everybody else, and the host itself. */
  readonly others: number;
};

export type HostLoad = {
  readonly name: string;
  readonly loads: readonly Load[];
  readonly residents: readonly Resident[];
};

export type Surveyed = Survey & {
  readonly loads: readonly HostLoad[];
  readonly shared: Readonly<Record<string, number>>;
};

/** What do the hosts have, who sits there, and how much is free? */
export async function surveyHosts(reader: MachineReader, signal: AbortSignal): Promise<Surveyed> {
  const survey = await reader.survey(signal);
  const { hosts, shared } = survey.inventory;
  return { ...survey, loads: hosts.toSorted(byHostName).map(loadOf), shared };
}

const isOurs = ({ platform }: Resident): boolean => typeof platform === 'string';

function loadOf(host: Host): HostLoad {
  const sum = (residents: readonly Resident[], amountOf: (resident: Resident) => number): number =>
    residents.reduce((total, resident) => total + amountOf(resident), 0);
  const [ours, others] = [host.residents.filter(isOurs), host.residents.filter((resident) => !isOurs(resident))];
  const load = (resource: Resource, total: number, used: number, amountOf: (resident: Resident) => number): Load => ({
    resource,
    total,
    ours: sum(ours, amountOf),
    others: used + sum(others, amountOf),
  });
  const onDatastore =
    (name: string) =>
    ({ size }: Resident): number =>
      size?.disks.reduce((total, { datastore, sizeGiB }) => total + (datastore === name ? sizeGiB : 0), 0) ?? 0;
  return {
    name: host.name,
    residents: host.residents,
    loads: [
      load('cpu', host.cpu, host.used.cpu, ({ size }) => size?.cpu ?? 0),
      load('memory', host.memoryMiB, host.used.memoryMiB, ({ size }) => size?.memoryMiB ?? 0),
      ...Object.entries(host.disks ?? {}).map(([name, total]) =>
        load(`disk:${name}`, total, host.used.disks[name] ?? 0, onDatastore(name)),
      ),
    ],
  };
}
