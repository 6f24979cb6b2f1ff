import assert from 'node:assert/strict';
import { gib } from '../model/size.ts';
import { observed, problemOf, textOf } from './conformance-telling.ts';
import { firstOf } from '../model/signals.ts';
import type { Case, World, Write } from './conformance-world.ts';
import type { Shape } from '../model/machine.ts';
import type { MachineRef, MachineWriter } from './provider.ts';

/** Everything that touches one machine. */
type Touch = (writer: MachineWriter, machine: MachineRef, signal: AbortSignal) => Promise<unknown>;

const touching = (world: World): Readonly<Record<Exclude<Write, 'image'>, Touch>> => ({
  create: (writer, _, signal) => writer.create(world.request(0), signal),
  start: (writer, machine, signal) => writer.setPower(machine, 'on', signal),
  stop: (writer, machine, signal) => writer.setPower(machine, 'off', signal),
  reset: (writer, machine, signal) => writer.reset(machine, signal),
  eject: (writer, machine, signal) => writer.ejectMedia(machine, signal),
  resize: (writer, machine, signal) => writer.resize(machine, larger(world), signal),
  delete: (writer, machine, signal) => writer.delete(machine, signal),
  'keep apart': (writer, machine, signal) => writer.keepApart('planes', [machine], signal),
  firewall: (writer, machine, signal) =>
    writer.firewall(
      world.platform,
      [{ ...machine, role: 'worker', addresses: ['10.9.0.1'] }],
      { management: [], alsoOurs: [] },
      signal,
    ),
});

function larger(world: World): Shape {
  const { shape } = world.request(0);
  return { ...shape, cpu: 7, disks: shape.disks.map((disk) => ({ ...disk, sizeGiB: gib(disk.sizeGiB + 1) })) };
}

/** An id can change hands between an attempt and the next one. */
const recycled = (write: Exclude<Write, 'image' | 'create'>): Case => ({
  name: `an id that changes hands while “${write}” reaches nobody is not touched`,
  run: async (world, signal) => {
    await using provider = world.open();
    const machine = await provider.writer.create(world.request(0), signal);
    if (write !== 'start') await provider.writer.setPower(machine, 'on', signal);
    let before: unknown;
    world.interrupt(write, async () => {
      await world.vanish(machine.id);
      await world.foreign(machine.id, machine.host);
      before = world.machines();
    });
    const problem = await problemOf(touching(world)[write](provider.writer, machine, signal));
    assert.ok(before !== undefined, 'nothing was interrupted');
    assert.equal(problem.recovery, 'ask', problem.message);
    assert.deepEqual(world.machines(), before);
  },
});

