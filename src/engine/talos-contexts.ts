import { expiresAt, needsRenewal } from '../talos/pki/life.ts';
import { mergeTalosconfig } from '../talos/talosconfig/merge.ts';
import { chooseContext, readTalosconfig } from '../talos/talosconfig/read.ts';
import { renewTalosconfig, rolesOf } from '../talos/talosconfig/renew.ts';
import { rewriteContext } from '../talos/talosconfig/rewrite.ts';
import { bundleOf, type Making, type Present } from './talos-identity.ts';

/** A context as it may be shown: no key, no certificate. */
export type ShownContext = {
  readonly name: string;
  readonly current: boolean;
  readonly endpoints: readonly string[];
  readonly nodes: readonly string[];
  readonly roles: readonly string[];
  /** Null when it has no certificate. */
  readonly expires: string | null;
  readonly leftMs: number;
};

export function contextsOf({ text, file }: Present, now: Date): readonly ShownContext[] {
  const { context: current, contexts } = readTalosconfig(text, file);
  return [...contexts].map(([name, { endpoints, nodes, crt }]) => {
    const ends = crt === undefined ? undefined : expiresAt(crt);
    return {
      name,
      current: name === current,
      endpoints,
      nodes,
      roles: crt === undefined ? [] : rolesOf(crt),
      expires: ends?.toISOString() ?? null,
      leftMs: ends === undefined ? 0 : ends.getTime() - now.getTime(),
    };
  });
}

/** The same file with a new certificate for one context. */
export async function renewContext(
  { text, file }: Present,
  secrets: Present,
  wanted: string | undefined,
  { clock, entropy }: Making,
): Promise<string> {
  const bundle = bundleOf(secrets);
  const { name } = chooseContext(readTalosconfig(text, file), file, wanted);
  return renewTalosconfig({ text, file, context: name, bundle }, entropy, clock);
}

/**
 * Puts the one context of a talosconfig into a file that may have others. A context of the same cluster (its authority is the same)
 * is brought up to date where it stands; the same name of another cluster stays, and ours gets a free one.
 */
export function placeTalosconfig(
  present: Present | undefined,
  added: string,
  now: Date,
): { readonly text: string; readonly context: string; readonly changed: boolean } {
  const ours = readTalosconfig(added, 'talosconfig');
  const { ca, crt, key, endpoints } = chooseContext(ours, 'talosconfig');
  if (present === undefined) return { text: added, context: ours.context, changed: true };
  const { contexts } = readTalosconfig(present.text, present.file);
  const same = [...contexts].filter(([, each]) => each.ca?.trim() === ca.trim());
  const [name, there] = same.find(([each]) => each === ours.context) ?? same[0] ?? [];
  if (name === undefined || there === undefined) {
    const { text, renames } = mergeTalosconfig(present.text, present.file, ours);
    return { text, context: renames[0]?.to ?? ours.context, changed: true };
  }
  const good = there.crt !== undefined && there.key !== undefined && !needsRenewal(there.crt, now);
  if (good && there.endpoints.join() === endpoints.join()) return { text: present.text, context: name, changed: false };
  const changes = { endpoints, ...(good ? {} : { ca, crt, key }) };
  return { text: rewriteContext(present, name, changes), context: name, changed: true };
}

/** The file with the other’s contexts in it; undefined when it has them all, as they are. */
export function mergeContexts(into: Present, added: Present): string | undefined {
  const [before, after] = [readTalosconfig(into.text, into.file), readTalosconfig(added.text, added.file)];
  const missing = [...after.contexts].filter(([name, { crt }]) => before.contexts.get(name)?.crt !== crt);
  if (missing.length === 0) return undefined;
  return mergeTalosconfig(into.text, into.file, { ...after, contexts: new Map(missing) }).text;
}
