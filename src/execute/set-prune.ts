import type { KubernetesReader } from '../clients/kubernetes.ts';
import { titleOf, type Live } from '../kubernetes/live.ts';
import { leaversOf, setLabel, type Leaver } from '../kubernetes/prune.ts';
import type { Manifest } from '../model/manifest.ts';
import { Problem } from '../model/problem.ts';
import { refOf, type Pruned, type SetOptions, type SetOutcome, type SetTools } from './set-tools.ts';
import { sideBySide } from './side-by-side.ts';

type ApiResource = Awaited<ReturnType<KubernetesReader['resources']>>[number];

/** Takes away what left the set. What could not be seen is not concluded about. */
export async function pruneSet(
  members: readonly (Live | Manifest)[],
  options: SetOptions,
  tools: SetTools,
  dryRun: boolean,
  signal: AbortSignal,
): Promise<Pick<SetOutcome, 'pruned' | 'unseen'>> {
  const { set, manager, prune, groups, most = 8 } = options;
  if (prune === 'none') return { pruned: [], unseen: [] };
  const kinds = listable(await tools.client.resources(signal)).filter(
    ({ group = '' }) => groups === undefined || groups.includes(group),
  );
  const silent = (await tools.client.silent(signal)).filter(
    (version) => groups === undefined || groups.includes(version.includes('/') ? version.replace(/\/.*$/, '') : ''),
  );
  const looks = await sideBySide(kinds, most, (kind, stop) => lookThrough(kind, set, tools, stop), signal);
  const leavers = leaversOf(
    looks.flatMap(({ found }) => found),
    members,
    { set, manager, data: prune === 'all' },
  );
  const pruned: Pruned[] = [];
  for (const leaver of leavers) pruned.push(await takeAway(leaver, tools, dryRun, signal));
  const mute = silent.map((version) => `${version}: the server behind it does not answer`);
  return { pruned, unseen: [...looks.flatMap(({ unseen }) => unseen), ...mute] };
}

/** Every kind once, in one of its versions. */
function listable(resources: readonly ApiResource[]): readonly ApiResource[] {
  const kinds = new Map<string, ApiResource>();
  for (const resource of resources) {
    const key = `${resource.group ?? ''}/${resource.kind}`;
    const usable =
      !resource.name.includes('/') && ['list', 'delete', 'patch'].every((verb) => resource.verbs.includes(verb));
    if (usable && !kinds.has(key) && !passing.has(key)) kinds.set(key, resource);
  }
  return [...kinds.values()];
}

/** The same events under two names, and nobody applies them. */
const passing: ReadonlySet<string> = new Set(['/Event', 'events.k8s.io/Event']);

async function lookThrough(
  { group = '', version = 'v1', kind }: ApiResource,
  set: string,
  { client }: SetTools,
  signal: AbortSignal,
): Promise<{ readonly found: readonly Live[]; readonly unseen: readonly string[] }> {
  const apiVersion = group === '' ? version : `${group}/${version}`;
  try {
    const { items } = await client.list({ apiVersion, kind, labels: `${setLabel}=${set}` }, {}, signal);
    // Items of a list may leave out what the list says of all of them.
    return { found: items.map((item) => ({ ...item, apiVersion, kind })), unseen: [] };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { found: [], unseen: [`${kind} of ${apiVersion}: ${error.message}`] };
  }
}

async function takeAway(
  { object, kept }: Leaver,
  { client, tell }: SetTools,
  dryRun: boolean,
  signal: AbortSignal,
): Promise<Pruned> {
  const pruned = { object: titleOf(object), ...(kept === undefined ? {} : { kept }) };
  if (kept === undefined) {
    const { uid } = object.metadata;
    const exactly = uid === undefined ? {} : { preconditions: { uid } };
    await client.delete(refOf(object), { ...exactly, dryRun, propagation: 'Background' }, signal);
  }
  if (!dryRun) tell({ kind: 'pruned', ...pruned });
  return pruned;
}
