import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { KubeObject, ManagedFields } from '../../../wire/kubernetes/objects.ts';
import type { Mutable } from '../api.ts';
import { Refusal } from '../refusal.ts';
import type { Schema } from '../schema/schema.ts';
import { applyConfiguration, type Applied } from './apply.ts';
import { decodeFields, encodeFields } from './field-set.ts';
import { fieldsOf } from './fields-of.ts';
import { afterUpdate } from './update.ts';

const text: Schema = { type: 'string' };
const whole: Schema = { type: 'integer' };
const struct = (properties: Readonly<Record<string, Schema>>, extra: Partial<Schema> = {}): Schema => ({
  type: 'object',
  property: (name) => properties[name],
  properties: () => Object.keys(properties),
  ...extra,
});
const mapOf = (values: Schema): Schema => ({ type: 'map', values: () => values });
const port = struct({ containerPort: whole, protocol: { type: 'string', default: 'TCP' } });
const container = struct({
  name: text,
  image: text,
  args: { type: 'array', items: () => text },
  ports: { type: 'array', items: () => port, listType: 'map', listMapKeys: ['containerPort', 'protocol'] },
  resources: struct({ limits: mapOf({ type: 'string', format: 'quantity' }) }),
});
const schema = struct({
  apiVersion: text,
  kind: text,
  metadata: struct({
    name: text,
    namespace: text,
    labels: mapOf(text),
    annotations: mapOf(text),
    finalizers: { type: 'array', items: () => text, listType: 'set' },
    managedFields: { type: 'array', items: () => ({ type: 'any' }) },
  }),
  spec: struct({
    replicas: whole,
    selector: struct({ matchLabels: mapOf(text) }, { atomic: true, pointer: true }),
    template: struct({
      metadata: struct({ labels: mapOf(text) }),
      spec: struct({
        containers: {
          type: 'array',
          items: () => container,
          listType: 'map',
          listMapKeys: ['name'],
          written: 'always',
        },
      }),
    }),
  }),
  status: struct({ replicas: whole }),
});

const now = new Date('2026-01-02T03:04:05.678Z');
const time = '2026-01-02T03:04:05Z';
const later = new Date('2026-01-02T04:00:00Z');
const apiVersion = 'apps/v1';

const deployment = (spec: object, metadata: object = {}): Mutable => ({
  apiVersion,
  kind: 'Deployment',
  metadata: { name: 'd', ...metadata },
  spec,
});

const created = (next: Mutable, manager = 'maker'): KubeObject =>
  stored(next, afterUpdate({ schema, live: undefined, next, manager, apiVersion, now }));

const stored = (of: Mutable, managedFields: readonly ManagedFields[]): KubeObject =>
  ({ ...of, metadata: { ...(of['metadata'] as object), managedFields } }) as unknown as KubeObject;

const updated = (live: KubeObject, next: Mutable, manager: string, subresource?: string): KubeObject =>
  stored(
    next,
    afterUpdate({
      schema,
      live,
      next,
      manager,
      apiVersion,
      now: later,
      ...(subresource === undefined ? {} : { subresource }),
    }),
  );

const apply = (live: KubeObject | undefined, config: Mutable, manager: string, force = false): Applied =>
  applyConfiguration({ schema, live, applied: config, manager, force, apiVersion, now });

function applied(live: KubeObject | undefined, config: Mutable, manager: string, force = false): KubeObject {
  const { object, managedFields } = apply(live, config, manager, force);
  return stored(object, managedFields);
}

const owners = (of: KubeObject): unknown =>
  Object.fromEntries((of.metadata.managedFields ?? []).map(({ manager, fieldsV1 }) => [manager, fieldsV1]));

function refused(attempt: () => unknown): unknown {
  try {
    attempt();
  } catch (error) {
    if (error instanceof Refusal) return error.status;
    throw error;
  }
  return undefined;
}

