import assert from 'node:assert/strict';
import { gib, mib } from '../model/size.ts';
import type { Case, World } from './conformance-world.ts';
import { behind } from './conformance-world.ts';
import { observed, problemOf, unchanged } from './conformance-telling.ts';
import type { Provider } from './provider.ts';

const anybody = { management: [], alsoOurs: [] };

/** A machine from its making to its end, and each step twice. */
export const life: readonly Case[] = [
  {
    name: 'a machine is as it was asked for, and does not run',
    run: async (world, signal) => {
      await using provider = world.open();
      const request = world.request(0);
      const made = await provider.writer.create(request, signal);
      assert.deepEqual(made, { mark: request.mark, id: made.id, host: request.host });
      const machine = await observed(provider, world, signal);
      assert.deepEqual(
        [machine.mark, machine.id, machine.host, machine.power, machine.cpu, machine.memoryMiB, machine.macs],
        [
          request.mark,
          made.id,
          request.host,
          { kind: 'known', value: 'off' },
          request.shape.cpu,
          request.shape.memoryMiB,
          [request.mac.toUpperCase()],
        ],
      );
      assert.deepEqual(
        machine.disks.map(({ name, sizeGiB, datastore }) => ({ name, sizeGiB, datastore })),
        request.shape.disks,
      );
    },
  },
  {
    name: 'a machine that starts from a disk image has a disk as large as was asked for',
    run: async (world, signal) => {
      await using provider = world.open();
      const [image] = await provider.writer.ensureImage(world.image('disk'), [world.request(0).host], signal);
      assert.ok(image !== undefined);
      const request = world.request(0, { image });
      await provider.writer.create(request, signal);
      const machine = await observed(provider, world, signal);
      assert.deepEqual([machine.disks[0]?.sizeGiB, machine.medium], [request.shape.disks[0]?.sizeGiB, undefined]);
    },
  },
  {
    name: 'made twice, it is there once',
    run: (world, signal) =>
      unchanged(world, signal, async (provider) => void (await provider.writer.create(world.request(0), signal))),
  },
  {
    name: 'made by two runs at the same moment, it is there once',
    run: async (world, signal) => {
      await using one = world.open();
      await using other = world.open();
      const made = await Promise.all([one, other].map(({ writer }) => writer.create(world.request(0), signal)));
      assert.deepEqual(made[0], made[1]);
      assert.equal(world.machines().length, 1);
    },
  },
  {
    name: 'its power comes on once, and is cut once',
    run: async (world, signal) => {
      await using provider = world.open();
      const machine = await provider.writer.create(world.request(0), signal);
      for (const power of ['on', 'on', 'off', 'off'] as const) {
        await provider.writer.setPower(machine, power, signal);
        assert.equal(world.machines()[0]?.running, power === 'on');
        assert.deepEqual((await observed(provider, world, signal)).power, { kind: 'known', value: power });
      }
    },
  },
  {
    name: 'it is reset, and still runs',
    run: async (world, signal) => {
      await using provider = world.open();
      const machine = await running(provider, world, signal);
      await provider.writer.reset(machine, signal);
      assert.deepEqual([world.machines()[0]?.running, world.resets(machine.id)], [true, 1]);
    },
  },
  {
    name: 'its media are ejected once',
    run: async (world, signal) => {
      await using provider = world.open();
      const machine = await running(provider, world, signal);
      assert.notEqual((await observed(provider, world, signal)).medium, undefined);
      await unchanged(world, signal, (again) => again.writer.ejectMedia(machine, signal));
      assert.equal((await observed(provider, world, signal)).medium, undefined);
    },
  },
  {
    name: 'it grows once, and a running one says what waits for its next start',
    run: async (world, signal) => {
      await using provider = world.open();
      const machine = await running(provider, world, signal);
      const { shape } = world.request(0);
      const larger = {
        cpu: shape.cpu + 2,
        memoryMiB: mib(shape.memoryMiB * 2),
        disks: [
          ...shape.disks.map((disk) => ({ ...disk, sizeGiB: gib(disk.sizeGiB + 5) })),
          { name: 'more', sizeGiB: gib(7), datastore: world.datastore },
        ],
      };
      const waits: (readonly string[])[] = [];
      await unchanged(world, signal, async (again) => {
        waits.push((await again.writer.resize(machine, larger, signal)).afterRestart);
      });
      assert.deepEqual(waits, [
        ['cpu', 'memory'],
        ['cpu', 'memory'],
      ]);
      await provider.writer.setPower(machine, 'off', signal);
      await provider.writer.setPower(machine, 'on', signal);
      assert.deepEqual(await provider.writer.resize(machine, larger, signal), { afterRestart: [] });
      const { cpu, memoryMiB, disks } = await observed(provider, world, signal);
      assert.deepEqual({ cpu, memoryMiB, disks }, larger);
    },
  },
  {
    name: 'a disk does not shrink, and nothing else is changed then',
    run: async (world, signal) => {
      await using provider = world.open();
      const { shape } = world.request(0);
      const machine = await provider.writer.create(world.request(0), signal);
      const before = await world.picture();
      const smaller = { ...shape, cpu: 8, disks: shape.disks.map((disk) => ({ ...disk, sizeGiB: gib(1) })) };
      const problem = await problemOf(provider.writer.resize(machine, smaller, signal));
      assert.equal(problem.recovery, 'ask');
      assert.equal(await world.picture(), before);
    },
  },
  {
    name: 'it is deleted while it runs, and again when it is gone',
    run: async (world, signal) => {
      await using provider = world.open();
      const empty = await world.picture();
      const machine = await running(provider, world, signal);
      await unchanged(world, signal, (again) => again.writer.delete(machine, signal));
      assert.deepEqual(world.machines(), []);
      assert.equal(await world.picture(), empty);
      assert.deepEqual(await provider.reader.machines(world.platform, signal), []);
    },
  },
  {
    name: 'an image is brought once, for all that use it',
    run: async (world, signal) => {
      await using provider = world.open();
      const request = world.image('iso');
      assert.deepEqual(await provider.reader.images(request, world.hosts, signal), []);
      const images = await provider.writer.ensureImage(request, world.hosts, signal);
      assert.deepEqual(
        images.map(({ host, kind }) => [host, kind]),
        world.hosts.map((host) => [host, 'iso']),
      );
      const fetched = world.fetched();
      assert.ok(fetched > 0 && fetched <= world.hosts.length, `it was fetched ${fetched} times`);
      await unchanged(world, signal, async (again) => {
        assert.deepEqual(await again.writer.ensureImage(request, world.hosts, signal), images);
      });
      assert.equal(world.fetched(), fetched);
      assert.deepEqual(await provider.reader.images(request, world.hosts, signal), images);
    },
  },
  {
    name: 'machines are kept apart, and let go again',
    run: async (world, signal) => {
      await using provider = world.open();
      const machines = await several(provider, world, signal);
      const before = await world.picture();
      await unchanged(world, signal, (again) => again.writer.keepApart('planes', machines, signal));
      assert.notEqual(await world.picture(), before);
      await unchanged(world, signal, (again) => again.writer.keepApart('planes', machines.slice(0, 2), signal));
      await unchanged(world, signal, (again) => again.writer.keepApart('planes', [], signal));
      assert.equal(await world.picture(), before);
    },
  },
  {
    name: 'a firewall is written once, and taken away once',
    run: async (world, signal) => {
      await using provider = world.open();
      const machines = await several(provider, world, signal);
      const walled = machines.map(({ host }, index) => behind(world.request(index), host, `10.9.0.${index + 1}`));
      const before = await world.picture();
      await unchanged(world, signal, (again) => again.writer.firewall(world.platform, walled, anybody, signal));
      assert.notEqual(await world.picture(), before);
      const narrow = { management: ['10.1.0.0/16'], alsoOurs: ['10.244.0.0/16'] };
      await unchanged(world, signal, (again) => again.writer.firewall(world.platform, walled, narrow, signal));
      await unchanged(world, signal, (again) => again.writer.firewall(world.platform, [], narrow, signal));
    },
  },
];

async function running(provider: Provider, world: World, signal: AbortSignal) {
  const machine = await provider.writer.create(world.request(0), signal);
  await provider.writer.setPower(machine, 'on', signal);
  return machine;
}

/** One on each of three hosts. */
const several = (provider: Provider, world: World, signal: AbortSignal) =>
  Promise.all(
    world.hosts.slice(0, 3).map((host, index) => {
      const request = world.request(index);
      return provider.writer.create({ ...request, host, image: { ...request.image, host } }, signal);
    }),
  );
