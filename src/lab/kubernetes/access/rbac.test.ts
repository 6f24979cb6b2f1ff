import { expect, test } from 'vitest';
import type { User } from '../api.ts';
import { Refusal } from '../refusal.ts';
import { startKubernetesTwin } from '../start.ts';
import { rbacAuthorizer } from './rbac.ts';

const bob: User = { name: 'bob', groups: ['dev', 'system:authenticated'] };
const as = { manager: 'test' };
const group = 'rbac.authorization.k8s.io';
const apiVersion = `${group}/v1`;

const asking = (verb: string, resource: string, namespace?: string) => ({
  user: bob,
  verb,
  path: '',
  resource: { group: '', version: 'v1', resource, subresource: undefined, namespace, name: undefined },
});

test('a binding allows what its role says, where it says so', async () => {
  await using twin = startKubernetesTwin({ seed: 1 });
  const authorize = rbacAuthorizer(twin.api);
  twin.api.create(
    `${group}/rolebindings`,
    {
      apiVersion,
      kind: 'RoleBinding',
      metadata: { name: 'viewers', namespace: 'default' },
      subjects: [{ kind: 'Group', name: 'dev', apiGroup: group }],
      roleRef: { apiGroup: group, kind: 'ClusterRole', name: 'view' },
    },
    as,
  );

  expect(authorize(asking('list', 'pods', 'default'))).toEqual({
    isAllowed: true,
    reason: 'RBAC: allowed by RoleBinding "viewers/default" of ClusterRole "view" to Group "dev"',
  });
  expect(authorize(asking('list', 'secrets', 'default'))).toEqual({ isAllowed: false, reason: '' });
  expect(authorize(asking('list', 'pods'))).toEqual({ isAllowed: false, reason: '' });
  expect(authorize({ user: bob, verb: 'get', path: '/apis/apps' }).isAllowed).toBe(true);
});

test('nobody gives away what they do not have', async () => {
  await using twin = startKubernetesTwin({ seed: 1 });
  const role = {
    apiVersion,
    kind: 'Role',
    metadata: { name: 'more', namespace: 'default' },
    rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'delete'] }],
  };

  expect(() => twin.api.create(`${group}/roles`, role, { ...as, user: bob })).toThrow(
    new Refusal({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message:
        'roles.rbac.authorization.k8s.io "more" is forbidden: user "bob" (groups=["dev" "system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n{APIGroups:[""], Resources:["pods"], Verbs:["get" "delete"]}',
      reason: 'Forbidden',
      details: { name: 'more', group, kind: 'roles' },
      code: 403,
    }),
  );
});
