import type { Problem } from '../../model/problem.ts';
import { rangesOverlap, type VmidRange } from '../../model/range.ts';
import type { FileDocument } from '../documents.ts';
import type { PlatformDraft } from '../expand.ts';
import { said, type Said } from './rule.ts';

/** What no document can know alone. */
export function betweenDocuments(
  documents: readonly FileDocument[],
  drafts: readonly { readonly draft?: PlatformDraft }[],
): readonly Problem[] {
  const substrates = documents.filter(({ kind }) => kind === 'Substrate').map(({ name }) => name);
  const platforms = documents.flatMap(({ tree }, index) => {
    const draft = drafts[index]?.draft;
    return draft === undefined ? [] : [{ tree, draft }];
  });
  return platforms.flatMap(({ tree, draft }, index) => {
    const earlier = platforms.slice(0, index).map((platform) => platform.draft);
    return said(tree, [...namedSubstrate(draft, substrates), ...ownVmids(draft, earlier)]);
  });
}

function* namedSubstrate({ spec }: PlatformDraft, substrates: readonly string[]): Iterable<Said> {
  const named = spec.machines?.openstack?.substrate;
  if (named === undefined || substrates.includes(named)) return;
  yield {
    path: ['spec', 'machines', 'openstack', 'substrate'],
    code: 'unknown-substrate',
    message: `There is no Substrate "${named}" in what was given.`,
    remedy: substrates.length === 0 ? 'Give its file too, with another -f.' : `Substrates: ${substrates.join(', ')}.`,
  };
}

function* ownVmids(platform: PlatformDraft, earlier: readonly PlatformDraft[]): Iterable<Said> {
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

const endpointOf = ({ spec }: PlatformDraft): string | undefined => spec.machines?.proxmox?.endpoint;

/** The ranges that its machines take VMIDs from: the groups' own, and the platform's where a group has none. */
const rangesOf = ({ spec }: PlatformDraft): readonly VmidRange[] => {
  const { controlPlane, workers } = spec.machines?.proxmox?.vmids ?? {};
  const pools = Object.values(spec.cluster?.workers ?? {});
  return [
    spec.cluster?.controlPlane?.vmids ?? controlPlane,
    ...pools.map((pool) => pool?.vmids),
    pools.some((pool) => pool?.vmids === undefined) ? workers : undefined,
  ].filter((range) => range !== undefined);
};
