import type { KubeObject } from '../../../wire/kubernetes/objects.ts';
import { text, type Tree, tree } from '../kinds/tree.ts';
import type { Column } from '../resource.ts';
import { column, count, nameColumn, since, unknown, wide } from './cells.ts';

/** Both groups tell of the same events; the newer one calls things otherwise. */
const about = (event: KubeObject): Tree => tree(event['involvedObject'] ?? event['regarding']);
const first = (event: KubeObject): unknown =>
  event['firstTimestamp'] ?? event['deprecatedFirstTimestamp'] ?? event['eventTime'];

function lastSeen(event: KubeObject, now: Date): string {
  const { lastObservedTime } = tree(event['series']);
  const last = event['lastTimestamp'] ?? event['deprecatedLastTimestamp'];
  return since(lastObservedTime ?? last ?? first(event), now);
}

function source(event: KubeObject): string {
  const { component, host } = tree(event['source'] ?? event['deprecatedSource']);
  const [who, where] =
    text(component) === ''
      ? [text(event['reportingComponent'] ?? event['reportingController']), text(event['reportingInstance'])]
      : [text(component), text(host)];
  return where === '' ? who : `${who}, ${where}`;
}

export const eventColumns: readonly Column[] = [
  column('Last Seen', lastSeen),
  column('Type', (event) => text(event['type'])),
  column('Reason', (event) => text(event['reason'])),
  column('Object', (event) => {
    const { kind, name } = about(event);
    return text(name) === '' ? text(kind).toLowerCase() : `${text(kind).toLowerCase()}/${text(name)}`;
  }),
  wide('Subobject', (event) => text(about(event)['fieldPath'])),
  wide('Source', source),
  column('Message', (event) => text(event['message'] ?? event['note']).trim()),
  wide('First Seen', (event, now) => (first(event) === undefined ? unknown : since(first(event), now))),
  wide(
    'Count',
    (event) => count(tree(event['series'])['count']) || count(event['count'] ?? event['deprecatedCount']) || 1,
  ),
  { ...nameColumn, priority: 1 },
];
