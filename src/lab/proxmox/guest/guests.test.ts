import { afterEach, describe, expect, test } from 'vitest';
import { asked, eventually, resource } from '../../../../test/lab/asking.ts';
import { aCd } from '../../../../test/lab/cd.ts';
import { configOf } from '../../../../test/lab/configs.ts';
import { clientOf, makeSecrets } from '../../../../test/lab/secrets.ts';
import {
  aVm,
  cdrom,
  cloudInitDrive,
  disk,
  fixedAddress,
  macOf,
  schematic,
  talosImage,
  volume,
  type TestVm,
} from '../../../../test/lab/vm.ts';
import { wallClock } from '../../clock.ts';
import { quickDurations } from '../../talos/node/hardware.ts';
import { createGuests, type Guests } from './guests.ts';

const secrets = makeSecrets();
const admin = clientOf(secrets.os, ['os:admin']);
// Another checkout may run the same tests at the same time.
const block = `127.${100 + (process.pid % 100)}.${Math.floor(process.pid / 100) % 250}`;
const at = (last: number): string => `${block}.${last}`;
const gateway = at(129);
const vip = at(130);

let guests: Guests;
afterEach(() => guests[Symbol.asyncDispose]());

function someGuests(): Guests {
  guests = createGuests({ network: `${block}.0/24`, durations: quickDurations });
  return guests;
}

const seen = ({ vmid }: TestVm) => guests.running().find((guest) => guest.vmid === vmid);
const inStage = (vm: TestVm, stage: string): Promise<unknown> =>
  eventually(
    () => seen(vm)?.talos?.stage,
    (now) => now === stage,
  );
const addressOf = (vm: TestVm): string => seen(vm)?.addresses[0] ?? '';
const apply = async (vm: TestVm, config: string): Promise<string> => {
  await inStage(vm, 'maintenance');
  const data = Buffer.from(config).toString('base64');
  return (await asked({ host: addressOf(vm) }, 'ApplyConfiguration', { mode: 'AUTO', data })).code;
};
const installer = `factory.talos.dev/nocloud-installer/${schematic}:v1.13.9`;
const config = (given: Parameters<typeof configOf>[2] = {}, image = installer): string =>
  configOf('controlplane', secrets, given).replace('ghcr.io/siderolabs/installer:v1.13.9', image);
const ipv4 = (vm: TestVm): readonly string[] =>
  (vm.agent()?.networkInterfaces() ?? []).flatMap(({ name, addresses }) =>
    addresses.filter(({ family }) => family === 'ipv4').map(({ address, prefix }) => `${name} ${address}/${prefix}`),
  );
/** It answers those who have a certificate of the cluster, there or wherever it turns out to be. */
const booted = (place: string | TestVm): Promise<unknown> =>
  eventually(
    () =>
      asked({ host: typeof place === 'string' ? place : addressOf(place), client: admin }, 'Version').catch(() => ({
        code: '',
      })),
    ({ code }) => code === 'OK',
  );

describe('a disk made from an image', () => {
  test('boots into maintenance mode, keeps what it is told over power cycles, and takes its size from the volume', async () => {
    someGuests();
    const system = volume({ written: talosImage() });
    const vm = aVm(guests, { drives: [disk('scsi0', system), cdrom('ide2', undefined)] });
    vm.start();
    expect(await apply(vm, config())).toBe('OK');
    const address = addressOf(vm);
    await booted(address);
    expect(vm.told).toEqual([]);

    await vm.stop();
    expect(guests.running()).toEqual([]);
    await expect(asked({ host: address }, 'Version')).rejects.toThrow('ECONNREFUSED');

    system.bytes *= 2;
    vm.start();
    await booted(address);
    expect(await resource({ host: address, client: admin }, 'runtime', 'Disks.block.talos.dev', 'sda')).toContain(
      `size: ${system.bytes}\n`,
    );
  });

  test('what is on it goes where the volume goes, and a copy of it goes its own way', async () => {
    someGuests();
    const system = volume({ written: talosImage() });
    const first = aVm(guests, { drives: [disk('scsi0', system)] });
    first.start();
    expect(await apply(first, config())).toBe('OK');
    await booted(first);
    await first.stop();

    const copy = volume({ written: { ...system.written, state: new Map(system.written.state) } });
    const second = aVm(guests, { drives: [disk('virtio0', system)] });
    second.start();
    await booted(second);
    const ask = { host: addressOf(second), client: admin };
    expect(await resource(ask, 'runtime', 'SystemDisks.block.talos.dev', 'system-disk')).toContain(
      'devPath: /dev/vda\n',
    );
    const { replies } = await asked(ask, 'MetaWrite', { key: 12, value: Buffer.from('kept').toString('base64') });
    expect(replies).toHaveLength(1);
    await second.stop();

    const third = aVm(guests, { drives: [disk('scsi0', copy)] });
    third.start();
    await booted(third);
    const other = { host: addressOf(third), client: admin };
    expect(await resource(other, 'runtime', 'MetaKeys.runtime.talos.dev', '0x0c')).toBeUndefined();
  });

  test('a whole reset leaves nothing to boot from, and a new configuration needs a new disk', async () => {
    someGuests();
    const vm = aVm(guests, { drives: [disk('scsi0', volume({ written: talosImage() }))] });
    vm.start();
    expect(await apply(vm, config())).toBe('OK');
    await booted(vm);
    await asked({ host: addressOf(vm), client: admin }, 'Reset', { graceful: false, reboot: true });
    await eventually(
      () => guests.screen(vm.vmid)[0],
      (line) => line === 'No bootable device.',
    );
    expect(vm.told).toEqual(['rebooted']);
    expect(vm.agent()).toBeUndefined();
  });
});

