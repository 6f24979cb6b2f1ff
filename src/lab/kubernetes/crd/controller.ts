import { isDeepStrictEqual } from 'node:util';
import type { KubeObject } from '../../../wire/kubernetes/objects.ts';
import type { Api } from '../api.ts';
import type { ResourceDefinition } from '../resource.ts';
import { cleanupFinalizer, crdResource, hasCondition, specOf, statusOf } from './crd.ts';
import type { CrdCondition } from './crd.ts';
import { customDefinitions } from './definitions.ts';
import { namesAccepted, withConditions } from './names.ts';

const as = { manager: 'kube-apiserver' };

export type CrdControllerOptions = {
  readonly api: Api;
  /** Serves these, and no others besides what is built in. */
  readonly serve: (definitions: readonly ResourceDefinition[]) => void;
  readonly now: () => Date;
  readonly signal: AbortSignal;
};

/** Accepts the names of CustomResourceDefinitions, serves what they define, and ends objects whose definition goes. */
export function startCrdController({ api, serve, now, signal }: CrdControllerOptions): void {
  const moment = (): string => `${now().toISOString().slice(0, 19)}Z`;
  const made = new WeakMap<KubeObject, readonly ResourceDefinition[]>();
  let isDue = false;
  let isEnding = false;

  const definitionsOf = (crd: KubeObject): readonly ResourceDefinition[] => {
    let definitions = made.get(crd);
    if (definitions === undefined) made.set(crd, (definitions = customDefinitions(crd)));
    return definitions;
  };

  const settle = (): void => {
    isDue = false;
    if (signal.aborted) return;
    for (const { metadata } of api.list(crdResource)) acceptNames(metadata.name ?? '');
    const all = api.list(crdResource);
    serve(all.flatMap(definitionsOf));
    const ending = all.filter(({ metadata }) => metadata.deletionTimestamp !== undefined);
    isEnding = ending.length > 0;
    for (const crd of ending) end(crd);
  };

  const acceptNames = (name: string): void => {
    const all = api.list(crdResource);
    const crd = all.find((each) => each.metadata.name === name);
    if (crd === undefined || crd.metadata.deletionTimestamp !== undefined) return;
    const status = namesAccepted(crd, all, moment());
    if (!isDeepStrictEqual(status, statusOf(crd)))
      api.update(crdResource, undefined, name, (object) => void (object['status'] = status), {
        ...as,
        subresource: 'status',
      });
  };

  const end = (crd: KubeObject): void => {
    const { name = '', finalizers = [] } = crd.metadata;
    if (!finalizers.includes(cleanupFinalizer)) return;
    const resource = `${specOf(crd).group}/${statusOf(crd).acceptedNames?.plural}`;
    const mine = hasCondition(statusOf(crd), 'Established') ? api.list(resource) : [];
    if (mine.length > 0) tell(crd, inProgress);
    for (const { metadata } of mine)
      if (metadata.deletionTimestamp === undefined)
        api.delete(resource, metadata.namespace, metadata.name ?? '', {}, as);
    if (hasCondition(statusOf(crd), 'Established') && api.list(resource).length > 0) return;
    api.update(
      crdResource,
      undefined,
      name,
      (object) => removeFinalizer(object['metadata'] as { finalizers?: string[] }),
      as,
    );
  };

  const tell = (crd: KubeObject, condition: CrdCondition): void => {
    const conditions = withConditions(statusOf(crd).conditions ?? [], [condition], moment());
    if (isDeepStrictEqual(conditions, statusOf(crd).conditions)) return;
    const change = (object: { [field: string]: unknown }): void =>
      void (object['status'] = { ...statusOf(object), conditions });
    api.update(crdResource, undefined, crd.metadata.name ?? '', change, { ...as, subresource: 'status' });
  };

  const soon = (): void => {
    if (isDue) return;
    isDue = true;
    queueMicrotask(settle);
  };
  const stops = [
    api.onChange(crdResource, soon),
    api.onChange(undefined, ({ kind }) => {
      if (isEnding && kind !== 'ADDED') soon();
    }),
  ];
  signal.addEventListener('abort', () => stops.forEach((stop) => stop()), { once: true });
  if (api.list(crdResource).length > 0) soon();
}

const inProgress: CrdCondition = {
  type: 'Terminating',
  status: 'True',
  reason: 'InstanceDeletionInProgress',
  message: 'CustomResource deletion is in progress',
};

function removeFinalizer(metadata: { finalizers?: string[] }): void {
  const rest = (metadata.finalizers ?? []).filter((each) => each !== cleanupFinalizer);
  if (rest.length === 0) delete metadata.finalizers;
  else metadata.finalizers = rest;
}
