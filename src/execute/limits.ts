import { onlyWaits, type Step } from '../model/step.ts';

/** How many steps may be at work at a time: over all, and for each kind of system. */
export type Limits = {
  readonly total: number;
  /** For each host of a provider; a host that makes many machines at once makes all of them late. */
  readonly host: number;
  /** What the provider is told about all machines. */
  readonly provider: number;
  /** For each machine. */
  readonly talos: number;
  readonly etcd: number;
  readonly kubernetes: number;
  /** Files of this machine. */
  readonly here: number;
};

export const limitsFor = (parallelism: number): Limits => ({
  total: Math.max(1, parallelism),
  host: 8,
  provider: 2,
  talos: 1,
  etcd: 1,
  kubernetes: 16,
  here: 4,
});

export type System = Exclude<keyof Limits, 'total'> | `host:${string}` | `talos:${string}`;

/** Whom a step keeps busy. A step that only waits asks now and then, and keeps nobody busy. */
export function systemsOf(step: Step): readonly System[] {
  if (onlyWaits(step)) return [];
  switch (step.kind) {
    case 'image.ensure':
      return [...new Set(step.hosts)].map((host) => `host:${host}` as const);
    case 'machine.create':
      return [`host:${step.order.host}`];
    case 'machine.start':
    case 'machine.resize':
    case 'machine.stop':
    case 'machine.eject':
    case 'machine.delete':
      return [`host:${step.ref.host}`];
    case 'machines.guard':
      return ['provider'];
    case 'etcd.remove':
    case 'etcd.bootstrap':
    case 'etcd.leave':
      return ['etcd'];
    case 'talos.reach':
    case 'talos.configure':
    case 'talos.await-up':
    case 'talos.reconfigure':
    case 'talos.upgrade':
    case 'talos.shutdown':
    case 'talos.reset':
    case 'etcd.await-member':
      return [`talos:${step.machine}`];
    case 'kubernetes.await-api':
    case 'kubernetes.await-server':
    case 'kubernetes.await-kubelet':
    case 'cni.install':
    case 'node.await-ready':
    case 'cluster.await-healthy':
    case 'node.drain':
    case 'node.uncordon':
    case 'node.delete':
      return ['kubernetes'];
    case 'secrets.make':
    case 'secrets.delete':
    case 'machine.forget':
    case 'artifacts.write':
    case 'cluster.forget':
      return ['here'];
  }
}

/** Places for steps at work. All that a step needs are taken together or not at all, so that no two wait for each other. */
export class Places {
  readonly #limits: Limits;
  readonly #taken = new Map<string, number>();

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  take(step: Step): boolean {
    const wanted = this.#wanted(step);
    if (wanted.some((system) => this.#used(system) >= this.#most(system))) return false;
    for (const system of wanted) this.#taken.set(system, this.#used(system) + 1);
    return true;
  }

  give(step: Step): void {
    for (const system of this.#wanted(step)) this.#taken.set(system, this.#used(system) - 1);
  }

  #wanted(step: Step): readonly (System | 'total')[] {
    return onlyWaits(step) ? [] : ['total', ...systemsOf(step)];
  }

  #used(system: string): number {
    return this.#taken.get(system) ?? 0;
  }

  #most(system: System | 'total'): number {
    return this.#limits[system.split(':', 1)[0] as keyof Limits];
  }
}