describe('an ISO', () => {
  const medium = (version = 'v1.13.9') =>
    volume({ name: 'iso/talos.iso', content: 'iso', written: talosImage({ version }) });

  test('installs on the disk that the configuration selects; with the disk first the node comes back from it', async () => {
    someGuests();
    const [small, large] = [volume({ bytes: 10 * 1024 ** 3 }), volume({ bytes: 50 * 1024 ** 3 })];
    const vm = aVm(guests, {
      drives: [disk('scsi0', small), disk('scsi1', large), cdrom('ide2', medium())],
    });
    vm.start();
    const selected = config().replace('disk: /dev/sda', "diskSelector: { size: '>= 20GB' }");
    expect(await apply(vm, selected)).toBe('OK');
    await booted(vm);
    expect([small, large].map(({ written }) => written.state.size > 0)).toEqual([false, true]);
    const disks = await asked({ host: addressOf(vm), client: admin }, '/storage.StorageService/Disks');
    const [reply] = disks.replies as { messages: { disks: { device_name: string; system_disk?: boolean }[] }[] }[];
    expect(reply?.messages[0]?.disks.map((each) => [each.device_name, each.system_disk ?? false])).toEqual([
      ['/dev/sr0', false],
      ['/dev/sda', false],
      ['/dev/sdb', true],
    ]);
  });

  test('first in the order with Talos on the disk: from 1.8 on it halts, says so, and touches nothing', async () => {
    someGuests();
    const system = volume();
    const drives = [cdrom('ide2', medium()), disk('scsi0', system)];
    const vm = aVm(guests, { drives });
    vm.start();
    expect(await apply(vm, config())).toBe('OK');
    const address = addressOf(vm);
    // The installer hands over to what it wrote; the order decides when the power comes back.
    await booted(vm);
    expect(vm.told).toEqual([]);
    vm.guest().reset();
    await eventually(
      () => guests.screen(vm.vmid).at(-1),
      (line) => line?.includes('Talos is already installed to disk but booted from another media') === true,
    );
    await expect(asked({ host: address }, 'Version')).rejects.toThrow('ECONNREFUSED');
    // Its network is up, so the agent answers: an address alone proves nothing.
    expect(ipv4(vm)).toContain(`eth0 ${address}/25`);

    vm.guest().drives([cdrom('ide2', undefined), disk('scsi0', system)]);
    vm.guest().reset();
    await booted(address);
  });

  test('an older one boots on with what is on the disk', async () => {
    someGuests();
    const system = volume();
    const installed = aVm(guests, { drives: [disk('scsi0', system), cdrom('ide2', medium())] });
    installed.start();
    expect(await apply(installed, config())).toBe('OK');
    await booted(installed);
    await installed.stop();
    const vm = aVm(guests, { drives: [cdrom('ide2', medium('v1.7.6')), disk('scsi0', system)] });
    vm.start();
    await booted(vm);
    expect(seen(vm)?.talos?.version).toBe('v1.7.6');
  });

  test('an installer of another kind loses the platform and the agent', async () => {
    someGuests();
    const vm = aVm(guests, {
      drives: [disk('scsi0', volume()), cdrom('ide2', medium()), cloudInitDrive()],
      cloudInit: fixedAddress(macOf(200), `${at(140)}/25`, gateway),
      nics: [{ slot: 'net0', mac: macOf(200), bridge: 'vmbr0', tag: undefined }],
    });
    vm.start();
    await inStage(vm, 'maintenance');
    expect([addressOf(vm), vm.agent() === undefined]).toEqual([at(140), false]);
    expect(await apply(vm, config({}, 'ghcr.io/siderolabs/installer:v1.13.9'))).toBe('OK');
    await inStage(vm, 'booting');
    await eventually(
      () => addressOf(vm),
      (address) => address !== at(140) && address !== '',
    );
    expect(vm.agent()).toBeUndefined();
  });
});

