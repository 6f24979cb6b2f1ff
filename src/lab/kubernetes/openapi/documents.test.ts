import { expect, test } from 'vitest';
import { builtinResources } from '../discovery/builtin.ts';
import { customDefinitions } from '../crd/definitions.ts';
import { openApiV2, openApiV3, openApiV3Index } from './documents.ts';
import type { Document } from './schemas.ts';

const widgets = (maximum: number) =>
  customDefinitions({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.x.io' },
    spec: {
      group: 'x.io',
      scope: 'Namespaced',
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: { type: 'object', properties: { spec: { type: 'integer', maximum, nullable: true } } },
          },
        },
      ],
    },
    status: {
      conditions: [{ type: 'Established', status: 'True' }],
      acceptedNames: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
    },
  });

const meta = '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1';

test('a built-in type, as real servers describe it', () => {
  const { components } = openApiV3(builtinResources(), 'coordination.k8s.io/v1') as {
    components: { schemas: Document };
  };
  expect(components.schemas['io.k8s.api.coordination.v1.Lease']).toEqual({
    type: 'object',
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { allOf: [{ $ref: `${meta}.ObjectMeta` }], default: {} },
      spec: { allOf: [{ $ref: '#/components/schemas/io.k8s.api.coordination.v1.LeaseSpec' }], default: {} },
    },
    'x-kubernetes-group-version-kind': [{ group: 'coordination.k8s.io', kind: 'Lease', version: 'v1' }],
  });
});

test('a custom type has what every object has', () => {
  const { components } = openApiV3(widgets(3), 'x.io/v1') as { components: { schemas: Document } };
  expect(components.schemas['io.x.v1.Widget']).toEqual({
    type: 'object',
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { allOf: [{ $ref: `${meta}.ObjectMeta` }] },
      spec: { type: 'integer', maximum: 3, nullable: true },
    },
    'x-kubernetes-group-version-kind': [{ group: 'x.io', kind: 'Widget', version: 'v1' }],
  });
});

test('the older dialect says nothing of what it has no word for', () => {
  const { definitions } = openApiV2(widgets(3)) as { definitions: Record<string, { properties: Document }> };
  expect(definitions['io.x.v1.Widget']?.properties['spec']).toEqual({ maximum: 3 });
});

test('the address of a description changes with it', () => {
  const address = (maximum: number): unknown => openApiV3Index(widgets(maximum))['paths'];
  expect(address(3)).toEqual(address(3));
  expect(address(3)).not.toEqual(address(4));
});

test('kubectl finds which questions a patch may ask', () => {
  const { paths } = openApiV3(builtinResources(), 'v1') as {
    paths: Record<string, { patch?: { parameters: { name: string }[]; requestBody: { content: object } } }>;
  };
  const patch = paths['/api/v1/namespaces/{namespace}/pods/{name}']?.patch;
  expect(patch?.parameters.map(({ name }) => name)).toEqual(['dryRun', 'fieldManager', 'fieldValidation', 'force']);
  expect(Object.keys(patch?.requestBody.content ?? {})).toEqual([
    'application/apply-patch+yaml',
    'application/json-patch+json',
    'application/merge-patch+json',
    'application/strategic-merge-patch+json',
  ]);
});
