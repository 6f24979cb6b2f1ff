import type { KubeObject } from '../../../wire/kubernetes/objects.ts';
import { isRecord, type Fields } from '../record.ts';

/** Whether what is there holds all that was sent: then it is what we wrote, or cannot be told from it. */
export function holds(live: KubeObject, sent: Fields, manager: string): boolean {
  const ours = live.metadata.managedFields?.some((entry) => entry.manager === manager) ?? true;
  return ours && within(comparable(sent), live);
}

/** Without what the server decides, and with the data of a Secret as it is kept. */
function comparable(sent: Fields): Fields {
  const { status: _, stringData, metadata, ...rest } = sent;
  const {
    resourceVersion: __,
    managedFields: ___,
    creationTimestamp: ____,
    generation: _____,
    ...own
  } = isRecord(metadata) ? metadata : {};
  if (sent['kind'] !== 'Secret' || !isRecord(stringData)) return { ...rest, metadata: own };
  const encoded = Object.entries(stringData).map(([key, value]): [string, string] => [
    key,
    Buffer.from(String(value)).toString('base64'),
  ]);
  const data: Fields = { ...(isRecord(rest['data']) ? rest['data'] : {}), ...Object.fromEntries(encoded) };
  return { ...rest, metadata: own, data };
}

function within(sent: unknown, live: unknown): boolean {
  if (isRecord(sent)) {
    return Object.entries(sent).every(([key, value]) =>
      isEmpty(value) ? true : isRecord(live) && within(value, live[key]),
    );
  }
  if (Array.isArray(sent)) {
    return Array.isArray(live) && live.length >= sent.length && sent.every((item, index) => within(item, live[index]));
  }
  return sent === live;
}

/** What says nothing is often not kept. */
const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === 'object' && Object.keys(value).length === 0);
