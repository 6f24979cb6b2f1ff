import type { KubeList, KubeObject } from '../../../wire/kubernetes/objects.ts';
import type { ListOptions, ListQuery, ObjectRef, ServerVersion } from '../../kubernetes.ts';
import type { Mapping } from '../discovery.ts';
import { pathOf } from '../path.ts';
import { KubernetesProblem } from '../problems/problem.ts';
import { askedFor, isNotFound, namespaceOf, readJson, withMapping, type Asking } from './asking.ts';

const usualPage = 500;
const mostRestarts = 3;

export async function version(asking: Asking, signal: AbortSignal): Promise<ServerVersion> {
  const { text } = await ask(asking, '/version', 'tell its version', signal);
  return readJson(text);
}

export async function raw(
  asking: Asking,
  path: string,
  signal: AbortSignal,
): Promise<{ readonly status: number; readonly text: string }> {
  const { status, text } = await ask(asking, path, `answer ${path.replace(/\?.*$/, '')}`, signal, true);
  return { status, text };
}

const ask = (asking: Asking, path: string, doing: string, signal: AbortSignal, raw = false) =>
  asking.caller.call(
    {
      asked: {
        doing,
        endpoint: asking.caller.endpoint,
        verb: 'get',
        resource: undefined,
        namespace: undefined,
        name: undefined,
        secrets: [],
      },
      outgoing: { method: 'GET', path, body: undefined, headers: raw ? { accept: '*/*' } : {} },
      repeatable: true,
      ...(raw ? { anyStatus: true } : {}),
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
    try {
      const { text } = await asking.caller.call(
        {
          asked: askedFor(asking, mapping, 'get', at),
          outgoing: { method: 'GET', path: pathOf(mapping, at), body: undefined },
          repeatable: true,
        },
        signal,
      );
      return readJson<KubeObject>(text);
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
    const page = readJson<KubeList>(text);
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