const web = { name: 'web', image: 'nginx', ports: [{ containerPort: 80, protocol: 'TCP' }] };
const full = deployment({
  replicas: 2,
  selector: { matchLabels: { app: 'd' } },
  template: { metadata: { labels: { app: 'd' } }, spec: { containers: [web] } },
});

describe('updates', () => {
  test('whoever creates owns what it says; what is always there has no owner', () => {
    expect(created(full).metadata.managedFields).toEqual([
      {
        manager: 'maker',
        operation: 'Update',
        apiVersion,
        time,
        fieldsType: 'FieldsV1',
        fieldsV1: {
          'f:spec': {
            'f:replicas': {},
            'f:selector': {},
            'f:template': {
              'f:metadata': { 'f:labels': { '.': {}, 'f:app': {} } },
              'f:spec': {
                'f:containers': {
                  'k:{"name":"web"}': {
                    '.': {},
                    'f:image': {},
                    'f:name': {},
                    'f:ports': {
                      '.': {},
                      'k:{"containerPort":80,"protocol":"TCP"}': { '.': {}, 'f:containerPort': {}, 'f:protocol': {} },
                    },
                  },
                },
              },
            },
          },
        },
      },
    ]);
  });

  test('a change takes what it changes', () => {
    const next = updated(created(deployment({ replicas: 2 })), deployment({ replicas: 3 }), 'scaler');
    expect(owners(next)).toEqual({ scaler: { 'f:spec': { 'f:replicas': {} } } });
  });

  test('the status belongs to whoever writes the subresource', () => {
    const live = created({ ...deployment({ replicas: 2 }), status: {} });
    const next = { ...deployment({ replicas: 2 }), status: { replicas: 1 } };
    expect(owners(updated(live, next, 'someone'))).toEqual(owners(live));
    expect(updated(live, next, 'controller', 'status').metadata.managedFields?.[1]).toEqual({
      manager: 'controller',
      operation: 'Update',
      apiVersion,
      time: '2026-01-02T04:00:00Z',
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:status': { 'f:replicas': {} } },
      subresource: 'status',
    });
  });

  test('nothing changed, nothing owned', () => {
    const live = created(full);
    expect(updated(live, full, 'other').metadata.managedFields).toEqual(live.metadata.managedFields);
  });

  test.each([[[]], [[{}]]])('%j says that nobody owns anything', (managedFields) => {
    const live = created(full);
    const next = deployment({ replicas: 9 }, { managedFields });
    expect(afterUpdate({ schema, live, next, manager: 'm', apiVersion, now })).toEqual([]);
  });

  test('the oldest of more than ten updates are ancient', () => {
    let live = created(deployment({ replicas: 0 }, { labels: {} }), 'm00');
    for (let at = 1; at <= 11; at++) {
      const labels = Object.fromEntries(Array.from({ length: at }, (_, n) => [`l${n}`, 'x']));
      const manager = `m${String(at).padStart(2, '0')}`;
      const next = deployment({ replicas: 0 }, { labels, managedFields: live.metadata.managedFields });
      const when = new Date(now.getTime() + at * 1000);
      live = stored(next, afterUpdate({ schema, live, next, manager, apiVersion, now: when }));
    }
    expect(live.metadata.managedFields?.map(({ manager, time: at }) => `${manager} ${at}`)).toEqual([
      'ancient-changes 2026-01-02T03:04:07Z',
      ...Array.from(
        { length: 9 },
        (_, n) => `m${String(n + 3).padStart(2, '0')} 2026-01-02T03:04:${String(n + 8).padStart(2, '0')}Z`,
      ),
    ]);
  });
});

