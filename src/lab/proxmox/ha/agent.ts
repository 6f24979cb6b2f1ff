import type { Datacenter } from '../datacenter.ts';
import type { Host } from '../host.ts';
import { migrateVm } from '../qemu/migrate/migrate.ts';
import { orderStart } from '../qemu/power/order.ts';
import { stopVm } from '../qemu/power/stop.ts';
import { root } from '../qemu/site.ts';
import type { Task } from '../tasks/task.ts';
import type { HaManager, Service } from './manager.ts';

/** Does on each host what the manager has decided, by tasks of `root@pam`. */
export class HaAgents {
  /** Hosts that have had something to do, and when they last looked. */
  readonly looked = new Map<string, number>();
  readonly working = new Set<string>();
  readonly #busy = new Set<string>();
  readonly #manager: HaManager;
  readonly #datacenter: () => Datacenter;

  constructor(manager: HaManager, datacenter: () => Datacenter) {
    this.#manager = manager;
    this.#datacenter = datacenter;
  }

  round(): void {
    const datacenter = this.#datacenter();
    for (const host of datacenter.hosts.values()) {
      if (host.state !== 'up' || !datacenter.quorate(host)) continue;
      this.looked.set(host.name, Math.floor(datacenter.clock.now().getTime() / 1000));
      const services = [...this.#manager.services.values()].filter(({ node }) => node === host.name);
      if (services.some(({ state }) => state !== 'stopped' && state !== 'error')) this.working.add(host.name);
      for (const service of services) this.#look(host, service);
    }
  }

  #look(host: Host, service: Service): void {
    const vm = this.#datacenter().vms.get(service.vmid);
    if (vm === undefined || vm.host !== host.name || this.#busy.has(service.sid)) return;
    if (service.state === 'started') {
      if (vm.run === undefined) this.#follow(host, service, this.#start(host, service));
      else service.running = true;
    }
    if (service.state === 'request_stop') {
      if (vm.run === undefined) service.done = true;
      else this.#follow(host, service, this.#stop(host, service));
    }
    if (service.state === 'migrate' && !service.done) this.#follow(host, service, this.#move(host, service));
  }

  #start(host: Host, { vmid }: Service): string {
    return orderStart({ datacenter: this.#datacenter(), host, who: root }, vmid, { byManager: true });
  }

  #stop(host: Host, { vmid, timeoutSeconds }: Service): string {
    const datacenter = this.#datacenter();
    const orderly = timeoutSeconds !== 0;
    return datacenter.startTask({
      host,
      who: root,
      type: orderly ? 'qmshutdown' : 'qmstop',
      id: String(vmid),
      work: (worker) =>
        stopVm({ datacenter, host, who: root }, worker, vmid, {
          skipLock: false,
          orderly,
          timeoutSeconds,
          force: true,
        }),
    });
  }

  #move(host: Host, { vmid, target = '' }: Service): string {
    const site = { datacenter: this.#datacenter(), host, who: root };
    return site.datacenter.startTask({
      ...site,
      type: 'qmigrate',
      id: String(vmid),
      work: (worker) =>
        migrateVm(site, worker, vmid, { target, withLocalDisks: false, storageFor: (storage) => storage }),
    });
  }

  /** What comes of a task counts only for the state that asked for it. */
  #follow(host: Host, service: Service, upid: string): void {
    const { uid, sid, vmid } = service;
    const task = host.tasks.find((each: Task) => each.upid === upid);
    this.#busy.add(sid);
    void task?.ended.then(() => {
      this.#busy.delete(sid);
      if (service.uid !== uid) return;
      const runs = this.#datacenter().vms.get(vmid)?.run !== undefined;
      if (service.state === 'request_stop') service.done = !runs;
      else if (service.state === 'migrate') service.done = true;
      else if (runs) service.running = true;
      else service.failures += 1;
    });
  }
}
