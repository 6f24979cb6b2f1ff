import type { Machine } from '../model/machine.ts';
import type { ObservedMachine } from '../model/observed.ts';
import type { Drift } from '../model/plan.ts';
import type { Situation, Standing } from './situation.ts';

/** What `create` wrote and a person can change by hand. Nothing sets it back: who changed it has a reason, or a typing error. */
export function settingsDrift(
  { platform: { provider } }: Situation,
  { name, machine, observed }: Standing,
): readonly Drift[] {
  if (provider.kind !== 'proxmox' || observed === undefined || machine === undefined) return [];
  const { settings, id } = observed;
  // A provider that tells nothing of them has not been asked.
  if (Object.keys(settings).length === 0) return [];
  // Whoever made it chose these; they are ours to speak of once it is.
  if (isAdopted(machine, settings)) return [];
  const written: Readonly<Record<string, string | undefined>> = {
    name: machine.hostname,
    bios: provider.firmware === 'uefi' ? 'ovmf' : 'seabios',
    cpu: provider.cpuType,
    balloon: '0',
    onboot: provider.onBoot ? '1' : undefined,
    bridge: provider.bridge,
    vlan: provider.vlan === undefined ? undefined : String(provider.vlan),
    mtu: provider.mtu === undefined ? undefined : String(provider.mtu),
    pool: provider.pool,
  };
  const same = (key: string, wanted: string | undefined): boolean =>
    wanted === settings[key] || (isOff(wanted) && isOff(settings[key]) && key !== 'balloon');
  return [
    ...Object.entries(written)
      .filter(([key, wanted]) => !same(key, wanted))
      .map(([key, wanted]): Drift => ({
        machine: name,
        kind: 'keep',
        what: labels[key] ?? key,
        wanted,
        found: settings[key],
        because: 'it is told when a machine is made, and was changed since, in the file or by hand; ichor leaves it',
        remedy: remedies[key]?.(id, wanted) ?? `Change it in Proxmox, or in the file:\n    qm config ${id}`,
      })),
    ...bootOrder(name, id, settings['boot']),
    ...protection(name, id, settings['protection']),
  ];
}

/** Named by the file, word by word, and not marked. */
const isAdopted = ({ fixed }: Machine, { tags = '' }: ObservedMachine['settings']): boolean =>
  fixed.vmid !== undefined && fixed.uuid !== undefined && !tags.split(';').includes('ichor');

const labels: Readonly<Record<string, string>> = { name: 'VM name', cpu: 'cpu type' };

export const isOff = (value: string | undefined): boolean => value === undefined || value === '0';

const set =
  (option: string) =>
  (id: string, wanted: string | undefined): string =>
    wanted === undefined ? `qm set ${id} --delete ${option}` : `qm set ${id} --${option} ${wanted}`;

const remedies: Readonly<Record<string, (id: string, wanted: string | undefined) => string>> = {
  name: set('name'),
  cpu: set('cpu'),
  balloon: set('balloon'),
  onboot: (id, wanted) => `qm set ${id} --onboot ${wanted ?? 0}`,
};

/** With a medium first, the next restart may install Talos anew. */
function bootOrder(name: string, id: string, boot: string | undefined): readonly Drift[] {
  const first = /order=([a-z]+\d+)/.exec(boot ?? '')?.[1];
  if (first === undefined || !/^(?:ide|net)/.test(first)) return [];
  return [
    {
      machine: name,
      kind: 'danger',
      what: 'boot',
      wanted: 'order=scsi0',
      found: boot,
      because: 'it does not start from its own disk first: the next restart may begin something else',
      remedy: `qm set ${id} --boot order=scsi0`,
    },
  ];
}

function protection(name: string, id: string, value: string | undefined): readonly Drift[] {
  if (isOff(value)) return [];
  const because = 'somebody protects it: it can be neither deleted nor resized until that is taken away';
  return [
    {
      machine: name,
      kind: 'keep',
      what: 'protection',
      wanted: undefined,
      found: value,
      because,
      remedy: `qm set ${id} --protection 0`,
    },
  ];
}