describe('apply', () => {
  test('makes what is not there', () => {
    const made = apply(undefined, full, 'one');
    expect(made.object).toEqual(full);
    expect(made.managedFields.map(({ manager, operation, time: at }) => ({ manager, operation, at }))).toEqual([
      { manager: 'one', operation: 'Apply', at: time },
    ]);
  });

  test('is refused where somebody else says otherwise', () => {
    const live = created(full, 'kubectl-create');
    expect(refused(() => apply(live, deployment({ replicas: 5 }), 'one'))).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'Apply failed with 1 conflict: conflict with "kubectl-create" using apps/v1: .spec.replicas',
      reason: 'Conflict',
      details: {
        causes: [
          {
            reason: 'FieldManagerConflict',
            message: 'conflict with "kubectl-create" using apps/v1',
            field: '.spec.replicas',
          },
        ],
      },
      code: 409,
    });
  });

  test('names every conflict', () => {
    const other = deployment({ replicas: 5, template: { spec: { containers: [{ ...web, image: 'b' }] } } });
    expect(refused(() => apply(applied(undefined, full, 'first'), other, 'one'))).toMatchObject({
      message:
        'Apply failed with 2 conflicts: conflicts with "first":\n- .spec.replicas\n- .spec.template.spec.containers[name="web"].image',
    });
  });

  test('takes by force', () => {
    const taken = applied(created(deployment({ replicas: 2 }), 'a'), deployment({ replicas: 5 }), 'b', true);
    expect(taken['spec']).toEqual({ replicas: 5 });
    expect(owners(taken)).toEqual({ b: { 'f:spec': { 'f:replicas': {} } } });
  });

  test('what an applier does not say any more goes, unless somebody else owns it too', () => {
    const both = { labels: { mine: '1', ours: '1' } };
    const first = applied(undefined, deployment({ replicas: 1 }, both), 'one');
    const second = applied(first, deployment({}, { labels: { ours: '1' } }), 'two');
    const third = applied(second, deployment({ replicas: 1 }), 'one');
    expect(third.metadata.labels).toEqual({ ours: '1' });
    expect(applied(third, deployment({ replicas: 1 }), 'two').metadata.labels).toBeUndefined();
  });

  test('an item of a list with keys goes as a whole', () => {
    const two = [web, { name: 'log', image: 'log' }];
    const spec = (containers: readonly object[]): object => ({ template: { spec: { containers } } });
    const live = applied(undefined, deployment(spec(two)), 'one');
    expect(applied(live, deployment(spec([web])), 'one')['spec']).toEqual(spec([web]));
  });

  test('with the same values ownership is shared, and no time is told', () => {
    const live = created(deployment({ replicas: 2 }), 'maker');
    expect(apply(live, deployment({ replicas: 2 }), 'two').managedFields).toEqual([
      {
        manager: 'two',
        operation: 'Apply',
        apiVersion,
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:spec': { 'f:replicas': {} } },
      },
      ...(live.metadata.managedFields ?? []),
    ]);
  });

  test('what nobody managed belonged to somebody before the first apply', () => {
    const { managedFields: _, ...metadata } = created(full).metadata;
    const live = { ...full, metadata } as unknown as KubeObject;
    expect(refused(() => apply(live, deployment({ replicas: 5 }), 'one'))).toMatchObject({
      message: 'Apply failed with 1 conflict: conflict with "before-first-apply" using apps/v1: .spec.replicas',
    });
  });

  test('kubectl moves from the client’s side to the server’s without a conflict', () => {
    const config = deployment({ replicas: 2 });
    const annotation = `${JSON.stringify(config)}\n`;
    const key = 'kubectl.kubernetes.io/last-applied-configuration';
    const live = created(
      deployment({ replicas: 2 }, { annotations: { [key]: annotation } }),
      'kubectl-client-side-apply',
    );
    const next = applied(live, deployment({ replicas: 3 }), 'kubectl');
    expect(next['spec']).toEqual({ replicas: 3 });
    expect(JSON.parse(next.metadata.annotations?.[key] ?? '')).toEqual(deployment({ replicas: 3 }));
    expect(refused(() => apply(live, deployment({ replicas: 3 }), 'flux'))).toMatchObject({ code: 409 });
  });

  test.each([
    [
      deployment({ replicas: 'x', template: { spec: { containers: [{ name: 'a' }, { name: 'a' }, { image: 'x' }] } } }),
      `failed to create typed patch object (/d; apps/v1, Kind=Deployment): errors:
  .spec.replicas: expected numeric (int or float), got string
  .spec.template.spec.containers: duplicate entries for key [name="a"]
  .spec.template.spec.containers: element 2: associative list with keys has an element that omits all key fields ["name"] (and doesn't have default values for any key fields)`,
      500,
    ],
    [
      deployment({ foo: 1 }),
      'failed to create typed patch object (/d; apps/v1, Kind=Deployment): .spec.foo: field not declared in schema',
      500,
    ],
    [
      deployment({}, { labels: { a: 1 } }),
      'failed to create typed patch object (/d; apps/v1, Kind=Deployment): .metadata.labels.a: expected string, got &value.valueUnstructured{Value:1}',
      500,
    ],
    [
      deployment({}, { labels: 'x' }),
      'failed to create typed patch object (/d; apps/v1, Kind=Deployment): .metadata.labels: expected map, got &{x}',
      500,
    ],
    [deployment({}, { managedFields: [] }), 'metadata.managedFields must be nil', 400],
  ])('%j is refused', (config, message, code) => {
    expect(refused(() => apply(undefined, config, 'one'))).toMatchObject({ message, code });
  });
});

