import { randomUUID } from 'node:crypto';
import { MachineStatusEventSchema } from '../../../wire/gen/talos/machine_pb.ts';
import type { MachineStatusEvent_MachineStage } from '../../../wire/gen/talos/machine_pb.ts';
import { GrpcStatus } from '../../grpc/status.ts';
import { TwinState } from '../state/store.ts';
import type { SystemImage } from '../twin.ts';
import type { LabClock } from '../../clock.ts';
import { EventLog } from './events.ts';
import { Journal } from './journal.ts';
import { ServiceTable } from './services.ts';
import type { Service } from './services.ts';
import type { Settings } from './settings.ts';
import { machineStatus, stages } from './status.ts';
import type { MachineStatus, Stage } from './status.ts';

export type StaticPod = {
  readonly id: string;
  readonly component: string;
  readonly ready: boolean;
  /** How often it was configured, as Talos has it and as the kubelet runs it. */
  readonly wanted: number;
  readonly runs: number;
};

/** What hears of every change: the node’s state for COSI. */
export type BootObserver = {
  status(status: MachineStatus): void;
  service(service: Service): void;
  changed(): void;
};

const silent: BootObserver = { status: () => undefined, service: () => undefined, changed: () => undefined };

/** Everything about a node that a reboot takes away. */
export class Boot {
  readonly id = randomUUID();
  readonly image: SystemImage;
  readonly clock: LabClock;
  readonly started: Date;
  readonly events: EventLog;
  readonly services: ServiceTable;
  readonly state: TwinState;
  readonly dmesg = new Journal();
  /** What the screen of the machine shows, from one boot to the next. */
  readonly #screen: Journal;
  readonly logs = new Map<string, Journal>();
  observer: BootObserver = silent;
  /** Members are many and seldom asked for: they are told once somebody has asked, and kept up from then on. */
  refreshMembers: () => void = () => undefined;
  membersWanted = false;
  stage: Stage = 'unknown';
  settings: Settings | undefined;
  /** The active configuration, as it was submitted. */
  config: string | undefined;
  timeSynced = true;
  networkOpen: readonly string[] = ['address', 'connectivity', 'etc-files', 'hostname'];
  hostname: string | undefined;
  nodename: string | undefined;
  /** What the guest agent takes for the name of the machine. */
  agentHostname: string | undefined;
  node: 'absent' | 'not ready' | 'ready' = 'absent';
  pods: readonly StaticPod[] = [];
  /** A configuration that needs a reboot was applied; no further one is taken. */
  leaving = false;
  /** A change of power, an upgrade or a reset is under way. */
  sequence: string | undefined;
  readonly #ended = new AbortController();
  readonly #waiters = new Set<() => void>();
  #told = '';
  #speaks = false;
  #pid = 10;

  constructor(clock: LabClock, image: SystemImage, screen = new Journal()) {
    this.clock = clock;
    this.image = image;
    this.#screen = screen;
    this.started = clock.now();
    this.events = new EventLog(clock);
    this.state = new TwinState(() => clock.now());
    this.services = new ServiceTable(clock, this.events, (service) => {
      this.log(service.id, `service ${service.state.toLowerCase()}: ${service.events.at(-1)?.message ?? ''}`);
      this.log('machined', `[talos] service[${service.id}](${service.state}): ${service.events.at(-1)?.message ?? ''}`);
      this.observer.service(service);
      this.touch();
    });
    for (const id of ['machined', 'apid', 'early-startup', 'controller-runtime', 'dns-resolve-cache'])
      this.log(id, 'log begins');
    this.kernel('Linux version 6.18.34-talos (twin) #1 SMP');
    this.kernel(`Command line: talos.platform=${image.platform} console=tty0 init_on_alloc=1 slab_nomerge`);
  }

  get version(): string {
    return this.image.version;
  }

  get signal(): AbortSignal {
    return this.#ended.signal;
  }

  /** What runs in this boot ends here. */
  end(): void {
    this.#ended.abort(new GrpcStatus('UNAVAILABLE', 'error reading from server: EOF'));
  }

  nextPid(): number {
    this.#pid += 11;
    return this.#pid;
  }

  sleep(ms: number): Promise<void> {
    return this.clock.sleep(ms, this.signal);
  }

  enter(stage: Stage): void {
    this.stage = stage;
    this.touch();
  }

  /** The controllers are up: from now on the node tells its status. */
  speak(): void {
    this.#speaks = true;
    this.touch();
  }

  /** Something changed: the status is told when it is another one now, and whoever waits looks again. */
  touch(): void {
    const status = machineStatus(this);
    const text = JSON.stringify(status);
    if (this.#speaks && text !== this.#told) {
      this.#told = text;
      this.events.publish(MachineStatusEventSchema, {
        stage: stages.indexOf(status.stage) as MachineStatusEvent_MachineStage,
        status: { ready: status.ready, unmetConditions: status.unmet.map((each) => ({ ...each })) },
      });
      this.observer.status(status);
    }
    this.observer.changed();
    for (const waiter of this.#waiters) waiter();
  }

  /** Resolves as soon as it holds; rejects when the boot ends, or the caller gives up. */
  until(holds: () => boolean, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const both = signal === undefined ? this.signal : AbortSignal.any([this.signal, signal]);
      const leave = (): void => {
        this.#waiters.delete(look);
        both.removeEventListener('abort', stop);
      };
      const stop = (): void => {
        leave();
        reject(both.reason as Error);
      };
      const look = (): void => {
        if (!holds()) return;
        leave();
        resolve();
      };
      if (both.aborted) return stop();
      both.addEventListener('abort', stop, { once: true });
      this.#waiters.add(look);
      look();
    });
  }

  journal(id: string): Journal {
    const found = this.logs.get(id);
    if (found !== undefined) return found;
    const made = new Journal();
    this.logs.set(id, made);
    return made;
  }

  log(id: string, message: string): void {
    const at = this.clock.now();
    this.journal(id).write(() => `${at.toISOString()} ${message}`);
  }

  kernel(message: string | (() => string)): void {
    const at = this.clock.now();
    const line = (): string =>
      `kern:    info: [${at.toISOString()}]: ${typeof message === 'string' ? message : message()}`;
    this.dmesg.write(line);
    this.#screen.write(line);
  }
}
