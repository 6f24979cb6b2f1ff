import type { Resource, ResourceDefinition } from '../../clients/talos.ts';

/** Titles of a table of resources: as the type itself has them. */
export const resourceTitles = ({ columns }: ResourceDefinition): readonly string[] => [
  'namespace',
  'type',
  'id',
  'version',
  ...columns.map(({ name }) => name.toLowerCase()),
];

export const resourceRow = ({ columns }: ResourceDefinition, resource: Resource): readonly string[] => [
  resource.namespace,
  singular(resource.type),
  resource.id,
  resource.version,
  ...columns.map(({ path }) => cell(columnValue(path, resource.spec))),
];

/** `MachineStatuses.runtime.talos.dev` is a table of MachineStatus. */
const singular = (type: string): string =>
  (type.split('.')[0] ?? type)
    .replace(/ies$/, 'y')
    .replace(/(ss|us)es$/, '$1~')
    .replace(/(?<!~)s$/, '')
    .replace('~', '');

type Picked = readonly unknown[];

/** The paths that print columns use: `{.a.b}`, `{@}`, `{.a[*].b}` and `{.a[?(@.b=="c")].d}`. */
export function columnValue(path: string, spec: unknown): unknown {
  const inner = /^\{(.*)\}$/.exec(path)?.[1] ?? path;
  const steps = [...inner.matchAll(/\.([A-Za-z_][\w-]*)|\[\*\]|\[\?\(@\.(\w+)==["']([^"']*)["']\)\]|\[(\d+)\]/g)];
  const many = steps.some(([step]) => step.startsWith('[*') || step.startsWith('[?'));
  const picked = steps.reduce<Picked>(
    (found, [step, key, filterKey, filterValue, index]) =>
      found.flatMap((value): Picked => {
        if (key !== undefined) return [field(value, key)];
        const items = Array.isArray(value) ? (value as Picked) : [];
        if (step === '[*]') return items;
        if (index !== undefined) return [items[Number(index)]];
        return items.filter((item) => field(item, filterKey ?? '') === filterValue);
      }),
    [spec],
  );
  return many ? picked : picked[0];
}

const field = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;

function cell(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return (value as Picked).map(cell).join(' ');
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' ? JSON.stringify(value) : `${value as string | number | boolean}`;
}

/** As talosctl prints it, so that what reads the one reads the other. */
export function resourceYaml(node: string, resource: Resource): string {
  const pairs = (title: string, of: Readonly<Record<string, string>>): readonly string[] =>
    Object.keys(of).length === 0
      ? []
      : [`    ${title}:`, ...Object.entries(of).map(([key, value]) => `        ${key}: ${JSON.stringify(value)}`)];
  const list = (title: string, of: readonly string[]): readonly string[] =>
    of.length === 0 ? [] : [`    ${title}:`, ...of.map((each) => `        - ${each}`)];
  return [
    `node: ${node}`,
    'metadata:',
    `    namespace: ${resource.namespace}`,
    `    type: ${resource.type}`,
    `    id: ${resource.id}`,
    `    version: ${resource.version}`,
    `    owner: ${resource.owner}`.trimEnd(),
    `    phase: ${resource.phase}`,
    `    created: ${resource.created.toISOString()}`,
    `    updated: ${resource.updated.toISOString()}`,
    ...pairs('labels', resource.labels),
    ...pairs('annotations', resource.annotations),
    ...list('finalizers', resource.finalizers),
    ...specYaml(resource.yaml, resource.spec),
    '',
  ].join('\n');
}

function specYaml(text: string, spec: unknown): readonly string[] {
  const lines = text.trimEnd().split('\n');
  const isPlain = typeof spec !== 'object' || spec === null;
  if (isPlain && lines.length === 1) return [`spec: ${lines[0]}`];
  const [head = '', ...rest] = lines;
  if (isPlain) return [`spec: ${head}`, ...rest];
  if (/^[[{]/.test(head)) return [`spec: ${head}`, ...rest];
  return ['spec:', ...lines.map((line) => (line === '' ? '' : `    ${line}`))];
}

export const resourceJson = (node: string, resource: Resource): object => ({
  node,
  metadata: Object.fromEntries(Object.entries(resource).filter(([key]) => !['spec', 'yaml', 'proto'].includes(key))),
  spec: resource.spec,
});
