import type { Mutable } from '../api.ts';
import type { Strategy } from '../resource.ts';
import { cleanupFinalizer, specOf, statusOf } from './crd.ts';
import type { CrdSpec, CrdStatus } from './crd.ts';
import { validateCrd, validateCrdUpdate } from './validate.ts';

/** What is special about CustomResourceDefinitions themselves. */
export const crdStrategy: Strategy = {
  defaults: (crd) => {
    const spec = crd['spec'] as (Mutable & { names?: Mutable }) | undefined;
    if (spec === undefined) return;
    const names = (spec.names ??= {});
    const kind = typeof names['kind'] === 'string' ? names['kind'] : '';
    if ((names['singular'] ?? '') === '' && kind !== '') names['singular'] = kind.toLowerCase();
    if ((names['listKind'] ?? '') === '' && kind !== '') names['listKind'] = `${kind}List`;
    spec['conversion'] ??= { strategy: 'None' };
  },
  prepareCreate: (crd) => {
    crd['status'] = { ...emptyStatus, storedVersions: storedAfter(specOf(crd), {}) };
  },
  prepareUpdate: (next, old, { subresource }) => {
    if (subresource === 'status') return;
    const status = statusOf(old);
    next['status'] = { ...status, storedVersions: storedAfter(specOf(next), status) };
  },
  validate: validateCrd,
  validateUpdate: validateCrdUpdate,
  prepareDelete: (crd) => {
    const metadata = crd['metadata'] as { finalizers?: string[] };
    if (metadata.finalizers?.includes(cleanupFinalizer) !== true)
      metadata.finalizers = [...(metadata.finalizers ?? []), cleanupFinalizer];
  },
};

const emptyStatus: CrdStatus = { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions: null };

/** Every version that objects may still lie in. */
function storedAfter(spec: CrdSpec, status: CrdStatus): readonly string[] | null {
  const stored = status.storedVersions ?? [];
  const storage = spec.versions?.find((each) => each.storage)?.name;
  const all = storage === undefined || stored.includes(storage) ? stored : [...stored, storage];
  return all.length === 0 ? null : all;
}
