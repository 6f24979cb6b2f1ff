import type { MachineRef } from '../model/observed.ts';
import { Problem } from '../model/problem.ts';
import { imageOn, mustProvide } from './images.ts';
import { forgetMachine, rememberThat } from './remembering.ts';
import type { Handlers, Tools } from './tools.ts';
import { addressOf } from './where.ts';

type Kinds =
  | 'machine.create'
  | 'machine.start'
  | 'machine.resize'
  | 'machine.stop'
  | 'machine.eject'
  | 'machine.delete'
  | 'machine.forget'
  | 'machines.guard';

/** Whoever writes proves first that a machine is the one that is meant; a second time changes nothing. */
export const machineHandlers: Pick<Handlers, Kinds> = {
  'machine.create': async ({ machine, order }, tools, _, signal) => {
    const { writer } = mustProvide(tools);
    const { image: name, ...asked } = order;
    const image = await imageOn(order.host, name, tools, signal);
    tools.found.refs.set(machine, await writer.create({ ...asked, image, firstConfig: undefined }, signal));
  },
  'machine.start': async ({ machine, ref }, tools, _, signal) =>
    mustProvide(tools).writer.setPower(newest(machine, ref, tools), 'on', signal),
  'machine.resize': async ({ machine, ref, shape }, tools, { tell }, signal) => {
    const { afterRestart } = await mustProvide(tools).writer.resize(newest(machine, ref, tools), shape, signal);
    if (afterRestart.length > 0)
      tell({ kind: 'says', text: `${afterRestart.join(', ')} of ${machine} waits for its next cold start` });
  },
  'machine.stop': async ({ machine, ref }, tools, _, signal) =>
    mustProvide(tools).writer.setPower(newest(machine, ref, tools), 'off', signal),
  'machine.eject': async ({ machine, ref }, tools, _, signal) =>
    mustProvide(tools).writer.ejectMedia(newest(machine, ref, tools), signal),
  'machine.delete': async ({ machine, ref }, tools, _, signal) => {
    await mustProvide(tools).writer.delete(newest(machine, ref, tools), signal);
    tools.found.refs.delete(machine);
    tools.found.addresses.delete(machine);
  },
  'machine.forget': async ({ machine, address }, tools, _, signal) => {
    if ((await tools.talos.probe({ host: address }, signal)).kind !== 'absent') throw answersAgain(machine, address);
    await forgetMachine(machine, tools);
  },
  'machines.guard': async ({ refs, digest }, tools, _, signal) => {
    const { guarded } = await tools.store.memory(tools.material.platform);
    await guard(refs, guarded !== undefined, tools, signal);
    await rememberThat(tools, (memory) => ({ ...memory, guarded: refs.length === 0 ? undefined : digest }));
  },
};

const answersAgain = (machine: string, address: string): Problem =>
  new Problem('machine-back', `${machine} answers again at ${address}; it is not forgotten.`, {
    recovery: 'wait',
    remedy: 'Run this again, so that it is wiped:\n    ichor up',
  });

/** What made or moved it in this run knows better where it is. */
const newest = (machine: string, ref: MachineRef, { found }: Tools): MachineRef => {
  const made = found.refs.get(machine);
  return made?.mark.uuid === ref.mark.uuid ? made : ref;
};

/** `before`: rules of ours may be there, which are taken away when they are no longer wanted. */
async function guard(refs: readonly MachineRef[], before: boolean, tools: Tools, signal: AbortSignal): Promise<void> {
  const { writer } = mustProvide(tools);
  const { platform, controlPlanes, guard: wanted } = tools.material;
  if (wanted.apart || before) {
    const apart = wanted.apart ? refs.filter(({ mark }) => controlPlanes.includes(mark.name)) : [];
    await writer.keepApart(`${platform}-control-planes`, apart, signal);
  }
  if (wanted.firewall || before) {
    const machines = wanted.firewall ? refs.map((ref) => firewalled(ref, tools, signal)) : [];
    const { management, alsoOurs } = wanted;
    await writer.firewall(platform, await Promise.all(machines), { management, alsoOurs }, signal);
  }
}

async function firewalled(ref: MachineRef, tools: Tools, signal: AbortSignal) {
  const { name } = ref.mark;
  const address = await addressOf(name, ref, tools, signal);
  if (address === undefined)
    throw new Problem('machine-no-address', `Where ${name} is is not known yet, and a firewall would shut it out.`, {
      recovery: 'wait',
      remedy: 'Run this again when it has an address:\n    ichor machines',
    });
  const role = tools.material.controlPlanes.includes(name) ? ('control-plane' as const) : ('worker' as const);
  return { ...ref, role, addresses: [address] };
}
