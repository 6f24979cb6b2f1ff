import type { Manifest } from '../../../model/manifest.ts';
import type { KubeObject } from '../../../wire/kubernetes/objects.ts';
import type { ObjectRef, Patch, WriteOptions } from '../../kubernetes.ts';
import type { Mapping } from '../discovery.ts';
import { readJson } from '../json.ts';
import { pathOf } from '../path.ts';
import { KubernetesProblem } from '../problems/problem.ts';
import { secretsIn } from '../problems/redact.ts';
import { askedFor, namespaceOf, withMapping, type Asking } from './asking.ts';
import { get } from './read.ts';
import { holds } from './recognise.ts';

const usualManager = 'ichor';

type At = {
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly subresource: string | undefined;
};
type Sent = {
  readonly verb: string;
  readonly method: 'POST' | 'PUT' | 'PATCH';
  readonly type: string;
  readonly body: object;
  readonly repeatable: boolean;
  readonly query?: Readonly<Record<string, boolean>>;
};

async function send(
  asking: Asking,
  mapping: Mapping,
  at: At,
  { verb, method, type, body, repeatable, query = {} }: Sent,
  options: WriteOptions,
  signal: AbortSignal,
): Promise<KubeObject> {
  const path = pathOf(mapping, method === 'POST' && at.subresource === undefined ? { ...at, name: undefined } : at, {
    fieldManager: options.manager ?? usualManager,
    fieldValidation: options.fieldValidation ?? 'Strict',
    dryRun: options.dryRun === true ? 'All' : undefined,
    ...query,
  });
  const asked = askedFor(asking, mapping, verb, at, secretsIn(mapping.kind, body));
  const { text } = await asking.caller.call(
    {
      asked,
      outgoing: { method, path, body: JSON.stringify(body), headers: { 'content-type': type } },
      repeatable: repeatable || options.dryRun === true,
    },
    signal,
  );
  return readJson(text, asked) as KubeObject;
}

const placeOf = (
  asking: Asking,
  mapping: Mapping,
  metadata: { readonly name?: string; readonly namespace?: string },
  options: WriteOptions,
): At => ({
  namespace: namespaceOf(mapping, metadata.namespace, asking),
  name: metadata.name,
  subresource: options.subresource,
});

/**
 * A name can be given once: sent a second time it is refused when the first was done, and then what is there is looked at.
 * With a name that the server makes up nothing could be recognised, and it is not repeated.
 */
export const create = (
  asking: Asking,
  object: KubeObject | Manifest,
  options: WriteOptions,
  signal: AbortSignal,
): Promise<KubeObject> =>
  withMapping(asking, object, signal, async (mapping) => {
    const at = placeOf(asking, mapping, object.metadata, options);
    const sent = { verb: 'create', method: 'POST', type: 'application/json', body: object, repeatable: false } as const;
    const attempt = (): Promise<KubeObject> => send(asking, mapping, at, sent, options, signal);
    const { name } = object.metadata;
    if (name === undefined || options.subresource !== undefined) return attempt();
    return afterLoss(attempt, 'kubernetes-already-exists', async () => {
      const live = await get(asking, { ...refOf(object), name, ...namespaceIn(at) }, signal);
      return live !== undefined && holds(live, object, options.manager ?? usualManager) ? live : undefined;
    });
  });

/** With a resourceVersion it happens at most once; without one, twice is the same as once. */
export const replace = (
  asking: Asking,
  object: KubeObject,
  options: WriteOptions,
  signal: AbortSignal,
): Promise<KubeObject> =>
  withMapping(asking, object, signal, async (mapping) => {
    const at = placeOf(asking, mapping, object.metadata, options);
    const sent = { verb: 'update', method: 'PUT', type: 'application/json', body: object, repeatable: false } as const;
    const attempt = (): Promise<KubeObject> => send(asking, mapping, at, sent, options, signal);
    const { name } = object.metadata;
    return afterLoss(attempt, 'kubernetes-conflict', async () => {
      if (name === undefined || options.subresource !== undefined) return undefined;
      const live = await get(asking, { ...refOf(object), name, ...namespaceIn(at) }, signal);
      return live !== undefined && holds(live, object, options.manager ?? usualManager) ? live : undefined;
    });
  });

/** Once more after a lost answer. A refusal that the first one may have caused is looked into. */
async function afterLoss(
  attempt: () => Promise<KubeObject>,
  caused: string,
  look: () => Promise<KubeObject | undefined>,
): Promise<KubeObject> {
  try {
    return await attempt();
  } catch (lost) {
    if (!isLost(lost)) throw lost;
    try {
      return await attempt();
    } catch (refusal) {
      const ours = refusal instanceof KubernetesProblem && refusal.code === caused ? await look() : undefined;
      if (ours !== undefined) return ours;
      throw refusal;
    }
  }
}

/** No answer came, or one that says that nobody knows. */
export const isLost = (error: unknown): boolean =>
  error instanceof KubernetesProblem &&
  (error.code === 'kubernetes-lost-answer' || (error.code === 'kubernetes-timeout' && error.told.status !== undefined));

const refOf = ({ apiVersion, kind }: { readonly apiVersion: string; readonly kind: string }) => ({ apiVersion, kind });
const namespaceIn = ({ namespace }: At) => (namespace === undefined ? {} : { namespace });

const patchTypes = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
} as const;

/** Operations of a JSON patch may do something else the second time; merging the same twice does not. */
export const patch = (
  asking: Asking,
  ref: ObjectRef,
  change: Patch,
  options: WriteOptions,
  signal: AbortSignal,
): Promise<KubeObject> =>
  withMapping(asking, ref, signal, (mapping) =>
    send(
      asking,
      mapping,
      placeOf(asking, mapping, ref, options),
      {
        verb: 'patch',
        method: 'PATCH',
        type: patchTypes[change.kind],
        body: change.kind === 'json' ? change.operations : change.body,
        repeatable: change.kind !== 'json',
      },
      options,
      signal,
    ),
  );

export const apply = (
  asking: Asking,
  object: Manifest,
  options: WriteOptions & { readonly force?: boolean },
  signal: AbortSignal,
): Promise<KubeObject> =>
  withMapping(asking, object, signal, (mapping) =>
    send(
      asking,
      mapping,
      placeOf(asking, mapping, object.metadata, options),
      {
        verb: 'patch',
        method: 'PATCH',
        type: 'application/apply-patch+yaml',
        body: object,
        repeatable: true,
        query: { force: options.force === true },
      },
      options,
      signal,
    ),
  );
