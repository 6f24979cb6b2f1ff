import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { Timestamp } from '@bufbuild/protobuf/wkt';
import {
  ServiceHealthSchema,
  ServiceInfoSchema,
  ServiceStateEvent_Action,
  ServiceStateEventSchema,
} from '../../../wire/gen/talos/machine_pb.ts';
import type { ServiceHealth, ServiceInfo } from '../../../wire/gen/talos/machine_pb.ts';
import type { LabClock } from '../../clock.ts';
import type { EventLog } from './events.ts';

export type ServiceState =
  | 'Initialized'
  | 'Preparing'
  | 'Waiting'
  | 'Running'
  | 'Stopping'
  | 'Finished'
  | 'Failed'
  | 'Skipped'
  | 'Starting';

const actions = {
  Initialized: ServiceStateEvent_Action.INITIALIZED,
  Preparing: ServiceStateEvent_Action.PREPARING,
  Waiting: ServiceStateEvent_Action.WAITING,
  Running: ServiceStateEvent_Action.RUNNING,
  Stopping: ServiceStateEvent_Action.STOPPING,
  Finished: ServiceStateEvent_Action.FINISHED,
  Failed: ServiceStateEvent_Action.FAILED,
  Skipped: ServiceStateEvent_Action.SKIPPED,
  Starting: ServiceStateEvent_Action.STARTING,
} as const satisfies Record<ServiceState, number>;

type Health = {
  readonly unknown: boolean;
  readonly healthy: boolean;
  readonly message: string;
  readonly since: Date | undefined;
};

export type Service = {
  readonly id: string;
  state: ServiceState;
  health: Health;
  pid: number;
  readonly events: { readonly state: ServiceState; readonly message: string; readonly at: Date }[];
};

const unheard: Health = { unknown: true, healthy: false, message: '', since: undefined };
const mostEvents = 64;

// The zero of Go’s time, which is what a service shows that was never asked about its health.
const never = (): Timestamp => timestampFromDate(new Date('0001-01-01T00:00:00Z'));

/** The services of one boot, each with its life so far. */
export class ServiceTable {
  readonly #services = new Map<string, Service>();
  readonly #clock: LabClock;
  readonly #events: EventLog;
  readonly #changed: (service: Service) => void;

  constructor(clock: LabClock, events: EventLog, changed: (service: Service) => void) {
    this.#clock = clock;
    this.#events = events;
    this.#changed = changed;
  }

  get(id: string): Service | undefined {
    return this.#services.get(id);
  }

  /** By id, as nodes list them. */
  all(): readonly Service[] {
    return [...this.#services.values()].toSorted((one, other) => (one.id < other.id ? -1 : 1));
  }

  isRunning(id: string): boolean {
    return this.#services.get(id)?.state === 'Running';
  }

  isHealthy(id: string): boolean {
    return this.isRunning(id) && this.#services.get(id)?.health.healthy === true;
  }

  /** Next step of a service’s life; one that is new begins here. */
  tell(id: string, state: ServiceState, message: string, health?: Partial<Health>): void {
    const service = this.#services.get(id) ?? this.#add(id);
    const now = this.#clock.now();
    service.state = state;
    if (health !== undefined) service.health = { ...unheard, unknown: false, since: now, ...health };
    service.events.push({ state, message, at: now });
    if (service.events.length > mostEvents) service.events.shift();
    this.#events.publish(ServiceStateEventSchema, {
      service: id,
      action: actions[state],
      message,
      health: this.#healthOf(service),
    });
    this.#changed(service);
  }

  forget(id: string): void {
    this.#services.delete(id);
  }

  #add(id: string): Service {
    const service: Service = { id, state: 'Initialized', health: unheard, pid: 0, events: [] };
    this.#services.set(id, service);
    return service;
  }

  #healthOf({ health }: Service): ServiceHealth {
    return create(ServiceHealthSchema, {
      unknown: health.unknown,
      healthy: health.healthy,
      lastMessage: health.message,
      lastChange: health.since === undefined ? never() : timestampFromDate(health.since),
    });
  }

  info(service: Service): ServiceInfo {
    return create(ServiceInfoSchema, {
      id: service.id,
      state: service.state,
      events: {
        events: service.events.map(({ state, message, at }) => ({ msg: message, state, ts: timestampFromDate(at) })),
      },
      health: this.#healthOf(service),
    });
  }
}
