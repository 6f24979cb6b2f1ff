import { byHostName, type Host, type Resident } from '../../../model/host.ts';
import type { Disk } from '../../../model/machine.ts';
import { Problem } from '../../../model/problem.ts';
import { gib, mib, type GiB } from '../../../model/size.ts';
import { known, type Seen } from '../../../model/seen.ts';
import type { Carried, ObservedMachine, Survey, Unmarked } from '../../provider.ts';
import type { ProxmoxApi } from '../api/api.ts';
import { seesAll } from '../check/sight.ts';
import type { Facts } from '../facts.ts';
import { ourTag } from '../mark.ts';
import type { ProxmoxSettings } from '../settings.ts';
import { liveGuests, type LiveGuest } from './live.ts';
import { hidden, mayBeOurs, recognise } from './recognise.ts';
import { listResources, type ListedHost, type ListedVm } from './resources.ts';
import { readStores, storesOf, type Store, type Stores } from './stores.ts';

/** Every host of the cluster with what it has and carries. A host that does not answer is silent, and never empty. */
export async function readSurvey(
  api: ProxmoxApi,
  facts: Facts,
  settings: ProxmoxSettings,
  signal: AbortSignal,
): Promise<Survey> {
  const [version, quorate, resources] = await Promise.all([
    facts.version(signal),
    facts.quorate(signal),
    listResources(api, signal),
  ]);
  const all = await seesAll(facts, signal);
  if (!all) warnOfPartialView(api);
  const mayBe = mayBeOurs(settings);
  const looks = await Promise.all(
    resources.hosts.map((host) => lookAt(api, settings, host, resources.vms.filter(mayBe), signal)),
  );
  const answered = looks.filter((look) => 'guests' in look);
  const silent = looks.filter((look) => 'because' in look);
  const listedOn = (host: string) => resources.vms.filter((vm) => vm.host === host && mayBe(vm));
  const stores = await readStores(
    api,
    answered.map(({ host, stores: own }) => ({ host: host.name, stores: own })),
    signal,
  );
  const shared = Object.fromEntries(
    [...stores.shared].map(([name, space]) => [name, freeOf(space, stores.promised(name))]),
  );
  return {
    provider: { product: 'Proxmox VE', version: version.text },
    inventory: { hosts: answered.map((look) => hostOf(look, stores)).toSorted(byHostName), shared },
    machines: [
      ...answered.flatMap(({ guests }) => guests.flatMap(({ machine }) => machine ?? [])),
      ...silent.flatMap(({ host, because }) => listedOn(host).map((vm) => hidden(vm, because))),
    ],
    unmarked: answered.flatMap(({ guests }) => guests.flatMap(({ unmarked }) => unmarked ?? [])),
    silent: [
      // All hosts know what each of them carries, as long as most of them agree; who sees all is told.
      ...silent.map((each) => ({ ...each, carries: quorate && all ? listedOn(each.host).map(carriedOf) : undefined })),
      ...strangers(settings, resources.hosts),
    ],
    readOnly: quorate ? undefined : 'the cluster has lost its quorum',
  };
}

type Look =
  | { readonly host: MeasuredHost; readonly guests: readonly Guest[]; readonly stores: readonly Store[] }
  | { readonly host: string; readonly because: string };
type MeasuredHost = { readonly name: string; readonly cpus: number; readonly memoryBytes: number };
type Guest = LiveGuest & {
  readonly resident: Omit<Resident, 'size'>;
  readonly machine: Seen<ObservedMachine> | undefined;
  readonly unmarked: Unmarked | undefined;
};

async function lookAt(
  api: ProxmoxApi,
  settings: ProxmoxSettings,
  { name, online, cpus, memoryBytes }: ListedHost,
  ours: readonly ListedVm[],
  signal: AbortSignal,
): Promise<Look> {
  if (!online) return { host: name, because: 'it is offline' };
  if (cpus === undefined || memoryBytes === undefined)
    return { host: name, because: `${api.who} may not see what it has: Sys.Audit on /nodes/${name} is missing` };
  try {
    const [stores, ...kinds] = await Promise.all([
      storesOf(api, name, signal),
      ...(['qemu', 'lxc'] as const).map((kind) => liveGuests(api, name, kind, signal)),
    ]);
    const guests = kinds.flat().filter(({ template }) => !template);
    return {
      host: { name, cpus, memoryBytes },
      guests: await Promise.all(guests.map((guest) => recognised(api, settings, name, guest, ours, signal))),
      stores,
    };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { host: name, because: error.message };
  }
}

