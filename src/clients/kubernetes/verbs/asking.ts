import type { ObjectRef } from '../../kubernetes.ts';
import type { Caller } from '../call.ts';
import type { Discovery, Mapping } from '../discovery.ts';
import { KubernetesProblem, type Asked } from '../problems/problem.ts';

/** What every verb needs. */
export type Asking = {
  readonly caller: Caller;
  readonly discovery: Discovery;
  /** Of objects that do not say theirs. */
  readonly namespace: string;
};

/** Runs one verb. A path that the server does not know means that what it serves has changed. */
export async function withMapping<T>(
  { discovery }: Asking,
  { apiVersion, kind }: Pick<ObjectRef, 'apiVersion' | 'kind'>,
  signal: AbortSignal,
  work: (mapping: Mapping) => Promise<T>,
): Promise<T> {
  try {
    return await work(await discovery.mapping(apiVersion, kind, signal));
  } catch (error) {
    if (!isUnknownPath(error)) throw error;
    discovery.forget();
    return work(await discovery.mapping(apiVersion, kind, signal));
  }
}

/** An object that is not there is named in what the server says; a path that is not there is not. */
const isUnknownPath = (error: unknown): boolean =>
  error instanceof KubernetesProblem &&
  error.told.status === 404 &&
  (error.told.reason === undefined || error.told.details?.kind === undefined);

export const isNotFound = (error: unknown): boolean =>
  error instanceof KubernetesProblem && error.code === 'kubernetes-not-found' && !isUnknownPath(error);

/** Namespaced objects that do not say where are in the namespace of the context. */
export const namespaceOf = (mapping: Mapping, namespace: string | undefined, asking: Asking): string | undefined =>
  mapping.resource.namespaced ? (namespace ?? asking.namespace) : undefined;

export function askedFor(
  { caller }: Asking,
  mapping: Mapping,
  verb: string,
  {
    namespace,
    name,
    subresource,
  }: {
    readonly namespace?: string | undefined;
    readonly name?: string | undefined;
    readonly subresource?: string | undefined;
  },
  secrets: readonly string[] = [],
): Asked {
  const full =
    name === undefined ? (namespace === undefined ? '' : `in ${namespace}`) : [namespace ?? [], name].flat().join('/');
  const what = subresource === undefined ? mapping.kind : `${subresource} of ${mapping.kind}`;
  return {
    doing: `${verb} ${what}${full === '' ? '' : ` ${full}`}`,
    endpoint: caller.endpoint,
    verb,
    resource: mapping.qualified,
    namespace,
    name,
    secrets,
  };
}
