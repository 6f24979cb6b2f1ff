import type { Column } from '../resource.ts';

/** What is known of every kind. */
export const columnsByDefault: readonly Column[] = [
  {
    name: 'Name',
    type: 'string',
    format: 'name',
    description: 'Which one of its kind it is.',
    priority: 0,
    value: ({ metadata }) => metadata.name ?? '',
  },
  {
    name: 'Created At',
    type: 'date',
    description: 'When the server took it in.',
    priority: 0,
    value: ({ metadata }) => metadata.creationTimestamp ?? null,
  },
];