/** Whose machine it is, is proved before it is touched; who cannot be seen is not taken for absent. */
export const identity: readonly Case[] = [
  {
    name: 'a machine of somebody else at the id is named, and not touched',
    run: async (world, signal) => {
      await using provider = world.open();
      const request = world.request(0);
      await world.foreign(request.id ?? '', request.host);
      const [before] = world.machines();
      const problem = await problemOf(provider.writer.create(request, signal));
      assert.equal(problem.recovery, 'ask');
      assert.ok(
        problem.message.includes(request.id ?? '') && problem.message.includes(request.mark.name),
        problem.message,
      );
      assert.deepEqual(world.machines(), [before]);
    },
  },
  {
    name: 'an id that somebody else has by now is not touched, whatever is asked',
    run: async (world, signal) => {
      await using provider = world.open();
      const machine = await provider.writer.create(world.request(0), signal);
      await provider.writer.setPower(machine, 'on', signal);
      await world.vanish(machine.id);
      await world.foreign(machine.id, machine.host);
      const [before] = world.machines();
      for (const [name, act] of Object.entries(touching(world))) {
        const problem = await problemOf(act(provider.writer, machine, signal));
        assert.equal(problem.recovery, 'ask', `${name}: ${problem.message}`);
        assert.deepEqual(world.machines(), [before], name);
      }
      assert.deepEqual(await provider.reader.machines(world.platform, signal), []);
    },
  },
  ...(['start', 'stop', 'reset', 'eject', 'resize', 'delete', 'keep apart', 'firewall'] as const).map(recycled),
  {
    name: 'an id that somebody else took on another host is not touched either',
    run: async (world, signal) => {
      await using provider = world.open();
      const machine = await provider.writer.create(world.request(0), signal);
      await world.vanish(machine.id);
      await world.foreign(machine.id, world.hosts.find((host) => host !== machine.host) ?? '');
      const [before] = world.machines();
      for (const [name, act] of Object.entries(touching(world))) {
        await problemOf(act(provider.writer, machine, signal));
        assert.deepEqual(world.machines(), [before], name);
      }
    },
  },
  {
    name: 'a machine that somebody deleted is not listed, and deleted already',
    run: async (world, signal) => {
      await using provider = world.open();
      const machine = await provider.writer.create(world.request(0), signal);
      await world.vanish(machine.id);
      assert.deepEqual(await provider.reader.machines(world.platform, signal), []);
      await provider.writer.delete(machine, signal);
      await problemOf(provider.writer.setPower(machine, 'on', signal));
      assert.deepEqual(world.machines(), []);
    },
  },
  {
    name: 'machines of another platform, and of nobody, are not ours',
    run: async (world, signal) => {
      await using provider = world.open();
      const request = world.request(0);
      const other = { ...request, mark: { ...request.mark, platform: `${world.platform}-2`, name: 'other' } };
      await provider.writer.create(other, signal);
      await world.foreign(world.request(1).id ?? '', request.host);
      assert.deepEqual(await provider.reader.machines(world.platform, signal), []);
    },
  },
  {
    name: 'a host that is down hides its machines, and has not lost them',
    run: async (world, signal) => {
      await using provider = world.open();
      const [up = '', down = ''] = world.hosts;
      await provider.writer.create(placed(world, 0, up), signal);
      const hidden = await provider.writer.create(placed(world, 1, down), signal);
      world.power(down, 'down');
      const seen = await provider.reader.machines(world.platform, signal);
      assert.deepEqual(seen.map(({ kind }) => kind).toSorted(), ['known', 'unknown']);
      const survey = await provider.reader.survey(signal);
      assert.deepEqual(
        survey.silent.map(({ host }) => host),
        [down],
      );
      assert.ok(!survey.inventory.hosts.some(({ name }) => name === down));
      const problem = await problemOf(provider.writer.delete(hidden, signal));
      assert.notEqual(problem.recovery, 'ask');
      await problemOf(provider.writer.create(placed(world, 1, down), signal));
      world.power(down, 'up');
      assert.equal(world.machines().length, 2);
    },
  },
  {
    name: 'what is there is surveyed: ours by name, and others with their size',
    run: async (world, signal) => {
      await using provider = world.open();
      const request = world.request(0);
      await provider.writer.create(request, signal);
      await world.foreign(world.request(1).id ?? '', request.host);
      const { inventory, machines, silent, readOnly } = await provider.reader.survey(signal);
      assert.deepEqual([silent, readOnly], [[], undefined]);
      assert.deepEqual(machines, await provider.reader.machines(world.platform, signal));
      assert.deepEqual(
        inventory.hosts.map(({ name }) => name),
        world.hosts,
      );
      const residents = inventory.hosts.find(({ name }) => name === request.host)?.residents ?? [];
      const ours = residents.find(({ platform }) => platform === world.platform);
      assert.deepEqual([ours?.name, ours?.mac, ours?.uuid], [request.mark.name, request.mac, request.mark.uuid]);
      assert.deepEqual([ours?.size?.cpu, ours?.size?.memoryMiB], [request.shape.cpu, request.shape.memoryMiB]);
      const others = residents.filter(({ platform }) => platform !== world.platform);
      assert.equal(others.length, 1);
      assert.ok((others[0]?.size?.memoryMiB ?? 0) > 0);
    },
  },
  {
    name: 'an address is taken from our card and the node network alone',
    run: async (world, signal) => {
      await using provider = world.open();
      const request = world.request(0);
      const machine = await provider.writer.create(request, signal);
      const rule = { mac: request.mac, network: '10.10.0.0/24', not: ['10.10.0.5', '10.244.0.0/16'] };
      assert.equal(await provider.reader.address(machine, rule, signal), undefined);
      await provider.writer.setPower(machine, 'on', signal);
      world.report(machine.id, [
        { mac: '00:00:00:00:00:00', addresses: ['127.0.0.1/8', '::1/128'] },
        { mac: 'AA:BB:CC:DD:EE:FF', addresses: ['10.10.0.77/24'] },
        {
          mac: request.mac.toLowerCase(),
          addresses: ['fe80::1/64', '10.10.0.5/32', '10.244.1.1/24', '192.168.7.7/24'],
        },
      ]);
      assert.equal(await provider.reader.address(machine, rule, signal), undefined);
      world.report(machine.id, [{ mac: request.mac, addresses: ['10.10.0.5/24', '10.10.0.11/24'] }]);
      assert.equal(await provider.reader.address(machine, rule, signal), '10.10.0.11');
    },
  },
  {
    name: 'a machine that was given an address has it',
    run: async (world, signal) => {
      await using provider = world.open();
      const staticAddress = { address: '10.10.0.21', prefix: 24, gateway: '10.10.0.1', nameservers: ['10.10.0.1'] };
      for (const firstConfig of [undefined, 'machine: {}\n']) {
        const request = world.request(0, { staticAddress, firstConfig });
        const machine = await provider.writer.create(request, signal);
        const rule = { mac: request.mac, network: '10.10.0.0/24', not: [] };
        assert.equal(await provider.reader.address(machine, rule, signal), '10.10.0.21');
        assert.equal((await observed(provider, world, signal)).staticAddress, '10.10.0.21');
        await provider.writer.delete(machine, signal);
      }
    },
  },
  {
    name: 'a first configuration is gone with the media, and in no listing',
    run: async (world, signal) => {
      await using provider = world.open();
      const secret = 'machine: { token: abcdef.0123456789abcdef }\n';
      const before = await world.picture();
      const machine = await provider.writer.create(world.request(0, { firstConfig: secret }), signal);
      await provider.writer.setPower(machine, 'on', signal);
      assert.ok(!JSON.stringify(await provider.reader.machines(world.platform, signal)).includes('abcdef'));
      await provider.writer.ejectMedia(machine, signal);
      await provider.writer.delete(machine, signal);
      assert.equal(await world.picture(), before);
    },
  },
  {
    name: 'a datastore that is full is told, and nothing is left behind',
    run: async (world, signal) => {
      await using provider = world.open();
      world.fill(world.datastore, 1);
      const before = await world.picture();
      const problem = await problemOf(provider.writer.create(world.request(0), signal));
      assert.equal(problem.recovery, 'ask', problem.message);
      assert.equal(await world.picture(), before);
    },
  },
  {
    name: 'who has given up already changes nothing',
    run: async (world, signal) => {
      await using provider = world.open();
      const machine = await provider.writer.create(world.request(0), signal);
      const before = await world.picture();
      const over = AbortSignal.abort(new Error('enough'));
      for (const [name, act] of Object.entries(touching(world))) {
        await assert.rejects(act(provider.writer, machine, over), /enough/, name);
      }
      await assert.rejects(provider.reader.survey(over), /enough/);
      assert.equal(await world.picture(), before);
    },
  },
  {
    name: 'who gives up meanwhile is heard',
    run: async (world, signal) => {
      await using provider = world.open();
      const stop = new AbortController();
      using either = firstOf(signal, stop.signal);
      const making = provider.writer.create(world.request(0), either);
      setTimeout(() => stop.abort(new Error('enough')), 1);
      await assert.rejects(making, /enough/);
      await provider.writer.create(world.request(0), signal);
      assert.equal(world.machines().length, 1);
    },
  },
  {
    name: 'no error holds a secret',
    run: async (world, signal) => {
      await using provider = world.open();
      const request = world.request(0, { firstConfig: 'machine: { token: abcdef.0123456789abcdef }\n' });
      await world.foreign(request.id ?? '', request.host);
      const machine = { mark: request.mark, id: request.id ?? '', host: request.host };
      const failing = [
        ...Object.values(touching(world)).map((act) => act(provider.writer, machine, signal)),
        provider.writer.create(request, signal),
        provider.writer.create({ ...request, id: world.request(1).id, host: 'nowhere' }, signal),
        provider.writer.ensureImage(world.image('iso'), ['nowhere'], signal),
      ];
      for (const settled of await Promise.allSettled(failing)) {
        assert.equal(settled.status, 'rejected');
        const text = textOf(settled.reason);
        for (const secret of [...world.secrets, 'abcdef.0123456789abcdef']) assert.ok(!text.includes(secret), text);
      }
    },
  },
];

function placed(world: World, number: number, host: string) {
  const request = world.request(number);
  return { ...request, host, image: { ...request.image, host } };
}
