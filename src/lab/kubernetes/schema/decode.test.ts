import { describe, expect, test } from 'vitest';
import { Refusal } from '../refusal.ts';
import { builtinDefinitions, builtinSchema } from './builtin.ts';
import { decode } from './decode.ts';

const read = (type: string, value: unknown) => decode(builtinSchema(type), value, { strict: false, custom: false });

function refusal(type: string, value: unknown): string {
  try {
    read(type, value);
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
  throw new Error('It was taken.');
}

test('every resource has a schema', () => {
  const names = builtinDefinitions().map(({ schema }) => schema.name?.split('.').at(-1));
  expect(names).toEqual(builtinDefinitions().map(({ kind }) => kind));
});

describe('what Go would write', () => {
  test('empty lists and maps are gone, structs stay', () => {
    const value = {
      template: {
        metadata: { creationTimestamp: null },
        spec: { containers: [{ name: 'a', args: [], resources: null }], nodeSelector: {} },
      },
    };
    expect(read('core.PodTemplate', value).object).toEqual({
      metadata: {},
      template: { metadata: {}, spec: { containers: [{ name: 'a', resources: {} }] } },
    });
  });

  test('what is always written is null without a value', () => {
    expect(read('rbac.ClusterRole', { rules: [] }).object).toEqual({ metadata: {}, rules: null });
  });

  test.each([
    ['1000m', '1'],
    ['1024Mi', '1Gi'],
    ['1.5Gi', '1536Mi'],
    ['0.5', '500m'],
    ['1000', '1k'],
    ['2048', '2048'],
    ['1e3', '1e3'],
    ['5E3', '5E3'],
    ['+5', '+5'],
    ['-1500m', '-1500m'],
    [1500, '1500'],
  ])('the quantity %s is %s', (written, kept) => {
    expect(read('core.ResourceQuotaSpec', { hard: { cpu: written } }).object).toEqual({ hard: { cpu: kept } });
  });

  test('times are in UTC, in whole seconds or with all six digits', () => {
    const spec = { renewTime: '2020-01-01T01:00:00.123456+01:00' };
    expect(read('coordination.LeaseSpec', spec).object).toEqual({ renewTime: '2020-01-01T00:00:00.123456Z' });
    expect(read('meta.ObjectMeta', { creationTimestamp: '2020-01-01T01:00:00.5+01:00' }).object).toEqual({
      creationTimestamp: '2020-01-01T00:00:00Z',
    });
  });
});

test('unknown fields are told with their place, and case matters', () => {
  const value = { metadata: { name: 'a', foo: 1, Name: 'b' }, Data: {}, bar: { x: 1 } };
  expect(read('core.ConfigMap', value)).toEqual({
    object: { metadata: { name: 'a' } },
    unknown: ['metadata.foo', 'metadata.Name', 'Data', 'bar'],
  });
  const containers = [{ naem: 'a' }, { x: 1 }];
  expect(read('apps.Deployment', { spec: { template: { spec: { containers } } } }).unknown).toEqual([
    'spec.template.spec.containers[0].naem',
    'spec.template.spec.containers[1].x',
  ]);
});

const quantities = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

test.each([
  [
    'core.ConfigMap',
    { data: { x: 1 } },
    'json: cannot unmarshal number into Go struct field ConfigMap.data of type string',
  ],
  [
    'core.ConfigMap',
    { data: [] },
    'json: cannot unmarshal array into Go struct field ConfigMap.data of type map[string]string',
  ],
  ['core.ConfigMap', { binaryData: { x: '%%%' } }, 'illegal base64 data at input byte 0'],
  [
    'core.ConfigMap',
    { binaryData: { x: 5 } },
    'json: cannot unmarshal number into Go struct field ConfigMap.binaryData of type []uint8',
  ],
  [
    'core.ConfigMap',
    { metadata: 5 },
    'json: cannot unmarshal number into Go struct field ConfigMap.metadata of type v1.ObjectMeta',
  ],
  [
    'core.ConfigMap',
    { metadata: { labels: { a: true } } },
    'json: cannot unmarshal bool into Go struct field ObjectMeta.metadata.labels of type string',
  ],
  [
    'core.ConfigMap',
    { metadata: { generation: 1.5 } },
    'json: cannot unmarshal number 1.5 into Go struct field ObjectMeta.metadata.generation of type int64',
  ],
  [
    'core.ConfigMap',
    { metadata: { creationTimestamp: 'x' } },
    'parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"',
  ],
  [
    'apps.Deployment',
    { spec: { replicas: '3' } },
    'json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32',
  ],
  [
    'apps.Deployment',
    { spec: { replicas: 99999999999 } },
    'json: cannot unmarshal number 99999999999 into Go struct field DeploymentSpec.spec.replicas of type int32',
  ],
  [
    'apps.Deployment',
    { spec: { template: { spec: { containers: {} } } } },
    'json: cannot unmarshal object into Go struct field PodSpec.spec.template.spec.containers of type []v1.Container',
  ],
  [
    'apps.Deployment',
    { spec: { template: { spec: { containers: [{ ports: [{ containerPort: '80' }] }] } } } },
    'json: cannot unmarshal string into Go struct field ContainerPort.spec.template.spec.containers.ports.containerPort of type int32',
  ],
  [
    'apps.Deployment',
    { spec: { template: { spec: { containers: [{ resources: { limits: { cpu: 'abc' } } }] } } } },
    quantities,
  ],
  [
    'apps.Deployment',
    { spec: { strategy: { rollingUpdate: { maxSurge: true } } } },
    'json: cannot unmarshal bool into Go struct field RollingUpdateDeployment.spec.strategy.rollingUpdate.maxSurge of type int32',
  ],
  [
    'coordination.Lease',
    { spec: { renewTime: '2020-01-01T00:00:00Z' } },
    'parsing time "2020-01-01T00:00:00Z" as "2006-01-02T15:04:05.000000Z07:00": cannot parse "Z" as ".000000"',
  ],
])('%s: %j', (type, value, because) => {
  const kind = type.split('.')[1];
  expect(refusal(type, value)).toBe(`${kind} in version "v1" cannot be handled as a ${kind}: ${because}`);
});
