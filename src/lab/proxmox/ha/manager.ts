import type { Datacenter } from '../datacenter.ts';
import { requestedState, type HaConfig } from './config.ts';
import { homeFor, volumesCanMove } from './recovery.ts';

/** How far the manager has come with a guest. */
export type ServiceState =
  | 'request_start'
  | 'request_stop'
  | 'started'
  | 'stopped'
  | 'migrate'
  | 'fence'
  | 'recovery'
  | 'error';

export type Service = {
  readonly sid: string;
  readonly vmid: number;
  node: string;
  state: ServiceState;
  /** New with every change of the state. */
  uid: string;
  /** The agent of its host has seen it run. */
  running: boolean;
  /** The agent has done what the state asks for. */
  done: boolean;
  failures: number;
  /** Of a stop: how long the guest may take. */
  timeoutSeconds: number | undefined;
  target: string | undefined;
};

export type HostStatus = 'online' | 'unknown' | 'fence';

type Command =
  | { readonly kind: 'stop'; readonly sid: string; readonly timeoutSeconds: number | undefined }
  | { readonly kind: 'migrate'; readonly sid: string; readonly target: string };

/** Until a host that is gone has surely ended everything on it. */
const fenceMs = 60_000;

const isAtRest = ({ state }: Service): boolean => state === 'started' || state === 'stopped';

/** Decides what should happen with every guest; one host of the majority does this for all. */
export class HaManager {
  readonly services = new Map<string, Service>();
  readonly hosts = new Map<string, HostStatus>();
  master: string | undefined;
  /** Of its last round, in seconds. */
  timestamp = 0;
  disarmed: 'freeze' | 'ignore' | undefined;
  readonly #commands: Command[] = [];
  readonly #gone = new Map<string, number>();
  readonly #config: HaConfig;
  readonly #datacenter: () => Datacenter;

  constructor(config: HaConfig, datacenter: () => Datacenter) {
    this.#config = config;
    this.#datacenter = datacenter;
  }

  get active(): boolean {
    return this.master !== undefined;
  }

  queue(command: Command): void {
    this.#commands.push(command);
  }

  /** One look at everything. Without a majority nobody decides anything. */
  round(): void {
    const datacenter = this.#datacenter();
    const voters = [...datacenter.hosts.values()].filter((host) => datacenter.quorate(host));
    const master = voters.find(({ name }) => name === this.master) ?? voters[0];
    if (master === undefined || (!this.active && this.#config.resources.size === 0)) return;
    this.master = master.name;
    this.timestamp = Math.floor(datacenter.clock.now().getTime() / 1000);
    this.#lookAtHosts();
    this.#takeCommands();
    this.#takeResources();
    if (this.disarmed === undefined) for (const service of this.services.values()) while (this.#step(service));
  }

  #lookAtHosts(): void {
    const { hosts, clock } = this.#datacenter();
    const now = clock.now().getTime();
    for (const { name, state } of hosts.values()) {
      if (state === 'up' || state === 'frozen') {
        this.#gone.delete(name);
        this.hosts.set(name, 'online');
        continue;
      }
      const since = this.#gone.get(name) ?? now;
      this.#gone.set(name, since);
      this.hosts.set(name, now - since >= fenceMs ? 'fence' : 'unknown');
    }
  }

  #takeCommands(): void {
    for (const command of this.#commands.splice(0)) {
      const service = this.services.get(command.sid);
      const resource = this.#config.resources.get(command.sid);
      if (service === undefined || resource === undefined) continue;
      if (command.kind === 'stop') {
        resource.properties.set('state', 'stopped');
        service.timeoutSeconds = command.timeoutSeconds;
      } else if (isAtRest(service) && service.node !== command.target && this.hosts.get(command.target) === 'online') {
        service.target = command.target;
        this.#turn(service, 'migrate');
      }
    }
  }

  /** New guests are taken in, and those that are gone forgotten. */
  #takeResources(): void {
    const { vms } = this.#datacenter();
    for (const sid of this.services.keys()) if (!this.#config.resources.has(sid)) this.services.delete(sid);
    for (const resource of this.#config.resources.values()) {
      const { sid, vmid } = resource;
      const wanted = requestedState(resource);
      const node = vms.get(vmid)?.host;
      if (wanted === 'ignored') this.services.delete(sid);
      else if (!this.services.has(sid) && node !== undefined) {
        const state = wanted === 'started' ? 'request_start' : 'request_stop';
        const fresh = { running: false, done: false, failures: 0, timeoutSeconds: undefined, target: undefined };
        this.services.set(sid, { sid, vmid, node, state, uid: this.#uid(), ...fresh });
      }
    }
  }

  /** Whether the service went on to another state. */
  #step(service: Service): boolean {
    const resource = this.#config.resources.get(service.sid);
    if (resource === undefined) return false;
    const wanted = requestedState(resource);
    const isGone = this.hosts.get(service.node) === 'fence';
    switch (service.state) {
      case 'request_start':
        return this.#turn(service, 'started');
      case 'request_stop':
        if (isGone) return this.#turn(service, 'fence');
        return service.done && this.#turn(service, 'stopped');
      case 'stopped':
        return wanted === 'started' && this.#turn(service, 'request_start');
      case 'started':
        if (isGone) return this.#turn(service, 'fence');
        if (wanted !== 'started') return this.#turn(service, 'request_stop');
        return service.failures > Number(resource.properties.get('max_restart') ?? 1) && this.#turn(service, 'error');
      case 'migrate':
        return service.done && this.#arrive(service, wanted === 'started' ? 'started' : 'request_stop');
      case 'fence':
        return this.#turn(service, 'recovery');
      case 'recovery':
        return this.#recover(service, wanted === 'started');
      case 'error':
        return wanted === 'disabled' && this.#turn(service, 'stopped');
    }
  }

  /** Where it is, is where it is looked after: on the target, or where it was if it could not go. */
  #arrive(service: Service, state: ServiceState): true {
    service.node = this.#datacenter().vms.get(service.vmid)?.host ?? service.node;
    service.target = undefined;
    return this.#turn(service, state);
  }

  /** Starts it where there is room for it, if its disks are there, too. */
  #recover(service: Service, start: boolean): boolean {
    const datacenter = this.#datacenter();
    const vm = datacenter.vms.get(service.vmid);
    const online = [...this.hosts].flatMap(([name, status]) => (status === 'online' ? [name] : []));
    const home = homeFor(service, [...this.services.values()], [...this.#config.rules.values()], online);
    if (vm === undefined || home === undefined || !volumesCanMove(datacenter, service.vmid, home)) return false;
    vm.host = home;
    service.node = home;
    return this.#turn(service, start ? 'started' : 'request_stop');
  }

  #turn(service: Service, state: ServiceState): true {
    Object.assign(service, { state, uid: this.#uid(), done: false, failures: 0 });
    if (state !== 'started' && state !== 'migrate') service.running = false;
    return true;
  }

  #uid(): string {
    const { random } = this.#datacenter();
    return Buffer.from(Array.from({ length: 16 }, () => Math.floor(random() * 256)))
      .toString('base64')
      .replace(/=+$/, '');
  }
}
