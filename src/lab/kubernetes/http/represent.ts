import type { KubeObject, ListMeta } from '../../../wire/kubernetes/objects.ts';
import { groupVersion } from '../discovery/registry.ts';
import type { ResourceDefinition } from '../resource.ts';
import { convert } from '../verbs/convert.ts';
import type { Form } from './negotiate.ts';
import { wrongShape } from './negotiate.ts';
import { partialOf, tableOf } from './table.ts';
import type { TableOptions } from './table.ts';
import { bareTextOf, textOf } from './text.ts';

/** How objects look to one who asks: in which version, and in which form. */
export type View = {
  readonly definition: ResourceDefinition;
  readonly form: Form;
  readonly includeObject: string;
  readonly now: Date;
};

const tableOptions = ({ form, includeObject, now }: View): TableOptions => ({
  version: form.as?.version ?? 'v1',
  includeObject,
  now,
});

/** One object as JSON. */
export function objectText(view: View, stored: KubeObject): string {
  const { definition, form } = view;
  const object = convert(stored, definition);
  switch (form.as?.kind) {
    case undefined:
      return textOf(object, groupVersion(definition));
    case 'Table': {
      const { resourceVersion } = object.metadata;
      const metadata = resourceVersion === undefined ? {} : { resourceVersion };
      return JSON.stringify(tableOf(definition, [object], metadata, tableOptions(view)));
    }
    case 'PartialObjectMetadata':
      return JSON.stringify(partialOf(object, form.as.version));
    case 'PartialObjectMetadataList':
      throw wrongShape(
        `you requested PartialObjectMetadataList, but the requested object is not a list (*${typeName(definition)})`,
      );
  }
}

export function listText(view: View, metadata: ListMeta, stored: readonly KubeObject[]): string {
  const { definition, form } = view;
  const items = stored.map((each) => convert(each, definition));
  const version = groupVersion(definition);
  switch (form.as?.kind) {
    case undefined: {
      const texts = items.map((each) => (definition.custom ? textOf(each, version) : bareTextOf(each)));
      const head = JSON.stringify({ kind: definition.listKind, apiVersion: version, metadata });
      return `${head.slice(0, -1)},"items":[${texts.join(',')}]}`;
    }
    case 'Table':
      return JSON.stringify(tableOf(definition, items, metadata, tableOptions(view)));
    case 'PartialObjectMetadataList': {
      const { version: of } = form.as;
      return JSON.stringify({
        kind: 'PartialObjectMetadataList',
        apiVersion: `meta.k8s.io/${of}`,
        metadata,
        items: items.length === 0 ? null : items.map((each) => partialOf(each, of)),
      });
    }
    case 'PartialObjectMetadata':
      throw wrongShape(
        `you requested PartialObjectMetadata, but the requested object is a list (*${typeName(definition)}List)`,
      );
  }
}

/** One event of a watch. Of a table only the first one says what its columns are. */
export function eventText(view: View, type: string, stored: KubeObject, isFirst: boolean): string {
  const { definition, form } = view;
  if (form.as?.kind !== 'Table') return `{"type":"${type}","object":${objectText(view, stored)}}`;
  const object = convert(stored, definition);
  const { resourceVersion } = object.metadata;
  const metadata = resourceVersion === undefined ? {} : { resourceVersion };
  const table = tableOf(definition, [object], metadata, tableOptions(view), isFirst);
  return `{"type":"${type}","object":${JSON.stringify(table)}}`;
}

/** As Go would call it. */
const typeName = ({ group, kind, custom }: ResourceDefinition): string =>
  custom ? 'unstructured.Unstructured' : `${group === '' ? 'core' : (group.split('.')[0] ?? '')}.${kind}`;
