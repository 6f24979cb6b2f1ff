import { known, unknown, type Seen } from '../../../model/seen.ts';
import type { Mark, ObservedDisk, ObservedMachine, Power } from '../../provider.ts';
import { listOf, numberOf, textOf, type Row } from '../api/row.ts';
import { drivesOf, type Drive } from '../drive.ts';
import { systemSlot } from '../machine-params.ts';
import { propertiesOf, type Properties } from '../property.ts';

/** A VM as its host sees it at this moment; undefined where the host did not say. */
export type Live = { readonly power: Power; readonly lock: string | undefined };

export type Place = { readonly vmid: number; readonly host: string; readonly pool: string | undefined };

export function observedOf(mark: Mark, place: Place, config: Row, live: Live | undefined): ObservedMachine {
  const drives = drivesOf(config);
  const card = propertiesOf(textOf(config, 'net0') ?? '', 'model');
  return {
    mark,
    id: String(place.vmid),
    host: place.host,
    power: powerOf(place.host, live),
    busy: live?.lock ?? textOf(config, 'lock'),
    cpu: (numberOf(config, 'cores') ?? 1) * (numberOf(config, 'sockets') ?? 1),
    memoryMiB: memoryOf(config),
    disks: drives.filter(({ kind }) => kind === 'disk').map(diskOf),
    macs: macsOf(config),
    medium: drives.find(({ kind, volume }) => kind === 'cdrom' && volume !== 'none')?.volume,
    staticAddress: staticAddressOf(config),
    settings: settingsOf(config, card, place),
  };
}

const powerOf = (host: string, live: Live | undefined): Seen<Power> =>
  live === undefined ? unknown(`${host} did not say whether it runs`) : known(live.power);

/** Text since 8.1, with more behind the number where somebody set that. */
export const memoryOf = (config: Row): number =>
  Number(propertiesOf(textOf(config, 'memory') ?? '512', 'current').get('current') ?? 512);

const diskOf = ({ slot, serial, sizeGiB, storage }: Drive): ObservedDisk => ({
  name: serial ?? (slot === systemSlot ? 'system' : undefined),
  sizeGiB: sizeGiB ?? 0,
  datastore: storage,
});

export function macsOf(config: Row): readonly string[] {
  return Object.keys(config)
    .filter((key) => /^net\d+$/.test(key))
    .toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true }))
    .flatMap((key) => macIn(propertiesOf(textOf(config, key) ?? '', 'model')) ?? []);
}

/** The model of the card is the key that the address stands behind. */
const macIn = (card: Properties): string | undefined =>
  [...card.entries()]
    .find(([key, value]) => key !== 'bridge' && /^([0-9a-f]{2}:){5}[0-9a-f]{2}$/i.test(value))?.[1]
    .toUpperCase();

export function staticAddressOf(config: Row): string | undefined {
  const told = propertiesOf(textOf(config, 'ipconfig0') ?? '', 'ip');
  const address = told.get('ip') ?? told.get('ip6');
  return address === undefined || !/^[0-9a-f.:]+\/\d+$/i.test(address) ? undefined : address.split('/')[0];
}

const kept = [
  'name',
  'machine',
  'bios',
  'cpu',
  'scsihw',
  'agent',
  'balloon',
  'boot',
  'onboot',
  'startup',
  'protection',
];

function settingsOf(config: Row, card: Properties, { pool }: Place): Readonly<Record<string, string>> {
  const written: Readonly<Record<string, string | undefined>> = {
    ...Object.fromEntries(kept.map((key) => [key, textOf(config, key)?.trim()])),
    bridge: card.get('bridge'),
    vlan: card.get('tag'),
    mtu: card.get('mtu'),
    firewall: card.get('firewall'),
    tags: listOf(config, 'tags').toSorted().join(';'),
    pool,
  };
  return Object.fromEntries(
    Object.entries(written).flatMap(([key, value]) => (value === undefined || value === '' ? [] : [[key, value]])),
  );
}
