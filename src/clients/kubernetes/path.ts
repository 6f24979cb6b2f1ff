import type { Mapping } from './discovery.ts';

type Value = string | number | boolean | undefined;

/** Where an object is, or all of its kind. */
export function pathOf(
  { root, resource }: Mapping,
  {
    namespace,
    name,
    subresource,
  }: {
    readonly namespace?: string | undefined;
    readonly name?: string | undefined;
    readonly subresource?: string | undefined;
  },
  query: Readonly<Record<string, Value>> = {},
): string {
  let path = root;
  if (resource.namespaced && namespace !== undefined) path += `/namespaces/${encodeURIComponent(namespace)}`;
  path += `/${resource.name}`;
  if (name !== undefined) path += `/${encodeURIComponent(name)}`;
  if (subresource !== undefined) path += `/${subresource}`;
  return path + queryOf(query);
}

function queryOf(query: Readonly<Record<string, Value>>): string {
  let text = '';
  for (const key of Object.keys(query)) {
    const value = query[key];
    if (value !== undefined) text += `${text === '' ? '?' : '&'}${key}=${encodeURIComponent(value)}`;
  }
  return text;
}
