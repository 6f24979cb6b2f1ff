import { wallClock } from '../clock.ts';
import type { EtcdCluster } from './etcd/cluster.ts';
import { Machine } from './node/machine.ts';
import type { LabClock, TalosLab, TalosTwin, TwinDurations, TwinOptions } from './twin.ts';
import type { World } from './world.ts';

export type TalosLabOptions = {
  readonly clock?: LabClock;
  readonly durations?: Partial<TwinDurations>;
};

/** A place for nodes that see each other. Nothing is simulated across two of them. */
export async function startTalosLab(options: TalosLabOptions = {}): Promise<TalosLab> {
  const machines = new Map<string, Machine>();
  const twins = new Map<string, TalosTwin>();
  const world = worldOf(machines, options.clock ?? wallClock());
  return {
    twins,
    add: async (given: TwinOptions) => {
      if (machines.has(given.address)) throw new Error(`There is a machine at ${given.address} already.`);
      const machine = new Machine(given, world, options.durations);
      const twin = twinOf(machine);
      machines.set(given.address, machine);
      twins.set(given.address, twin);
      machine.powerOn();
      return twin;
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([...machines.values()].map((machine) => machine.powerOff()));
    },
  };
}

function worldOf(machines: ReadonlyMap<string, Machine>, clock: LabClock): World {
  const waiters = new Set<() => void>();
  return {
    clock,
    clusters: new Set<EtcdCluster>(),
    machines: () => machines.values(),
    at: (address) => machines.get(address),
    stir: () => {
      for (const { boot } of machines.values()) if (boot?.membersWanted === true) boot.refreshMembers();
      for (const waiter of waiters) waiter();
    },
    until: (holds, signal) =>
      new Promise((resolve, reject) => {
        const leave = (): void => {
          waiters.delete(look);
          signal.removeEventListener('abort', stop);
        };
        const stop = (): void => {
          leave();
          reject(signal.reason as Error);
        };
        const look = (): void => {
          if (!holds()) return;
          leave();
          resolve();
        };
        if (signal.aborted) return stop();
        signal.addEventListener('abort', stop, { once: true });
        waiters.add(look);
        look();
      }),
  };
}

const twinOf = (machine: Machine): TalosTwin => ({
  address: machine.options.address,
  hardware: machine.hardware,
  stage: () => machine.boot?.stage ?? (machine.isOn() ? 'rebooting' : 'off'),
  fingerprint: () => machine.apid.fingerprint(),
  config: () => (machine.boot?.settings === undefined ? undefined : machine.boot.config),
  version: () => machine.boot?.version ?? machine.nextVersion(),
  powerOn: async () => machine.powerOn(),
  powerOff: () => machine.powerOff(),
  fail: (fault) => machine.faults.add(fault),
  heal: () => machine.faults.clear(),
});
