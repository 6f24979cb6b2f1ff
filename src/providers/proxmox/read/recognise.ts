import { unknown, type Seen } from '../../../model/seen.ts';
import type { ObservedMachine } from '../../provider.ts';
import type { ProxmoxApi } from '../api/api.ts';
import { isOursToFinish, ourTag, platformTag, writtenIn } from '../mark.ts';
import type { ProxmoxSettings } from '../settings.ts';
import { readConfig } from './config.ts';
import { observedOf, type Live, type Place } from './observed.ts';

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
export function mayBeOurs({ vmids }: ProxmoxSettings, platform?: string): (vm: Candidate) => boolean {
  const tag = platform === undefined ? ourTag : platformTag(platform);
  const ranges = [vmids.controlPlane, vmids.workers];
  return ({ vmid, kind, template, tags }) =>
    kind === 'qemu' &&
    !template &&
    (tags.includes(tag) || ranges.some(({ first, last }) => vmid >= first && vmid <= last));
}

/** The machine of ours that a VM is; undefined: it is none. */
export async function recognise(
  api: ProxmoxApi,
  place: Place,
  live: () => Promise<Live | undefined>,
  signal: AbortSignal,
): Promise<ObservedMachine | undefined> {
  const config = await readConfig(api, place.host, place.vmid, signal);
  const written = config === undefined ? undefined : writtenIn(config);
  // A clone has our tags and our notes, and another UUID or VMID.
  if (config === undefined || written === undefined || !isOursToFinish(config, place.vmid, written.mark))
    return undefined;
  return observedOf(written.mark, place, config, await live());
}

export const hidden = ({ vmid, host }: Pick<Place, 'vmid' | 'host'>, because: string): Seen<ObservedMachine> =>
  unknown(`VM ${vmid} on ${host} could not be read: ${because}`);