/** Only what may be ours is looked at more closely: it costs a call. */
async function recognised(
  api: ProxmoxApi,
  settings: ProxmoxSettings,
  host: string,
  guest: LiveGuest,
  ours: readonly ListedVm[],
  signal: AbortSignal,
): Promise<Guest> {
  const { vmid, name } = guest;
  const place = ours.find((vm) => vm.vmid === vmid && vm.host === host);
  const found = place && (await recognise(api, place, () => Promise.resolve(guest), settings, signal));
  const nobodys = { platform: null, mac: undefined, uuid: undefined, address: undefined };
  switch (found?.kind) {
    case undefined:
      return { ...guest, resident: { name, vmid, ...nobodys }, machine: undefined, unmarked: undefined };
    case 'unmarked':
      return { ...guest, resident: { name, vmid, ...nobodys }, machine: undefined, unmarked: found.vm };
    // Its VMID stays with whoever is to have it: who makes that one waits for it, and never makes another beside it.
    case 'in-the-making':
      return { ...guest, resident: { ...nobodys, name, vmid: undefined }, machine: undefined, unmarked: undefined };
    case 'ours': {
      const { mark, macs, staticAddress } = found.machine;
      const own = { platform: mark.platform, mac: macs[0], uuid: mark.uuid, address: staticAddress };
      return {
        ...guest,
        resident: { name: mark.name, vmid, ...own },
        machine: known(found.machine),
        unmarked: undefined,
      };
    }
  }
}

const carriedOf = ({ vmid, tags }: ListedVm): Carried => ({
  id: String(vmid),
  platform: tags.find((tag) => tag.startsWith(`${ourTag}-`))?.slice(ourTag.length + 1),
});

/** Who has rights on a pool alone does not see what else fills the hosts. */
function warnOfPartialView(api: ProxmoxApi): void {
  api.tools.warn(
    new Problem(
      'proxmox-partial-view',
      `${api.who} does not see every VM of the cluster, so hosts may be fuller and VMIDs fewer than they seem.`,
      {
        severity: 'warning',
        remedy: 'Let it look at all of them; what is missing, and what gives it:\n    ichor doctor',
      },
    ),
  );
}

const mebibyte = 2 ** 20;
const gibibyte = 2 ** 30;

function hostOf(look: Extract<Look, { guests: unknown }>, stores: Stores): Host {
  const { name, cpus, memoryBytes } = look.host;
  const local = stores.of(name);
  return {
    name,
    cpu: cpus,
    memoryMiB: mib(Math.floor(memoryBytes / mebibyte)),
    disks: Object.fromEntries([...local].map(([store, { total }]) => [store, gib(Math.floor(total / gibibyte))])),
    used: {
      cpu: 0,
      memoryMiB: mib(0),
      // What lies there and belongs to none of the guests: images, backups, templates.
      disks: Object.fromEntries(
        [...local].map(([store, { used }]) => {
          const ofGuests = look.guests.flatMap((guest) => stores.disksOf(name, guest.vmid).get(store) ?? 0);
          return [store, gib(Math.max(0, Math.ceil((used - sum(ofGuests)) / gibibyte)))];
        }),
      ),
    },
    residents: look.guests.map(({ resident, cpu, memoryBytes: memory, vmid }): Resident => ({
      ...resident,
      size: { cpu, memoryMiB: mib(Math.ceil(memory / mebibyte)), disks: disksOf(stores.disksOf(name, vmid)) },
    })),
  };
}

/** One entry per datastore: which disk is which is nobody’s concern here. */
const disksOf = (bytes: ReadonlyMap<string, number>): readonly Disk[] =>
  [...bytes].map(([datastore, size]) => ({ name: datastore, sizeGiB: gib(Math.ceil(size / gibibyte)), datastore }));

/** Thin datastores promise more than they have: neither what is there nor what is promised may be given away twice. */
const freeOf = ({ total, available }: { readonly total: number; readonly available: number }, promised: number): GiB =>
  gib(Math.max(0, Math.floor(Math.min(available, total - promised) / gibibyte)));

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

const strangers = ({ hosts }: ProxmoxSettings, there: readonly ListedHost[]): Survey['silent'] =>
  hosts
    .filter((host) => !there.some(({ name }) => name === host))
    .map((host) => ({ host, because: 'there is no such host in this cluster', carries: undefined }));
