import type { Manifest } from '../../../src/model/manifest.ts';
import type { World } from './world.ts';

type Schema = Readonly<Record<string, unknown>>;

/** A definition of a kind of our own: `gnomes.garden.example.com`, with one of everything that a definition can have. */
export function definition(group: string, schema: Schema, more: object = {}, version: object = {}): Manifest {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `gnomes.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'gnomes', singular: 'gnome', kind: 'Gnome', listKind: 'GnomeList' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema }, ...version }],
      ...more,
    },
  };
}

const text = { type: 'string' } as const;
const number = { type: 'integer' } as const;

export const gardenSchema: Schema = {
  type: 'object',
  required: ['spec'],
  properties: {
    spec: {
      type: 'object',
      required: ['hat'],
      properties: {
        hat: { ...text, enum: ['red', 'green', 'blue'] },
        height: { ...number, minimum: 1, maximum: 50, default: 10 },
        motto: { ...text, minLength: 2, maxLength: 10, pattern: '^[a-z ]+$', nullable: true },
        friends: { type: 'array', maxItems: 3, items: text, 'x-kubernetes-list-type': 'set' },
        tools: {
          type: 'array',
          items: {
            type: 'object',
            required: ['name'],
            properties: { name: text, sharp: { type: 'boolean', default: false } },
          },
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
        },
        pockets: { type: 'object', additionalProperties: number },
        whatever: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        depth: { 'x-kubernetes-int-or-string': true },
        born: { ...text, format: 'date-time' },
        replicas: number,
        home: {
          type: 'object',
          properties: { street: text, number },
          'x-kubernetes-validations': [
            { rule: 'self.number < 100', message: 'the street is not that long' },
            { rule: 'self.street == oldSelf.street', messageExpression: "'moved from ' + oldSelf.street" },
          ],
        },
      },
      'x-kubernetes-validations': [
        {
          rule: "self.hat != 'blue' || self.height > 20",
          message: 'only tall ones wear blue',
          fieldPath: '.hat',
          reason: 'FieldValueForbidden',
        },
      ],
    },
    status: { type: 'object', properties: { mood: text, replicas: number, selector: text } },
  },
};

export const garden = definition(
  'garden.example.com',
  gardenSchema,
  {
    names: {
      plural: 'gnomes',
      singular: 'gnome',
      kind: 'Gnome',
      listKind: 'GnomeList',
      shortNames: ['gn'],
      categories: ['dwarfs'],
    },
  },
  {
    subresources: {
      status: {},
      scale: {
        specReplicasPath: '.spec.replicas',
        statusReplicasPath: '.status.replicas',
        labelSelectorPath: '.status.selector',
      },
    },
    additionalPrinterColumns: [
      { name: 'Hat', type: 'string', jsonPath: '.spec.hat', description: 'what is on top' },
      { name: 'Height', type: 'integer', jsonPath: '.spec.height', priority: 1 },
      { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    ],
    selectableFields: [{ jsonPath: '.spec.hat' }],
  },
);

export const gnome = (name: string, spec: object = { hat: 'red' }, metadata: object = {}): Manifest => ({
  apiVersion: 'garden.example.com/v1',
  kind: 'Gnome',
  metadata: { name, ...metadata },
  spec,
});

const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** Installs a definition and waits until its kind is served. */
export async function install({ ask, make, until }: World, crd: Manifest): Promise<void> {
  const { group, names } = crd['spec'] as { group: string; names: { plural: string } };
  if ((await ask(`GET ${path}/${crd.metadata.name}`)).status === 404) await make(path, crd);
  await until(`${crd.metadata.name} is served`, async () => {
    const known = await ask(`GET ${path}/${crd.metadata.name}`);
    const { status: said } = known.body as { status?: { conditions?: { type: string; status: string }[] | null } };
    const isEstablished = said?.conditions?.some(({ type, status }) => type === 'Established' && status === 'True');
    return isEstablished === true && (await ask(`GET /apis/${group}/v1/${names.plural}`)).status === 200;
  });
}

/** The group of a definition that a case has for itself. */
export const groupOf = ({ ns }: World): string => `${ns}.example.com`;
export { path as definitions };
