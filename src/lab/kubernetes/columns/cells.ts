import type { KubeObject } from '../../../wire/kubernetes/objects.ts';
import { text, type Tree, tree, trees } from '../kinds/tree.ts';
import type { Column } from '../resource.ts';

type Value = Column['value'];

export const nothing = '<none>';
export const unknown = '<unknown>';

const about: Readonly<Record<string, string>> = {
  Name: 'Its name, one of a kind in its namespace.',
  Age: 'How long ago it was made.',
  Containers: 'Names of the containers, in their order.',
  Images: 'Images of the containers, in their order.',
  Selector: 'Labels that a pod must have to belong to it.',
};

/** Words that a title stands for, where nothing better is known. */
const described = (name: string): string => about[name] ?? `${name} as it was last seen.`;

export const column = (name: string, value: Value, type: Column['type'] = 'string'): Column => ({
  name,
  type,
  description: described(name),
  priority: 0,
  value,
});

export const wide = (name: string, value: Value): Column => ({ ...column(name, value), priority: 1 });

export const nameColumn: Column = { ...column('Name', ({ metadata }) => metadata.name ?? ''), format: 'name' };
export const ageColumn: Column = column('Age', ({ metadata }, now) => since(metadata.creationTimestamp, now));

export const specOf = (object: KubeObject): Tree => tree(object['spec']);
export const statusOf = (object: KubeObject): Tree => tree(object['status']);

/** A number of the status; nothing counts as none. */
export const count = (of: unknown): number => (typeof of === 'number' ? of : 0);

export function since(time: unknown, now: Date): string {
  const at = typeof time === 'string' ? Date.parse(time) : NaN;
  return Number.isNaN(at) ? unknown : duration(now.getTime() - at);
}

/** As people count time: precise while it is short. */
export function duration(milliseconds: number): string {
  const seconds = Math.trunc(milliseconds / 1000);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 60 * 2) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 10) return parts(minutes, 'm', seconds % 60, 's');
  if (minutes < 60 * 3) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 8) return parts(hours, 'h', minutes % 60, 'm');
  if (hours < 48) return `${hours}h`;
  const days = Math.floor(hours / 24);
  if (hours < 24 * 8) return parts(days, 'd', hours % 24, 'h');
  if (days < 365 * 2) return `${days}d`;
  const years = Math.floor(days / 365);
  return years < 8 ? parts(years, 'y', days % 365, 'd') : `${years}y`;
}

const parts = (large: number, unit: string, small: number, smaller: string): string =>
  small === 0 ? `${large}${unit}` : `${large}${unit}${small}${smaller}`;

/** `a=b,c=d` */
export function labelsText(labels: unknown): string {
  const entries = Object.entries(tree(labels)).map(([key, value]) => `${key}=${text(value)}`);
  return entries.length === 0 ? nothing : entries.sort().join(',');
}

export const orNothing = (value: string): string => (value === '' ? nothing : value);

/** Three of them, and how many there are besides. */
export function some(all: readonly string[], most = 3): string {
  const shown = all.slice(0, most).join(',');
  return all.length > most ? `${shown} + ${all.length - most} more...` : shown;
}

const containersOf = (template: Tree): readonly Tree[] => trees(tree(template['spec'])['containers']);

/** Of whatever makes pods: what is in them. */
export const containerColumns = (template: (object: KubeObject) => Tree): readonly Column[] => [
  wide('Containers', (object) =>
    containersOf(template(object))
      .map(({ name }) => text(name))
      .join(','),
  ),
  wide('Images', (object) =>
    containersOf(template(object))
      .map(({ image }) => text(image))
      .join(','),
  ),
];

export const condition = (object: KubeObject, type: string): Tree | undefined =>
  trees(statusOf(object)['conditions']).find((each) => each['type'] === type);
