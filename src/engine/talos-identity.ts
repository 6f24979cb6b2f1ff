import type { Clock } from '../model/clock.ts';
import type { Entropy } from '../model/entropy.ts';
import { Problem } from '../model/problem.ts';
import type { Contract } from '../talos/config/contract.ts';
import { expiresAt, needsRenewal } from '../talos/pki/life.ts';
import type { SecretsBundle } from '../talos/secrets/bundle.ts';
import { newSecrets } from '../talos/secrets/new.ts';
import { readSecrets } from '../talos/secrets/read.ts';
import { secretsText } from '../talos/secrets/text.ts';
import { mergeTalosconfig } from '../talos/talosconfig/merge.ts';
import { newTalosconfig } from '../talos/talosconfig/new.ts';
import { readTalosconfig } from '../talos/talosconfig/read.ts';
import { isIssuedBy } from '../talos/talosconfig/renew.ts';
import { rewriteContext } from '../talos/talosconfig/rewrite.ts';
import { talosconfigText, type TalosContext } from '../talos/talosconfig/talosconfig.ts';

export type Making = { readonly clock: Clock; readonly entropy: Entropy };

/** A file that is there, and its name. */
export type Present = { readonly text: string; readonly file: string };

export type SettledSecrets = {
  readonly bundle: SecretsBundle;
  readonly text: string;
  readonly because: string | undefined;
};

/** Secrets are made once: those that are there stay, those that are handed over are taken as they are. */
export async function settleSecrets(
  present: Present | undefined,
  adopted: Present | undefined,
  contract: Contract,
  { clock, entropy }: Making,
): Promise<SettledSecrets> {
  if (present !== undefined) {
    const bundle = readSecrets(present.text, present.file);
    if (adopted !== undefined && secretsText(readSecrets(adopted.text, adopted.file)) !== secretsText(bundle))
      throw new Problem('secrets-differ', `"${present.file}" holds other secrets than "${adopted.file}".`, {
        remedy:
          'Secrets are never written over, because a cluster is lost without them: choose another --out, or leave --secrets out.',
      });
    return { bundle, text: present.text, because: undefined };
  }
  if (adopted !== undefined)
    return {
      bundle: readSecrets(adopted.text, adopted.file),
      text: adopted.text,
      because: `adopted from ${adopted.file}`,
    };
  const bundle = await newSecrets(entropy, clock, contract);
  return { bundle, text: secretsText(bundle), because: 'made' };
}

export type SettledTalosconfig = {
  readonly text: string;
  readonly because: string | undefined;
  readonly expires: Date | undefined;
};

/** Who an administrator is: kept while it is good, issued anew from the secrets when it is not. */
export async function settleTalosconfig(
  present: Present | undefined,
  wanted: {
    readonly cluster: string;
    readonly endpoints: readonly string[];
    /** Whom to ask when nobody else is named, where the file that is there names nobody; those that are there stay. */
    readonly nodes?: readonly string[];
    readonly bundle: SecretsBundle;
  },
  { clock, entropy }: Making,
): Promise<SettledTalosconfig> {
  const { cluster, endpoints, nodes = [], bundle } = wanted;
  const issue = () => newTalosconfig({ bundle, cluster, endpoints, nodes }, entropy, clock);
  if (present === undefined) return settled(talosconfigText(await issue()), cluster, 'made');
  const config = readTalosconfig(present.text, present.file);
  const context = config.contexts.get(cluster);
  if (context === undefined)
    return settled(
      mergeTalosconfig(present.text, present.file, await issue()).text,
      cluster,
      `context ${cluster} added`,
    );
  const because = whyAnew(context, bundle, clock.now());
  const moved = endpoints.length > 0 && endpoints.join() !== context.endpoints.join();
  // Who was one of the endpoints that are gone is gone too.
  const stale = context.nodes.every((node) => context.endpoints.includes(node) && !endpoints.includes(node));
  const named = nodes.length > 0 && stale;
  if (because === undefined && !moved && !named) return settled(present.text, cluster, undefined);
  const { ca, crt, key } = because === undefined ? context : ((await issue()).contexts.get(cluster) ?? context);
  return settled(
    rewriteContext(present, cluster, { ca, crt, key, ...(moved ? { endpoints } : {}), ...(named ? { nodes } : {}) }),
    cluster,
    because ?? (moved ? 'the control planes have other addresses' : 'it named no node'),
  );
}

function whyAnew({ crt, key }: TalosContext, bundle: SecretsBundle, now: Date): string | undefined {
  if (crt === undefined || key === undefined) return 'it had no certificate';
  if (!isIssuedBy(crt, bundle)) return 'its certificate was not from these secrets';
  return needsRenewal(crt, now) ? 'renewed: less than a third of its life was left' : undefined;
}

function settled(text: string, cluster: string, because: string | undefined): SettledTalosconfig {
  const crt = readTalosconfig(text, 'talosconfig').contexts.get(cluster)?.crt;
  return { text, because, expires: crt === undefined ? undefined : expiresAt(crt) };
}

/** The secrets of a cluster, from their file. */
export const bundleOf = ({ text, file }: Present): SecretsBundle => readSecrets(text, file);
