import type { KubeObject } from '../../../wire/kubernetes/objects.ts';
import { text, tree, trees } from '../kinds/tree.ts';
import type { Column } from '../resource.ts';
import { ageColumn, column, nameColumn, wide } from './cells.ts';

/** What the server has no better idea about. */
export const plainColumns: readonly Column[] = [
  nameColumn,
  column('Created At', ({ metadata }) => metadata.creationTimestamp ?? null, 'date'),
];

const subjects =
  (kind: string) =>
  (binding: KubeObject): string =>
    trees(binding['subjects'])
      .filter((subject) => subject['kind'] === kind)
      .map(({ name, namespace }) => (kind === 'ServiceAccount' ? `${text(namespace)}/${text(name)}` : text(name)))
      .join(', ');

export const bindingColumns: readonly Column[] = [
  nameColumn,
  column('Role', (binding) => {
    const { kind, name } = tree(binding['roleRef']);
    return `${text(kind)}/${text(name)}`;
  }),
  ageColumn,
  wide('Users', subjects('User')),
  wide('Groups', subjects('Group')),
  wide('ServiceAccounts', subjects('ServiceAccount')),
];
