import { create, toBinary } from '@bufbuild/protobuf';
import type { DescMessage, MessageInitShape } from '@bufbuild/protobuf';
import { EventSchema } from '../../../wire/gen/talos/machine_pb.ts';
import type { Event } from '../../../wire/gen/talos/machine_pb.ts';
import type { LabClock } from '../../clock.ts';
import { xidSource } from './xid.ts';

const kept = 1000;
/** A node hands out less history than it keeps, so that no reader is overtaken. */
const handedOut = 990;

export type LoggedEvent = { readonly event: Event; readonly at: Date };

/** An event that nobody has asked for yet is not written either. */
type Entry = { readonly at: Date; event: Event | (() => Event) };

/** What happens on a node, from one boot to the next. */
export class EventLog {
  readonly #clock: LabClock;
  readonly #nextId = xidSource();
  readonly #ring: Entry[] = [];
  readonly #listeners = new Set<(event: Event) => void>();

  constructor(clock: LabClock) {
    this.#clock = clock;
  }

  publish<Schema extends DescMessage>(schema: Schema, content: MessageInitShape<Schema>, actor = ''): void {
    const at = this.#clock.now();
    const make = (): Event => {
      const type = `talos/runtime/${schema.typeName}`;
      return this.#event(type, toBinary(schema, create(schema, content)), actor, at);
    };
    this.#ring.push({ at, event: make });
    if (this.#ring.length > kept) this.#ring.shift();
    if (this.#listeners.size === 0) return;
    const event = this.#write().at(-1)?.event;
    for (const listener of this.#listeners) if (event !== undefined) listener(event);
  }

  /** Makes the events that nobody has asked for yet, oldest first: their ids tell their order. */
  #write(): readonly LoggedEvent[] {
    let first = this.#ring.length;
    while (first > 0 && typeof this.#ring[first - 1]?.event === 'function') first -= 1;
    return this.#ring.slice(first).map((entry) => {
      entry.event = typeof entry.event === 'function' ? entry.event() : entry.event;
      return entry as LoggedEvent;
    });
  }

  /** Opens every stream: says that it is there, and nothing else. */
  hello(actor: string): Event {
    this.#write();
    return this.#event('', new Uint8Array(0), actor);
  }

  #event(typeUrl: string, value: Uint8Array, actorId: string, at = this.#clock.now()): Event {
    return create(EventSchema, { data: { typeUrl, value }, id: this.#nextId(at), actorId });
  }

  history(): readonly LoggedEvent[] {
    this.#write();
    return this.#ring.slice(-handedOut) as readonly LoggedEvent[];
  }

  subscribe(listener: (event: Event) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
