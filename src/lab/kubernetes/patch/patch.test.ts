import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Refusal } from '../refusal.ts';
import type { Schema } from '../schema/schema.ts';
import { jsonPatch } from './json-patch.ts';
import { mergePatch } from './merge-patch.ts';
import { strategicMergePatch } from './strategic.ts';

const text: Schema = { type: 'string' };
const object = (properties: Readonly<Record<string, Schema>>, extra: Partial<Schema> = {}): Schema => ({
  type: 'object',
  property: (name) => properties[name],
  properties: () => Object.keys(properties),
  ...extra,
});
const container = object({
  name: text,
  image: text,
  args: { type: 'array', items: () => text },
});
const pod = object({
  metadata: object({
    labels: { type: 'map', values: () => text },
    finalizers: { type: 'array', items: () => text, patchStrategy: ['merge'] },
  }),
  spec: object({
    containers: { type: 'array', items: () => container, patchStrategy: ['merge'], patchMergeKey: 'name' },
    strategy: object({ type: text, rollingUpdate: object({ max: text }) }, { patchStrategy: ['retainKeys'] }),
    taints: { type: 'array', items: () => object({ key: text }) },
  }),
});

/** Status of what was thrown, without what every refusal has. */
function refused(attempt: () => unknown): unknown {
  try {
    attempt();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { kind: _, apiVersion: __, metadata: ___, status: ____, ...rest } = error.status;
    return rest;
  }
  return undefined;
}

const unfit = {
  message: 'the server rejected our request due to an error in our request',
  reason: 'Invalid',
  details: {},
  code: 422,
};

describe('JSON patch', () => {
  const document = { a: { b: [1, 2, 3] }, 'x/y~': 1 };

  test.each([
    ['add to a list', [{ op: 'add', path: '/a/b/1', value: 9 }], { ...document, a: { b: [1, 9, 2, 3] } }],
    ['append', [{ op: 'add', path: '/a/b/-', value: 9 }], { ...document, a: { b: [1, 2, 3, 9] } }],
    ['from the end', [{ op: 'remove', path: '/a/b/-1' }], { ...document, a: { b: [1, 2] } }],
    ['replace what is not there', [{ op: 'replace', path: '/new', value: 1 }], { ...document, new: 1 }],
    ['escaped', [{ op: 'remove', path: '/x~1y~0' }], { a: document.a }],
    ['move', [{ op: 'move', from: '/a/b', path: '/c' }], { 'x/y~': 1, a: {}, c: [1, 2, 3] }],
    ['copy', [{ op: 'copy', from: '/a/b/0', path: '/c' }], { ...document, c: 1 }],
    ['test', [{ op: 'test', path: '/a', value: { b: [1, 2, 3] } }], document],
    ['the whole', [{ op: 'replace', path: '', value: { z: 1 } }], { z: 1 }],
  ])('%s', (_, operations, expected) => {
    expect(jsonPatch(document, operations)).toEqual(expected);
  });

  test.each([
    [{ op: 'remove', path: '/nothing' }],
    [{ op: 'add', path: '/nothing/below', value: 1 }],
    [{ op: 'add', path: '/a/b/9', value: 1 }],
    [{ op: 'replace', path: '/a/b/3', value: 1 }],
    [{ op: 'test', path: '/a/b/0', value: 2 }],
    [{ op: 'shake', path: '/a' }],
    [{ op: 'add', value: 1 }],
  ])('%j does not fit', (operation) => {
    expect(refused(() => jsonPatch(document, [operation]))).toEqual(unfit);
  });

  test('is a list', () => {
    expect(refused(() => jsonPatch(document, { a: 1 }))).toEqual({
      message: 'error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp',
      reason: 'BadRequest',
      code: 400,
    });
  });
});

describe('merge patch', () => {
  test.each([
    [{ a: { b: 1, c: 2 } }, { a: { b: null, d: { e: null, f: 1 } } }, { a: { c: 2, d: { f: 1 } } }],
    [{ a: [1, 2] }, { a: [3] }, { a: [3] }],
    [{ a: 1 }, { a: { b: 1 } }, { a: { b: 1 } }],
  ])('%j with %j', (document, patch, expected) => {
    expect(mergePatch(document, patch)).toEqual(expected);
  });

  test('is an object', () => {
    expect(refused(() => mergePatch({}, [1]))).toEqual({
      message: 'error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}',
      reason: 'BadRequest',
      code: 400,
    });
  });

  test('what differs, as a patch, makes one document of another', () => {
    const value = fc.letrec((tie) => ({
      node: fc.oneof({ maxDepth: 3 }, fc.integer(), fc.string(), fc.array(fc.integer()), tie('object')),
      object: fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('node'), { noNullPrototype: true }),
    })).object;
    fc.assert(
      fc.property(value, value, (a, b) => {
        expect(mergePatch(a, difference(a, b) ?? {})).toEqual(b);
      }),
    );
  });
});

