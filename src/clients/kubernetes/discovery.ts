import { nearest } from '../../model/nearest.ts';
import type { ApiResource } from '../../wire/kubernetes/objects.ts';
import type { Caller } from './call.ts';
import { groupVersionsIn, readAggregated, readLegacy, type Known } from './discovery-answer.ts';
import { readJson } from './json.ts';
import { KubernetesProblem, type Asked } from './problems/problem.ts';

const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json';

/** A resource of one kind: where its objects are. */
export type Mapping = {
  readonly resource: ApiResource;
  readonly apiVersion: string;
  readonly kind: string;
  /** `/apis/apps/v1` */
  readonly root: string;
  /** `deployments.apps`, as kubectl takes it. */
  readonly qualified: string;
};

type Table = Known & { readonly byKind: ReadonlyMap<string, Mapping> };

/** What the server knows; kept until somebody asks for a kind that is not in it. */
export class Discovery {
  readonly #caller: Caller;
  #known: Promise<Table> | undefined;
  #asking: Promise<Table> | undefined;
  /** What was told last, by path, for the server to say that it is still so. */
  readonly #told = new Map<string, { readonly etag: string; readonly known: Known }>();

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  async resources(signal: AbortSignal): Promise<readonly ApiResource[]> {
    return (await this.#table(signal)).resources;
  }

  async silent(signal: AbortSignal): Promise<readonly string[]> {
    return (await this.#table(signal)).silent;
  }

  /** A kind that is not known is asked for anew: it may have come meanwhile. */
  async mapping(apiVersion: string, kind: string, signal: AbortSignal): Promise<Mapping> {
    const key = `${apiVersion} ${kind}`;
    const before = this.#known;
    const found = (await this.#table(signal)).byKind.get(key);
    if (found !== undefined) return found;
    // Asked only now anyway: once more would tell the same.
    if (before !== undefined) this.forget();
    const table = await this.#table(signal);
    return table.byKind.get(key) ?? raise(unknownKind(apiVersion, kind, table, this.#caller.endpoint));
  }

  /** The next who asks is told anew. */
  forget(): void {
    this.#known = undefined;
  }

  #table(signal: AbortSignal): Promise<Table> {
    if (this.#known !== undefined) return this.#known;
    // Whoever comes while it is asked shares the answer; should the one who asked leave, the next asks again.
    if (this.#asking === undefined) {
      const asking = this.#ask(signal).finally(() => (this.#asking = undefined));
      this.#asking = asking;
      asking.then(
        () => (this.#known = asking),
        () => undefined,
      );
      return asking;
    }
    return this.#asking.catch(() => {
      signal.throwIfAborted();
      return this.#table(signal);
    });
  }

  async #ask(signal: AbortSignal): Promise<Table> {
    const [core, groups] = await Promise.all([this.#root('/api', signal), this.#root('/apis', signal)]);
    if ('resources' in core && 'resources' in groups) return tableOf([core, groups]);
    const versions = groupVersionsIn(core, groups);
    return tableOf(await Promise.all(versions.map((version) => this.#version(version, signal))));
  }

  async #root(path: string, signal: AbortSignal): Promise<Known | object> {
    const told = this.#told.get(path);
    const { status, headers, text } = await this.#caller.call(
      {
        asked: this.#asked(path),
        outgoing: {
          method: 'GET',
          path,
          body: undefined,
          headers: { accept: aggregated, ...(told === undefined ? {} : { 'if-none-match': told.etag }) },
        },
        repeatable: true,
      },
      signal,
    );
    if (status === 304 && told !== undefined) return told.known;
    const answer = readJson(text, this.#asked(path)) as object;
    const known = readAggregated(answer);
    const { etag } = headers;
    if (known !== undefined && typeof etag === 'string') this.#told.set(path, { etag, known });
    return known ?? answer;
  }

  async #version(groupVersion: string, signal: AbortSignal): Promise<Known> {
    const path = rootOf(groupVersion);
    try {
      const { text } = await this.#caller.call(
        {
          asked: this.#asked(path),
          outgoing: { method: 'GET', path, body: undefined },
          repeatable: true,
        },
        signal,
      );
      return { resources: readLegacy(readJson(text, this.#asked(path))), silent: [] };
    } catch (error) {
      // One extension that is down does not take the others with it.
      const passing =
        error instanceof KubernetesProblem && (error.told.status === 404 || (error.told.status ?? 0) >= 500);
      if (!passing) throw error;
      return { resources: [], silent: [groupVersion] };
    }
  }

  #asked = (path: string): Asked => ({
    doing: `tell what it serves (${path})`,
    endpoint: this.#caller.endpoint,
    verb: 'get',
    resource: undefined,
    namespace: undefined,
    name: undefined,
    secrets: [],
  });
}

const rootOf = (groupVersion: string): string =>
  groupVersion.includes('/') ? `/apis/${groupVersion}` : `/api/${groupVersion}`;

function tableOf(parts: readonly Known[]): Table {
  const resources = parts.flatMap((part) => part.resources);
  const byKind = new Map<string, Mapping>();
  for (const resource of resources) {
    if (resource.name.includes('/')) continue;
    const apiVersion = resource.servedBy ?? '';
    const key = `${apiVersion} ${resource.kind}`;
    if (byKind.has(key)) continue;
    const group = apiVersion.includes('/') ? `.${apiVersion.slice(0, apiVersion.indexOf('/'))}` : '';
    byKind.set(key, {
      resource,
      apiVersion,
      kind: resource.kind,
      root: rootOf(apiVersion),
      qualified: resource.name + group,
    });
  }
  return { resources, silent: parts.flatMap((part) => part.silent), byKind };
}

function raise(error: Error): never {
  throw error;
}

function unknownKind(apiVersion: string, kind: string, { silent, byKind }: Table, endpoint: string): Error {
  if (silent.includes(apiVersion)) {
    return new KubernetesProblem(
      'kubernetes-unavailable',
      `${endpoint} does not say whether it has ${kind} in ${apiVersion}: whoever serves that does not answer.`,
      {},
      {
        recovery: 'retry',
        remedy: `See why it is not available:\n    kubectl get apiservices`,
      },
    );
  }
  const elsewhere = [...byKind.values()]
    .filter((mapping) => mapping.kind === kind)
    .map((mapping) => mapping.apiVersion);
  const meant = nearest(
    kind,
    [...byKind.values()].filter((mapping) => mapping.apiVersion === apiVersion).map((mapping) => mapping.kind),
  );
  const hint =
    elsewhere.length > 0
      ? ` It has it in ${elsewhere.join(', ')}.`
      : meant === undefined
        ? ''
        : ` Did you mean ${meant}?`;
  return new KubernetesProblem(
    'kubernetes-unknown-kind',
    `${endpoint} has no ${kind} in ${apiVersion}.${hint}`,
    {},
    {
      recovery: 'ask',
      remedy: 'Install what defines it, or see what there is:\n    kubectl api-resources',
    },
  );
}
