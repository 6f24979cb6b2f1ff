import type { Duplex } from 'node:stream';
import { apidPort } from './apid/apid.ts';
import { bareMachine, PowerSupply } from './bare.ts';
import type { BareMachine } from './bare.ts';
import { AddressNotThere, canBind, mappedAddresses, ownAddresses } from './network.ts';
import { usualDurations } from './node/hardware.ts';
import { Machine } from './node/machine.ts';
import { startWorld } from './start-world.ts';
import type { WorldOptions } from './start-world.ts';
import type { TalosLab, TalosTwin, TwinDurations, TwinOptions } from './twin.ts';

export type TalosLabOptions = WorldOptions & {
  readonly durations?: Partial<TwinDurations>;
  /** `mapped` where only 127.0.0.1 can be listened on: nodes are then reached through the lab’s connector alone. */
  readonly addresses?: 'own' | 'mapped';
};

export interface RunningTalosLab extends TalosLab {
  /** Opens a byte stream to a node of the lab, wherever its ports really are. */
  connector(): (target: { readonly host: string; readonly port: number }, signal: AbortSignal) => Promise<Duplex>;
}

/** A place for nodes that see each other, over real sockets. */
export async function startTalosLab(options: TalosLabOptions = {}): Promise<RunningTalosLab> {
  const network = options.addresses === 'mapped' ? mappedAddresses() : ownAddresses;
  const twins = new Map<string, TalosTwin>();
  const supplies = new Set<PowerSupply>();
  const { world, machines, vips, closeKubernetes } = startWorld(network, options);
  return {
    twins,
    connector: () => (target, signal) => network.dial(target.host, target.port, signal),
    add: async (given: TwinOptions) => {
      if (world.at(given.address) !== undefined) throw new Error(`There is a machine at ${given.address} already.`);
      if (network === ownAddresses && !(await canBind(given.address))) throw new AddressNotThere(given.address);
      if (network === ownAddresses && !(await canBind(given.address, apidPort)))
        throw new Error(`Port ${apidPort} of ${given.address} is taken: another lab may be running there.`);
      const bare = bareMachine(given);
      const durations = { ...usualDurations, ...options.durations, ...given.durations };
      const machine = new Machine(bare, world, durations, bare.image);
      machine.network = bare.network();
      const supply = new PowerSupply(machine, bare);
      const twin = twinOf(machine, bare, supply, given.address);
      machines.add(machine);
      world.moved(machine, [], machine.ownAddresses());
      twins.set(given.address, twin);
      supplies.add(supply);
      supply.on();
      return twin;
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([...supplies].map((supply) => supply.off()));
      await vips.close();
      await closeKubernetes();
    },
  };
}

const twinOf = (machine: Machine, bare: BareMachine, supply: PowerSupply, address: string): TalosTwin => ({
  address,
  hardware: machine.hardware,
  stage: () => machine.boot?.stage ?? (supply.isOn() ? 'rebooting' : 'off'),
  fingerprint: () => machine.apid.fingerprint(),
  config: () => (machine.boot?.settings === undefined ? undefined : machine.boot.config),
  version: () => machine.boot?.version ?? nextVersion(bare),
  powerOn: async () => supply.on(),
  powerOff: () => supply.off(),
  fail: (fault) => machine.faults.add(fault),
  heal: () => machine.faults.clear(),
});

function nextVersion(bare: BareMachine): string {
  const found = bare.firmware();
  return (found.kind === 'medium' ? found.image : found.system.images[found.system.active])?.version ?? '';
}
