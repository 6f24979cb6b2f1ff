import { describe, expect, test } from 'vitest';
import type { KubeObject } from '../../../wire/kubernetes/objects.ts';
import { structuralSchema } from './structural.ts';
import type { RawSchema } from './structural.ts';
import { validateCustom } from './validate-custom.ts';

const pair = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } } };
const eitherOne = [{ required: ['a'] }, { required: ['b'] }];
const widget: RawSchema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      required: ['need'],
      properties: {
        need: { type: 'string' },
        replicas: { type: 'integer', minimum: 1, maximum: 10 },
        strict: { type: 'integer', minimum: 1, exclusiveMinimum: true, maximum: 5, exclusiveMaximum: true },
        mul: { type: 'integer', multipleOf: 3 },
        s: { type: 'string', minLength: 2, maxLength: 4, pattern: '^[a-z]+$' },
        e: { type: 'string', enum: ['A', 'B'] },
        ei: { type: 'integer', enum: [1, 2] },
        l: { type: 'array', minItems: 1, maxItems: 2, items: { type: 'string' } },
        set: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
        map: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['k'],
          items: { type: 'object', required: ['k'], properties: { k: { type: 'string' }, v: { type: 'string' } } },
        },
        m: { type: 'object', minProperties: 1, maxProperties: 2, additionalProperties: { type: 'integer' } },
        ios: { 'x-kubernetes-int-or-string': true },
        any: { ...pair, anyOf: eitherOne },
        one: { ...pair, oneOf: eitherOne },
        not: { type: 'string', not: { enum: ['x'] } },
        all: { type: 'integer', allOf: [{ minimum: 2 }, { maximum: 3 }] },
        dt: { type: 'string', format: 'date-time' },
        i32: { type: 'integer', format: 'int32' },
        emb: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
        n: { type: 'string', nullable: true },
      },
    },
  },
};

const object = (spec: object): KubeObject => ({ apiVersion: 'x.io/v1', kind: 'Widget', metadata: {}, spec });
const told = (schema: RawSchema, spec: object, old?: object): readonly string[] =>
  validateCustom(structuralSchema(schema), object(spec), old === undefined ? undefined : object(old)).map(
    ({ field, message }) => `${field}: ${message}`,
  );

// What a real API server says about the same.
test.each<[object, readonly string[]]>([
  [{ n: null }, []],
  [{ replicas: 0 }, ['spec.replicas: Invalid value: 0: spec.replicas in body should be greater than or equal to 1']],
  [{ replicas: 11 }, ['spec.replicas: Invalid value: 11: spec.replicas in body should be less than or equal to 10']],
  [
    { replicas: '1' },
    ['spec.replicas: Invalid value: "string": spec.replicas in body must be of type integer: "string"'],
  ],
  [
    { replicas: 1.5 },
    [
      'spec.replicas: Invalid value: "number": spec.replicas in body must be of type integer: "number"',
      '<nil>: Invalid value: "": Checked value must be of type integer (default format) in spec.replicas',
    ],
  ],
  [{ strict: 1 }, ['spec.strict: Invalid value: 1: spec.strict in body should be greater than 1']],
  [{ strict: 5 }, ['spec.strict: Invalid value: 5: spec.strict in body should be less than 5']],
  [{ mul: 4 }, ['spec.mul: Invalid value: 4: spec.mul in body should be a multiple of 3']],
  [{ s: 'a' }, ['spec.s: Invalid value: "a": spec.s in body should be at least 2 chars long']],
  [{ s: 'abcde' }, ['spec.s: Too long: may not be more than 4 bytes']],
  [{ s: 'A1' }, [`spec.s: Invalid value: "A1": spec.s in body should match '^[a-z]+$'`]],
  [{ e: 'C' }, ['spec.e: Unsupported value: "C": supported values: "A", "B"']],
  [
    { e: 5 },
    [
      'spec.e: Invalid value: "integer": spec.e in body must be of type string: "integer"',
      'spec.e: Unsupported value: 5: supported values: "A", "B"',
    ],
  ],
  [{ ei: 3 }, ['spec.ei: Unsupported value: 3: supported values: "1", "2"']],
  [{ l: [] }, ['spec.l: Invalid value: 0: spec.l in body should have at least 1 items']],
  [{ l: ['a', 'b', 'c'] }, ['spec.l: Too many: 3: must have at most 2 items']],
  [{ l: [1] }, ['spec.l[0]: Invalid value: "integer": spec.l[0] in body must be of type string: "integer"']],
  [{ set: ['a', 'a'] }, ['spec.set[1]: Duplicate value: "a"']],
  [{ map: [{ k: 'a' }, { k: 'a', v: 'b' }] }, ['spec.map[1]: Duplicate value: {"k":"a"}']],
  [{ map: [{ v: 'b' }] }, ['spec.map[0].k: Required value']],
  [{ m: {} }, ['spec.m: Invalid value: 0: spec.m in body should have at least 1 properties']],
  [{ m: { a: 1, b: 2, c: 3 } }, ['spec.m: Too many: 3: must have at most 2 items']],
  [{ ios: true }, ['spec.ios: Invalid value: "boolean": spec.ios in body must be of type integer,string: "boolean"']],
  [
    { any: {} },
    ['<nil>: Invalid value: "": "spec.any" must validate at least one schema (anyOf)', 'spec.any.a: Required value'],
  ],
  [
    { one: {} },
    [
      '<nil>: Invalid value: "": "spec.one" must validate one and only one schema (oneOf). Found none valid',
      'spec.one.a: Required value',
    ],
  ],
  [
    { one: { a: 'x', b: 'y' } },
    ['<nil>: Invalid value: "": "spec.one" must validate one and only one schema (oneOf). Found 2 valid alternatives'],
  ],
  [{ not: 'x' }, ['<nil>: Invalid value: "": "spec.not" must not validate the schema (not)']],
  [
    { all: 1 },
    [
      'spec.all: Invalid value: 1: spec.all in body should be greater than or equal to 2',
      '<nil>: Invalid value: "": "spec.all" must validate all the schemas (allOf)',
    ],
  ],
  [{ dt: 'x' }, ['spec.dt: Invalid value: "x": spec.dt in body must be of type date-time: "x"']],
  [
    { i32: 99999999999 },
    ['<nil>: Invalid value: "": Checked value must be of type integer with format int32 in spec.i32'],
  ],
  [{ emb: {} }, ['spec.emb.apiVersion: Required value', 'spec.emb.kind: Required value']],
])('%j', (spec, expected) => {
  expect(told(widget, { need: 'x', ...spec })).toEqual(expected);
});

