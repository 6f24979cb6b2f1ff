import type { Datacenter } from '../datacenter.ts';
import { HaAgents } from './agent.ts';
import { HaConfig, requestedState, type HaResource } from './config.ts';
import { HaManager } from './manager.ts';

/** Resources that the high-availability manager keeps running, and the rules among them. */
interface HighAvailability {
  isManaged(vmid: number): boolean;
  /** `started`, `stopped` …; undefined: nobody knows it yet. */
  stateOf(vmid: number): string | undefined;
  /** Asks the manager to start or stop; it does so later, as `root@pam`. A stop may leave the guest some seconds. */
  request(vmid: number, state: 'started' | 'stopped', timeoutSeconds?: number): void;
  /** Asks the manager to move it. */
  migrate(vmid: number, target: string): void;
  add(vmid: number, state: 'started' | 'stopped'): void;
  /** Out of the resources, and out of their rules. */
  purge(vmid: number): void;
}

/** The files, the manager, and the agents of the hosts. */
export class LabHa implements HighAvailability {
  readonly config = new HaConfig();
  readonly manager: HaManager;
  readonly agents: HaAgents;
  readonly #datacenter: () => Datacenter;
  #awake = false;

  constructor(datacenter: () => Datacenter) {
    this.#datacenter = datacenter;
    this.manager = new HaManager(this.config, datacenter);
    this.agents = new HaAgents(this.manager, datacenter);
  }

  #resource(vmid: number): HaResource | undefined {
    return this.config.resources.get(`vm:${vmid}`) ?? this.config.resources.get(`ct:${vmid}`);
  }

  isManaged(vmid: number): boolean {
    const resource = this.#resource(vmid);
    return resource !== undefined && requestedState(resource) !== 'ignored';
  }

  stateOf(vmid: number): string | undefined {
    return this.manager.services.get(this.#resource(vmid)?.sid ?? '')?.state;
  }

  /** As lists of guests show it: what the manager makes of it, or what was asked where it has not looked yet. */
  hastate(vmid: number): string | undefined {
    return this.stateOf(vmid) ?? this.#resource(vmid)?.properties.get('state');
  }

  hostState(name: string): string | undefined {
    return this.manager.hosts.get(name);
  }

  /** A start is written down at once; a stop waits until the manager takes it. */
  request(vmid: number, state: 'started' | 'stopped', timeoutSeconds?: number): void {
    const resource = this.#resource(vmid);
    if (resource === undefined) return;
    if (state === 'started') resource.properties.set('state', 'started');
    else this.manager.queue({ kind: 'stop', sid: resource.sid, timeoutSeconds });
    this.wake();
  }

  migrate(vmid: number, target: string): void {
    const sid = this.#resource(vmid)?.sid;
    if (sid === undefined) return;
    this.manager.queue({ kind: 'migrate', sid, target });
    this.wake();
  }

  add(vmid: number, state: 'started' | 'stopped'): void {
    const sid = `vm:${vmid}`;
    if (this.config.resources.has(sid)) return;
    this.config.resources.set(sid, { sid, type: 'vm', vmid, properties: new Map([['state', state]]) });
    this.wake();
  }

  purge(vmid: number): void {
    const sid = this.#resource(vmid)?.sid;
    if (sid !== undefined) this.config.remove(sid, true);
  }

  /** From the first resource on manager and agents look in turn, until the lab ends. */
  wake(): void {
    if (this.#awake) return;
    this.#awake = true;
    void this.#rounds();
  }

  async #rounds(): Promise<void> {
    const { clock, durations, over } = this.#datacenter();
    for (let manages = true; ; manages = !manages || !this.manager.active) {
      await clock.sleep(durations.haRound, over).catch(() => undefined);
      if (over.aborted) return;
      if (manages) this.manager.round();
      else this.agents.round();
    }
  }
}

export const createHa = (datacenter: () => Datacenter): LabHa => new LabHa(datacenter);
