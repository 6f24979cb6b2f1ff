import { unknown, type Seen } from '../../../model/seen.ts';
import type { Mark, ObservedMachine, Unmarked } from '../../provider.ts';
import type { ProxmoxApi } from '../api/api.ts';
import { textOf, type Row } from '../api/row.ts';
import { isInTheMaking, isOursToFinish, lacking, ourTag, platformTag, uuidIn, writtenIn } from '../mark.ts';
import { damageOf } from '../mending.ts';
import type { Adopted, ProxmoxSettings } from '../settings.ts';
import { readConfig } from './config.ts';
import { macsOf, observedOf, type Live, type Place } from './observed.ts';

type Candidate = {
  readonly vmid: number;
  readonly kind: 'qemu' | 'lxc';
  readonly template: boolean;
  readonly tags: readonly string[];
};

/**
 * Whose configuration is worth a call: what carries our tag, and what has a VMID of ours although somebody may have taken its
 * tags off. Of one platform, or of all.
 */
export function mayBeOurs({ vmids, adopted = [] }: ProxmoxSettings, platform?: string): (vm: Candidate) => boolean {
  const tag = platform === undefined ? ourTag : platformTag(platform);
  const ranges = [vmids.controlPlane, vmids.workers];
  const named = new Set(adopted.map((each) => each.vmid));
  return ({ vmid, kind, template, tags }) =>
    kind === 'qemu' &&
    !template &&
    (tags.includes(tag) || named.has(vmid) || ranges.some(({ first, last }) => vmid >= first && vmid <= last));
}

export type Recognised =
  | { readonly kind: 'ours'; readonly machine: ObservedMachine }
  /** Somebody else’s, or one of ours that somebody took the mark off. */
  | { readonly kind: 'unmarked'; readonly vm: Unmarked }
  /** Nothing but a lock: it is being made, or whoever made it died. Nobody can tell yet who it is going to be. */
  | { readonly kind: 'in-the-making' };

/** Who a VM is; undefined: it is not there any more. */
export async function recognise(
  api: ProxmoxApi,
  place: Place,
  live: () => Promise<Live | undefined>,
  { adopted = [] }: ProxmoxSettings,
  signal: AbortSignal,
): Promise<Recognised | undefined> {
  const { host, vmid } = place;
  const config = await readConfig(api, host, vmid, signal);
  if (config === undefined) return undefined;
  if (isInTheMaking(config)) return { kind: 'in-the-making' };
  const written = writtenIn(config);
  const meant = written === undefined ? adoptedAs(config, vmid, adopted) : undefined;
  if (meant !== undefined)
    return { kind: 'ours', machine: withSystemDisk(observedOf(meant, place, config, await live())) };
  const found = { host, vmid, config };
  // A clone has our tags and our notes, and another UUID or VMID.
  if (written === undefined || !isOursToFinish(config, vmid, written.mark))
    return { kind: 'unmarked', vm: unmarkedOf(found) };
  const machine = observedOf(written.mark, place, config, await live());
  const isWhole = lacking(config, vmid, written.mark).length === 0;
  return { kind: 'ours', machine: isWhole ? machine : { ...machine, damage: damageOf(found, written.mark) } };
}

const unmarkedOf = (found: { readonly host: string; readonly vmid: number; readonly config: Row }): Unmarked => ({
  id: String(found.vmid),
  host: found.host,
  name: textOf(found.config, 'name') ?? '',
  uuid: uuidIn(found.config),
  macs: macsOf(found.config),
  damage: (mark) => damageOf(found, mark),
});

/** Who the file says that it is, by VMID and UUID together: one alone can be somebody else’s by now. */
const adoptedAs = (config: Row, vmid: number, adopted: readonly Adopted[]): Mark | undefined =>
  adopted.find((each) => each.vmid === vmid && each.mark.uuid.toLowerCase() === uuidIn(config))?.mark;

/** Who made it may have put its first disk elsewhere than we do. */
function withSystemDisk(machine: ObservedMachine): ObservedMachine {
  const [first, ...others] = machine.disks;
  if (first === undefined || machine.disks.some(({ name }) => name === 'system')) return machine;
  return { ...machine, disks: [{ ...first, name: 'system' }, ...others] };
}

export const hidden = ({ vmid, host }: Pick<Place, 'vmid' | 'host'>, because: string): Seen<ObservedMachine> =>
  unknown(`VM ${vmid} on ${host} could not be read: ${because}`);
