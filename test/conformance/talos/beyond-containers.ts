import { expect } from 'vitest';
import type { JsonObject } from '@bufbuild/protobuf';
import type { TalosTwin } from '../../../src/lab/talos/twin.ts';
import type { World } from './world.ts';

/** What only a machine can show: the reference says it, a node in a container refuses it or has nothing to show. */
export type Beyond = {
  readonly name: string;
  /** Why a container cannot. */
  readonly because: string;
  readonly run: (world: World, twin: TalosTwin) => Promise<void>;
};

const refusedThere = 'Talos refuses the method in container mode';
const noDisks = 'a container has no disks';
const noSmbios = 'a container has no SMBIOS data';
const noInstall = 'a container is never installed';

const at = 'controlPlane';

const asked = (
  name: string,
  because: string,
  method: string,
  request: JsonObject,
  expected: { readonly code: string; readonly message: string },
): Beyond => ({
  name,
  because,
  run: async ({ call }) => {
    const { code, message } = await call(at, method, request);
    expect({ code, message }).toEqual(expected);
  },
});

const bootId = async ({ call }: World): Promise<string> => {
  const { code, messages } = await call(at, 'Read', { path: '/proc/sys/kernel/random/boot_id' }, { waitMs: 1000 });
  return code === 'OK' ? JSON.stringify(messages) : '';
};

/** Waits until the node answers again as another boot. */
async function nextBoot(world: World, before: string): Promise<string> {
  let now = '';
  await world.until(
    async () => {
      now = await bootId(world);
      return world.call(at, 'Version', {}, { waitMs: 1000 });
    },
    ({ code }) => code === 'OK' && now !== '' && now !== before,
    20_000,
  );
  return now;
}

const systemInformation = {
  namespace: 'hardware',
  type: 'SystemInformations.hardware.talos.dev',
  id: 'systeminformation',
};

export const beyondContainers: readonly Beyond[] = [
  {
    name: 'a machine has services that a container lacks',
    because: 'they need a kernel of their own',
    run: async ({ call }) => {
      const { messages } = await call(at, 'ServiceList');
      const [{ messages: lists }] = messages as [{ messages: [{ services: { id: string }[] }] }];
      expect(lists[0].services.map(({ id }) => id)).toEqual(
        expect.arrayContaining(['auditd', 'dashboard', 'syslogd', 'udevd']),
      );
    },
  },
  {
    name: 'disks are listed with their path, and one is the system’s',
    because: noDisks,
    run: async ({ call }, twin) => {
      const { messages } = await call(at, 'StorageService/Disks');
      const [{ messages: lists }] = messages as [
        { messages: [{ disks: { deviceName: string; systemDisk?: boolean }[] }] },
      ];
      expect(lists[0].disks.map(({ deviceName }) => deviceName)).toEqual(
        twin.hardware.disks.map(({ name }) => `/dev/${name}`),
      );
      expect(lists[0].disks.filter(({ systemDisk }) => systemDisk === true)).toHaveLength(1);
    },
  },
  {
    name: 'the machine is known by its UUID, in small letters',
    because: noSmbios,
    run: async ({ call }, twin) => {
      const { messages } = await call(at, 'State/Get', systemInformation);
      const { resource } = messages[0] as { resource: { spec: { yamlSpec: string } } };
      expect(resource.spec.yamlSpec).toContain(`uuid: ${twin.hardware.uuid.toLowerCase()}\n`);
    },
  },
  asked(
    'a key of META is one byte',
    refusedThere,
    'MetaWrite',
    { key: 256, value: 'YQ==' },
    { code: 'INVALID_ARGUMENT', message: 'key must be a uint8' },
  ),
  asked(
    'a key of META that is not there',
    refusedThere,
    'MetaDelete',
    { key: 12 },
    { code: 'NOT_FOUND', message: 'meta key not found' },
  ),
  asked(
    'an installed machine is not installed again',
    noInstall,
    'LifecycleService/Install',
    {
      containerd: { driver: 'CRI', namespace: 'NS_SYSTEM' },
      source: { imageName: 'ghcr.io/siderolabs/installer:v1.13.9' },
      destination: { disk: '/dev/sda' },
    },
    { code: 'ALREADY_EXISTS', message: 'machine is already installed' },
  ),
  {
    name: 'META keeps what is written, and forgets it once',
    because: refusedThere,
    run: async ({ call }) => {
      const codes = [
        (await call(at, 'MetaWrite', { key: 13, value: 'YQ==' })).code,
        (await call(at, 'MetaDelete', { key: 13 })).code,
        (await call(at, 'MetaDelete', { key: 13 })).code,
      ];
      expect(codes).toEqual(['OK', 'OK', 'NOT_FOUND']);
    },
  },
  {
    name: 'a reboot says who asked for it, and the boot has another id',
    because: refusedThere,
    run: async (world) => {
      const before = await bootId(world);
      const { messages } = await world.call(at, 'Reboot');
      expect(messages).toEqual([{ messages: [{ actorId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string }] }]);
      expect(await nextBoot(world, before)).not.toBe(before);
    },
  },
  {
    name: 'an upgrade of the old kind boots the other version',
    because: refusedThere,
    run: async (world) => {
      const before = await bootId(world);
      const { code } = await world.call(at, 'Upgrade', { image: 'ghcr.io/siderolabs/installer:v1.13.8', force: true });
      expect(code).toBe('OK');
      await nextBoot(world, before);
      const { messages } = await world.call(at, 'Version');
      expect(JSON.stringify(messages)).toContain('"tag":"v1.13.8"');
    },
  },
  {
    name: 'a reset of state and data comes back in maintenance mode',
    because: 'a container powers off, and its volumes stay',
    run: async (world) => {
      const partitions = ['STATE', 'EPHEMERAL'].map((label) => ({ label, wipe: true }));
      const { code } = await world.call(at, 'Reset', {
        graceful: false,
        reboot: true,
        systemPartitionsToWipe: partitions,
      });
      expect(code).toBe('OK');
      world.caller.forget(world.target.controlPlane.address);
      const back = await world.until(
        () => world.call(at, 'Version', {}, { as: 'nobody', waitMs: 1000 }),
        (answer) => answer.code === 'OK',
        20_000,
      );
      expect(back.code).toBe('OK');
    },
  },
  {
    name: 'reset: whoever listens hears the whole story',
    because: 'what a container tells gets lost when its apid ends',
    run: async ({ call }) => {
      let onFirst = (): void => {};
      const heardOne = new Promise<void>((resolve) => (onFirst = resolve));
      const listening = call('worker', 'Events', { tailEvents: 1 }, { waitMs: 20_000, onFirst });
      await heardOne;
      const { messages } = await call('worker', 'Reset', { graceful: false, reboot: false });
      const [{ actorId }] = (messages[0] as { messages: [{ actorId: string }] }).messages;
      const heard = (await listening).messages as { actorId: string; data: Record<string, unknown> }[];
      const words = heard
        .filter(({ actorId: actor }) => actor === actorId)
        .map(({ data }) => String(data['sequence'] ?? data['phase'] ?? data['task']));
      expect([words[0], words.at(-1)]).toEqual(['reset', 'stopAllServices']);
    },
  },
];
