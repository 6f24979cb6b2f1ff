import { expect, test } from 'vitest';
import type { KubeObject } from '../../../wire/kubernetes/objects.ts';
import { startKubernetesTwin } from '../start.ts';
import { crdResource, statusOf } from './crd.ts';

const as = { manager: 'test' };
const now = new Date('2026-01-02T03:04:05Z');
const clock = { now: () => now, sleep: () => new Promise<void>(() => undefined) };

function crd(plural: string, kind: string, shortNames?: readonly string[]): KubeObject {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  const names = { plural, kind, ...(shortNames !== undefined && { shortNames }) };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.c.io` },
    spec: {
      group: 'c.io',
      scope: 'Namespaced',
      names,
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const twinOf = () => startKubernetesTwin({ controllers: 'off', clock });
const moment = '2026-01-02T03:04:05Z';
const isTrue = (type: string, reason: string, message: string) => ({
  type,
  status: 'True',
  lastTransitionTime: moment,
  reason,
  message,
});
const isFalse = (type: string, reason: string, message: string) => ({
  ...isTrue(type, reason, message),
  status: 'False',
});

test('a definition is established and then served', async () => {
  await using twin = twinOf();
  twin.api.create(crdResource, crd('as', 'Aa', ['zz']), as);
  expect(twin.api.definition('c.io/v1', 'Aa')).toBeUndefined();
  await settled();
  expect(statusOf(twin.api.get(crdResource, undefined, 'as.c.io') ?? {})).toEqual({
    conditions: [
      isTrue('NamesAccepted', 'NoConflicts', 'no conflicts found'),
      isTrue('Established', 'InitialNamesAccepted', 'the initial names have been accepted'),
    ],
    acceptedNames: { plural: 'as', singular: 'aa', shortNames: ['zz'], kind: 'Aa', listKind: 'AaList' },
    storedVersions: ['v1'],
  });
  expect(twin.api.definition('c.io/v1', 'Aa')?.resource).toBe('as');
});

test('names that another has are not given', async () => {
  await using twin = twinOf();
  twin.api.create(crdResource, crd('as', 'Aa', ['zz']), as);
  await settled();
  twin.api.create(crdResource, crd('bs', 'Aa', ['zz']), as);
  await settled();
  expect(statusOf(twin.api.get(crdResource, undefined, 'bs.c.io') ?? {})).toEqual({
    conditions: [
      isFalse('NamesAccepted', 'ListKindConflict', '"AaList" is already in use'),
      isFalse('Established', 'NotAccepted', 'not all names are accepted'),
    ],
    acceptedNames: { plural: 'bs', kind: '' },
    storedVersions: ['v1'],
  });
});

test('a definition goes when the last of its objects has gone', async () => {
  await using twin = twinOf();
  twin.api.create(crdResource, crd('as', 'Aa'), as);
  await settled();
  const object = (name: string, finalizers?: readonly string[]): KubeObject => ({
    apiVersion: 'c.io/v1',
    kind: 'Aa',
    metadata: { name, namespace: 'default', ...(finalizers !== undefined && { finalizers }) },
  });
  twin.api.create('c.io/as', object('free'), as);
  twin.api.create('c.io/as', object('held', ['x.io/y']), as);
  twin.api.delete(crdResource, undefined, 'as.c.io', {}, as);
  await settled();
  expect(twin.api.list('c.io/as').map(({ metadata }) => metadata.name)).toEqual(['held']);
  expect(statusOf(twin.api.get(crdResource, undefined, 'as.c.io') ?? {}).conditions?.at(-1)).toEqual(
    isTrue('Terminating', 'InstanceDeletionInProgress', 'CustomResource deletion is in progress'),
  );
  expect(() => twin.api.create('c.io/as', object('late'), as)).toThrow(
    'as.c.io "late" is forbidden: create not allowed while custom resource definition is terminating',
  );

  const letGo = (held: { [field: string]: unknown }): void => {
    delete (held['metadata'] as { finalizers?: unknown }).finalizers;
  };
  twin.api.update('c.io/as', 'default', 'held', letGo, as);
  await settled();
  expect(twin.api.list(crdResource)).toEqual([]);
  expect(twin.api.definition('c.io/v1', 'Aa')).toBeUndefined();
});
