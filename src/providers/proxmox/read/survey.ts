import { byHostName, type Host, type Resident } from '../../../model/host.ts';
import type { Disk } from '../../../model/machine.ts';
import { Problem } from '../../../model/problem.ts';
import { gib, mib, type GiB } from '../../../model/size.ts';
import type { Survey } from '../../provider.ts';
import type { ProxmoxApi } from '../api/api.ts';
import type { Facts } from '../facts.ts';
import { isOursToFinish, ourTag, uuidIn, writtenIn } from '../mark.ts';
import type { ProxmoxSettings } from '../settings.ts';
import { readConfig } from './config.ts';
import { liveGuests, type LiveGuest } from './live.ts';
import { macsOf, staticAddressOf } from './observed.ts';
import { listResources, type ListedHost } from './resources.ts';
import { readStores, type Stores } from './stores.ts';

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
  const looks = await Promise.all(resources.hosts.map((host) => lookAt(api, host, signal)));
  const answered = looks.filter((look) => 'guests' in look);
  const stores = await readStores(
    api,
    answered.map(({ host }) => host.name),
    signal,
  );
  const shared = Object.fromEntries(
    [...stores.shared].map(([name, space]) => [name, freeOf(space, stores.promised(name))]),
  );
  return {
    provider: { product: 'Proxmox VE', version: version.text },
    inventory: { hosts: answered.map((look) => hostOf(look, stores)).toSorted(byHostName), shared },
    silent: [...looks.filter((look) => 'because' in look), ...strangers(settings, resources.hosts)],
    readOnly: quorate ? undefined : 'the cluster has lost its quorum',
  };
}

type Look =
  | { readonly host: ListedHost; readonly guests: readonly Guest[] }
  | { readonly host: string; readonly because: string };
type Guest = LiveGuest & { readonly resident: Omit<Resident, 'size'> };

async function lookAt(api: ProxmoxApi, host: ListedHost, signal: AbortSignal): Promise<Look> {
  if (!host.online) return { host: host.name, because: 'it is offline' };
  try {
    const kinds = await Promise.all((['qemu', 'lxc'] as const).map((kind) => liveGuests(api, host.name, kind, signal)));
    const guests = kinds.flat().filter(({ template }) => !template);
    return { host, guests: await Promise.all(guests.map((guest) => recognised(api, host.name, guest, signal))) };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { host: host.name, because: error.message };
  }
}

/** Only what carries our tag is looked at more closely: it costs a call. */
async function recognised(api: ProxmoxApi, host: string, guest: LiveGuest, signal: AbortSignal): Promise<Guest> {
  const stranger = {
    name: guest.name,
    platform: null,
    vmid: guest.vmid,
    mac: undefined,
    uuid: undefined,
    address: undefined,
  };
  if (guest.kind !== 'qemu' || !guest.tags.includes(ourTag)) return { ...guest, resident: stranger };
  const config = await readConfig(api, host, guest.vmid, signal);
  const written = config === undefined ? undefined : writtenIn(config);
  if (config === undefined || written === undefined || !isOursToFinish(config, guest.vmid, written.mark)) {
    return { ...guest, resident: stranger };
  }
  return {
    ...guest,
    resident: {
      name: written.mark.name,
      platform: written.mark.platform,
      vmid: guest.vmid,
      mac: macsOf(config)[0],
      uuid: uuidIn(config),
      address: staticAddressOf(config),
    },
  };
}

const mebibyte = 2 ** 20;
const gibibyte = 2 ** 30;

function hostOf(look: Extract<Look, { guests: unknown }>, stores: Stores): Host {
  const { name, cpus, memoryBytes } = look.host;
  const local = stores.of(name);
  return {
    name,
    cpu: cpus ?? 0,
    memoryMiB: mib(Math.floor((memoryBytes ?? 0) / mebibyte)),
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
    .map((host) => ({ host, because: 'there is no such host in this cluster' }));
