import { expect, test } from 'vitest';
import type { KubeObject } from '../../../wire/kubernetes/objects.ts';
import { Store } from './store.ts';

const thing = (name: string, namespace = 'a'): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Thing',
  metadata: { name, namespace },
});
const names = (objects: readonly KubeObject[] | undefined) => objects?.map(({ metadata }) => metadata.name);

function storeAt(): { readonly store: Store; readonly pass: (ms: number) => void } {
  let at = 0;
  return { store: new Store(() => new Date(at)), pass: (ms) => void (at += ms) };
}

test('objects come in the order of their keys, whatever namespace they are in', () => {
  const { store } = storeAt();
  for (const [name, namespace] of [
    ['z', 'a'],
    ['b', 'a-b'],
    ['a', 'b'],
    ['a', 'a'],
  ] as const)
    store.put('/things', thing(name, namespace));

  expect(store.list('/things').map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)).toEqual([
    'a-b/b',
    'a/a',
    'a/z',
    'b/a',
  ]);
  expect(names(store.list('/things', 'a'))).toEqual(['a', 'z']);
});

test('an older version can be listed until it is forgotten', () => {
  const { store, pass } = storeAt();
  store.put('/things', thing('one'));
  const then = store.version;
  store.put('/things', thing('two'));
  store.remove('/things', 'a', 'one');

  expect(names(store.listAt('/things', then))).toEqual(['one']);
  expect(names(store.list('/things'))).toEqual(['two']);
  pass(6 * 60_000);
  store.put('/things', thing('three'));
  expect(store.listAt('/things', then)).toBeUndefined();
  expect(names(store.listAt('/things', store.version))).toEqual(['three', 'two']);
});

test('listeners that write are heard of after what they heard', () => {
  const { store } = storeAt();
  const heard: string[] = [];
  store.onChange('/things', ({ kind, object }) => {
    if (object.metadata.name === 'first') store.put('/things', thing('second'));
    heard.push(`${kind} ${object.metadata.name}`);
  });
  store.onChange(undefined, ({ object, version }) => heard.push(`all ${object.metadata.name} ${version}`));
  store.put('/things', thing('first'));

  expect(heard).toEqual(['ADDED first', 'all first 2', 'ADDED second', 'all second 3']);
});

test('after forgetting, nothing before now is known', () => {
  const { store } = storeAt();
  store.put('/things', thing('one'));
  const then = store.version;
  store.put('/things', thing('two'));
  store.forget();

  expect([store.changesSince('/things', then), store.changesSince('/things', store.version)]).toEqual([undefined, []]);
});
