import type { Manifest } from '../model/manifest.ts';
import { groupOf, keyOf, type Live } from './live.ts';
import { removalOrder } from './order.ts';

/** Says which set an object belongs to. */
export const setLabel = 'ichor.dev/set';

/** Keeps an object where it is when it leaves its set. */
export const keepAnnotation = 'ichor.dev/prune';

/** Something that left the set: taken away, or kept and why. */
export type Leaver = { readonly object: Live; readonly kept?: string };

/** With these, whatever people keep in them goes too. */
const holdsData: ReadonlySet<string> = new Set([
  'apiextensions.k8s.io/CustomResourceDefinition',
  '/Namespace',
  '/PersistentVolumeClaim',
  '/PersistentVolume',
]);

export type PruneOptions = {
  readonly set: string;
  readonly manager: string;
  /** Also what people keep data in. */
  readonly data: boolean;
};

/**
 * What left a set, in the order in which it may go. Only what carries the set's label and was applied by our manager is ours:
 * controllers copy labels, and so do people.
 */
export function leaversOf(
  found: readonly Live[],
  wanted: readonly (Live | Manifest)[],
  { set, manager, data }: PruneOptions,
): readonly Leaver[] {
  const staying = new Set(wanted.map(keyOf));
  const leaving = found.filter(
    (object) =>
      !staying.has(keyOf(object)) &&
      object.metadata.labels?.[setLabel] === set &&
      object.metadata.deletionTimestamp === undefined &&
      isAppliedBy(object, manager),
  );
  return removalOrder(leaving).map((object) => {
    if (object.metadata.annotations?.[keepAnnotation] === 'disabled')
      return { object, kept: `its annotation ${keepAnnotation} says so` };
    if (!data && holdsData.has(`${groupOf(object.apiVersion)}/${object.kind}`))
      return { object, kept: 'what is kept in it would be lost' };
    return { object };
  });
}

/** Whether the label itself is what our manager applied. */
const isAppliedBy = ({ metadata: { managedFields = [] } }: Live, manager: string): boolean =>
  managedFields.some(
    (entry) =>
      entry.manager === manager &&
      entry.operation === 'Apply' &&
      entry.subresource === undefined &&
      `f:${setLabel}` in labelsOf(entry.fieldsV1),
  );

const labelsOf = (fields: Readonly<Record<string, unknown>> | undefined): object => {
  const metadata = fields?.['f:metadata'] as Readonly<Record<string, object>> | undefined;
  return metadata?.['f:labels'] ?? {};
};

/** A manifest as a member of a set. */
export const memberOf = (manifest: Manifest, set: string): Manifest => ({
  ...manifest,
  metadata: { ...manifest.metadata, labels: { ...manifest.metadata.labels, [setLabel]: set } },
});
