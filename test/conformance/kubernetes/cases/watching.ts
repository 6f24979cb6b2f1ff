import { expect } from 'vitest';
import type { KubeObject, WatchEvent } from '../../../../src/wire/kubernetes/objects.ts';
import { bad, failure, holds, like, refuses, type Chapter } from '../case.ts';
import { labelled, secret } from '../objects.ts';
import type { World } from '../world.ts';

const told = (events: readonly WatchEvent[]): readonly unknown[] =>
  events.map(({ type, object }) => [type, (object as KubeObject).metadata.name]);

const versionNow = async ({ list }: World): Promise<string> => (await list('secrets')).metadata.resourceVersion ?? '';

export const watching: Chapter = {
  title: 'watching',
  cases: [
    holds('what happens is told in order', async (world) => {
      const watch = await world.watch(`secrets?watch=1&resourceVersion=${await versionNow(world)}`);
      await world.make('secrets', secret('a'));
      await world.patch('secrets/a', { metadata: { labels: { x: 'y' } } });
      await world.make('secrets', secret('b'));
      await world.remove('secrets/a');
      expect(told(await watch.take(4))).toEqual([
        ['ADDED', 'a'],
        ['MODIFIED', 'a'],
        ['ADDED', 'b'],
        ['DELETED', 'a'],
      ]);
    }),
    holds('each object is whole, with its kind', async (world) => {
      const watch = await world.watch(`secrets?watch=1&resourceVersion=${await versionNow(world)}`);
      const made = await world.make('secrets', secret('a'));
      expect(await watch.take(1)).toEqual([{ type: 'ADDED', object: made }]);
    }),
    holds('what is deleted is told in its last form, with a version of its own', async (world) => {
      const made = await world.make('secrets', secret('a'));
      const watch = await world.watch(`secrets?watch=1&resourceVersion=${await versionNow(world)}`);
      await world.remove('secrets/a');
      const [event] = await watch.take(1);
      const version = event?.object.metadata.resourceVersion;
      expect(Number(version)).toBeGreaterThan(Number(made.metadata.resourceVersion));
      expect(event).toEqual({
        type: 'DELETED',
        object: { ...made, metadata: { ...made.metadata, resourceVersion: version } },
      });
    }),
    holds('without a version it begins with what is there', async (world) => {
      await world.make('secrets', secret('a'));
      await world.make('secrets', secret('b'));
      const watch = await world.watch('secrets?watch=1');
      expect(new Set(told(await watch.take(2)))).toEqual(
        new Set([
          ['ADDED', 'a'],
          ['ADDED', 'b'],
        ]),
      );
    }),
    holds('from a version on, what happened since', async (world) => {
      const { metadata } = await world.make('secrets', secret('a'));
      await world.make('secrets', secret('b'));
      await world.remove('secrets/a');
      const watch = await world.watch(`secrets?watch=1&resourceVersion=${metadata.resourceVersion}`);
      expect(told(await watch.take(2))).toEqual([
        ['ADDED', 'b'],
        ['DELETED', 'a'],
      ]);
    }),
    holds('what comes into a selection is added, what leaves it deleted', async (world) => {
      await world.make('secrets', { ...secret('a'), metadata: { name: 'a', labels: { in: 'no' } } });
      const watch = await world.watch(
        `secrets?watch=1&labelSelector=in%3Dyes&resourceVersion=${await versionNow(world)}`,
      );
      await world.patch('secrets/a', { metadata: { labels: { in: 'yes' } } });
      await world.patch('secrets/a', { metadata: { labels: { more: 'x' } } });
      await world.patch('secrets/a', { metadata: { labels: { in: 'no' } } });
      await world.patch('secrets/a', { metadata: { labels: { in: 'yes' } } });
      expect(told(await watch.take(4))).toEqual([
        ['ADDED', 'a'],
        ['MODIFIED', 'a'],
        ['DELETED', 'a'],
        ['ADDED', 'a'],
      ]);
    }),
    holds('what leaves a selection is told as it was, with the version of what it became', async (world) => {
      await world.make('secrets', { ...secret('a'), metadata: { name: 'a', labels: { in: 'yes' } } });
      const watch = await world.watch(
        `secrets?watch=1&labelSelector=in%3Dyes&resourceVersion=${await versionNow(world)}`,
      );
      const left = await world.patch('secrets/a', { metadata: { labels: { in: 'no' } } });
      expect(await watch.take(1)).toMatchObject([
        {
          type: 'DELETED',
          object: { metadata: { labels: { in: 'yes' }, resourceVersion: left.metadata.resourceVersion } },
        },
      ]);
    }),
    holds('one object by its name', async (world) => {
      const watch = await world.watch(
        `secrets?watch=1&fieldSelector=metadata.name%3Db&resourceVersion=${await versionNow(world)}`,
      );
      await world.make('secrets', secret('a'));
      await world.make('secrets', secret('b'));
      expect(told(await watch.take(1))).toEqual([['ADDED', 'b']]);
    }),
    holds('one object by its path is watched too', async (world) => {
      await world.make('secrets', secret('a'));
      const watch = await world.watch('/api/v1/watch/namespaces/{ns}/secrets/a');
      expect(told(await watch.take(1))).toEqual([['ADDED', 'a']]);
    }),
    holds('other namespaces are not told', async (world) => {
      const watch = await world.watch(`secrets?watch=1&resourceVersion=${await versionNow(world)}`);
      await world.make('/api/v1/namespaces/default/secrets', secret(`of-${world.ns}`));
      await world.make('secrets', secret('own'));
      expect(told(await watch.take(1))).toEqual([['ADDED', 'own']]);
      await world.remove(`/api/v1/namespaces/default/secrets/of-${world.ns}`);
    }),
    holds('after timeoutSeconds it ends without a word', async (world) => {
      const watch = await world.watch(`secrets?watch=1&timeoutSeconds=1&resourceVersion=${await versionNow(world)}`);
      expect(await watch.rest()).toEqual([]);
    }),
    holds('what the server has forgotten', async (world) => {
      const old = await world.make('events', eventOf(world));
      for (const message of ['again', 'and again']) await world.patch('events/a.1', { message });
      await world.forget();
      const watch = await world.watch(`events?watch=1&resourceVersion=${old.metadata.resourceVersion}`);
      expect({ status: watch.status, events: await watch.rest() }).toEqual({
        status: 200,
        events: [
          {
            type: 'ERROR',
            object: failure({
              code: 410,
              reason: 'Expired',
              message: 'The resourceVersion for the provided watch is too old.',
            }),
          },
        ],
      });
    }),
    refuses(
      'a version that is no number',
      { call: 'GET secrets?watch=1&resourceVersion=soon' },
      {
        code: 500,
        message: 'resourceVersion: Invalid value: "soon": strconv.ParseUint: parsing "soon": invalid syntax',
      },
    ),
    holds('bookmarks end the first part when one asks for it', async (world) => {
      await world.make('secrets', secret('a'));
      const watch = await world.watch(
        'secrets?watch=1&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan',
      );
      expect(await watch.take(2)).toMatchObject([
        { type: 'ADDED', object: { metadata: { name: 'a' } } },
        {
          type: 'BOOKMARK',
          object: {
            kind: 'Secret',
            apiVersion: 'v1',
            metadata: { resourceVersion: like(/^\d+$/), annotations: { 'k8s.io/initial-events-end': 'true' } },
          },
        },
      ]);
    }),
    refuses(
      'first events without saying which version',
      { call: 'GET secrets?watch=1&sendInitialEvents=true' },
      {
        code: 422,
        reason: 'Invalid',
        message:
          'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
        details: {
          group: 'meta.k8s.io',
          kind: 'ListOptions',
          causes: [
            {
              reason: 'FieldValueForbidden',
              message: 'Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
              field: 'resourceVersionMatch',
            },
          ],
        },
      },
    ),
    refuses(
      'a selector that nobody understands',
      { call: 'GET secrets?watch=1&labelSelector=a%3D%3D%3Db' },
      bad("unable to parse requirement: found '=', expected: identifier"),
    ),
    holds('metadata alone', async (world) => {
      const watch = await world.watch(`configmaps?watch=1&labelSelector=x&resourceVersion=${await versionNow(world)}`, {
        accept: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
      });
      await world.make('configmaps', labelled('a', { x: 'y' }));
      expect(await watch.take(1)).toMatchObject([
        {
          type: 'ADDED',
          object: { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: { name: 'a' } },
        },
      ]);
    }),
    holds('rows of a Table, with the columns in the first event alone', async (world) => {
      const watch = await world.watch(`configmaps?watch=1&labelSelector=x&resourceVersion=${await versionNow(world)}`, {
        accept: 'application/json;as=Table;g=meta.k8s.io;v=v1',
      });
      await world.make('configmaps', labelled('a', { x: 'y' }));
      await world.make('configmaps', labelled('b', { x: 'y' }));
      const shown = (await watch.take(2)).map(({ type, object }) => {
        const table = object as unknown as {
          kind: string;
          columnDefinitions: unknown[] | null;
          rows: { cells: unknown[] }[];
        };
        return [type, table.kind, table.columnDefinitions?.length ?? 0, table.rows[0]?.cells.slice(0, 2)];
      });
      expect(shown).toEqual([
        ['ADDED', 'Table', 3, ['a', 0]],
        ['ADDED', 'Table', 0, ['b', 0]],
      ]);
    }),
    holds('the events of what finalizers hold', async (world) => {
      await world.make('secrets', { ...secret('a'), metadata: { name: 'a', finalizers: ['example.com/hold'] } });
      const watch = await world.watch(`secrets?watch=1&resourceVersion=${await versionNow(world)}`);
      await world.remove('secrets/a');
      await world.patch('secrets/a', { metadata: { finalizers: [] } });
      expect(told(await watch.take(2))).toEqual([
        ['MODIFIED', 'a'],
        ['DELETED', 'a'],
      ]);
    }),
    holds('a dry run tells nobody', async (world) => {
      const watch = await world.watch(`secrets?watch=1&resourceVersion=${await versionNow(world)}`);
      await world.make('secrets?dryRun=All', secret('a'));
      await world.make('secrets', secret('b'));
      expect(told(await watch.take(1))).toEqual([['ADDED', 'b']]);
    }),
    holds('a replacement that changes nothing tells nobody', async (world) => {
      const made = await world.make('secrets', secret('a'));
      const watch = await world.watch(`secrets?watch=1&resourceVersion=${await versionNow(world)}`);
      await world.put('secrets/a', made);
      await world.make('secrets', secret('b'));
      expect(told(await watch.take(1))).toEqual([['ADDED', 'b']]);
    }),
  ],
};

const eventOf = ({ ns }: World): object => ({
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name: 'a.1' },
  involvedObject: { kind: 'Pod', name: 'a', namespace: ns },
});