describe('addresses and names', () => {
  test('a fixed address from the cloud-init drive, and the name that Proxmox writes', async () => {
    someGuests();
    const vm = aVm(guests, {
      drives: [disk('scsi0', volume({ written: talosImage() })), cloudInitDrive()],
      cloudInit: fixedAddress(macOf(201), `${at(141)}/25`, gateway),
      nics: [{ slot: 'net0', mac: macOf(201), bridge: 'vmbr0', tag: undefined }],
    });
    vm.start();
    await inStage(vm, 'maintenance');
    expect(seen(vm)).toMatchObject({ addresses: [at(141)], talos: { hostname: 'from-cloud-init' } });
    expect(await resource({ host: at(141) }, 'network', 'ResolverStatuses.net.talos.dev', 'resolvers')).toContain(
      '9.9.9.9',
    );
    expect(await apply(vm, config({ hostname: 'from-config' }))).toBe('OK');
    await booted(at(141));
    expect(seen(vm)?.talos?.hostname).toBe('from-config');

    // The drive is gone at the next start: what it said is remembered.
    await vm.stop();
    vm.start({ cloudInit: undefined, drives: vm.hardware.drives.slice(0, 1) });
    await booted(at(141));
  });

  test('a whole first configuration from a medium of one’s own', async () => {
    someGuests();
    const files = {
      'user-data': config({ hostname: 'ready-made' }),
      'meta-data': 'instance-id: abc\nlocal-hostname: elsewhere\n',
      'network-config': `version: 2\nethernets:\n  eth0:\n    addresses: [${at(142)}/25]\n    routes: [{ to: default, via: ${gateway} }]\n`,
    };
    const cidata = volume({ name: 'iso/config.iso', content: 'iso', written: { head: aCd('cidata', files) } });
    const vm = aVm(guests, {
      drives: [cdrom('ide0', cidata), disk('scsi0', volume({ written: talosImage() }))],
    });
    vm.start();
    await booted(at(142));
    expect(seen(vm)?.talos?.hostname).toBe('ready-made');
  });

  test('a first configuration that is none keeps the machine from going on', async () => {
    someGuests();
    const files = { 'user-data': 'version: v1alpha1\nmachine: 7\n', 'meta-data': '' };
    const cidata = volume({ name: 'iso/config.iso', content: 'iso', written: { head: aCd('CIDATA', files) } });
    const vm = aVm(guests, { drives: [disk('scsi0', volume({ written: talosImage() })), cdrom('ide0', cidata)] });
    vm.start();
    await eventually(
      () => guests.screen(vm.vmid).at(-1),
      (line) => line?.includes('failed to use the configuration of the platform') === true,
    );
    expect(seen(vm)?.talos?.stage).toBe('booting');
    await expect(asked({ host: addressOf(vm) }, 'Version')).rejects.toThrow('ECONNREFUSED');
  });

  test('DHCP gives the same address every time, and what is reserved', async () => {
    someGuests();
    const vm = aVm(guests, { drives: [disk('scsi0', volume({ written: talosImage() }))] });
    vm.start();
    await inStage(vm, 'maintenance');
    const first = addressOf(vm);
    await vm.stop();
    vm.start();
    await inStage(vm, 'maintenance');
    expect(addressOf(vm)).toBe(first);
    await vm.stop();
    guests.reserve(macOf(vm.vmid).toLowerCase(), { address: at(150), hostname: 'by-dhcp' });
    vm.start();
    await inStage(vm, 'maintenance');
    expect(seen(vm)).toMatchObject({ addresses: [at(150)], talos: { hostname: 'by-dhcp' } });
  });

  test('a configuration with an address of its own moves the node, and DHCP is asked no more', async () => {
    someGuests();
    const vm = aVm(guests, { drives: [disk('scsi0', volume({ written: talosImage() }))] });
    vm.start();
    await inStage(vm, 'maintenance');
    const before = addressOf(vm);
    const documents = `---\napiVersion: v1alpha1\nkind: LinkAliasConfig\nname: net0\nselector:\n    match: mac(link.permanent_addr) == "${macOf(vm.vmid).toLowerCase()}"\n---\napiVersion: v1alpha1\nkind: LinkConfig\nname: net0\naddresses:\n    - address: ${at(143)}/25\nroutes:\n    - gateway: ${gateway}`;
    expect(await apply(vm, config({ documents }))).toBe('OK');
    await booted(at(143));
    await expect(asked({ host: before, client: admin }, 'Version')).rejects.toThrow('ECONNREFUSED');
    expect(ipv4(vm).filter((line) => line.startsWith('eth0'))).toEqual([`eth0 ${at(143)}/25`]);
  });
});

