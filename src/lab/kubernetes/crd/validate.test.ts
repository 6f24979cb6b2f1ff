import { expect, test } from 'vitest';
import type { KubeObject } from '../../../wire/kubernetes/objects.ts';
import type { CrdNames, CrdSpec, CrdVersion } from './crd.ts';
import { crdStrategy } from './strategy.ts';
import { validateCrd, validateCrdUpdate } from './validate.ts';

type Parts = {
  readonly name?: string;
  readonly names?: CrdNames;
  readonly spec?: CrdSpec;
  readonly version?: CrdVersion;
};

function gadgets({ name = 'gadgets.y.io', names = {}, spec = {}, version = {} }: Parts): KubeObject {
  const crd = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name },
    spec: {
      group: 'y.io',
      scope: 'Namespaced',
      names: { plural: 'gadgets', kind: 'Gadget', ...names },
      versions: [
        { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } }, ...version },
      ],
      ...spec,
    },
  };
  crdStrategy.defaults?.(crd);
  const { storage, name: stored } = crd.spec.versions?.[0] ?? { storage: false, name: '' };
  return { ...crd, status: { storedVersions: storage ? [stored] : null } };
}

const schema = (properties: object, rest: object = {}): Parts => ({
  version: { schema: { openAPIV3Schema: { type: 'object', properties, ...rest } } },
});
const told = (parts: Parts): readonly string[] =>
  validateCrd(gadgets(parts)).map(({ field, message }) => `${field}: ${message}`);
const at = 'spec.validation.openAPIV3Schema';

