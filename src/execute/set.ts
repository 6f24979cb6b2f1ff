import type { KubernetesReader } from '../clients/kubernetes.ts';
import { changesOf, type Difference } from '../kubernetes/compare.ts';
import { titleOf, type Live } from '../kubernetes/live.ts';
import { repeated, stagesOf } from '../kubernetes/order.ts';
import { memberOf, setLabel } from '../kubernetes/prune.ts';
import type { Manifest } from '../model/manifest.ts';
import { Problem } from '../model/problem.ts';
import { scopesOf } from '../kubernetes/scope.ts';
import { pruneSet } from './set-prune.ts';
import { untilReady } from './set-ready.ts';
import { patienceOf, refOf, type Applied, type SetOptions, type SetOutcome, type SetTools } from './set-tools.ts';
import { sideBySide } from './side-by-side.ts';
import { waitFor } from './waiting.ts';

/** How a set would change the cluster, asked of the server itself; nothing is changed. */
export async function previewSet(
  manifests: readonly Manifest[],
  options: SetOptions,
  tools: SetTools,
  signal: AbortSignal,
): Promise<SetOutcome> {
  const members = await membersOf(manifests, options, tools, signal);
  const applied = await sideBySide(
    members,
    options.most ?? 8,
    (member, stop) => previewOf(member, options, tools, stop),
    signal,
  );
  return { applied, ...(await pruneSet(members, options, tools, true, signal)) };
}

/** Makes the cluster have what is in the set, and no longer what left it. May be repeated. */
export async function applySet(
  manifests: readonly Manifest[],
  options: SetOptions,
  tools: SetTools,
  signal: AbortSignal,
): Promise<SetOutcome> {
  const members = await membersOf(manifests, options, tools, signal);
  const applied: Applied[] = [];
  const live: Live[] = [];
  const awaited: Live[] = [];
  for (const { name, manifests: stage } of stagesOf(members)) {
    tools.tell({ kind: 'stage', stage: name, objects: stage.length });
    const done = await sideBySide(stage, options.most ?? 8, (one, stop) => applyOne(one, options, tools, stop), signal);
    const there = done.map(({ after }) => after);
    applied.push(...done.map(({ applied: one }) => one));
    live.push(...there);
    // What comes next is refused before these are there.
    if (name === 'definitions' || name === 'namespaces') await untilReady(there, options, tools, signal);
    else awaited.push(...there);
  }
  const gone = await pruneSet(live, options, tools, false, signal);
  if (options.wait) await untilReady(awaited, options, tools, signal);
  return { applied, ...gone };
}

/** Every manifest with its label, and with a namespace where its kind has one. */
async function membersOf(
  manifests: readonly Manifest[],
  { set, namespace = 'default' }: SetOptions,
  { client }: SetTools,
  signal: AbortSignal,
): Promise<readonly Manifest[]> {
  const settled = scopesOf(manifests, await client.resources(signal));
  const members = manifests.map((manifest) => memberOf(settled(manifest, namespace), set));
  const [twice] = repeated(members);
  if (twice === undefined) return members;
  throw new Problem('set-has-twice', `The set ${set} has ${titleOf(twice)} twice.`, {
    remedy: 'Leave one of them out: which would count is anybody’s guess.',
  });
}

async function previewOf(
  member: Manifest,
  options: SetOptions,
  { client, salt }: SetTools,
  signal: AbortSignal,
): Promise<Applied> {
  try {
    const before = await client.get(refOf(member), signal);
    mustBeOurs(before, options);
    const after = await client.apply(member, { ...writing(options), dryRun: true }, signal);
    return appliedOf(before, after, changesOf(before, after, salt));
  } catch (error) {
    // Its namespace or its definition is only about to come.
    if (error instanceof Problem && ['kubernetes-unknown-kind', 'kubernetes-not-found'].includes(error.code))
      return appliedOf(undefined, member, changesOf(undefined, member, salt));
    throw error;
  }
}

async function applyOne(
  member: Manifest,
  options: SetOptions,
  tools: SetTools,
  signal: AbortSignal,
): Promise<{ readonly applied: Applied; readonly after: Live }> {
  const { client, tell, salt } = tools;
  const before = await whenKnown(member, options, tools, signal);
  mustBeOurs(before, options);
  const after = await client.apply(member, writing(options), signal);
  const unchanged = before?.metadata.resourceVersion === after.metadata.resourceVersion;
  const applied = appliedOf(before, after, unchanged ? [] : changesOf(before, after, salt));
  tell({ kind: 'applied', ...applied });
  return { applied, after };
}

/** The object as it is; a kind that the server does not know yet is waited for: operators bring their own definitions. */
const whenKnown = (
  member: Manifest,
  options: SetOptions,
  tools: SetTools,
  signal: AbortSignal,
): Promise<Awaited<ReturnType<KubernetesReader['get']>>> =>
  waitFor(
    titleOf(member),
    async () => {
      try {
        return { state: 'there', value: await tools.client.get(refOf(member), signal) };
      } catch (error) {
        if (!(error instanceof Problem) || error.code !== 'kubernetes-unknown-kind') throw error;
        return { state: 'not-yet', because: `the server does not know ${member.kind} of ${member.apiVersion} yet` };
      }
    },
    patienceOf(options, tools),
    tools.tell,
    signal,
  );

/** An object of another set is not taken over in passing. */
function mustBeOurs(live: Live | undefined, { set, force }: SetOptions): void {
  const other = live?.metadata.labels?.[setLabel];
  if (live === undefined || other === undefined || other === set || force) return;
  throw new Problem('set-of-others', `${titleOf(live)} belongs to the set ${other}, and not to ${set}.`, {
    remedy: `Leave it out of one of them, or take it over with --force.`,
  });
}

const writing = ({ manager, force }: SetOptions) => ({ manager, force });

function appliedOf(before: Live | undefined, after: Live | Manifest, differences: readonly Difference[]): Applied {
  const outcome = before === undefined ? 'created' : differences.length === 0 ? 'unchanged' : 'changed';
  return { object: titleOf(after), outcome, differences };
}
