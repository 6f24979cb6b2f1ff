import { Problem, Problems } from '../../model/problem.ts';
import { toValue } from '../../spec/tree.ts';
import { expiresAt } from '../pki/life.ts';
import { fromBase64 } from '../pki/pem.ts';
import { openSecretFile } from '../secrets/given.ts';

type Named<Part extends string> = { readonly name: string } & { readonly [K in Part]?: Fields };
export type Fields = Readonly<Record<string, unknown>>;

export type Kubeconfig = {
  readonly currentContext: string;
  readonly clusters: readonly Named<'cluster'>[];
  readonly contexts: readonly Named<'context'>[];
  readonly users: readonly Named<'user'>[];
};

/** Clusters, contexts and users as they stand in a file. Throws Problems. */
export function readKubeconfig(text: string, file: string): Kubeconfig {
  const [tree] = openSecretFile(text, file);
  if (tree !== undefined && tree.kind !== 'map') {
    const remedy = 'Name another file, or move this one away.';
    throw new Problems([new Problem('kubeconfig-wrong', 'This is no kubeconfig.', { at: tree.at, remedy })]);
  }
  const value = tree === undefined ? {} : (toValue(tree) as Fields);
  const current = value['current-context'];
  return {
    currentContext: typeof current === 'string' ? current : '',
    clusters: namedIn(value['clusters']),
    contexts: namedIn(value['contexts']),
    users: namedIn(value['users']),
  };
}

const namedIn = <Part extends string>(list: unknown): readonly Named<Part>[] =>
  Array.isArray(list) ? list.filter((item): item is Named<Part> => isNamed(item)) : [];

const isNamed = (item: unknown): boolean =>
  typeof item === 'object' && item !== null && 'name' in item && typeof item.name === 'string';

/** When the certificate of the current context’s user ends; undefined when it has none. */
export function kubeconfigExpiresAt({ currentContext, contexts, users }: Kubeconfig): Date | undefined {
  const user = contexts.find(({ name }) => name === currentContext)?.context?.['user'];
  const data = users.find(({ name }) => name === user)?.user?.['client-certificate-data'];
  return typeof data === 'string' ? expiresAt(fromBase64(data) ?? '') : undefined;
}
