import { childOf, type Path, type Scalar, type Tree } from '../tree.ts';
import { without, type Configuration } from './configuration.ts';
import type { Part } from './foreign.ts';
import { variableName } from './identity.ts';
import { holdsSecret } from './secrets.ts';
import type { Sketch } from './sketch.ts';

/** Takes out of configuration for all machines what a Platform says in words of its own: some of it may only be said so. */
export function lift(configuration: Configuration, sketch: Sketch): Configuration {
  return [liftCni, liftRegistries, liftEncryption].reduce(
    (rest, step) => ({ ...rest, tree: step(rest, sketch) }),
    configuration,
  );
}

const at = (tree: Tree, path: Path): Tree | undefined =>
  path.reduce<Tree | undefined>((inside, step) => inside && childOf(inside, step), tree);

const scalarAt = (tree: Tree, path: Path): Scalar | undefined => {
  const found = at(tree, path);
  return found?.kind === 'scalar' ? found.value : undefined;
};

const keysAt = (tree: Tree, path: Path): readonly string[] => {
  const found = at(tree, path);
  return found?.kind === 'map' ? [...found.entries.keys()] : [];
};

function liftCni({ tree, from, say }: Configuration, sketch: Sketch): Tree {
  const path = ['cluster', 'network', 'cni'];
  const name = scalarAt(tree, [...path, 'name']);
  if (!putCni(name, sketch, from)) return tree;
  const urls = at(tree, [...path, 'urls']);
  for (const { value } of urls?.kind === 'list' ? urls.items.filter((item) => item.kind === 'scalar') : []) {
    if (holdsSecret(String(value))) say([...path, 'urls'], 'Not carried over: it holds a secret.');
    else sketch.add('cluster.manifests.urls', value);
  }
  return keysAt(tree, path).every((key) => key === 'name' || key === 'urls') ? without(tree, path) : tree;
}

/** Talos' three ways to a pod network; a custom one is none, and manifests. */
export function putCni(name: Scalar | undefined, sketch: Sketch, from: Part): boolean {
  const known = name === 'flannel' || name === 'none' || name === 'custom';
  if (known) sketch.put('cluster.cni', name === 'flannel' ? { flannel: {} } : { none: {} }, from);
  return known;
}

const registryForm = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]+)?$/;

function liftRegistries({ tree, from, say }: Configuration, sketch: Sketch): Tree {
  const path = ['machine', 'registries', 'config'];
  let rest = tree;
  for (const host of keysAt(tree, path).filter((key) => registryForm.test(key))) {
    const username = scalarAt(tree, [...path, host, 'auth', 'username']);
    const password = scalarAt(tree, [...path, host, 'auth', 'password']);
    if (username == null || password == null || String(username).includes('${')) continue;
    const variable = referenceTo(password, variableName('registry', host, 'password'));
    sketch.put(
      ['cluster', 'registries', 'credentials', host],
      { username: String(username), password: variable },
      from,
    );
    say(
      [...path, host, 'auth'],
      `Becomes cluster.registries.credentials; the password is not written to the file: export ${variable.env}.`,
    );
    rest = without(rest, [...path, host, 'auth']);
  }
  return rest;
}

function liftEncryption({ tree, from, say }: Configuration, sketch: Sketch): Tree {
  const path = ['machine', 'systemDiskEncryption'];
  let rest = tree;
  for (const partition of ['state', 'ephemeral']) {
    const key = diskKey(at(tree, [...path, partition]), partition);
    if (key === undefined) continue;
    sketch.put(['cluster', 'encryption', partition], key, from);
    if (key.passphrase) say([...path, partition], passphraseNote(partition, key.passphrase.env));
    rest = without(rest, [...path, partition]);
  }
  return rest;
}

export const passphraseNote = (partition: string, variable: string): string =>
  `Becomes cluster.encryption.${partition}; the passphrase is not written to the file: export ${variable}.`;

type DiskKey = { readonly passphrase?: { readonly env: string } } & Readonly<Record<string, unknown>>;

/** An encryption as a Platform describes it: one key, and nothing special. */
export function diskKey(encryption: Tree | undefined, partition: string): DiskKey | undefined {
  if (encryption === undefined || !keysAt(encryption, []).every((key) => key === 'provider' || key === 'keys'))
    return undefined;
  const keys = at(encryption, ['keys']);
  const [only, ...others] = keys?.kind === 'list' ? keys.items : [];
  if (only === undefined || others.length > 0) return undefined;
  const kinds = keysAt(only, []).filter((key) => key !== 'slot');
  if (kinds.length !== 1) return undefined;
  const passphrase = scalarAt(only, ['static', 'passphrase']);
  const endpoint = scalarAt(only, ['kms', 'endpoint']);
  if (passphrase != null) return { passphrase: referenceTo(passphrase, variableName(partition, 'passphrase')) };
  if (endpoint != null) return { kms: { endpoint } };
  const [kind = ''] = kinds;
  const plain = keysAt(only, [kind]).length === 0;
  return plain && (kind === 'nodeID' || kind === 'tpm') ? { [kind]: {} } : undefined;
}

/** A value such as ${TS_AUTHKEY} already says where the secret is. */
export const referenceTo = (secret: Scalar, variable: string): { readonly env: string } => ({
  env: /^\$\{([A-Za-z_][A-Za-z0-9_]*)\}$/.exec(String(secret))?.[1] ?? variable,
});
