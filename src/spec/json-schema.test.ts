import { readFile } from 'node:fs/promises';
import { Ajv, type ValidateFunction } from 'ajv';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { platforms, substrates } from '../../test/documents.ts';
import { mutated } from '../../test/mutations.ts';
import { sweep } from '../../test/sweep.ts';
import { isError } from '../model/problem.ts';
import { editorSchema } from './json-schema.ts';
import { kindNames, kinds } from './kinds.ts';
import { read } from './read.ts';

// A keyword that only editors know; everything else must be known, or it would say nothing.
const validator = (kind?: string): ValidateFunction =>
  new Ajv({ allErrors: true, strict: true, strictTypes: false, strictRequired: false })
    .addVocabulary(['patternErrorMessage'])
    .compile(editorSchema(kind));

const complaints = (validate: ValidateFunction, document: unknown): readonly string[] => {
  validate(document);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
};

const all = validator();

test('it is a schema of draft 07', () => {
  const ajv = new Ajv({ strict: false });
  for (const kind of [undefined, ...kindNames]) {
    const schema = editorSchema(kind);
    expect(schema['$schema']).toBe('http://json-schema.org/draft-07/schema#');
    expect([ajv.validateSchema(schema), ajv.errors]).toEqual([true, null]);
  }
});

test.each(Object.entries({ ...platforms, ...substrates }))('%s is right', (_, text) => {
  expect(complaints(all, parse(text))).toEqual([]);
});

test('the schema of one kind takes that kind only', () => {
  const substrate = validator('substrate');
  expect(complaints(substrate, parse(substrates.small))).toEqual([]);
  expect(complaints(substrate, parse(platforms.minimal))).toContain('/kind must be equal to constant');
});

test('the file of --hosts has a schema too', async () => {
  const hosts = validator('hosts');
  expect(complaints(hosts, parse(await readFile('examples/hosts.yaml', 'utf8')))).toEqual([]);
  expect(complaints(hosts, { hosts: { pve1: { cpu: 4 } } })).toEqual([
    "/hosts/pve1 must have required property 'memory'",
  ]);
});

test('an unknown kind is an error that names the nearest', () => {
  expect(() => editorSchema('Platfrom')).toThrow(
    expect.objectContaining({ code: 'unknown-kind', remedy: 'Did you mean "Platform"?' }) as Error,
  );
});

test.each<[string, string, string]>([
  ['an unknown key', 'cluster: { worker: {} }', '/spec/cluster must NOT have additional properties'],
  ['a wrong type', 'cluster: { controlPlane: { cpu: "4" } }', '/spec/cluster/controlPlane/cpu must be integer'],
  [
    'an unknown word',
    'cluster: { hostnames: dns }',
    '/spec/cluster/hostnames must be equal to one of the allowed values',
  ],
  [
    'a size without unit',
    'cluster: { controlPlane: { memory: "8" } }',
    '/spec/cluster/controlPlane/memory must match pattern "^[0-9]{1,12}(\\.[0-9]{1,6})? *(B|[KMGTP]iB?)$"',
  ],
  [
    'a name that cannot be one',
    'cluster: { workers: { Upper: {} } }',
    '/spec/cluster/workers property name must be valid',
  ],
  ['a secret in clear', 'machines: { proxmox: { token: abc } }', '/spec/machines/proxmox/token must be object'],
  [
    'a secret with two references',
    'machines: { proxmox: { token: { env: A, file: b } } }',
    '/spec/machines/proxmox/token must match exactly one schema in oneOf',
  ],
  ['two providers', 'machines: { libvirt: {} }', '/spec/machines must match exactly one schema in oneOf'],
  [
    'two kinds of endpoint',
    'cluster: { endpoint: { vip: 10.0.0.1, host: k8s.example.org } }',
    '/spec/cluster/endpoint must NOT be valid',
  ],
  [
    'too large a number',
    'cluster: { controlPlane: { replicas: 11 } }',
    '/spec/cluster/controlPlane/replicas must be <= 9',
  ],
])('%s is wrong', (_, change, complaint) => {
  expect(complaints(all, overlaid(parse(platforms.minimal), { spec: parse(change) as unknown }))).toContain(complaint);
});

test.each<[string, string, readonly string[]]>([
  ['a ConfigMap passes', '{ apiVersion: v1, kind: ConfigMap, data: {} }', []],
  ['so does another kind of the Viti platform', '{ apiVersion: vitistack.io/v1alpha1, kind: Machine }', []],
  [
    'a kind that ichor has not does not',
    '{ apiVersion: ichor.dev/v1alpha1, kind: Platfrom }',
    ['/kind must be equal to one of the allowed values', ' must match "then" schema'],
  ],
])('%s', (_, text, expected) => {
  expect(complaints(all, parse(text))).toEqual(expected);
});

const cluster = (workers: string): unknown =>
  parse(`
apiVersion: vitistack.io/v1alpha1
kind: KubernetesCluster
metadata: { name: simple }
spec: { topology: { version: "1.36.2", controlplane: { replicas: 3 }, workers: ${workers} } }
`);

test('pools of a KubernetesCluster may be written whole or short', () => {
  expect(complaints(all, cluster('{ nodePools: [{ name: wp, replicas: 2 }] }'))).toEqual([]);
  expect(complaints(all, cluster('[{ name: wp, replicas: 2 }]'))).toEqual([]);
  expect(complaints(all, cluster('[{ nam: wp }]'))).toContain(
    '/spec/topology/workers/0 must NOT have additional properties',
  );
});

test('how an absent value is found stands in the description', () => {
  const schema = editorSchema('Platform') as {
    properties: { spec: { properties: { cluster: { properties: object } } } };
  };
  expect(schema.properties.spec.properties.cluster.properties).toMatchObject({
    name: {
      type: 'string',
      description: 'Name of the Talos and Kubernetes cluster. Default: the platform’s name.',
      examples: ['prod'],
      patternErrorMessage: 'Expected lower-case letters, digits and dashes.',
    },
    hostnames: { enum: ['talos', 'dhcp'], default: 'talos' },
  });
});

test('what ichor accepts, an editor accepts', () => {
  const documents = Object.values({ ...platforms, ...substrates }).map((text) => parse(text) as { kind: string });
  let accepted = 0;
  fc.assert(
    fc.property(fc.constantFrom(...documents), fc.gen(), (document, g) => {
      const schema = kinds[document.kind === 'Platform' ? 'Platform' : 'Substrate'].document;
      const changed = mutated(g, schema, document) as object;
      const { problems } = read({ sources: [{ name: 'it.json', content: JSON.stringify(changed) }] });
      if (problems.some(isError)) return;
      accepted++;
      expect(complaints(all, changed)).toEqual([]);
    }),
    sweep('editors agree', 800, 8000),
  );
  expect(accepted).toBeGreaterThan(150);
}, 300_000);

function overlaid(base: unknown, over: unknown): unknown {
  if (typeof base !== 'object' || base === null || typeof over !== 'object' || over === null) return over;
  const merged: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(over)) merged[key] = overlaid(merged[key], value);
  return merged;
}
