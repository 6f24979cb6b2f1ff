import type { Problem } from '../../model/problem.ts';
import { rangesOverlap, type VmidRange } from '../../model/range.ts';
import type { FileDocument } from '../documents.ts';
import type { Platform } from '../platform.ts';
import { said, type Said } from './rule.ts';

/** What no document can know alone. */
export function betweenDocuments(
  documents: readonly FileDocument[],
  platforms: readonly Platform[],
): readonly Problem[] {
  const substrates = documents.filter(({ kind }) => kind === 'Substrate').map(({ name }) => name);
  return platforms.flatMap((platform, index) => {
    const tree = documents.find(({ kind, name }) => kind === 'Platform' && name === platform.name)?.tree;
    return tree === undefined
      ? []
      : said(tree, [...namedSubstrate(platform, substrates), ...ownVmids(platform, platforms.slice(0, index))]);
  });
}

function* namedSubstrate({ provider }: Platform, substrates: readonly string[]): Iterable<Said> {
  if (provider.kind !== 'openstack' || provider.substrate === undefined || substrates.includes(provider.substrate))
    return;
  yield {
    path: ['spec', 'machines', 'openstack', 'substrate'],
    code: 'unknown-substrate',
    message: `There is no Substrate "${provider.substrate}" in what was given.`,
    remedy: substrates.length === 0 ? 'Give its file too, with another -f.' : `Substrates: ${substrates.join(', ')}.`,
  };
}

function* ownVmids(platform: Platform, earlier: readonly Platform[]): Iterable<Said> {
  const endpoint = endpointOf(platform);
  const other = earlier.find(
    (candidate) =>
      endpoint !== undefined &&
      endpointOf(candidate) === endpoint &&
      rangesOf(candidate).some((theirs) => rangesOf(platform).some((mine) => rangesOverlap(mine, theirs))),
  );
  if (other === undefined) return;
  yield {
    path: ['spec', 'machines', 'proxmox', 'vmids'],
    code: 'overlapping-ranges',
    message: `The platforms "${other.name}" and "${platform.name}" share a Proxmox cluster and take VMIDs from the same ranges.`,
    remedy: `Give "${platform.name}" its own, for example "vmids: { controlPlane: 2401-2499, workers: 2501-3499 }".`,
  };
}

const endpointOf = ({ provider }: Platform): string | undefined =>
  provider.kind === 'proxmox' ? provider.endpoint : undefined;

const rangesOf = ({ provider }: Platform): readonly VmidRange[] =>
  provider.kind === 'proxmox' ? [provider.vmids.controlPlane, provider.vmids.workers] : [];
