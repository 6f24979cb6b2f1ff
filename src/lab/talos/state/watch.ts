import { create } from '@bufbuild/protobuf';
import {
  EventSchema,
  EventType,
  WatchResponseSchema,
  type Event,
  type WatchOptions,
  type WatchRequest,
  type WatchResponse,
} from '../../../wire/gen/cosi/resource_pb.ts';
import { GrpcStatus } from '../../grpc/status.ts';
import { requireReadable, type Roles } from './access.ts';
import { bookmarkAt, invalidBookmark, positionOf } from './bookmark.ts';
import type { Change, Collection } from './collection.ts';
import { resourceMessage, tombstone } from './encode.ts';
import { matcher, type Matches } from './query.ts';
import type { TwinState } from './store.ts';

const eventTypes = { created: EventType.CREATED, updated: EventType.UPDATED, destroyed: EventType.DESTROYED } as const;

/** What a watch sends first, where in the history it goes on, and which changes it tells. */
type Course = { readonly first: readonly (readonly Event[])[]; readonly from: number; readonly matches: Matches };

/** Endless until the signal fires, or until changes were lost before they could be told. */
export async function* watchState(
  state: TwinState,
  request: WatchRequest,
  roles: Roles,
  signal: AbortSignal,
): AsyncIterable<WatchResponse> {
  const { namespace, type, id, options, apiVersion } = request;
  const asked = id === undefined ? kindCourse(options) : oneCourse(id, options);
  requireReadable(namespace, type, roles);
  const collection = state.collection(namespace, type);
  const course = asked(collection, state.now());
  yield create(WatchResponseSchema);

  const together = id === undefined && options?.aggregated === true;
  const told = (events: readonly Event[]): readonly WatchResponse[] => packed(events, apiVersion, together);
  for (const events of course.first) yield* told(events);
  let position = course.from;
  while (!signal.aborted) {
    const changes = collection.since(position);
    if (changes === undefined) {
      yield* told([overrun(collection, position)]);
      await aborted(signal);
      return;
    }
    position = collection.written;
    const events = changes.flatMap((change) => eventOf(change, course.matches) ?? []);
    if (events.length > 0) yield* told(events);
    if (position === collection.written) await changed(collection, signal);
  }
}

type Begin = (collection: Collection, now: Date) => Course;

function oneCourse(id: string, options: WatchOptions | undefined): Begin {
  if (options?.bootstrapContents === true)
    throw new GrpcStatus('UNIMPLEMENTED', 'bootstrap contents is not implemented for resource watch');
  if ((options?.labelQuery ?? []).length > 0)
    throw new GrpcStatus('UNIMPLEMENTED', 'label query is not implemented for resource watch');
  const tail = options?.tailEvents ?? 0;
  const bookmark = options?.startFromBookmark;
  return (collection, now) => {
    if (tail > 0 && bookmark !== undefined) throw bothGiven();
    const matches: Matches = (resource) => resource.id === id;
    if (bookmark !== undefined) return { first: [], matches, from: afterBookmark(collection, bookmark, 0) };
    if (tail > 0) return { first: [], matches, from: tailOf(collection, id, tail) };
    const found = collection.get(id);
    const initial =
      found === undefined
        ? { eventType: EventType.DESTROYED, resource: tombstone(collection.namespace, collection.type, id, now) }
        : { eventType: EventType.CREATED, resource: resourceMessage(found) };
    return { first: [[create(EventSchema, initial)]], matches, from: collection.written };
  };
}

function kindCourse(options: WatchOptions | undefined): Begin {
  const matches = matcher(options?.labelQuery ?? [], options?.idQuery);
  const tail = options?.tailEvents ?? 0;
  const bookmark = options?.startFromBookmark;
  const contents = options?.bootstrapContents === true;
  return (collection, now) => {
    if (contents && (tail > 0 || bookmark !== undefined))
      throw new GrpcStatus('UNKNOWN', 'cannot use BootstrapContents with TailEvents and StartFromBookmark options');
    if (tail > 0 && bookmark !== undefined) throw bothGiven();
    const kept = collection.written - Math.max(collection.oldestStart, 0);
    const from =
      bookmark === undefined ? collection.written - Math.min(tail, kept) : afterBookmark(collection, bookmark, -1);
    const mark = (eventType: EventType): Event =>
      create(EventSchema, {
        eventType,
        resource: tombstone(collection.namespace, collection.type, '', now),
        bookmark: bookmarkAt(from - 1),
      });
    const there = contents ? collection.list().filter(matches) : [];
    const created = there.map((each) =>
      create(EventSchema, { eventType: EventType.CREATED, resource: resourceMessage(each) }),
    );
    const first = [
      ...(contents ? [[...created, mark(EventType.BOOTSTRAPPED)]] : []),
      ...(options?.bootstrapBookmark === true ? [[mark(EventType.NOOP)]] : []),
    ];
    return { first, matches, from };
  };
}

const bothGiven = (): GrpcStatus =>
  new GrpcStatus('UNKNOWN', 'cannot use both TailEvents and StartFromBookmark options');

function afterBookmark(collection: Collection, bookmark: Uint8Array, lowest: number): number {
  const position = positionOf(bookmark);
  if (position < collection.oldestStart || position < lowest || position >= collection.written) throw invalidBookmark();
  return position + 1;
}

function tailOf(collection: Collection, id: string, tail: number): number {
  const oldest = Math.max(collection.oldestStart, 0);
  const mine = (collection.since(oldest) ?? []).filter(({ resource }) => resource.id === id);
  return mine.length < tail ? oldest : (mine.at(-tail)?.position ?? oldest);
}

/** A change that carries a resource into or out of the query is its creation or destruction. */
function eventOf(change: Change, matches: Matches): Event | undefined {
  const now = matches(change.resource);
  const before = change.kind === 'updated' ? matches(change.old) : now;
  if (!now && !before) return undefined;
  const bookmark = bookmarkAt(change.position);
  const resource = resourceMessage(change.resource);
  if (change.kind === 'updated' && now && before)
    return create(EventSchema, {
      eventType: EventType.UPDATED,
      resource,
      old: resourceMessage(change.old),
      bookmark,
    });
  const kind = change.kind !== 'updated' ? change.kind : now ? 'created' : 'destroyed';
  return create(EventSchema, { eventType: eventTypes[kind], resource, bookmark });
}

function overrun({ namespace, type, written, capacity }: Collection, position: number): Event {
  const error =
    `buffer overrun: namespace ${JSON.stringify(namespace)} type ${JSON.stringify(type)}, ` +
    `write pos ${written}, pos ${position}, capacity ${capacity}`;
  return create(EventSchema, { eventType: EventType.ERRORED, error });
}

/** Callers of version 0 are not told of marks and errors. */
function packed(events: readonly Event[], apiVersion: number, together: boolean): readonly WatchResponse[] {
  const known = events.filter(
    ({ eventType }) => apiVersion >= 1 || (eventType !== EventType.BOOTSTRAPPED && eventType !== EventType.ERRORED),
  );
  if (!together) return known.map((event) => create(WatchResponseSchema, { event: [event] }));
  return [create(WatchResponseSchema, { event: known })];
}

function changed(collection: Collection, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const forget = collection.onChange(done);
    signal.addEventListener('abort', done, { once: true });
    function done(): void {
      forget();
      signal.removeEventListener('abort', done);
      resolve();
    }
  });
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
