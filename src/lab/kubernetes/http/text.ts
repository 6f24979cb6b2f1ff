import type { KubeObject } from '../../../wire/kubernetes/objects.ts';

/** What is behind kind and version, by object: what is stored does not change. */
const rests = new WeakMap<KubeObject, string>();

function restOf(object: KubeObject): string {
  let rest = rests.get(object);
  if (rest === undefined) {
    const { kind: _kind, apiVersion: _apiVersion, ...others } = object;
    rest = JSON.stringify(others).slice(1);
    rests.set(object, rest);
  }
  return rest;
}

/** A stored object as JSON; written once, however many ask for it. */
export function textOf(object: KubeObject, apiVersion: string): string {
  const rest = restOf(object);
  const head = `{"kind":${JSON.stringify(object.kind)},"apiVersion":${JSON.stringify(apiVersion)}`;
  return rest === '}' ? `${head}}` : `${head},${rest}`;
}

/** Without kind and version, as items of lists are that say both for all of them. */
export const bareTextOf = (object: KubeObject): string => `{${restOf(object)}`;
