import type { KubernetesClient, KubernetesTarget, ListQuery, ObjectRef, Patch } from '../src/clients/kubernetes.ts';
import { Problem } from '../src/model/problem.ts';
import type { ApiResource, KubeObject } from '../src/wire/kubernetes/objects.ts';

type Fields = Readonly<Record<string, unknown>>;

const kinds: readonly (readonly [apiVersion: string, kind: string, namespaced: boolean])[] = [
  ['v1', 'Namespace', false],
  ['v1', 'Node', false],
  ['v1', 'Pod', true],
  ['v1', 'Secret', true],
  ['v1', 'ConfigMap', true],
  ['v1', 'Service', true],
  ['v1', 'ServiceAccount', true],
  ['discovery.k8s.io/v1', 'EndpointSlice', true],
  ['apps/v1', 'Deployment', true],
  ['apps/v1', 'DaemonSet', true],
  ['batch/v1', 'Job', true],
  ['policy/v1', 'PodDisruptionBudget', true],
  ['rbac.authorization.k8s.io/v1', 'ClusterRoleBinding', false],
  ['apiextensions.k8s.io/v1', 'CustomResourceDefinition', false],
];

/**
 * A client whose cluster is a map: enough to see what is asked, in which order, and what is left in the end. What an API server
 * makes of it is for the twin and for the real one.
 */
export class FakeKubernetes implements KubernetesClient {
  readonly target = { server: 'https://fake', namespace: 'default' } as KubernetesTarget;
  readonly objects = new Map<string, KubeObject>();
  /** `apply Namespace a`. */
  readonly asked: string[] = [];
  readonly kinds = new Map(kinds.map((row) => [`${row[0]} ${row[1]}`, row]));
  /** Called before every request; may change the cluster, or throw. */
  before: (asked: string) => void = () => {};
  /** Group versions whose server is down. */
  out: readonly string[] = [];
  /** Lines of logs. */
  lines: readonly string[] = [];
  #version = 1;

  put(object: KubeObject): KubeObject {
    const { metadata } = object;
    const stored = {
      ...object,
      metadata: {
        uid: `uid-${this.#version}`,
        creationTimestamp: '2026-11-17T09:00:00Z',
        ...metadata,
        resourceVersion: String(this.#version++),
      },
    };
    this.objects.set(this.#key(stored), stored);
    return stored;
  }

  async silent(): Promise<readonly string[]> {
    return this.out;
  }

  async resources(): Promise<readonly ApiResource[]> {
    return [...this.kinds.values()].map(([apiVersion, kind, namespaced]) => {
      const [version = '', group = ''] = apiVersion.split('/').toReversed();
      const verbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'];
      return {
        name: `${kind.toLowerCase()}s`,
        singularName: kind.toLowerCase(),
        kind,
        group,
        version,
        namespaced,
        verbs,
      };
    });
  }

  async get(ref: ObjectRef): Promise<KubeObject | undefined> {
    this.#ask('get', ref);
    return this.objects.get(this.#key({ ...ref, metadata: ref }));
  }

  async list({ apiVersion, kind, namespace, labels, fields }: ListQuery) {
    this.#ask('list', { apiVersion, kind, name: labels ?? fields ?? '' });
    const wanted = (labels ?? '').split(',').filter((part) => part !== '');
    const node = /^spec\.nodeName=(.*)$/.exec(fields ?? '')?.[1];
    const items = [...this.objects.values()].filter(
      (object) =>
        object.apiVersion === apiVersion &&
        object.kind === kind &&
        (namespace === undefined || object.metadata.namespace === namespace) &&
        (node === undefined || (object['spec'] as Fields | undefined)?.['nodeName'] === node) &&
        wanted.every((part) => {
          const [key = '', value] = part.split('=');
          return object.metadata.labels?.[key] === value;
        }),
    );
    return { apiVersion, kind: `${kind}List`, metadata: { resourceVersion: String(this.#version) }, items };
  }

  async create(object: KubeObject): Promise<KubeObject> {
    this.#ask('create', { ...object, name: object.metadata.name ?? '' });
    return this.put(object);
  }

  /** Lays what is applied over what is there, and notes the manager of the labels. */
  async apply(manifest: KubeObject, { manager = 'ichor', dryRun = false }: { manager?: string; dryRun?: boolean }) {
    this.#ask(dryRun ? 'dry-run' : 'apply', { ...manifest, name: manifest.metadata.name ?? '' });
    const before = this.objects.get(this.#key(manifest));
    const labels = Object.fromEntries(Object.keys(manifest.metadata.labels ?? {}).map((key) => [`f:${key}`, {}]));
    const next: KubeObject = {
      ...before,
      ...manifest,
      metadata: {
        ...before?.metadata,
        ...manifest.metadata,
        managedFields: [{ manager, operation: 'Apply' as const, fieldsV1: { 'f:metadata': { 'f:labels': labels } } }],
      },
    };
    if (dryRun) return next;
    return before !== undefined && JSON.stringify(before) === JSON.stringify(next) ? before : this.put(next);
  }

  async patch(ref: ObjectRef, patch: Patch): Promise<KubeObject> {
    this.#ask('patch', ref);
    const before = this.objects.get(this.#key({ ...ref, metadata: ref }));
    if (before === undefined) throw new Problem('kubernetes-not-found', 'not found');
    return this.put({ ...before, ...(patch.kind === 'json' ? unasked() : patch.body) });
  }

  async delete(ref: ObjectRef, { dryRun = false }: { dryRun?: boolean } = {}): Promise<'gone'> {
    this.#ask(dryRun ? 'dry-run delete' : 'delete', ref);
    if (!dryRun) this.objects.delete(this.#key({ ...ref, metadata: ref }));
    return 'gone';
  }

  async evict(ref: ObjectRef): Promise<'evicted'> {
    this.#ask('evict', ref);
    this.objects.delete(this.#key({ ...ref, metadata: ref }));
    return 'evicted';
  }

  async *logs(): AsyncIterable<string> {
    yield* this.lines;
  }

  replace = (): never => unasked();
  watch = (): never => unasked();
  token = (): never => unasked();
  raw = (): never => unasked();
  version = (): never => unasked();
  async [Symbol.asyncDispose](): Promise<void> {}

  #ask(verb: string, { apiVersion, kind, name }: ObjectRef): void {
    const asked = `${verb} ${kind} ${name}`.trim();
    this.asked.push(asked);
    this.before(asked);
    if (!this.kinds.has(`${apiVersion} ${kind}`))
      throw new Problem('kubernetes-unknown-kind', `The server does not know ${kind}.`);
  }

  #key({ apiVersion, kind, metadata }: KubeObject): string {
    return [apiVersion, kind, metadata.namespace ?? '', metadata.name].join(' ');
  }
}

function unasked(): never {
  throw new Error('Nobody asks for this.');
}