function difference(a: unknown, b: unknown): unknown {
  if (!isObject(a) || !isObject(b)) return b;
  const gone = Object.keys(a).filter((key) => !(key in b));
  return Object.fromEntries([
    ...gone.map((key) => [key, null]),
    ...Object.keys(b).map((key) => [key, key in a ? difference(a[key], b[key]) : b[key]]),
  ]);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

describe('strategic merge patch', () => {
  const live = {
    metadata: { labels: { a: '1' }, finalizers: ['x', 'y'] },
    spec: {
      containers: [
        { name: 'web', image: 'web:1', args: ['a'] },
        { name: 'log', image: 'log:1' },
      ],
      strategy: { type: 'RollingUpdate', rollingUpdate: { max: '1' } },
      taints: [{ key: 'a' }],
    },
  };
  const [web, log] = live.spec.containers;
  const containers = (...list: readonly unknown[]): unknown => ({ ...live, spec: { ...live.spec, containers: list } });

  test.each([
    [
      'a container by its name',
      { spec: { containers: [{ name: 'log', image: 'log:2' }] } },
      containers(web, { name: 'log', image: 'log:2' }),
    ],
    [
      'one more container stands first',
      { spec: { containers: [{ name: 'new', image: 'new:1' }] } },
      containers({ name: 'new', image: 'new:1' }, web, log),
    ],
    ['one container less', { spec: { containers: [{ name: 'web', $patch: 'delete' }] } }, containers(log)],
    [
      'other containers',
      { spec: { containers: [{ name: 'only' }, { $patch: 'replace' }] } },
      containers({ name: 'only' }),
    ],
    [
      'their order',
      { spec: { '$setElementOrder/containers': [{ name: 'log' }, { name: 'web' }] } },
      containers(log, web),
    ],
    [
      'their order with one that is new',
      {
        spec: {
          '$setElementOrder/containers': [{ name: 'log' }, { name: 'new' }],
          containers: [{ name: 'new', image: null, args: ['b'] }],
        },
      },
      containers(web, log, { name: 'new', image: null, args: ['b'] }),
    ],
    [
      'a list without a strategy is replaced',
      { spec: { taints: [] } },
      { ...live, spec: { ...live.spec, taints: [] } },
    ],
    [
      'words are added once',
      { metadata: { finalizers: ['y', 'z'] } },
      { ...live, metadata: { ...live.metadata, finalizers: ['x', 'y', 'z'] } },
    ],
    [
      'and taken away',
      { metadata: { '$deleteFromPrimitiveList/finalizers': ['x'] } },
      { ...live, metadata: { ...live.metadata, finalizers: ['y'] } },
    ],
    [
      'only some keys stay',
      { spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } } },
      { ...live, spec: { ...live.spec, strategy: { type: 'Recreate' } } },
    ],
    [
      'a map anew',
      { metadata: { labels: { $patch: 'replace', b: '2' } } },
      { ...live, metadata: { ...live.metadata, labels: { b: '2' } } },
    ],
    [
      'an empty map',
      { metadata: { labels: { $patch: 'delete' } } },
      { ...live, metadata: { ...live.metadata, labels: {} } },
    ],
    ['null removes', { spec: null }, { metadata: live.metadata }],
  ])('%s', (_, patch, expected) => {
    expect(strategicMergePatch(pod, live, patch)).toEqual(expected);
  });

  test.each([
    [{ spec: { containers: [{ image: 'x' }] } }, 'map: map[image:x] does not contain declared merge key: name', 500],
    [{ metadata: { labels: { $patch: 'foo' } } }, 'unknown patch type: foo in map: map[$patch:foo]', 500],
    [{ spec: { strategy: { $retainKeys: ['a'], type: 'x' } } }, 'invalid patch format of retainKeys', 400],
    [[1], 'json: cannot unmarshal array into Go value of type map[string]interface {}', 400],
  ])('%j is refused', (patch, message, code) => {
    expect(refused(() => strategicMergePatch(pod, live, patch))).toEqual({
      message,
      ...(code === 400 ? { reason: 'BadRequest' } : {}),
      code,
    });
  });
});