describe('laws', () => {
  const label = fc.constantFrom('a', 'b', 'c');
  const value = fc.constantFrom('1', '2');
  const labels = fc.dictionary(label, value, { noNullPrototype: true });
  const containers = fc.uniqueArray(fc.record({ name: label, image: value }, { noNullPrototype: true }), {
    selector: ({ name }) => name,
  });
  const config = fc
    .record({ replicas: fc.nat(3), labels, containers, finalizers: fc.uniqueArray(label) })
    .map(({ replicas, labels: of, containers: list, finalizers }) =>
      deployment({ replicas, template: { spec: { containers: list } } }, { labels: of, finalizers }),
    );

  test('fields survive being written down', () => {
    fc.assert(
      fc.property(config, (of) => {
        const encoded = encodeFields(fieldsOf(schema, of));
        expect(encodeFields(decodeFields(encoded))).toEqual(encoded);
      }),
    );
  });

  test('applying twice changes nothing the second time', () => {
    fc.assert(
      fc.property(config, config, (before, of) => {
        const once = applied(applied(undefined, before, 'one'), of, 'two', true);
        expect(applied(once, of, 'two')).toEqual(once);
      }),
    );
  });

  test('alone, an applier gets what it says and nothing else', () => {
    fc.assert(
      fc.property(config, config, (before, of) => {
        const next = applied(applied(undefined, before, 'one'), of, 'one');
        expect(labelsAndContainers(next)).toEqual(labelsAndContainers(of as unknown as KubeObject));
      }),
    );
  });

  test('a label goes if and only if nobody else owns it', () => {
    fc.assert(
      fc.property(labels, labels, labels, (mine, theirs, next) => {
        const with_ = (of: object): Mutable => deployment({}, { labels: of });
        const live = applied(applied(undefined, with_(mine), 'one'), with_(theirs), 'two', true);
        const result = applied(live, with_(next), 'one', true);
        expect(result.metadata.labels ?? {}).toEqual({ ...theirs, ...next });
      }),
    );
  });
});

function labelsAndContainers(of: KubeObject): unknown {
  const spec = of['spec'] as { template?: { spec?: { containers?: readonly { name: string }[] } } };
  return {
    labels: of.metadata.labels ?? {},
    finalizers: [...(of.metadata.finalizers ?? [])].sort(),
    containers: [...(spec.template?.spec?.containers ?? [])].sort((a, b) => (a.name < b.name ? -1 : 1)),
  };
}
