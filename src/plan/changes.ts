import { compareVersions, parseVersion } from '../model/version.ts';
import type { ConfigChange } from '../model/step.ts';
import type { Platform } from '../spec/platform.ts';
import { imagePlatformOf, schematicFor } from '../talos/boot-image.ts';
import { groupOf } from '../talos/config/request.ts';
import { installerImage } from '../talos/images.ts';
import { isLockedOtherwise } from './for-life.ts';
import { resizeNow, type Resize } from './resize.ts';
import type { Situation, Standing } from './situation.ts';

type Upgrade = { readonly from: string; readonly to: string; readonly image: string };

/** What is to become of a machine that runs. */
export type Changes = {
  readonly config: readonly ConfigChange[];
  readonly upgrade: Upgrade | undefined;
  readonly resize: Resize | undefined;
  /** It is down for a while. */
  readonly restarts: boolean;
};

export function changesOf(situation: Situation, standing: Standing): Changes | undefined {
  const { talos, machine } = standing;
  if (talos === undefined || machine === undefined) return undefined;
  const upgrade = upgradeOf(situation.platform, standing);
  const resize = resizeNow(situation, standing);
  const config = isLockedOtherwise(standing) ? [] : talos.changes;
  if (config.length === 0 && upgrade === undefined && resize === undefined) return undefined;
  const restarts = config.some(({ reboot }) => reboot) || upgrade !== undefined || resize?.restart === true;
  return { config, upgrade, resize, restarts };
}

export type VersionGap =
  | { readonly kind: 'same' | 'up' }
  /** Somebody brought it further than the file says. */
  | { readonly kind: 'back' }
  | { readonly kind: 'too-far' };

export function versionGap(running: string, wanted: string): VersionGap {
  const [from, to] = [parseVersion(running), parseVersion(wanted)];
  if (from === undefined || to === undefined) return { kind: 'same' };
  const order = compareVersions(from, to);
  if (order === 0) return { kind: 'same' };
  if (order > 0) return { kind: 'back' };
  return from.major === to.major && to.minor - from.minor <= 1 ? { kind: 'up' } : { kind: 'too-far' };
}

function upgradeOf(platform: Platform, { talos, machine }: Standing): Upgrade | undefined {
  if (talos === undefined || machine === undefined) return undefined;
  const { version, image, secureBoot } = platform.cluster.talos;
  const gap = versionGap(talos.version, version);
  if (gap.kind === 'back' || gap.kind === 'too-far') return undefined;
  const schematic = schematicFor(platform, groupOf(platform, machine));
  const other = talos.schematic !== undefined && talos.schematic !== schematic;
  if (gap.kind === 'same' && !other) return undefined;
  const installer = installerImage({
    factory: image.factory,
    schematic,
    version,
    platform: imagePlatformOf(platform),
    architecture: image.architecture,
    secureBoot,
  });
  return { from: talos.version, to: version, image: installer };
}
