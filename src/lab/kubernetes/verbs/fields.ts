import type { KubeObject, ManagedFields } from '../../../wire/kubernetes/objects.ts';
import type { Mutable } from '../api.ts';
import type { Schema } from '../schema/schema.ts';

/** Until managed fields are there. */
export function afterUpdate(request: {
  readonly schema: Schema;
  readonly live: KubeObject | undefined;
  readonly next: Mutable;
  readonly manager: string;
  readonly apiVersion: string;
  readonly now: Date;
  readonly subresource?: string;
}): ManagedFields[] {
  return [...(request.live?.metadata.managedFields ?? [])];
}
