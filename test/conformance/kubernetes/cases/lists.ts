import { expect } from 'vitest';
import type { KubeList } from '../../../../src/wire/kubernetes/objects.ts';
import { bad, failure, holds, like, refuses, type Chapter } from '../case.ts';
import { configMap, labelled, pod, secret } from '../objects.ts';
import type { World } from '../world.ts';

const names = (list: KubeList): readonly (string | undefined)[] => list.items.map(({ metadata }) => metadata.name);

async function animals(world: World): Promise<void> {
  await world.make('secrets', { ...secret('cat'), metadata: { name: 'cat', labels: { legs: '4', says: 'meow' } } });
  await world.make('secrets', { ...secret('dog'), metadata: { name: 'dog', labels: { legs: '4', says: 'woof' } } });
  await world.make('secrets', { ...secret('bird'), metadata: { name: 'bird', labels: { legs: '2' } } });
  await world.make('secrets', { ...secret('fish'), type: 'example.com/wet' });
}

const selects = (selector: string, found: readonly string[]): ReturnType<typeof holds> =>
  holds(`labels ${selector}`, async (world) => {
    await animals(world);
    expect(names(await world.list(`secrets?labelSelector=${encodeURIComponent(selector)}`))).toEqual(found);
  });

export const listing: Chapter = {
  title: 'listing',
  cases: [
    holds('an empty list has a version and no items', async ({ list }) => {
      expect(await list('secrets')).toEqual({
        kind: 'SecretList',
        apiVersion: 'v1',
        metadata: { resourceVersion: like(/^[1-9]\d*$/) },
        items: [],
      });
    }),
    holds('items are in the order of their names, without kind and version', async (world) => {
      await animals(world);
      const list = await world.list('secrets');
      expect(names(list)).toEqual(['bird', 'cat', 'dog', 'fish']);
      expect(list.items.map((item) => [item.kind, item.apiVersion])).toEqual(
        Array.from({ length: 4 }, () => [undefined, undefined]),
      );
    }),
    selects('legs=4', ['cat', 'dog']),
    selects('legs==4,says!=woof', ['cat']),
    selects('legs in (2,3)', ['bird']),
    selects('says notin (meow)', ['bird', 'dog', 'fish']),
    selects('says', ['cat', 'dog']),
    selects('!says', ['bird', 'fish']),
    selects('legs>2', ['cat', 'dog']),
    selects('legs<3', ['bird']),
    selects('legs=', []),
    refuses(
      'a selector that nobody understands',
      { call: 'GET secrets?labelSelector=a%3D%3D%3Db' },
      bad("unable to parse requirement: found '=', expected: identifier"),
    ),
    refuses(
      'a selector with a key that is none',
      { call: 'GET secrets?labelSelector=-a' },
      bad(
        "unable to parse requirement: <nil>: Invalid value: \"-a\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      ),
    ),
    holds('by the field metadata.name', async (world) => {
      await animals(world);
      expect(names(await world.list('secrets?fieldSelector=metadata.name%3Ddog'))).toEqual(['dog']);
    }),
    holds('by a field of the kind', async (world) => {
      await animals(world);
      expect(names(await world.list('secrets?fieldSelector=type%3Dexample.com/wet'))).toEqual(['fish']);
      expect(names(await world.list('secrets?fieldSelector=type!%3Dexample.com/wet'))).toEqual(['bird', 'cat', 'dog']);
    }),
    holds('pods by their node and their phase', async (world) => {
      await world.make('pods', pod('a', { nodeName: 'n-{ns}' }));
      await world.make('pods', pod('b'));
      expect(names(await world.list('pods?fieldSelector=spec.nodeName%3Dn-{ns}'))).toEqual(['a']);
      expect(names(await world.list('pods?fieldSelector=status.phase%3DRunning'))).toEqual([]);
      expect(names(await world.list('pods?fieldSelector=spec.nodeName%3D,status.phase%3DPending'))).toEqual(['b']);
    }),
    refuses(
      'a field that cannot be selected',
      { call: 'GET secrets?fieldSelector=data%3Dx' },
      bad('field label not supported: data'),
    ),
    refuses(
      'a field selector that nobody understands',
      { call: 'GET secrets?fieldSelector=data' },
      bad("invalid selector: 'data'; can't understand 'data'"),
    ),
    holds('of all namespaces, in the order of namespace and name', async (world) => {
      await animals(world);
      const list = await world.list(`/api/v1/secrets?fieldSelector=metadata.namespace%3D${world.ns}`);
      expect(names(list)).toEqual(['bird', 'cat', 'dog', 'fish']);
    }),
    holds('of a namespace that is not there, it is empty', async ({ list }) => {
      expect((await list('/api/v1/namespaces/nowhere/secrets')).items).toEqual([]);
    }),
    holds('metadata alone', async (world) => {
      await animals(world);
      const list = await world.list('secrets', {
        accept: 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1',
      });
      expect({ kind: list.kind, apiVersion: list.apiVersion, of: list.items.map(({ kind }) => kind) }).toEqual({
        kind: 'PartialObjectMetadataList',
        apiVersion: 'meta.k8s.io/v1',
        of: ['PartialObjectMetadata', 'PartialObjectMetadata', 'PartialObjectMetadata', 'PartialObjectMetadata'],
      });
      expect(list.items[0]).not.toHaveProperty('type');
    }),
  ],
};

async function four(world: World): Promise<void> {
  for (const name of ['a', 'b', 'c', 'd']) await world.make('secrets', secret(name));
}

const token = ({ metadata }: KubeList): string => encodeURIComponent(metadata.continue ?? '');

export const paging: Chapter = {
  title: 'paging',
  cases: [
    holds('a page says how many are left', async (world) => {
      await four(world);
      const page = await world.list('secrets?limit=3');
      expect({ names: names(page), left: page.metadata.remainingItemCount }).toEqual({
        names: ['a', 'b', 'c'],
        left: 1,
      });
    }),
    holds('the last page has no more', async (world) => {
      await four(world);
      const first = await world.list('secrets?limit=3');
      const last = await world.list(`secrets?limit=3&continue=${token(first)}`);
      expect(last.metadata).toEqual({ resourceVersion: first.metadata.resourceVersion });
      expect(names(last)).toEqual(['d']);
    }),
    holds('pages are of one moment', async (world) => {
      await four(world);
      const first = await world.list('secrets?limit=2');
      await world.make('secrets', secret('bb'));
      await world.make('secrets', secret('cc'));
      await world.remove('secrets/d');
      expect(names(await world.list(`secrets?limit=9&continue=${token(first)}`))).toEqual(['c', 'd']);
    }),
    holds('a selector hides how many are left', async (world) => {
      for (const name of ['a', 'b', 'c']) await world.make('configmaps', labelled(name, { x: 'y' }));
      const page = await world.list('configmaps?limit=2&labelSelector=x');
      expect(names(page)).toEqual(['a', 'b']);
      expect(page.metadata).toEqual({ resourceVersion: like(/\d/), continue: like(/./) });
    }),
    holds('a limit that is not reached is no page', async (world) => {
      await four(world);
      expect((await world.list('secrets?limit=4')).metadata).toEqual({ resourceVersion: like(/\d/) });
    }),
    refuses(
      'a token that nobody gave',
      { call: 'GET secrets?limit=1&continue=abc' },
      bad("invalid continue token: continue key is not valid: invalid character 'i' looking for beginning of value"),
    ),
    holds('a page that the server has forgotten, with a way to go on all the same', async (world) => {
      for (const name of ['a', 'b', 'c'])
        await world.make('events', {
          apiVersion: 'v1',
          kind: 'Event',
          metadata: { name },
          involvedObject: { kind: 'Pod', name, namespace: world.ns },
        });
      const first = await world.list('events?limit=1');
      await world.make('secrets', secret('later'));
      await world.forget();
      const { status, body } = await world.ask(`GET events?limit=1&continue=${token(first)}`);
      expect({ status, body }).toEqual({
        status: 410,
        body: {
          ...failure({
            code: 410,
            reason: 'Expired',
            message:
              'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.',
          }),
          metadata: { continue: like(/./) },
        },
      });
      expect(names(await world.list(`events?continue=${token(body as KubeList)}`))).toEqual(['b', 'c']);
    }),
    refuses(
      'a token and a version',
      {
        call: `GET secrets?limit=1&resourceVersion=5&continue=${Buffer.from('{"v":"meta.k8s.io/v1","rv":1,"start":"a\\u0000"}').toString('base64url')}`,
      },
      bad('specifying resource version is not allowed when using continue'),
    ),
    holds('a version of 0 gives all, whatever the limit', async (world) => {
      await four(world);
      await world.until(
        'the cache has them',
        async () => (await world.list('secrets?resourceVersion=0')).items.length === 4,
      );
      expect(names(await world.list('secrets?limit=2&resourceVersion=0'))).toEqual(['a', 'b', 'c', 'd']);
    }),
    holds('exactly the version that one asks for', async (world) => {
      await four(world);
      const { metadata } = await world.list('secrets');
      await world.make('secrets', secret('e'));
      const then = await world.list(`secrets?resourceVersion=${metadata.resourceVersion}&resourceVersionMatch=Exact`);
      expect({ names: names(then), version: then.metadata.resourceVersion }).toEqual({
        names: ['a', 'b', 'c', 'd'],
        version: metadata.resourceVersion,
      });
    }),
    holds('not older than the version that one asks for', async (world) => {
      await four(world);
      const { metadata } = await world.make('secrets', secret('e'));
      const list = await world.list(
        `secrets?resourceVersion=${metadata.resourceVersion}&resourceVersionMatch=NotOlderThan`,
      );
      expect(names(list)).toEqual(['a', 'b', 'c', 'd', 'e']);
    }),
    refuses(
      'a match without a version',
      { call: 'GET secrets?resourceVersionMatch=Exact' },
      {
        code: 422,
        reason: 'Invalid',
        message:
          'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided',
        details: {
          group: 'meta.k8s.io',
          kind: 'ListOptions',
          causes: [
            {
              reason: 'FieldValueForbidden',
              message: 'Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided',
              field: 'resourceVersionMatch',
            },
          ],
        },
      },
    ),
    refuses(
      'a version that is no number',
      { call: 'GET secrets?resourceVersion=soon' },
      bad(
        'invalid resource version: resourceVersion: Invalid value: "soon": strconv.ParseUint: parsing "soon": invalid syntax',
      ),
    ),
    refuses(
      'a version that is yet to come',
      { call: 'GET secrets?resourceVersion=999999999' },
      {
        code: 504,
        reason: 'Timeout',
        message: /^Timeout: Too large resource version: 999999999, current: \d+$/,
        details: {
          causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
          retryAfterSeconds: 1,
        },
      },
    ),
    holds('a limit that is below nothing', async ({ ask }) => {
      expect((await ask('GET secrets?limit=-1')).status).toBe(200);
    }),
    holds('a config map of each page is whole', async (world) => {
      for (const name of ['a', 'b']) await world.make('configmaps', configMap(name, { of: name }));
      const page = await world.list('configmaps?limit=1');
      expect(page.items[0]).toMatchObject({ metadata: { name: 'a', namespace: world.ns }, data: { of: 'a' } });
    }),
  ],
};