test('of two machines with one address the second gets it when the first is gone', async () => {
  guests = createGuests({ network: `${block}.0/24`, clock: wallClock(50), durations: quickDurations });
  const twice = [210, 211].map((number) =>
    aVm(guests, {
      drives: [disk('scsi0', volume({ written: talosImage() })), cloudInitDrive()],
      cloudInit: fixedAddress(macOf(number), `${at(160)}/25`, gateway, `machine-${number}`),
      nics: [{ slot: 'net0', mac: macOf(number), bridge: 'vmbr0', tag: undefined }],
    }),
  );
  const [first, second] = twice;
  if (first === undefined || second === undefined) throw new Error('There are two.');
  first.start();
  await inStage(first, 'maintenance');
  second.start();
  await inStage(second, 'maintenance');
  const who = async (): Promise<unknown> =>
    (await asked({ host: at(160) }, 'Hostname').catch(() => ({ replies: [undefined] }))).replies[0];
  expect(await who()).toMatchObject({ messages: [{ hostname: 'machine-210' }] });
  await first.stop();
  await eventually(who, (reply) => JSON.stringify([reply]).includes('machine-211'));
});

describe('the agent', () => {
  test('lists much more than the one address that people look for', async () => {
    someGuests();
    const vm = aVm(guests, { drives: [disk('scsi0', volume({ written: talosImage() }))] });
    vm.start();
    await inStage(vm, 'maintenance');
    const own = addressOf(vm);
    expect(ipv4(vm)).toEqual(['lo 127.0.0.1/8', `eth0 ${own}/25`]);
    expect(vm.agent()?.osInfo()['id']).toBeUndefined();
    const documents = `---\napiVersion: v1alpha1\nkind: Layer2VIPConfig\nname: ${vip}\nlink: eth0`;
    expect(await apply(vm, config({ documents, hostname: 'cp-0' }))).toBe('OK');
    await booted(own);
    await eventually(
      () => asked({ host: own, client: admin }, 'Bootstrap').catch(() => ({ code: '' })),
      ({ code }) => code === 'OK',
    );
    await eventually(
      () => ipv4(vm),
      (all) => all.length === 6,
    );
    expect(ipv4(vm)).toEqual([
      'lo 127.0.0.1/8',
      'lo 169.254.116.108/32',
      `eth0 ${own}/25`,
      `eth0 ${vip}/32`,
      'flannel.1 10.244.0.0/32',
      'cni0 10.244.0.1/24',
    ]);
    // The container had its name from the time before the configuration.
    expect(vm.agent()?.hostName()).not.toBe('cp-0');
  });

  test.each([
    ['the channel was not there at power on', { agentChannel: false }, {}],
    ['the image has no such extension', {}, { extensions: [] }],
  ])('does not answer when %s', async (_, hardware, image) => {
    someGuests();
    const vm = aVm(guests, { ...hardware, drives: [disk('scsi0', volume({ written: talosImage(image) }))] });
    vm.start();
    await inStage(vm, 'maintenance');
    expect(vm.agent()).toBeUndefined();
  });

  test('drops while the node reboots', async () => {
    someGuests();
    const vm = aVm(guests, { drives: [disk('scsi0', volume({ written: talosImage() }))] });
    vm.start();
    expect(await apply(vm, config())).toBe('OK');
    await booted(vm);
    await asked({ host: addressOf(vm), client: admin }, 'Reboot');
    await eventually(
      () => vm.agent(),
      (agent) => agent === undefined,
    );
    await eventually(
      () => vm.agent(),
      (agent) => agent !== undefined,
    );
    // One kernel handed over to the other: the VM noticed nothing.
    expect(vm.told).toEqual([]);
  });
});