test('what is missing', () => {
  expect(told(widget, {})).toEqual(['spec.need: Required value']);
});

test('what an update leaves alone is not judged again', () => {
  expect(told(widget, { need: 'x', replicas: 99, s: 'ab' }, { need: 'x', replicas: 99 })).toEqual([]);
});

describe('rules', () => {
  const ruled = (rules: readonly object[], properties: object = {}): RawSchema => ({
    type: 'object',
    properties: { spec: { type: 'object', properties, 'x-kubernetes-validations': rules } },
  });
  const numbers = { min: { type: 'integer' }, max: { type: 'integer' } };

  test('a rule without words is told itself', () => {
    expect(told(ruled([{ rule: 'self.min < 100' }], numbers), { min: 100 })).toEqual([
      'spec: Invalid value: failed rule: self.min < 100',
    ]);
  });

  test('message expression, field and reason', () => {
    const rule = {
      rule: 'self.min <= self.max',
      messageExpression: "'min ' + string(self.min) + ' above max'",
      fieldPath: '.min',
      reason: 'FieldValueForbidden',
    };
    expect(told(ruled([rule], numbers), { min: 3, max: 2 })).toEqual(['spec.min: Forbidden: min 3 above max']);
  });

  test('a transition is judged on an update only', () => {
    const rules = [{ rule: 'self == oldSelf', message: 'is immutable' }];
    const schema = ruled([], { im: { type: 'string', 'x-kubernetes-validations': rules } });
    expect(told(schema, { im: 'a' })).toEqual([]);
    expect(told(schema, { im: 'b' }, { im: 'a' })).toEqual(['spec.im: Invalid value: "b": is immutable']);
  });

  test('rules wait until the object has the right shape', () => {
    expect(told(ruled([{ rule: 'self.min < 100' }], numbers), { min: 'x' })).toEqual([
      'spec.min: Invalid value: "string": spec.min in body must be of type integer: "string"',
      '<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
    ]);
  });

  test.each([
    'quantity("1Gi").isGreaterThan(quantity("512Mi"))',
    'quantity("1").add(quantity("500m")).compareTo(quantity("1.5")) == 0',
    'isQuantity("1Gi") && !isQuantity("x")',
    'ip("10.0.0.1").family() == 4 && isIP("::1") && !isIP("x")',
    'cidr("10.0.0.0/8").containsIP("10.1.2.3") && !cidr("10.0.0.0/8").containsIP(ip("11.0.0.1"))',
    'cidr("10.0.0.0/8").containsCIDR("10.1.0.0/16") && cidr("fd00::/8").prefixLength() == 8',
    'url("https://example.com:8443/a?x=1").getHost() == "example.com:8443"',
    'isURL("https://x") && !isURL("x")',
    '[1, 2, 3].sum() == 6 && [3, 1].min() == 1 && [1, 2].isSorted() && ["a", "b"].indexOf("b") == 1',
    '"abc123".find("[0-9]+") == "123" && "a1b2".findAll("[0-9]") == ["1", "2"]',
    '"%s has %d".format(["x", 5]) == "x has 5" && "a-b".replace("-", "+") == "a+b"',
    'self.?missing.orValue("x") == "x"',
    'has([self][0].__namespace__) && !has({"a": self}["a"].missing) && [self].all(x, has([x, x][1].__namespace__))',
    'self.dash__dash__ed == 1 && self.__namespace__ == "n"',
    '"A".lowerAscii() == "a" && " x ".trim() == "x" && ["a", "b"].join("-") == "a-b"',
    'timestamp("2020-01-01T00:00:00Z") < timestamp("2021-01-01T00:00:00Z") && duration("1h") > duration("5m")',
  ])('%s', (rule) => {
    const properties = { 'dash-ed': { type: 'integer' }, namespace: { type: 'string' }, missing: { type: 'string' } };
    expect(told(ruled([{ rule }], properties), { 'dash-ed': 1, namespace: 'n' })).toEqual([]);
  });
});
