import type { TalosNode, TalosReader } from '../clients/talos.ts';
import { Problem } from '../model/problem.ts';
import { formatVersion, minorOf, parseVersion, type Version } from '../model/version.ts';
import { mustBeStaged } from '../talos/versions.ts';
import type { UpgradeRequest } from './talos-life.ts';

export type UpgradeWish = {
  readonly image?: string;
  readonly to?: string;
  /** Host of the Image Factory. */
  readonly factory: string;
  readonly legacy: boolean;
  readonly stage: boolean;
  readonly force: boolean;
};

/** Which image brings a node where it is wanted: the one that is given, or its own schematic in another version. */
export const installerFor =
  ({ image, to, factory, legacy, stage, force }: UpgradeWish) =>
  async (node: TalosNode, signal: AbortSignal): Promise<UpgradeRequest> => {
    const { tag, platform } = await node.version(signal);
    const from = parseVersion(tag);
    const wanted = parseVersion(to ?? /:(v[^:@]+)(?:@.*)?$/.exec(image ?? '')?.[1] ?? '');
    if (to !== undefined && wanted === undefined)
      throw new Problem('bad-version', `"${to}" is no version of Talos.`, { remedy: 'Use one such as v1.13.9.' });
    if (image === undefined && wanted === undefined)
      throw new Problem('no-version', 'Nobody said what to upgrade to.', {
        remedy: 'Name a version with --to v1.13.9, or an installer image with --image.',
      });
    if (!force && from !== undefined && wanted !== undefined) mustBeNear(from, wanted);
    return {
      image: image ?? (await installerOf(node, { factory, platform, version: formatVersion(wanted!) }, signal)),
      legacy,
      stage: stage || (from !== undefined && mustBeStaged(from)),
      force,
    };
  };

/** Talos goes up one minor at a time; back it goes one, too. */
function mustBeNear(from: Version, to: Version): void {
  if (from.major === to.major && Math.abs(to.minor - from.minor) <= 1) return;
  const next = `${from.major}.${from.minor + Math.sign(to.minor - from.minor)}`;
  throw new Problem('upgrade-too-far', `From ${minorOf(from)} to ${minorOf(to)} is more than one minor version.`, {
    remedy: `Go by way of the latest ${next} release, or insist with --force.`,
  });
}

async function installerOf(
  node: TalosReader,
  { factory, platform, version }: { readonly factory: string; readonly platform: string; readonly version: string },
  signal: AbortSignal,
): Promise<string> {
  const [extensions, security] = await Promise.all([
    node.list({ type: 'ExtensionStatuses.runtime.talos.dev' }, signal),
    node.get({ type: 'SecurityStates.talos.dev', id: 'securitystate' }, signal),
  ]);
  const schematic = extensions
    .map(({ spec }) => (spec as { readonly metadata?: { readonly name?: string; readonly version?: string } }).metadata)
    .find((metadata) => metadata?.name === 'schematic')?.version;
  if (schematic === undefined)
    throw new Problem('no-schematic', 'The node does not say which schematic its Talos was made from.', {
      remedy: 'Its image is not from an Image Factory: name the installer with --image.',
    });
  const secureBoot = (security?.spec as { readonly secureBoot?: boolean } | undefined)?.secureBoot === true;
  return `${factory}/${platform}-installer${secureBoot ? '-secureboot' : ''}/${schematic}:${version}`;
}
