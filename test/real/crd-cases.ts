type Json = { readonly [key: string]: unknown };

const pair = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } } };
const eitherOne = [{ required: ['a'] }, { required: ['b'] }];
const text = { type: 'string' };

/** A definition that uses everything that can be said about a value. */
export const widgets: Json = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.x.io' },
  spec: {
    group: 'x.io',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget', shortNames: ['wd'], categories: ['all'] },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: {
          status: {},
          scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
        },
        additionalPrinterColumns: [{ name: 'R', type: 'integer', jsonPath: '.spec.replicas' }],
        selectableFields: [{ jsonPath: '.spec.s' }],
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
              spec: {
                type: 'object',
                required: ['need'],
                properties: {
                  need: text,
                  replicas: { type: 'integer', minimum: 1, maximum: 10 },
                  strict: { type: 'integer', minimum: 1, exclusiveMinimum: true, maximum: 5, exclusiveMaximum: true },
                  mul: { type: 'integer', multipleOf: 3 },
                  s: { type: 'string', minLength: 2, maxLength: 4, pattern: '^[a-z]+$' },
                  e: { type: 'string', enum: ['A', 'B'] },
                  ei: { type: 'integer', enum: [1, 2] },
                  l: { type: 'array', minItems: 1, maxItems: 2, items: text },
                  set: { type: 'array', 'x-kubernetes-list-type': 'set', items: text },
                  map: {
                    type: 'array',
                    'x-kubernetes-list-type': 'map',
                    'x-kubernetes-list-map-keys': ['k'],
                    items: { type: 'object', required: ['k'], properties: { k: text, v: text } },
                  },
                  m: { type: 'object', minProperties: 1, maxProperties: 2, additionalProperties: { type: 'integer' } },
                  ios: { 'x-kubernetes-int-or-string': true },
                  n: { type: 'string', nullable: true },
                  num: { type: 'number' },
                  b: { type: 'boolean' },
                  any: { ...pair, anyOf: eitherOne },
                  one: { ...pair, oneOf: eitherOne },
                  not: { type: 'string', not: { enum: ['x'] } },
                  all: { type: 'integer', allOf: [{ minimum: 2 }, { maximum: 3 }] },
                  ...Object.fromEntries(
                    [
                      'date-time',
                      'ipv4',
                      'ipv6',
                      'email',
                      'byte',
                      'uuid',
                      'hostname',
                      'uri',
                      'duration',
                      'date',
                      'cidr',
                      'mac',
                    ].map((format) => [format, { type: 'string', format }]),
                  ),
                  i32: { type: 'integer', format: 'int32' },
                  i64: { type: 'integer', format: 'int64' },
                  emb: {
                    type: 'object',
                    'x-kubernetes-embedded-resource': true,
                    'x-kubernetes-preserve-unknown-fields': true,
                  },
                  def: {
                    type: 'object',
                    default: { x: 1 },
                    properties: { x: { type: 'integer' }, y: { type: 'string', default: 'yy' } },
                  },
                  cel: {
                    type: 'object',
                    properties: {
                      min: { type: 'integer' },
                      max: { type: 'integer' },
                      'a-b': text,
                      q: { type: 'string', maxLength: 40 },
                    },
                    'x-kubernetes-validations': [
                      {
                        rule: '!has(self.min) || !has(self.max) || self.min <= self.max',
                        messageExpression: "self.min > 3 ? 'min above max' : 'small'",
                        fieldPath: '.min',
                        reason: 'FieldValueForbidden',
                      },
                      { rule: '!has(self.min) || self.min < 100' },
                      { rule: "!has(self.a__dash__b) || self.a__dash__b == 'x'", message: 'only x' },
                      { rule: "!has(self.q) || quantity(self.q).isLessThan(quantity('1Gi'))", message: 'too much' },
                    ],
                  },
                },
              },
            },
          },
        },
      },
    ],
  },
};