test('what goes wrong in a VM can be asked for, where there is a Talos', async () => {
  someGuests();
  const vm = aVm(guests, { drives: [disk('scsi0', volume({ written: talosImage() }))] });
  expect(() => guests.fail(vm.vmid, { kind: 'hang' })).toThrow(`There is no Talos in VM ${vm.vmid}.`);
  vm.start();
  await inStage(vm, 'maintenance');
  guests.fail(vm.vmid, { kind: 'error', error: { code: 14, message: 'broken' } });
  expect(await asked({ host: addressOf(vm) }, 'Version')).toMatchObject({ code: 'UNAVAILABLE', message: 'broken' });
  guests.heal(vm.vmid);
  expect((await asked({ host: addressOf(vm) }, 'Version')).code).toBe('OK');
});

describe('power', () => {
  test('the button ends Talos without asking pods to leave; the agent’s way asks them', async () => {
    someGuests();
    const vm = aVm(guests, { drives: [disk('scsi0', volume({ written: talosImage() }))] });
    vm.start();
    await inStage(vm, 'maintenance');
    vm.guest().pressPower();
    await eventually(
      () => vm.told,
      (told) => told.includes('off'),
    );
    expect(guests.running()).toEqual([]);
    await vm.stop();
    vm.start();
    await inStage(vm, 'maintenance');
    vm.agent()?.shutdown();
    await eventually(
      () => vm.told,
      (told) => told.filter((each) => each === 'off').length === 2,
    );
  });

  test('nothing bootable: the VM runs and nothing answers, until there is something and somebody resets it', async () => {
    someGuests();
    const vm = aVm(guests, { drives: [disk('scsi0', volume())] });
    vm.start();
    await eventually(
      () => guests.screen(vm.vmid).length,
      (lines) => lines === 1,
    );
    vm.guest().pressPower();
    expect([vm.agent(), vm.told]).toEqual([undefined, []]);
    vm.guest().drives([disk('scsi0', volume({ written: talosImage() }))]);
    vm.guest().reset();
    await inStage(vm, 'maintenance');
  });

  test('a VM that is cut while it boots is gone', async () => {
    someGuests();
    const vm = aVm(guests, { drives: [disk('scsi0', volume({ written: talosImage() }))] });
    vm.start();
    await vm.stop();
    expect([guests.running(), vm.told]).toEqual([[], []]);
  });
});

describe('what is not Talos', () => {
  test('some Linux has an agent and listens to the button', async () => {
    guests = createGuests({ network: `${block}.0/24`, clock: wallClock(200), durations: quickDurations });
    const vm = aVm(guests, { drives: [disk('scsi0', volume({ written: { fileName: 'debian-13.qcow2' } }))] });
    vm.start();
    await eventually(
      () => vm.agent(),
      (agent) => agent !== undefined,
    );
    expect(ipv4(vm)).toHaveLength(2);
    expect(vm.agent()?.hostName()).toBe(vm.hardware.name);
    vm.guest().pressPower();
    await eventually(
      () => vm.told,
      (told) => told.includes('off'),
    );
  });

  test('anything else runs, and hears nothing', async () => {
    const clock = wallClock(200);
    guests = createGuests({ network: `${block}.0/24`, clock, durations: quickDurations });
    const vm = aVm(guests, { drives: [disk('scsi0', volume({ written: { fileName: 'appliance.raw' } }))] });
    vm.start();
    await clock.sleep(20_000);
    vm.guest().pressPower();
    await clock.sleep(20_000);
    expect([vm.agent(), vm.told]).toEqual([undefined, []]);
  });
});

test('where only 127.0.0.1 can be listened on, guests are reached through the connector', async () => {
  guests = createGuests({ network: '10.77.0.0/24', addresses: 'mapped', durations: quickDurations });
  const vm = aVm(guests, { drives: [disk('scsi0', volume({ written: talosImage() }))] });
  vm.start();
  await inStage(vm, 'maintenance');
  expect(addressOf(vm)).toMatch(/^10\.77\.0\.(1[3-9]\d|2\d\d)$/);
  const socket = await guests.connector()({ host: addressOf(vm), port: 50_000 }, AbortSignal.timeout(5000));
  socket.destroy();
});
