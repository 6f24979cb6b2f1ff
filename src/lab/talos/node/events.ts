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

/** What happens on a node, from one boot to the next. */
export class EventLog {
  readonly #clock: LabClock;
  readonly #nextId = xidSource();
  readonly #ring: LoggedEvent[] = [];
  readonly #listeners = new Set<(event: Event) => void>();

  constructor(clock: LabClock) {
    this.#clock = clock;
  }

  publish<Schema extends DescMessage>(schema: Schema, content: MessageInitShape<Schema>, actor = ''): void {
    const event = this.#event(`talos/runtime/${schema.typeName}`, toBinary(schema, create(schema, content)), actor);
    this.#ring.push({ event, at: this.#clock.now() });
    if (this.#ring.length > kept) this.#ring.shift();
    for (const listener of this.#listeners) listener(event);
  }

  /** Opens every stream: says that it is there, and nothing else. */
  hello(actor: string): Event {
    return this.#event('', new Uint8Array(0), actor);
  }

  #event(typeUrl: string, value: Uint8Array, actorId: string): Event {
    return create(EventSchema, { data: { typeUrl, value }, id: this.#nextId(this.#clock.now()), actorId });
  }

  history(): readonly LoggedEvent[] {
    return this.#ring.slice(-handedOut);
  }

  subscribe(listener: (event: Event) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