/** Specs of widgets besides `need`; some of them are good. */
export const objects: readonly Json[] = [
  { replicas: 0 },
  { replicas: 11 },
  { replicas: '1' },
  { replicas: 1.5 },
  { strict: 1 },
  { strict: 5 },
  { mul: 4 },
  { s: 'a' },
  { s: 'abcde' },
  { s: 'A1' },
  { s: 5 },
  { s: null },
  { e: 'C' },
  { e: 5 },
  { ei: 3 },
  { l: [] },
  { l: ['a', 'b', 'c'] },
  { l: 'x' },
  { l: [1] },
  { l: null },
  { l: [{ a: 1 }] },
  { set: ['a', 'a'] },
  { map: [{ k: 'a' }, { k: 'a', v: 'b' }] },
  { map: [{ v: 'b' }] },
  { map: ['a'] },
  { map: [{ k: 'a', z: 1 }], foo: 1, bar: { x: 1 } },
  { m: {} },
  { m: { a: 1, b: 2, c: 3 } },
  { m: { a: 'x' } },
  { m: [] },
  { ios: true },
  { ios: 1.5 },
  { ios: 1 },
  { ios: '1' },
  { n: null },
  { num: 'x' },
  { num: 1 },
  { b: 1 },
  { any: {} },
  { any: { a: 1 } },
  { one: {} },
  { one: { a: 'x', b: 'y' } },
  { not: 'x' },
  { all: 1 },
  { all: 5 },
  { i32: 99_999_999_999 },
  { i32: 1.5 },
  { i64: 1e30 },
  ...['date-time', 'ipv4', 'ipv6', 'email', 'byte', 'uuid', 'hostname', 'uri', 'duration', 'date', 'cidr', 'mac'].map(
    (format) => ({ [format]: '_%' }),
  ),
  {
    'date-time': '2020-01-01T00:00:00Z',
    ipv4: '1.2.3.4',
    ipv6: '::1',
    email: 'a@b.io',
    byte: 'eA==',
    hostname: 'a.b',
    uri: 'https://x',
    duration: '5m',
    date: '2020-01-01',
    cidr: '10.0.0.0/8',
  },
  { emb: {} },
  { emb: { apiVersion: 'v1', kind: 'X', metadata: { name: 5 } } },
  { emb: { apiVersion: 'v1', kind: 'X', metadata: { name: 'a', foo: 1 }, q: 1 } },
  { def: {} },
  { def: null },
  { cel: { min: 3, max: 2 } },
  { cel: { min: 5, max: 2 } },
  { cel: { min: 100 } },
  { cel: { 'a-b': 'y' } },
  { cel: { q: '2Gi' } },
  { cel: { q: '1Mi' } },
  { cel: { q: 'x' } },
];

const gadgets = (
  change: (crd: {
    name: string;
    spec: Record<string, unknown>;
    names: Record<string, unknown>;
    version: Record<string, unknown>;
  }) => void,
): Json => {
  const names: Record<string, unknown> = { plural: 'gadgets', kind: 'Gadget' };
  const version: Record<string, unknown> = {
    name: 'v1',
    served: true,
    storage: true,
    schema: { openAPIV3Schema: { type: 'object' } },
  };
  const spec: Record<string, unknown> = { group: 'y.io', scope: 'Namespaced', names, versions: [version] };
  const crd = { name: 'gadgets.y.io', spec, names, version };
  change(crd);
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: crd.name },
    spec,
  };
};

const withSchema = (openAPIV3Schema: Json): Json =>
  gadgets(({ version }) => void (version['schema'] = { openAPIV3Schema }));
const withField = (a: Json): Json => withSchema({ type: 'object', properties: { a } });
const withRule = (rule: Json): Json => withSchema({ type: 'object', 'x-kubernetes-validations': [rule] });
const items = { type: 'object', properties: { k: text } };

