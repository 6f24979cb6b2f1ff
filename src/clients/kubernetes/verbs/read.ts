import type { KubeList, KubeObject } from '../../../wire/kubernetes/objects.ts';
import type { ListOptions, ListQuery, ObjectRef, ServerVersion } from '../../kubernetes.ts';
import type { Mapping } from '../discovery.ts';
import { readJson } from '../json.ts';
import { pathOf } from '../path.ts';
import { KubernetesProblem, type Asked } from '../problems/problem.ts';
import { askedFor, isNotFound, namespaceOf, withMapping, type Asking } from './asking.ts';

const usualPage = 500;
const mostRestarts = 3;

export async function version(asking: Asking, signal: AbortSignal): Promise<ServerVersion> {
  const doing = 'tell its version';
  const { text } = await ask(asking, '/version', doing, {}, signal);
  return readJson(text, askedBy(asking, doing)) as ServerVersion;
}

export async function raw(
  asking: Asking,
  path: string,
  signal: AbortSignal,
): Promise<{ readonly status: number; readonly text: string }> {
  const doing = `answer ${path.replace(/\?.*$/, '')}`;
  const { status, text } = await ask(asking, path, doing, { anyStatus: true }, signal);
  return { status, text };
}

const askedBy = (asking: Asking, doing: string): Asked => ({
  doing,
  endpoint: asking.caller.endpoint,
  verb: 'get',
  resource: undefined,
  namespace: undefined,
  name: undefined,
  secrets: [],
});

const ask = (asking: Asking, path: string, doing: string, how: { readonly anyStatus?: true }, signal: AbortSignal) =>
  asking.caller.call(
    {
      asked: askedBy(asking, doing),
      outgoing: { method: 'GET', path, body: undefined, headers: how.anyStatus === true ? { accept: '*/*' } : {} },
      repeatable: true,
      ...how,
    },
    signal,
  );

export const get = (
  asking: Asking,
  ref: ObjectRef & { readonly subresource?: string },
  signal: AbortSignal,
): Promise<KubeObject | undefined> =>
  withMapping(asking, ref, signal, async (mapping) => {
    const at = { ...ref, namespace: namespaceOf(mapping, ref.namespace, asking) };
    const asked = askedFor(asking, mapping, 'get', at);
    try {
      const { text } = await asking.caller.call(
        {
          asked,
          outgoing: { method: 'GET', path: pathOf(mapping, at), body: undefined },
          repeatable: true,
        },
        signal,
      );
      return readJson(text, asked) as KubeObject;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  });

/** Pages of one moment. When the server has forgotten that moment, it begins again, at last without pages. */
export const list = (asking: Asking, query: ListQuery, options: ListOptions, signal: AbortSignal): Promise<KubeList> =>
  withMapping(asking, query, signal, async (mapping) => {
    for (let restarts = 0; ; restarts++) {
      const pageSize = restarts < mostRestarts ? (options.pageSize ?? usualPage) : undefined;
      try {
        return await wholeList(asking, mapping, query, { ...options, pageSize }, signal);
      } catch (error) {
        if (!isExpired(error) || restarts >= mostRestarts) throw error;
      }
    }
  });

export const isExpired = (error: unknown): boolean =>
  error instanceof KubernetesProblem && error.code === 'kubernetes-expired';

async function wholeList(
  asking: Asking,
  mapping: Mapping,
  query: ListQuery,
  { pageSize, resourceVersion }: { readonly pageSize: number | undefined; readonly resourceVersion?: string },
  signal: AbortSignal,
): Promise<KubeList> {
  const asked = askedFor(asking, mapping, 'list', { namespace: query.namespace });
  const items: KubeObject[] = [];
  let token: string | undefined;
  for (;;) {
    const path = pathOf(
      mapping,
      { namespace: query.namespace },
      {
        labelSelector: query.labels,
        fieldSelector: query.fields,
        limit: pageSize,
        // A token knows its version, and the server wants no other beside it.
        resourceVersion: token === undefined ? resourceVersion : undefined,
        continue: token,
      },
    );
    const { text } = await asking.caller.call(
      { asked, outgoing: { method: 'GET', path, body: undefined }, repeatable: true },
      signal,
    );
    const page = readJson(text, asked) as KubeList;
    for (const item of page.items ?? []) items.push(withKind(item, mapping));
    token = page.metadata.continue || undefined;
    if (token === undefined) {
      const { continue: _, remainingItemCount: __, ...metadata } = page.metadata;
      return { apiVersion: page.apiVersion, kind: page.kind, metadata, items };
    }
  }
}

/** Items of a list do not say what they are. */
const withKind = (item: KubeObject, { apiVersion, kind }: Mapping): KubeObject =>
  item.kind === undefined ? { ...item, apiVersion, kind } : item;
