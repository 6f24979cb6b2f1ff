import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { eventually } from '../../../../test/lab/asking.ts';
import { aCd } from '../../../../test/lab/cd.ts';
import { configOf } from '../../../../test/lab/configs.ts';
import { makeSecrets } from '../../../../test/lab/secrets.ts';
import { sweep } from '../../../../test/sweep.ts';
import { aVm, cdrom, disk, talosImage, volume, type TestVm } from '../../../../test/lab/vm.ts';
import { installedDisk } from '../../talos/node/disk.ts';
import { keepDisk } from '../../talos/node/kept-disk.ts';
import { quickDurations } from '../../talos/node/hardware.ts';
import type { VirtualDrive } from '../guest.ts';
import { createGuests, type Guests } from './guests.ts';

const config = configOf('controlplane', makeSecrets());

type Drive = {
  readonly make: (slot: string) => VirtualDrive;
  readonly is: 'disk' | 'medium' | 'linux' | 'mute' | 'nothing';
} & {
  /** Talos is on it, with a configuration or without; or what a medium carries. */
  readonly talos?: { readonly version: string; readonly configured: boolean };
};

const system = (version: string, configured: boolean): Drive => ({
  is: 'disk',
  talos: { version, configured },
  make: (slot) => {
    const made = volume();
    const image = { version, platform: 'nocloud', extensions: [] } as const;
    keepDisk(made.written.state, { ...installedDisk(image), config: configured ? config : undefined });
    return disk(slot, made);
  },
});
const of = (is: Drive['is'], make: Drive['make']): Drive => ({ is, make });

const kinds: Readonly<Record<string, Drive>> = {
  'a new disk': of('nothing', (slot) => disk(slot, volume())),
  'an empty drive': of('nothing', (slot) => cdrom(slot, undefined)),
  'a medium with a configuration': of('nothing', (slot) =>
    cdrom(slot, volume({ written: { head: aCd('cidata', { 'meta-data': '' }) } })),
  ),
  'a wiped disk': of('nothing', (slot) =>
    disk(slot, volume({ written: { ...talosImage(), state: new Map([['wiped', true]]) } })),
  ),
  'Talos without a configuration': system('v1.13.9', false),
  'Talos with one': system('v1.13.9', true),
  'an image of Talos': {
    is: 'disk',
    talos: { version: 'v1.12.4', configured: false },
    make: (slot) => disk(slot, volume({ written: talosImage({ version: 'v1.12.4' }) })),
  },
  'an ISO of Talos': {
    is: 'medium',
    talos: { version: 'v1.13.9', configured: false },
    make: (slot) => cdrom(slot, volume({ written: talosImage() })),
  },
  'an old ISO of Talos': {
    is: 'medium',
    talos: { version: 'v1.7.6', configured: false },
    make: (slot) => cdrom(slot, volume({ written: talosImage({ version: 'v1.7.6' }) })),
  },
  'a Debian': of('linux', (slot) => disk(slot, volume({ written: { fileName: 'debian.qcow2' } }))),
  'some appliance': of('mute', (slot) => disk(slot, volume({ written: { fileName: 'box.raw' } }))),
};

const setUp = fc.array(fc.record({ kind: fc.constantFrom(...Object.keys(kinds)), bootable: fc.boolean() }), {
  maxLength: 5,
});

/** The rules, in words. */
function expected(drives: readonly { readonly kind: string; readonly bootable: boolean }[]): string {
  const all = drives.flatMap(({ kind, bootable }) => (kinds[kind] === undefined ? [] : [{ ...kinds[kind], bootable }]));
  const first = all.find(({ is, bootable }) => bootable && is !== 'nothing');
  if (first === undefined) return 'nothing boots';
  if (first.talos === undefined) return first.is;
  const { version, configured } = first.talos;
  if (first.is === 'disk') return `Talos ${version} ${configured ? 'boots' : 'waits in maintenance mode'}`;
  const installed = all.find(({ is }) => is === 'disk');
  if (installed === undefined) return `Talos ${version} waits in maintenance mode`;
  if (version !== 'v1.7.6') return `Talos ${version} halts`;
  return `Talos ${version} ${installed.talos?.configured === true ? 'boots' : 'waits in maintenance mode'}`;
}

let guests: Guests;
afterEach(() => guests[Symbol.asyncDispose]());

function found(vm: TestVm): string | undefined {
  const [seen] = guests.running();
  const lines = guests.screen(vm.vmid);
  if (lines.includes('No bootable device.')) return 'nothing boots';
  if (seen?.talos === undefined) return vm.agent() === undefined ? undefined : 'linux';
  const { version, stage } = seen.talos;
  if (lines.at(-1)?.includes('already installed') === true) return `Talos ${version} halts`;
  if (stage === 'maintenance') return `Talos ${version} waits in maintenance mode`;
  return lines.some((line) => line.includes('boot sequence: starting as controlplane'))
    ? `Talos ${version} boots`
    : undefined;
}

test('what boots is what the rules say', async () => {
  guests = createGuests({ network: '10.78.0.0/24', addresses: 'mapped', durations: quickDurations });
  await fc.assert(
    fc.asyncProperty(setUp, async (drives) => {
      const rule = expected(drives);
      const vm = aVm(guests, {
        // Slots in the order of the list: which disk is called sda plays a part when a medium looks for a system.
        drives: drives.flatMap(({ kind, bootable }, index) => {
          const made = kinds[kind]?.make(`scsi${index}`);
          return made === undefined ? [] : [{ ...made, bootable }];
        }),
      });
      vm.start();
      // Whatever runs and is neither Talos nor polite cannot be told from outside from what boots slowly.
      if (rule !== 'mute' && rule !== 'linux')
        await eventually(
          () => found(vm),
          (now) => now === rule,
          3000,
        );
      else expect(guests.running().map(({ talos }) => talos)).toEqual([undefined]);
      await vm.stop();
    }),
    sweep('boot orders', 40, 400),
  );
});