/** Definitions that are refused, most of them. */
export const definitions: Readonly<Record<string, Json>> = {
  'another name': gadgets((crd) => void (crd.name = 'x.y.io')),
  'no group': gadgets(({ spec }) => void (spec['group'] = '')),
  'a group without a dot': gadgets((crd) => ((crd.name = 'gadgets.y'), void (crd.spec['group'] = 'y'))),
  'another scope': gadgets(({ spec }) => void (spec['scope'] = 'Foo')),
  'no scope': gadgets(({ spec }) => void delete spec['scope']),
  'no kind': gadgets(({ names }) => void delete names['kind']),
  'a kind that is no name': gadgets(({ names }) => void (names['kind'] = 'gad_get')),
  'a short name': gadgets(({ names }) => void (names['shortNames'] = ['A_'])),
  'a category': gadgets(({ names }) => void (names['categories'] = ['A'])),
  'kind and list kind': gadgets(({ names }) => void (names['listKind'] = 'Gadget')),
  'a singular': gadgets(({ names }) => void (names['singular'] = 'Gadget')),
  'no versions': gadgets(({ spec }) => void delete spec['versions']),
  'a version twice': gadgets(({ spec, version }) => void (spec['versions'] = [version, version])),
  'no storage version': gadgets(({ version }) => void (version['storage'] = false)),
  'two storage versions': gadgets(
    ({ spec, version }) => void (spec['versions'] = [version, { ...version, name: 'v2' }]),
  ),
  'a version that is no name': gadgets(({ version }) => void (version['name'] = 'V_1')),
  'no schema': gadgets(({ version }) => void delete version['schema']),
  'preserves everything': gadgets(({ spec }) => void (spec['preserveUnknownFields'] = true)),
  'a webhook that is not there': gadgets(({ spec }) => void (spec['conversion'] = { strategy: 'Webhook' })),
  'another conversion': gadgets(({ spec }) => void (spec['conversion'] = { strategy: 'Foo' })),
  'a warning without a reason': gadgets(({ version }) => void (version['deprecationWarning'] = 'x')),
  'paths of scale': gadgets(
    ({ version }) =>
      void (version['subresources'] = { scale: { specReplicasPath: 'spec.r', statusReplicasPath: '.foo' } }),
  ),
  columns: gadgets(
    ({ version }) => void (version['additionalPrinterColumns'] = [{ name: '', type: 'foo', jsonPath: 'x' }]),
  ),
  'selectable fields': gadgets(({ version }) => void (version['selectableFields'] = [{ jsonPath: '.spec.x' }])),
  'no type': withSchema({}),
  'no object': withSchema({ type: 'string' }),
  nullable: withSchema({ type: 'object', nullable: true }),
  'a field without type': withField({}),
  'an unknown type': withField({ type: 'foo' }),
  'no items': withField({ type: 'array' }),
  'many items': withField({ type: 'array', items: [text] }),
  'items without type': withField({ type: 'array', items: {} }),
  'fields and others': withField({ type: 'object', properties: { b: text }, additionalProperties: text }),
  metadata: withSchema({
    type: 'object',
    properties: { metadata: { type: 'object', properties: { labels: { type: 'object' } } } },
  }),
  unique: withField({ type: 'array', uniqueItems: true, items: text }),
  reference: withField({ $ref: '#/x' }),
  'a set that is no list': withField({ type: 'string', 'x-kubernetes-list-type': 'set' }),
  'a map without keys': withField({ type: 'array', 'x-kubernetes-list-type': 'map', items }),
  'a key that may be missing': withField({
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['k'],
    items,
  }),
  'a key that is no field': withField({
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['z'],
    items,
  }),
  'a type of list': withField({ type: 'array', 'x-kubernetes-list-type': 'foo', items: text }),
  'a type of map': withField({ type: 'object', 'x-kubernetes-map-type': 'foo' }),
  'a resource that is text': withField({ type: 'string', 'x-kubernetes-embedded-resource': true }),
  'a resource without fields': withField({ type: 'object', 'x-kubernetes-embedded-resource': true }),
  'a default of another type': withField({ type: 'integer', default: 'x' }),
  'a default that is pruned': withField({ type: 'object', default: { x: 1 } }),
  'a default of everything': withSchema({ type: 'object', default: {} }),
  'a type below anyOf': withField({ type: 'string', anyOf: [text] }),
  'a field below anyOf': withSchema({ type: 'object', anyOf: [{ properties: { b: { minimum: 1 } } }] }),
  'preserves nothing': withSchema({ type: 'object', 'x-kubernetes-preserve-unknown-fields': false }),
  'a pattern': withField({ type: 'string', pattern: '[' }),
  'no rule': withRule({ rule: '' }),
  'a rule that is no question': withRule({ rule: '1 + 1' }),
  'a rule with an empty message': withRule({ rule: 'true', message: ' \n' }),
  'a rule with another reason': withRule({ rule: 'true', reason: 'Foo', fieldPath: 'foo' }),
  'a rule about a field that there is none of': withRule({ rule: 'self.hat == 1' }),
  'a rule about a field of items that they have not': withSchema({
    type: 'object',
    properties: {
      list: {
        type: 'array',
        maxItems: 5,
        items: { type: 'object', properties: { size: { type: 'integer' } } },
        'x-kubernetes-validations': [{ rule: 'self.all(x, x.colour == 1 &&\n x.size > 1)', message: 'm' }],
      },
    },
  }),
  'a rule of two lines': withRule({ rule: 'true &&\ntrue' }),
  'a rule about a variable that there is none of': withRule({ rule: 'foo == 1' }),
  'a rule about metadata': withRule({ rule: 'has(self.metadata.labels)' }),
  'a rule about what every object has': withRule({ rule: "self.metadata.name != 'a' && self.kind != 'b'" }),
  'a message that cannot be said': withRule({ rule: 'true', messageExpression: 'self.hat' }),
  'versions of nothing': gadgets(({ spec }) => void (spec['versions'] = [])),
  'no word of versions': gadgets(({ spec }) => void delete spec['versions']),
  'nothing wrong': gadgets(() => undefined),
};
