import assert from 'node:assert/strict';
import { gib } from '../model/size.ts';
import type { Case, World, Write } from './conformance-world.ts';
import { behind } from './conformance-world.ts';
import type { MachineRef, Provider } from './provider.ts';

/** One write, whose answer does not come, and what must be true after it. */
type Loss = {
  readonly write: Write;
  readonly before: (provider: Provider, world: World, signal: AbortSignal) => Promise<MachineRef | undefined>;
  readonly act: (provider: Provider, world: World, signal: AbortSignal, machine: MachineRef) => Promise<unknown>;
  readonly holds: (world: World, machine: MachineRef) => void;
};

const made: Loss['before'] = ({ writer }, world, signal) => writer.create(world.request(0), signal);
const started: Loss['before'] = async ({ writer }, world, signal) => {
  const machine = await writer.create(world.request(0), signal);
  await writer.setPower(machine, 'on', signal);
  return machine;
};
const isThere = (world: World, running: boolean): void =>
  assert.deepEqual(
    world.machines().map((machine) => machine.running),
    [running],
  );

const losses: readonly Loss[] = [
  {
    write: 'create',
    before: () => Promise.resolve(undefined),
    act: ({ writer }, world, signal) => writer.create(world.request(0), signal),
    holds: (world) => isThere(world, false),
  },
  {
    write: 'start',
    before: made,
    act: ({ writer }, _, signal, machine) => writer.setPower(machine, 'on', signal),
    holds: (world) => isThere(world, true),
  },
  {
    write: 'stop',
    before: started,
    act: ({ writer }, _, signal, machine) => writer.setPower(machine, 'off', signal),
    holds: (world) => isThere(world, false),
  },
  {
    write: 'reset',
    before: started,
    act: ({ writer }, _, signal, machine) => writer.reset(machine, signal),
    holds: (world, { id }) => {
      isThere(world, true);
      assert.equal(world.resets(id), 1);
    },
  },
  {
    write: 'eject',
    before: started,
    act: ({ writer }, _, signal, machine) => writer.ejectMedia(machine, signal),
    holds: (world) => isThere(world, true),
  },
  {
    write: 'resize',
    before: made,
    act: ({ writer }, world, signal, machine) => {
      const { shape } = world.request(0);
      const disks = shape.disks.map((disk) => ({ ...disk, sizeGiB: gib(disk.sizeGiB + 1) }));
      return writer.resize(machine, { ...shape, disks }, signal);
    },
    holds: (world) => isThere(world, false),
  },
  {
    write: 'delete',
    before: started,
    act: ({ writer }, _, signal, machine) => writer.delete(machine, signal),
    holds: (world) => assert.deepEqual(world.machines(), []),
  },
  {
    write: 'image',
    before: () => Promise.resolve(undefined),
    act: ({ writer }, world, signal) => writer.ensureImage(world.image('iso'), world.hosts.slice(0, 1), signal),
    holds: (world) => assert.ok(world.fetched() <= 2, 'it was fetched again and again'),
  },
  {
    write: 'keep apart',
    before: started,
    act: ({ writer }, _, signal, machine) => writer.keepApart('planes', [machine], signal),
    holds: (world) => isThere(world, true),
  },
  {
    write: 'firewall',
    before: made,
    act: ({ writer }, world, signal, { host }) =>
      writer.firewall(
        world.platform,
        [behind(world.request(0), host, '10.9.0.1')],
        { management: [], alsoOurs: [] },
        signal,
      ),
    holds: (world) => isThere(world, false),
  },
];

/** The world after it is the world that there would be, had the answer come. */
export const lostAnswers: readonly Case[] = losses.flatMap((loss) =>
  (['done', 'not done'] as const).map((fate): Case => ({
    name: `the answer to “${loss.write}” is lost, and it was ${fate}`,
    run: async (world, signal) => {
      await using provider = world.open();
      const machine = (await loss.before(provider, world, signal)) ?? nobody(world);
      world.lose(loss.write, fate);
      await loss.act(provider, world, signal, machine);
      assert.equal(world.lost(), 1, 'nothing got lost');
      loss.holds(world, machine);
      const after = await world.picture();
      await using again = world.open();
      if (loss.write !== 'reset' && loss.write !== 'delete') await loss.act(again, world, signal, machine);
      assert.equal(await world.picture(), after, 'something was left to do');
    },
  })),
);

const nobody = (world: World): MachineRef => {
  const { mark, id, host } = world.request(0);
  return { mark, id: id ?? '', host };
};
