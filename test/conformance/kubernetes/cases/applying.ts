import { expect } from 'vitest';
import type { KubeObject, Status } from '../../../../src/wire/kubernetes/objects.ts';
import { bad, holds, invalid, refuses, time, type Chapter, type Refused } from '../case.ts';
import { configMap, deployment } from '../objects.ts';
import { patches, type World } from '../world.ts';

const owners = (object: KubeObject): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    (object.metadata.managedFields ?? []).map(({ manager, operation, subresource, fieldsV1 }) => [
      [manager, operation, subresource].filter((word) => word !== undefined).join(' '),
      fieldsV1,
    ]),
  );

const apply = { type: patches.apply } as const;
const applied = ({ apply: lay }: World): Promise<KubeObject> =>
  lay('configmaps/a', configMap('a', { one: '1' }), 'alice');

const conflict = (words: string, causes: readonly (readonly [field: string, message: string])[]): Refused => ({
  code: 409,
  reason: 'Conflict',
  message: words,
  details: {
    causes: causes.map(([field, message]) => ({ reason: 'FieldManagerConflict', message, field })),
  },
});

export const applying: Chapter = {
  title: 'server-side apply',
  cases: [
    holds('what is not there is made, with 201', async ({ ask, ns }) => {
      const { status, body } = await ask('PATCH configmaps/a?fieldManager=alice', configMap('a', { one: '1' }), apply);
      expect({
        status,
        fields: (body as KubeObject).metadata.managedFields,
        data: (body as KubeObject)['data'],
      }).toEqual({
        status: 201,
        data: { one: '1' },
        fields: [
          {
            manager: 'alice',
            operation: 'Apply',
            apiVersion: 'v1',
            time: time(),
            fieldsType: 'FieldsV1',
            fieldsV1: { 'f:data': { 'f:one': {} } },
          },
        ],
      });
      expect((body as KubeObject).metadata.namespace).toBe(ns);
    }),
    holds('the same again changes nothing, not even the time', async (world) => {
      const once = await applied(world);
      expect(await applied(world)).toEqual(once);
    }),
    holds('what one no longer applies is taken away', async (world) => {
      await world.apply('configmaps/a', configMap('a', { one: '1', two: '2' }), 'alice');
      const after = await applied(world);
      expect(after['data']).toEqual({ one: '1' });
    }),
    holds('what somebody else owns too stays when one lets go of it', async (world) => {
      await world.apply('configmaps/a', configMap('a', { one: '1', two: '2' }), 'alice');
      await world.apply('configmaps/a', configMap('a', { two: '2' }), 'bob');
      const after = await applied(world);
      expect(after['data']).toEqual({ one: '1', two: '2' });
      expect(owners(after)).toEqual({
        'alice Apply': { 'f:data': { 'f:one': {} } },
        'bob Apply': { 'f:data': { 'f:two': {} } },
      });
    }),
    refuses(
      'a value that somebody else applied',
      { given: applied, call: 'PATCH configmaps/a?fieldManager=bob', body: configMap('a', { one: '2' }), ...apply },
      conflict('Apply failed with 1 conflict: conflict with "alice": .data.one', [
        ['.data.one', 'conflict with "alice"'],
      ]),
    ),
    holds('two values of two others: one line for each of them', async (world) => {
      await world.apply('configmaps/a', configMap('a', { one: '1' }), 'alice');
      await world.apply('configmaps/a', configMap('a', { two: '2' }), 'carol');
      const { body } = await world.ask(
        'PATCH configmaps/a?fieldManager=bob',
        configMap('a', { one: 'x', two: 'x' }),
        apply,
      );
      const { message, details } = body as Status;
      expect(message).toBe(
        'Apply failed with 2 conflicts: conflicts with "alice":\n- .data.one\nconflicts with "carol":\n- .data.two',
      );
      // In no order.
      expect(details?.causes?.toSorted((one, other) => (one.field ?? '').localeCompare(other.field ?? ''))).toEqual([
        { reason: 'FieldManagerConflict', message: 'conflict with "alice"', field: '.data.one' },
        { reason: 'FieldManagerConflict', message: 'conflict with "carol"', field: '.data.two' },
      ]);
    }),
    holds('a conflict with an update names operation, version and time', async (world) => {
      await world.make('configmaps?fieldManager=kubectl-edit', configMap('a', { one: '1' }));
      const { status, body } = await world.ask(
        'PATCH configmaps/a?fieldManager=bob',
        configMap('a', { one: '2' }),
        apply,
      );
      expect({ status, body }).toMatchObject({
        status: 409,
        body: {
          message: expect.stringMatching(
            /^Apply failed with 1 conflict: conflict with "kubectl-edit" using v1: \.data\.one$/,
          ) as string,
        },
      });
    }),
    holds('force takes the field over', async (world) => {
      await applied(world);
      const after = await world.apply('configmaps/a', configMap('a', { one: '2' }), 'bob', true);
      expect(after['data']).toEqual({ one: '2' });
      expect(owners(after)).toEqual({ 'bob Apply': { 'f:data': { 'f:one': {} } } });
    }),
    holds('the same value is owned by both', async (world) => {
      await applied(world);
      const after = await world.apply('configmaps/a', configMap('a', { one: '1' }), 'bob');
      expect(owners(after)).toEqual({
        'alice Apply': { 'f:data': { 'f:one': {} } },
        'bob Apply': { 'f:data': { 'f:one': {} } },
      });
    }),
    holds('an update takes the field from who applied it', async (world) => {
      await applied(world);
      const after = await world.patch('configmaps/a?fieldManager=editor', { data: { one: '2' } });
      expect(owners(after)).toEqual({ 'editor Update': { 'f:data': { 'f:one': {} } } });
    }),
    holds('one may update under a name and apply under the same', async (world) => {
      await world.make('configmaps?fieldManager=me', configMap('a', { one: '1' }));
      const after = await world.apply('configmaps/a', configMap('a', { one: '1', two: '2' }), 'me');
      expect(owners(after)).toEqual({
        'me Apply': { 'f:data': { 'f:one': {}, 'f:two': {} } },
        'me Update': { 'f:data': { '.': {}, 'f:one': {} } },
      });
    }),
    refuses(
      'without a name',
      { call: 'PATCH configmaps/a', body: configMap('a'), ...apply },
      {
        code: 422,
        reason: 'Invalid',
        message: 'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
        details: {
          group: 'meta.k8s.io',
          kind: 'PatchOptions',
          causes: [
            {
              reason: 'FieldValueRequired',
              message: 'Required value: is required for apply patch',
              field: 'fieldManager',
            },
          ],
        },
      },
    ),
    refuses(
      'force where nothing is applied',
      { given: applied, call: 'PATCH configmaps/a?force=true', body: {} },
      {
        code: 422,
        reason: 'Invalid',
        message: 'PatchOptions.meta.k8s.io "" is invalid: force: Forbidden: may not be specified for non-apply patch',
        details: {
          group: 'meta.k8s.io',
          kind: 'PatchOptions',
          causes: [
            {
              reason: 'FieldValueForbidden',
              message: 'Forbidden: may not be specified for non-apply patch',
              field: 'force',
            },
          ],
        },
      },
    ),
    refuses(
      'with managed fields in it',
      {
        given: applied,
        call: 'PATCH configmaps/a?fieldManager=bob',
        body: configMap('a', {}, { managedFields: [{ manager: 'x' }] }),
        ...apply,
      },
      bad('metadata.managedFields must be nil'),
    ),
    refuses(
      'an unknown field',
      { call: 'PATCH configmaps/a?fieldManager=bob', body: { ...configMap('a'), dada: 1 }, ...apply },
      {
        code: 500,
        message: 'failed to create typed patch object (/a; /v1, Kind=ConfigMap): .dada: field not declared in schema',
      },
    ),
    refuses(
      'another kind',
      { call: 'PATCH configmaps/a?fieldManager=bob', body: { ...configMap('a'), kind: 'Secret' }, ...apply },
      bad('invalid object type: /v1, Kind=Secret'),
    ),
    refuses(
      'another name than the path says',
      { call: 'PATCH configmaps/a?fieldManager=bob', body: configMap('b'), ...apply },
      bad('the name of the object (b) does not match the name on the URL (a)'),
    ),
    refuses(
      'what is wrong',
      { call: 'PATCH apps/v1/deployments/web?fieldManager=bob', body: deployment('web', { replicas: -1 }), ...apply },
      invalid('Deployment.apps', 'web', [
        ['spec.replicas', 'FieldValueInvalid', 'Invalid value: -1: must be greater than or equal to 0'],
      ]),
    ),
    refuses(
      'one container twice',
      {
        call: 'PATCH apps/v1/deployments/web?fieldManager=bob',
        body: deployment('web', {
          template: {
            metadata: { labels: { app: 'web' } },
            spec: {
              containers: [
                { name: 'main', image: 'a' },
                { name: 'main', image: 'b' },
              ],
            },
          },
        }),
        ...apply,
      },
      {
        code: 500,
        message:
          'failed to create typed patch object (/web; apps/v1, Kind=Deployment): .spec.template.spec.containers: duplicate entries for key [name="main"]',
      },
    ),
    holds('lists with keys are owned by their elements', async (world) => {
      const made = await world.apply('apps/v1/deployments/web', deployment('web', { replicas: 0 }), 'alice');
      expect(owners(made)['alice Apply']).toEqual({
        'f:spec': {
          'f:replicas': {},
          'f:selector': {},
          'f:template': {
            'f:metadata': { 'f:labels': { 'f:app': {} } },
            'f:spec': {
              'f:containers': { 'k:{"name":"main"}': { '.': {}, 'f:image': {}, 'f:name': {} } },
            },
          },
        },
      });
    }),
    holds('two people put containers into one list', async (world) => {
      const alone = deployment('web', { replicas: 0 });
      await world.apply('apps/v1/deployments/web', alone, 'alice');
      const side = {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'web' },
        spec: { template: { spec: { containers: [{ name: 'side', image: 'side' }] } } },
      };
      const both = await world.apply('apps/v1/deployments/web', side, 'bob');
      expect(containerNames(both)).toEqual(['main', 'side']);
      const { spec: _spec, ...nothing } = side;
      expect(containerNames(await world.apply('apps/v1/deployments/web', nothing, 'bob'))).toEqual(['main']);
    }),
    refuses(
      'replicas that somebody scaled',
      {
        given: async (world) => {
          await world.apply('apps/v1/deployments/web', deployment('web', { replicas: 0, paused: true }), 'alice');
          await world.patch('apps/v1/deployments/web/scale?fieldManager=scaler', { spec: { replicas: 2 } });
        },
        call: 'PATCH apps/v1/deployments/web?fieldManager=alice',
        body: deployment('web', { replicas: 0, paused: true }),
        ...apply,
      },
      conflict(
        'Apply failed with 1 conflict: conflict with "scaler" with subresource "scale" using apps/v1: .spec.replicas',
        [['.spec.replicas', 'conflict with "scaler" with subresource "scale" using apps/v1']],
      ),
    ),
    holds('the status has managers of its own', async (world) => {
      await world.apply('apps/v1/deployments/web', deployment('web', { replicas: 0, paused: true }), 'alice');
      const after = await world.apply(
        'apps/v1/deployments/web/status',
        {
          apiVersion: 'apps/v1',
          kind: 'Deployment',
          metadata: { name: 'web' },
          status: { conditions: [{ type: 'Odd', status: 'True' }] },
        },
        'watcher',
      );
      expect(owners(after)['watcher Apply status']).toEqual({
        'f:status': { 'f:conditions': { 'k:{"type":"Odd"}': { '.': {}, 'f:status': {}, 'f:type': {} } } },
      });
    }),
    holds('a dry run shows what would be and keeps what is', async (world) => {
      const before = await applied(world);
      const { body } = await world.ask(
        'PATCH configmaps/a?fieldManager=alice&dryRun=All',
        configMap('a', { two: '2' }),
        apply,
      );
      expect((body as KubeObject)['data']).toEqual({ two: '2' });
      expect(await world.get('configmaps/a')).toEqual(before);
    }),
    holds('a body may be YAML', async (world) => {
      const { status } = await world.ask('PATCH configmaps/yaml?fieldManager=me', undefined, {
        ...apply,
        body: 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: yaml\ndata: {a: b}\n',
      });
      expect(status).toBe(201);
    }),
    holds('without a name of a manager it is the one of the program', async (world) => {
      const made = await world.make('configmaps', configMap('a', { one: '1' }), {
        headers: { 'user-agent': 'gardener/1.2 (linux)' },
      });
      expect(made.metadata.managedFields?.map(({ manager }) => manager)).toEqual(['gardener']);
    }),
    refuses(
      'a name of a manager that is too long',
      { call: `POST configmaps?fieldManager=${'m'.repeat(129)}`, body: configMap('a') },
      {
        code: 422,
        reason: 'Invalid',
        message: 'CreateOptions.meta.k8s.io "" is invalid: fieldManager: Too long: may not be more than 128 bytes',
        details: {
          group: 'meta.k8s.io',
          kind: 'CreateOptions',
          causes: [
            {
              reason: 'FieldValueTooLong',
              message: 'Too long: may not be more than 128 bytes',
              field: 'fieldManager',
            },
          ],
        },
      },
    ),
    holds('an empty list of managed fields takes all of them away', async (world) => {
      await applied(world);
      const after = await world.patch('configmaps/a', { metadata: { managedFields: [{}] } });
      expect(after.metadata).not.toHaveProperty('managedFields');
    }),
  ],
};

const containerNames = (object: KubeObject): readonly string[] =>
  (object['spec'] as { template: { spec: { containers: readonly { name: string }[] } } }).template.spec.containers.map(
    ({ name }) => name,
  );
