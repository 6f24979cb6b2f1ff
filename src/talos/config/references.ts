import { Problem } from '../../model/problem.ts';
import type { Platform } from '../../spec/platform.ts';

/** Where a secret is, as a platform file says it. */
export type SecretReference = {
  readonly env?: string | undefined;
  readonly file?: string | undefined;
  readonly age?: string | undefined;
  readonly keyring?: string | undefined;
  readonly vault?: string | undefined;
};

/** Something outside of the file that configurations need the text of. `path` is where the file names it. */
export type Needed = {
  readonly key: string;
  readonly path: string;
  readonly reference: SecretReference;
};

/** The texts, by the key of their reference. */
export type Resolved = ReadonlyMap<string, string>;

const kinds = ['env', 'file', 'age', 'keyring', 'vault'] as const;

/** One text per reference: `env:TS_AUTHKEY`. */
export function referenceKey(reference: SecretReference): string {
  const kind = kinds.find((each) => reference[each] !== undefined);
  return kind === undefined ? '' : `${kind}:${reference[kind]}`;
}

/** Everything that must be fetched before configurations can be rendered; certificate authorities are plain files. */
export function referencesOf({ cluster }: Platform): readonly Needed[] {
  const needed = (path: string, reference: SecretReference): Needed => ({
    key: referenceKey(reference),
    path: `cluster.${path}`,
    reference,
  });
  return [
    ...Object.entries(cluster.registries.credentials).flatMap(([host, { password, ca }]) => [
      needed(`registries.credentials.${host}.password`, password),
      ...(ca === undefined ? [] : [needed(`registries.credentials.${host}.ca`, { file: ca })]),
    ]),
    ...Object.entries(cluster.extensionServices).flatMap(([service, { secrets }]) =>
      Object.entries(secrets).map(([name, reference]) =>
        needed(`extensionServices.${service}.secrets.${name}`, reference),
      ),
    ),
    ...(['state', 'ephemeral'] as const).flatMap((partition) => {
      const passphrase = cluster.encryption[partition]?.passphrase;
      return passphrase === undefined ? [] : [needed(`encryption.${partition}.passphrase`, passphrase)];
    }),
  ];
}

/** The text of a reference. Whoever renders fetches them all first: a missing one is not ours to fetch. */
export function textOf(resolved: Resolved, reference: SecretReference): string {
  const text = resolved.get(referenceKey(reference));
  if (text !== undefined) return text;
  throw new Problem('secret-missing', `The configuration needs ${referenceKey(reference)}, and nobody fetched it.`, {
    remedy: 'Make it available, or take what needs it out of the file.',
  });
}
