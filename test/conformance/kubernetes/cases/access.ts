import { expect } from 'vitest';
import type { KubeObject } from '../../../../src/wire/kubernetes/objects.ts';
import { forbidden, holds, invalid, like, refuses, type Chapter } from '../case.ts';
import { configMap } from '../objects.ts';
import type { World } from '../world.ts';

const eva = { token: 'token-of-eva' } as const;
const rbac = 'rbac.authorization.k8s.io/v1';

const role = (name: string, rules: readonly object[]): object => ({
  apiVersion: rbac,
  kind: 'Role',
  metadata: { name },
  rules,
});

const binding = (name: string, subjects: readonly object[], roleName = name): object => ({
  apiVersion: rbac,
  kind: 'RoleBinding',
  metadata: { name },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: roleName },
  subjects,
});

const mapReader = { apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list'] };
const user = (name: string): object => ({ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name });
const group = (name: string): object => ({ kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name });

async function allow(world: World, subjects: readonly object[], rules: readonly object[] = [mapReader]): Promise<void> {
  await world.make(`${rbac}/roles`, role('reader', rules));
  await world.make(`${rbac}/rolebindings`, binding('reader', subjects));
}

/** A role that was just bound is known a moment later. */
const soon = (world: World, call: string, asked: object, code = 200): Promise<true> =>
  world.until(`${call} is answered with ${code}`, async () => {
    return (await world.ask(call, undefined, asked)).status === code ? true : undefined;
  });

const whoAmI = async (world: World, asked: object): Promise<unknown> => {
  const { status, body } = await world.ask(
    'POST /apis/authentication.k8s.io/v1/selfsubjectreviews',
    { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
    asked,
  );
  return status === 201 ? (body as { status: { userInfo: unknown } }).status.userInfo : body;
};

const mayI = async (world: World, attributes: object, asked: object = {}): Promise<unknown> => {
  const made = await world.make(
    '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
    {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      spec: { resourceAttributes: attributes },
    },
    asked,
  );
  return made['status'];
};

export const access: Chapter = {
  title: 'access',
  cases: [
    refuses(
      'a token that nobody knows',
      { call: 'GET configmaps', token: 'made-up' },
      { code: 401, reason: 'Unauthorized', message: 'Unauthorized' },
    ),
    refuses(
      'nobody may read',
      { call: 'GET configmaps', token: 'none' },
      forbidden(
        'configmaps',
        '',
        'User "system:anonymous" cannot list resource "configmaps" in API group "" in the namespace "{ns}"',
      ),
    ),
    holds('nobody may ask for health and version', async ({ ask }) => {
      const codes = await Promise.all(
        ['/healthz', '/livez', '/readyz', '/version'].map(
          async (path) => (await ask(`GET ${path}`, undefined, { token: 'none' })).status,
        ),
      );
      expect(codes).toEqual([200, 200, 200, 200]);
    }),
    refuses(
      'somebody without a role may not list',
      { call: 'GET configmaps', ...eva },
      forbidden(
        'configmaps',
        '',
        'User "eva" cannot list resource "configmaps" in API group "" in the namespace "{ns}"',
      ),
    ),
    refuses(
      'nor get one',
      { call: 'GET configmaps/a', ...eva },
      forbidden(
        'configmaps',
        'a',
        'User "eva" cannot get resource "configmaps" in API group "" in the namespace "{ns}"',
      ),
    ),
    refuses(
      'nor make one of another group',
      { call: 'POST apps/v1/deployments', body: {}, ...eva },
      forbidden(
        'deployments.apps',
        '',
        'User "eva" cannot create resource "deployments" in API group "apps" in the namespace "{ns}"',
      ),
    ),
    refuses(
      'nor list those of all namespaces',
      { call: 'GET /api/v1/configmaps', ...eva },
      forbidden('configmaps', '', 'User "eva" cannot list resource "configmaps" in API group "" at the cluster scope'),
    ),
    refuses(
      'nor scale',
      { call: 'GET apps/v1/deployments/web/scale', ...eva },
      forbidden(
        'deployments.apps',
        'web',
        'User "eva" cannot get resource "deployments/scale" in API group "apps" in the namespace "{ns}"',
      ),
    ),
    refuses(
      'nor see a path that is no resource',
      { call: 'GET /metrics', ...eva },
      {
        code: 403,
        reason: 'Forbidden',
        message: 'forbidden: User "eva" cannot get path "/metrics"',
        details: {},
      },
    ),
    holds('a role that is bound allows', async (world) => {
      await allow(world, [user('eva')]);
      await soon(world, 'GET configmaps', eva);
      expect((await world.ask('POST configmaps', configMap('a'), eva)).status).toBe(403);
    }),
    holds('a role may be bound to a group', async (world) => {
      await allow(world, [group('gardeners')]);
      await soon(world, 'GET configmaps', eva);
    }),
    holds('a role may allow single names', async (world) => {
      await world.make('configmaps', configMap('open'));
      await world.make('configmaps', configMap('shut'));
      await allow(world, [user('eva')], [{ ...mapReader, resourceNames: ['open'], verbs: ['get'] }]);
      await soon(world, 'GET configmaps/open', eva);
      expect((await world.ask('GET configmaps/shut', undefined, eva)).status).toBe(403);
    }),
    holds('a role of one namespace does not reach another', async (world) => {
      await allow(world, [user('eva')]);
      await soon(world, 'GET configmaps', eva);
      expect((await world.ask('GET /api/v1/namespaces/default/configmaps', undefined, eva)).status).toBe(403);
    }),
    holds('a binding that goes takes the right with it', async (world) => {
      await allow(world, [user('eva')]);
      await soon(world, 'GET configmaps', eva);
      await world.remove(`${rbac}/rolebindings/reader`);
      await soon(world, 'GET configmaps', eva, 403);
    }),
    holds('a service account is who its token says', async (world) => {
      await world.make('serviceaccounts', { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'robot' } });
      const { status } = (await world.make('serviceaccounts/robot/token', {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenRequest',
        spec: {},
      })) as KubeObject & { status: { token: string } };
      expect(await whoAmI(world, { token: status.token })).toEqual({
        username: `system:serviceaccount:${world.ns}:robot`,
        uid: like(/^[0-9a-f-]{36}$/),
        groups: ['system:serviceaccounts', `system:serviceaccounts:${world.ns}`, 'system:authenticated'],
        extra: { 'authentication.kubernetes.io/credential-id': [like(/^JTI=[0-9a-f-]{36}$/)] },
      });
    }),
    holds('a token is worth nothing when its account is gone', async (world) => {
      await world.make('serviceaccounts', { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'robot' } });
      const { status } = (await world.make('serviceaccounts/robot/token', {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenRequest',
        spec: {},
      })) as KubeObject & { status: { token: string } };
      await world.remove('serviceaccounts/robot');
      await soon(world, 'GET configmaps', { token: status.token }, 401);
    }),
    holds('a service account may be bound', async (world) => {
      await world.make('serviceaccounts', { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'robot' } });
      await allow(world, [{ kind: 'ServiceAccount', name: 'robot', namespace: world.ns }]);
      const { status } = (await world.make('serviceaccounts/robot/token', {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenRequest',
        spec: {},
      })) as KubeObject & { status: { token: string } };
      await soon(world, 'GET configmaps', { token: status.token });
    }),
    holds('a user of a token', async (world) => {
      expect(await whoAmI(world, eva)).toEqual({
        username: 'eva',
        uid: 'eva',
        groups: ['gardeners', 'system:authenticated'],
      });
    }),
    holds('a user of a certificate', async (world) => {
      const certificate = await world.clients.client('carla', ['cooks', 'gardeners']);
      expect(await whoAmI(world, { certificate })).toEqual({
        username: 'carla',
        groups: ['cooks', 'gardeners', 'system:authenticated'],
        extra: { 'authentication.kubernetes.io/credential-id': [like(/^X509SHA256=[0-9a-f]{64}$/)] },
      });
    }),
    refuses(
      'a certificate without rights may not list',
      { call: 'GET configmaps', headers: { 'impersonate-user': 'carla' } },
      forbidden(
        'configmaps',
        '',
        'User "carla" cannot list resource "configmaps" in API group "" in the namespace "{ns}"',
      ),
    ),
    holds('an administrator may be somebody else', async (world) => {
      const headers = {
        'impersonate-user': 'tom',
        'impersonate-group': ['a', 'b'],
        'impersonate-extra-why': 'because',
      };
      expect(await whoAmI(world, { headers })).toEqual({
        username: 'tom',
        groups: ['a', 'b', 'system:authenticated'],
        extra: { why: ['because'] },
      });
    }),
    refuses(
      'others may not',
      { call: 'GET configmaps', ...eva, headers: { 'impersonate-user': 'tom' } },
      forbidden(
        'configmaps',
        '',
        'User "eva" cannot impersonate-on:user-info:list resource "configmaps" in API group "" in the namespace "{ns}"',
      ),
    ),
    refuses(
      'a role that gives more than one has',
      {
        given: async (world) => {
          await allow(
            world,
            [user('eva')],
            [{ apiGroups: ['rbac.authorization.k8s.io'], resources: ['roles'], verbs: ['create', 'get'] }],
          );
          await soon(world, `GET ${rbac}/roles/reader`, eva);
        },
        call: `POST ${rbac}/roles`,
        body: role('more', [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }]),
        ...eva,
      },
      forbidden(
        'roles.rbac.authorization.k8s.io',
        'more',
        'user "eva" (groups=["gardeners" "system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n{APIGroups:[""], Resources:["secrets"], Verbs:["get"]}',
      ),
    ),
    refuses(
      'another role for a binding',
      {
        given: (world) => world.make(`${rbac}/rolebindings`, binding('reader', [])),
        call: `PATCH ${rbac}/rolebindings/reader`,
        body: { roleRef: { name: 'other' } },
      },
      invalid('RoleBinding.rbac.authorization.k8s.io', 'reader', [
        [
          'roleRef',
          'FieldValueInvalid',
          'Invalid value: {"APIGroup":"rbac.authorization.k8s.io","Kind":"Role","Name":"other"}: cannot change roleRef',
        ],
      ]),
    ),
    holds('an administrator may do anything', async (world) => {
      expect(await mayI(world, { verb: 'delete', resource: 'nodes' })).toEqual({ allowed: true });
    }),
    holds('somebody without a role may not', async (world) => {
      expect(await mayI(world, { verb: 'delete', resource: 'nodes' }, eva)).toEqual({ allowed: false });
    }),
    holds('somebody with a role may, and is told why', async (world) => {
      await allow(world, [user('eva')]);
      await soon(world, 'GET configmaps', eva);
      expect(await mayI(world, { verb: 'list', resource: 'configmaps', namespace: world.ns }, eva)).toEqual({
        allowed: true,
        reason: `RBAC: allowed by RoleBinding "reader/${world.ns}" of Role "reader" to User "eva"`,
      });
    }),
    holds('what may somebody else', async ({ make, ns }) => {
      const made = await make('/apis/authorization.k8s.io/v1/subjectaccessreviews', {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SubjectAccessReview',
        spec: {
          user: 'tom',
          groups: ['system:masters'],
          resourceAttributes: { verb: 'get', resource: 'pods', namespace: ns },
        },
      });
      expect(made['status']).toEqual({ allowed: true });
    }),
    holds('what may I do here', async (world) => {
      const made = await world.make(
        '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews',
        { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectRulesReview', spec: { namespace: world.ns } },
        eva,
      );
      expect(made['status']).toMatchObject({
        incomplete: false,
        resourceRules: expect.arrayContaining([
          {
            verbs: ['create'],
            apiGroups: ['authorization.k8s.io'],
            resources: ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'],
          },
        ]) as unknown,
      });
    }),
    holds('whose token is this', async ({ make }) => {
      const made = await make('/apis/authentication.k8s.io/v1/tokenreviews', {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenReview',
        spec: { token: 'token-of-eva' },
      });
      expect(made['status']).toEqual({
        authenticated: true,
        user: { username: 'eva', uid: 'eva', groups: ['gardeners', 'system:authenticated'] },
        audiences: ['https://kubernetes.default.svc'],
      });
    }),
    holds('nobody’s token', async ({ make }) => {
      const made = await make('/apis/authentication.k8s.io/v1/tokenreviews', {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenReview',
        spec: { token: 'made-up' },
      });
      expect(made['status']).toMatchObject({ user: {}, error: like(/invalid bearer token/) });
    }),
    holds('the roles that every cluster has', async ({ list }) => {
      const roles = await list('/apis/rbac.authorization.k8s.io/v1/clusterroles');
      const names = roles.items.map(({ metadata }) => metadata.name);
      for (const name of [
        'admin',
        'cluster-admin',
        'edit',
        'view',
        'system:basic-user',
        'system:discovery',
        'system:node',
      ])
        expect(names).toContain(name);
    }),
  ],
};
