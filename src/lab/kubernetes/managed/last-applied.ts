import type { KubeObject } from '../../../wire/kubernetes/objects.ts';
import type { Mutable } from '../api.ts';
import type { Schema } from '../schema/schema.ts';
import { wrongWith } from './check.ts';
import { compareTyped } from './comparison.ts';
import type { FieldSet } from './field-set.ts';
import { fieldsOf } from './fields-of.ts';

/** Where `kubectl apply` without `--server-side` keeps what it applied. */
export const lastAppliedKey = 'kubectl.kubernetes.io/last-applied-configuration';

/** Fields that still are as kubectl applied them from the client’s side. */
export function allowedByLastApplied(schema: Schema, live: KubeObject, apiVersion: string): FieldSet | undefined {
  const applied = parsed(live.metadata.annotations?.[lastAppliedKey]);
  if (applied?.['apiVersion'] !== apiVersion || wrongWith(schema, applied).length > 0) return undefined;
  const { modified, added, removed } = compareTyped(schema, applied, live);
  return fieldsOf(schema, applied).difference(modified).difference(added).difference(removed);
}

function parsed(text: string | undefined): Mutable | undefined {
  try {
    return JSON.parse(text ?? '') as Mutable;
  } catch {
    return undefined;
  }
}

/** The annotation follows what kubectl applies from the server’s side. */
export function withLastApplied(object: Mutable, applied: Mutable): Mutable {
  const metadata = object['metadata'] as KubeObject['metadata'];
  const { annotations = {}, ...rest } = (applied['metadata'] ?? {}) as KubeObject['metadata'];
  const { [lastAppliedKey]: _, ...others } = annotations;
  const said = {
    ...applied,
    metadata: { ...rest, ...(Object.keys(others).length === 0 ? {} : { annotations: others }) },
  };
  return {
    ...object,
    metadata: { ...metadata, annotations: { ...metadata.annotations, [lastAppliedKey]: `${sortedJson(said)}\n` } },
  };
}

const sortedJson = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