// What a real API server says about the same.
test.each<[string, Parts, readonly string[]]>([
  ['nothing wrong', {}, []],
  [
    'another name',
    { name: 'x.y.io' },
    ['metadata.name: Invalid value: "x.y.io": must be spec.names.plural+"."+spec.group'],
  ],
  [
    'a group without a dot',
    { name: 'gadgets.y', spec: { group: 'y' } },
    ['spec.group: Invalid value: "y": should be a domain with at least one dot'],
  ],
  [
    'scope',
    { spec: { scope: 'Foo' } },
    ['spec.scope: Unsupported value: "Foo": supported values: "Cluster", "Namespaced"'],
  ],
  [
    'list kind',
    { names: { listKind: 'Gadget' } },
    ['spec.names.listKind: Invalid value: "Gadget": kind and listKind may not be the same'],
  ],
  ['no schema', { version: { schema: {} } }, ['spec.versions[0].schema.openAPIV3Schema: Required value']],
  [
    'conversion',
    { spec: { conversion: { strategy: 'Foo' } } },
    ['spec.conversion.strategy: Unsupported value: "Foo": supported values: "None", "Webhook"'],
  ],
  [
    'deprecation',
    { version: { deprecationWarning: 'x' } },
    ['spec.versions[0].deprecationWarning: Invalid value: "x": can only be set for deprecated versions'],
  ],
  [
    'no storage',
    { version: { storage: false } },
    [
      'spec.versions: Invalid value: [{"Name":"v1","Served":true,"Storage":false,"Deprecated":false,"DeprecationWarning":null,"Schema":null,"Subresources":null,"AdditionalPrinterColumns":null,"SelectableFields":null}]: must have exactly one version marked as storage version',
      'status.storedVersions: Invalid value: null: must have at least one stored version',
    ],
  ],
  [
    'a field without a type',
    schema({ spec: {} }),
    [`${at}.properties[spec].type: Required value: must not be empty for specified object fields`],
  ],
  [
    'a type',
    schema({ a: { type: 'foo' } }),
    [
      `${at}.properties[a].type: Unsupported value: "foo": supported values: "array", "boolean", "integer", "number", "object", "string"`,
    ],
  ],
  ['items', schema({ a: { type: 'array' } }), [`${at}.properties[a].items: Required value: must be specified`]],
  [
    'both kinds of fields',
    schema({ a: { type: 'object', properties: { b: { type: 'string' } }, additionalProperties: { type: 'string' } } }),
    [`${at}.properties[a].additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive`],
  ],
  [
    'metadata',
    schema({ metadata: { type: 'object', properties: { labels: { type: 'object' } } } }),
    [
      `${at}.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified`,
    ],
  ],
  [
    'keys of a map that may be missing',
    schema({
      a: {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['k'],
        items: { type: 'object', properties: { k: { type: 'string' } } },
      },
    }),
    [
      `${at}.properties[a].items.properties[k].default: Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property`,
    ],
  ],
  [
    'a default of another type',
    schema({ a: { type: 'integer', default: 'x' } }),
    [`${at}.properties[a].default: Invalid value: "string":  in body must be of type integer: "string"`],
  ],
  [
    'a default that would be pruned',
    schema({ a: { type: 'object', default: { x: 1 } } }),
    [`${at}.properties[a].default: Invalid value: {"x":1}: must not have unknown fields`],
  ],
  [
    'a type below anyOf',
    schema({ a: { type: 'string', anyOf: [{ type: 'string' }] } }),
    [`${at}.properties[a].anyOf[0].type: Forbidden: must be empty to be structural`],
  ],
  [
    'an unknown field below anyOf',
    schema({}, { anyOf: [{ properties: { b: { minimum: 1 } } }] }),
    [`${at}.properties[b]: Required value: because it is defined in ${at}.anyOf[0].properties[b]`],
  ],
  [
    'a rule that is no question',
    schema({}, { 'x-kubernetes-validations': [{ rule: '1 + 1' }] }),
    [
      `${at}.x-kubernetes-validations[0].rule: Invalid value: {"Rule":"1 + 1","Message":"","MessageExpression":"","Reason":null,"FieldPath":"","OptionalOldSelf":null}: cel expression must evaluate to a bool`,
    ],
  ],
  [
    'rules about fields that there are none of, a line further down too',
    schema({
      spec: {
        type: 'object',
        properties: { hats: { type: 'array', items: { type: 'object', properties: { size: { type: 'integer' } } } } },
        'x-kubernetes-validations': ['self.hat == 1', 'has(self.hats) &&\n self.hats.all(x, x.colour == 1)'].map(
          (rule) => ({ rule, message: 'm' }),
        ),
      },
    }),
    [
      `${at}.properties[spec].x-kubernetes-validations[0].rule: Invalid value: {"Rule":"self.hat == 1","Message":"m","MessageExpression":"","Reason":null,"FieldPath":"","OptionalOldSelf":null}: compilation failed: ERROR: <input>:1:5: undefined field 'hat'\n | self.hat == 1\n | ....^`,
      `${at}.properties[spec].x-kubernetes-validations[1].rule: Invalid value: {"Rule":"has(self.hats) \\u0026\\u0026\\n self.hats.all(x, x.colour == 1)","Message":"m","MessageExpression":"","Reason":null,"FieldPath":"","OptionalOldSelf":null}: compilation failed: ERROR: <input>:2:20: undefined field 'colour'\n |  self.hats.all(x, x.colour == 1)\n | ...................^`,
    ],
  ],
  [
    'rules about fields that every object has, that are no fields, or that nobody can know',
    schema(
      {
        spec: {
          type: 'object',
          properties: {
            port: { 'x-kubernetes-int-or-string': true },
            map: { type: 'object', additionalProperties: { type: 'string' } },
            'dash-ed': { type: 'string' },
          },
          'x-kubernetes-validations': [
            { rule: 'self.map.a == "b" && self.map["a"] == "b" && self.dash__dash__ed == "c"' },
            { rule: 'self.port.x == 1 && self.map.all(k, k == "a")' },
            { rule: 'oldSelf.orValue(self).anything == 1', optionalOldSelf: true },
          ],
        },
      },
      {
        'x-kubernetes-validations': [{ rule: 'self.metadata.name == "a" && self.kind == "B" && has(self.spec.port)' }],
      },
    ),
    [],
  ],
  [
    'scale',
    { version: { subresources: { scale: { specReplicasPath: 'spec.r', statusReplicasPath: '.foo' } } } },
    [
      'spec.subresources.scale.specReplicasPath: Invalid value: "spec.r": must be a simple json path starting with .',
      'spec.subresources.scale.statusReplicasPath: Invalid value: ".foo": should be a json path under .status',
    ],
  ],
  [
    'columns',
    { version: { additionalPrinterColumns: [{ name: '', type: 'foo', jsonPath: 'x' }] } },
    [
      'spec.additionalPrinterColumns[0].name: Required value',
      'spec.additionalPrinterColumns[0].type: Invalid value: "foo": must be one of boolean,date,integer,number,string',
      'spec.additionalPrinterColumns[0].JSONPath: Invalid value: "x": must be a simple json path starting with .',
    ],
  ],
  [
    'selectable fields',
    { version: { selectableFields: [{ jsonPath: '.spec.x' }] } },
    [
      'spec.selectableFields[0].jsonPath: Invalid value: ".spec.x": is an invalid path: does not refer to a valid field',
    ],
  ],
])('%s', (_, parts, expected) => {
  expect(told(parts)).toEqual(expected);
});

test('what a definition is may not change once it is established', () => {
  const old = {
    ...gadgets({}),
    status: { storedVersions: ['v1'], conditions: [{ type: 'Established', status: 'True' }] },
  };
  const next = { ...gadgets({ names: { kind: 'Other' }, spec: { scope: 'Cluster' } }), status: old.status };
  expect(validateCrdUpdate(next, old).map(({ field, message }) => `${field}: ${message}`)).toEqual([
    'spec.scope: Invalid value: "Cluster": field is immutable',
    'spec.names.kind: Invalid value: "Other": field is immutable',
  ]);
});
