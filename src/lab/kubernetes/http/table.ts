import type { KubeObject, ListMeta } from '../../../wire/kubernetes/objects.ts';
import { groupVersion } from '../discovery/registry.ts';
import { badRequest, quote } from '../refusal.ts';
import type { Column, ResourceDefinition } from '../resource.ts';
import { columnsByDefault } from './default-columns.ts';

export type TableOptions = {
  readonly version: string;
  readonly includeObject: string;
  readonly now: Date;
};

export function checkIncludeObject(query: URLSearchParams): string {
  const wanted = query.get('includeObject') ?? '';
  if (['', 'None', 'Metadata', 'Object'].includes(wanted)) return wanted;
  throw badRequest(`unrecognized includeObject value: ${quote(wanted)}`);
}

const columnsOf = ({ columns }: ResourceDefinition): readonly Column[] =>
  columns.length === 0 ? columnsByDefault : columns;

/** Objects as rows, with one cell for each column that `kubectl get` shows. */
export function tableOf(
  definition: ResourceDefinition,
  objects: readonly KubeObject[],
  metadata: ListMeta,
  options: TableOptions,
  withColumns = true,
): object {
  const columns = columnsOf(definition);
  return {
    kind: 'Table',
    apiVersion: `meta.k8s.io/${options.version}`,
    metadata,
    columnDefinitions: withColumns
      ? columns.map(({ name, type, format = '', description, priority }) => ({
          name,
          type,
          format,
          description,
          priority,
        }))
      : null,
    rows: objects.map((object) => ({
      cells: columns.map(({ value }) => value(object, options.now) ?? null),
      object: included(definition, object, options),
    })),
  };
}

function included(
  definition: ResourceDefinition,
  object: KubeObject,
  { includeObject, version }: TableOptions,
): object | null {
  if (includeObject === 'None') return null;
  if (includeObject === 'Object') return { ...object, apiVersion: groupVersion(definition) };
  return partialOf(object, version);
}

export const partialOf = ({ metadata }: KubeObject, version: string): object => ({
  kind: 'PartialObjectMetadata',
  apiVersion: `meta.k8s.io/${version}`,
  metadata,
});
