import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Host } from '../host.ts';
import type { Refusal } from '../refusal.ts';
import type { Volume } from '../storage.ts';
import type { StorageOptions } from '../twin.ts';
import { LabStorages } from './storages.ts';

const GiB = 1024 ** 3;
const MiB = 1024 ** 2;
const host = (name: string): Host => ({ name }) as Host;
const pve1 = host('pve1');
const pve2 = host('pve2');

const every = (type: NonNullable<StorageOptions['type']>): StorageOptions => ({
  id: 'box',
  type,
  content: ['images'],
  totalGiB: 10,
});
const storagesOf = (...storages: StorageOptions[]): LabStorages =>
  new LabStorages({ now: () => new Date(0), hosts: () => ['pve1', 'pve2'], storages });
const disk = (vmid: number, gib: number) => ({ vmid, bytes: gib * GiB, purpose: 'disk' as const });
const refusal = (act: () => unknown): string => {
  try {
    act();
  } catch (error) {
    const { message, errors } = error as Refusal;
    return errors === undefined ? message : Object.values(errors).join();
  }
  return 'no refusal';
};

describe('names and places', () => {
  test.each([
    ['dir', 'box:101/vm-101-disk-0.raw', '/mnt/box/images/101/vm-101-disk-0.raw', 'box:101/vm-101-cloudinit.qcow2'],
    ['nfs', 'box:101/vm-101-disk-0.raw', '/mnt/pve/box/images/101/vm-101-disk-0.raw', 'box:101/vm-101-cloudinit.qcow2'],
    ['lvmthin', 'box:vm-101-disk-0', '/dev/box/vm-101-disk-0', 'box:vm-101-cloudinit'],
    ['lvm', 'box:vm-101-disk-0', '/dev/box/vm-101-disk-0', 'box:vm-101-cloudinit'],
    ['zfspool', 'box:vm-101-disk-0', '/dev/zvol/box/vm-101-disk-0', 'box:vm-101-cloudinit'],
    ['rbd', 'box:vm-101-disk-0', 'rbd:box/vm-101-disk-0', 'box:vm-101-cloudinit'],
  ] as const)('%s', (type, id, path, cloudInit) => {
    const storages = storagesOf(every(type));
    const volume = storages.allocate(pve1, 'box', disk(101, 1));
    const drive = storages.allocate(pve1, 'box', { vmid: 101, bytes: 4 * MiB, purpose: 'cloudinit' });
    expect([storages.idOf(volume), storages.pathOf(volume), storages.idOf(drive)]).toEqual([id, path, cloudInit]);
    expect(storages.find(pve1, id)).toBe(volume);
  });

  test('the lowest free number is given again', () => {
    const storages = storagesOf(every('dir'));
    const [first] = [0, 1, 2].map(() => storages.allocate(pve1, 'box', disk(101, 1)));
    storages.free(first as Volume);
    expect(storages.allocate(pve1, 'box', { ...disk(101, 1), format: 'qcow2' }).name).toBe('101/vm-101-disk-0.qcow2');
    expect(storages.allocate(pve1, 'box', disk(101, 1)).name).toBe('101/vm-101-disk-3.raw');
  });

  test('a format that the storage has not gives way to its own', () => {
    expect(storagesOf(every('lvmthin')).allocate(pve1, 'box', { ...disk(7, 1), format: 'qcow2' }).format).toBe('raw');
  });

  test.each([
    ['lvmthin', 4 * MiB],
    ['zfspool', MiB],
    ['dir', 540672],
  ] as const)('small disks on %s have %i bytes', (type, bytes) => {
    expect(storagesOf(every(type)).allocate(pve1, 'box', { vmid: 7, bytes: 540672, purpose: 'disk' }).bytes).toBe(
      bytes,
    );
  });
});

describe('who sees what', () => {
  test('a local storage is another one on every host, a shared one the same', () => {
    const storages = storagesOf(every('dir'), { ...every('nfs'), id: 'net' });
    const own = storages.idOf(storages.allocate(pve1, 'box', disk(101, 1)));
    const common = storages.idOf(storages.allocate(pve1, 'net', disk(101, 1)));
    const seen = (by: Host) => [own, common].map((id) => storages.find(by, id) !== undefined);
    expect([seen(pve1), seen(pve2)]).toEqual([
      [true, true],
      [false, true],
    ]);
    expect(storages.ofVm(pve2, 101).map((volume) => storages.idOf(volume))).toEqual([common]);
    expect([storages.isShared('box'), storages.isShared('net'), storages.isShared('no')]).toEqual([false, true, false]);
  });

  test('what is unknown, off, elsewhere or for something else is refused in these words', () => {
    const storages = storagesOf(every('dir'), { ...every('dir'), id: 'far', hosts: ['pve2'] });
    const off = storages.definition('box');
    const must = (id: string, content: 'images' | 'iso') => refusal(() => storages.mustServe(pve1, id, content));
    expect([must('no', 'images'), must('far', 'images'), must('box', 'iso')]).toEqual([
      "storage 'no' does not exist",
      "storage 'far' is not available on node 'pve1'",
      "storage 'box' does not support content-type 'iso'",
    ]);
    storages.definitions.set('box', { ...off, properties: new Map([['disable', '1']]) });
    expect(must('box', 'images')).toBe("storage 'box' is disabled");
    storages.definitions.set('box', { ...off, properties: new Map([['content', 'iso']]) });
    expect(must('box', 'images')).toBe("storage 'box' does not support vm images");
  });
});

describe('copies', () => {
  test('carry what is on the source, each with a memory of its own', () => {
    const storages = storagesOf(every('dir'), { ...every('lvmthin'), id: 'thin' });
    const source = storages.allocate(pve1, 'box', { vmid: 1, bytes: 1000, format: 'qcow2', purpose: 'disk' });
    source.written.state.set('installed', 'v1');
    const same = storages.copy(pve1, source, 'box', { vmid: 2, purpose: 'disk' });
    const thin = storages.copy(pve1, source, 'thin', { vmid: 2, purpose: 'disk' });
    source.written.state.set('installed', 'v2');
    expect([same, thin].map(({ name, bytes, written }) => [name, bytes, written.state.get('installed')])).toEqual([
      ['2/vm-2-disk-0.qcow2', 1024, 'v1'],
      ['vm-2-disk-0', 4 * MiB, 'v1'],
    ]);
  });

  test('end where the room does', () => {
    const storages = storagesOf(every('dir'), { ...every('dir'), id: 'full' });
    const source = storages.allocate(pve1, 'box', disk(1, 1));
    source.fileBytes = GiB;
    storages.fill('full', 0.5);
    expect(refusal(() => storages.copy(pve1, source, 'full', { vmid: 2, purpose: 'disk' }))).toBe(
      "copy failed: command '/usr/bin/qemu-img convert -p -n -f raw -O raw /mnt/box/images/1/vm-1-disk-0.raw zeroinit:/mnt/full/images/2/vm-2-disk-0.raw' failed: exit code 1",
    );
    expect(storages.ofVm(pve1, 2)).toEqual([]);
  });
});

describe('bases, clones and owners', () => {
  test.each([
    ['dir', '1/base-1-disk-0.raw', '1/base-1-disk-0.raw/2/vm-2-disk-0.qcow2', '/mnt/box/images/2/vm-2-disk-0.qcow2'],
    ['lvmthin', 'base-1-disk-0', 'vm-2-disk-0', '/dev/box/vm-2-disk-0'],
    ['zfspool', 'base-1-disk-0', 'base-1-disk-0/vm-2-disk-0', '/dev/zvol/box/vm-2-disk-0'],
    ['rbd', 'base-1-disk-0', 'base-1-disk-0/vm-2-disk-0', 'rbd:box/vm-2-disk-0'],
  ] as const)('%s', (type, baseName, linkedName, path) => {
    const storages = storagesOf(every(type));
    const disk1 = storages.allocate(pve1, 'box', disk(1, 1));
    disk1.written.state.set('installed', 'v1');
    expect([storages.can(disk1, 'clone'), storages.can(disk1, 'template')]).toEqual([false, true]);
    const base = storages.toBase(disk1);
    const linked = storages.link(pve1, base, 2);
    expect([base.name, linked.name, storages.pathOf(linked)]).toEqual([baseName, linkedName, path]);
    expect([storages.can(base, 'clone'), storages.can(base, 'template')]).toEqual([true, false]);
    expect([linked.vmid, linked.bytes, linked.written.state.get('installed')]).toEqual([2, GiB, 'v1']);
    expect(storages.find(pve1, 'box:' + disk1.name)).toBeUndefined();
  });

  test('a base that something is linked to stays', () => {
    const storages = storagesOf(every('dir'));
    const base = storages.toBase(storages.allocate(pve1, 'box', disk(1, 1)));
    const linked = storages.link(pve1, base, 2);
    const words = "base volume '1/base-1-disk-0.raw' is still in use by linked clones";
    expect(refusal(() => storages.free(base))).toBe(words);
    storages.free(linked);
    storages.free(base);
    expect(storages.ofVm(pve1, 1)).toEqual([]);
  });

  test('a disk can be given to another VM, and take a name that is free', () => {
    const storages = storagesOf(every('lvmthin'));
    const given = storages.reassign(storages.allocate(pve1, 'box', disk(1, 1)), 2);
    expect([given.name, given.vmid, storages.ofVm(pve1, 1)]).toEqual(['vm-2-disk-0', 2, []]);
    const name = 'vm-2-state-suspend';
    const named = () => storages.allocate(pve1, 'box', { ...disk(2, 1), name }).name;
    expect([named(), named()]).toEqual([name, 'vm-2-disk-1']);
  });

  test('ids say what they are of, there or not', () => {
    const storages = storagesOf(every('dir'));
    expect([storages.contentOf('box:iso/x.iso'), storages.contentOf('box:7/vm-7-disk-0.raw')]).toEqual([
      'iso',
      'images',
    ]);
    expect([storages.ownerOf('box:7/vm-7-disk-0.raw'), storages.ownerOf('no:vm-7-disk-0')]).toEqual([7, undefined]);
    expect(storages.pathOfId('box:import/x.qcow2')).toBe('/mnt/box/import/x.qcow2');
    expect(refusal(() => storages.contentOf('box:4G'))).toBe("unable to parse directory volume name '4G'");
    expect(refusal(() => storages.contentOf('no:4G'))).toBe("storage 'no' does not exist");
    expect([storages.holds('box', 'images'), storages.holds('box', 'iso'), storages.hostsOf('box')]).toEqual([
      true,
      false,
      ['pve1', 'pve2'],
    ]);
  });

  test.each([
    ['dir', 'raw', false],
    ['dir', 'qcow2', true],
    ['lvm', 'raw', false],
    ['lvmthin', 'raw', true],
    ['zfspool', 'raw', true],
  ] as const)('%s with %s: snapshots %s', (type, format, can) => {
    const storages = storagesOf(every(type));
    expect(storages.can(storages.allocate(pve1, 'box', { ...disk(1, 1), format }), 'snapshot')).toBe(can);
  });
});

describe('room', () => {
  test.each([
    [
      'lvmthin',
      "lvcreate 'box/vm-1-disk-0' error:   Cannot create new thin volume, free space in thin pool box/data reached threshold.",
    ],
    ['rbd', "rbd create 'vm-1-disk-0' error: rbd: create error: (28) No space left on device"],
    [
      'dir',
      "unable to create image: qemu-img: /mnt/box/images/1/vm-1-disk-0.raw: Could not create '/mnt/box/images/1/vm-1-disk-0.raw': No space left on device",
    ],
  ] as const)('a thin %s takes more than it has until it is full', (type, words) => {
    const storages = storagesOf(every(type));
    expect(storages.allocate(pve1, 'box', disk(9, 100)).bytes).toBe(100 * GiB);
    storages.fill('box', 0);
    expect(refusal(() => storages.allocate(pve1, 'box', disk(1, 1)))).toBe(words);
  });

  test('a thick one promises only what it has', () => {
    const storages = storagesOf(every('lvm'));
    const kept = storages.allocate(pve1, 'box', disk(9, 8));
    expect(refusal(() => storages.allocate(pve1, 'box', disk(1, 3)))).toBe(
      `lvcreate 'box/vm-1-disk-0' error:   Volume group "box" has insufficient free space (512 extents): 768 required.`,
    );
    expect(refusal(() => storages.resize(kept, 11 * GiB))).toBe(
      "error resizing volume '/dev/box/vm-9-disk-0':   Insufficient free space: 768 extents needed, but only 512 available",
    );
    storages.resize(kept, 10 * GiB);
    expect(storages.spaceOf(pve1, storages.definition('box')).freeBytes).toBe(0);
  });

  test('of ZFS it depends on how the pool was set up', () => {
    const storages = storagesOf(every('zfspool'));
    const sparse = storages.definition('box');
    expect(storages.allocate(pve1, 'box', disk(9, 100)).bytes).toBe(100 * GiB);
    storages.definitions.set('box', { ...sparse, properties: new Map([['pool', 'tank']]) });
    expect(refusal(() => storages.allocate(pve2, 'box', disk(1, 11)))).toBe(
      "zfs error: cannot create 'tank/vm-1-disk-0': out of space",
    );
    const kept = storages.allocate(pve2, 'box', disk(1, 9));
    expect(refusal(() => storages.resize(kept, 11 * GiB))).toBe(
      "zfs error: cannot set property for 'tank/vm-1-disk-0': size is greater than available space",
    );
  });

  test('fills one host or all of them', () => {
    const storages = storagesOf(every('dir'));
    const free = (by: Host) => storages.spaceOf(by, storages.definition('box')).freeBytes / GiB;
    storages.fill('box', 2);
    storages.fill('box', 3, 'pve2');
    expect([free(pve1), free(pve2)]).toEqual([2, 3]);
  });
});

type Deed =
  | { readonly kind: 'allocate'; readonly vmid: number; readonly mib: number }
  | { readonly kind: 'copy' | 'free'; readonly which: number }
  | { readonly kind: 'resize'; readonly which: number; readonly mib: number }
  | { readonly kind: 'fill'; readonly mib: number };

const deeds = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('allocate' as const), vmid: fc.integer({ min: 100, max: 103 }), mib: fc.nat(4000) }),
    fc.record({ kind: fc.constantFrom('copy' as const, 'free' as const), which: fc.nat(20) }),
    fc.record({ kind: fc.constant('resize' as const), which: fc.nat(20), mib: fc.nat(6000) }),
    fc.record({ kind: fc.constant('fill' as const), mib: fc.nat(12_000) }),
  ),
  { maxLength: 40 },
) satisfies fc.Arbitrary<Deed[]>;

test('room is never less than nothing, and always what the volumes leave of it', () => {
  const types = fc.constantFrom<NonNullable<StorageOptions['type']>[]>(
    'dir',
    'lvm',
    'lvmthin',
    'zfspool',
    'nfs',
    'rbd',
  );
  fc.assert(
    fc.property(types, deeds, (type, sequence) => {
      const storages = storagesOf(every(type));
      const space = storages.spaceOf(pve1, storages.definition('box'));
      const expected = new Map<string, Volume>();
      for (const deed of sequence) {
        const which = 'which' in deed ? [...expected.values()][deed.which] : undefined;
        try {
          if (deed.kind === 'allocate') {
            const made = storages.allocate(pve1, 'box', { vmid: deed.vmid, bytes: deed.mib * MiB, purpose: 'disk' });
            expect(expected.has(made.name)).toBe(false);
            expected.set(made.name, made);
          } else if (deed.kind === 'fill') storages.fill('box', deed.mib / 1024);
          else if (which !== undefined && deed.kind === 'copy') {
            const made = storages.copy(pve1, which, 'box', { vmid: 200, purpose: 'disk' });
            expected.set(made.name, made);
          } else if (which !== undefined && deed.kind === 'free') {
            storages.free(which);
            expected.delete(which.name);
          } else if (which !== undefined && deed.kind === 'resize') storages.resize(which, deed.mib * MiB);
        } catch (error) {
          expect((error as Error).name).toBe('Refusal');
        }
        const sum = [...expected.values()].reduce((total, volume) => total + space.charge(volume), space.ballastBytes);
        expect([...space.volumes.values()]).toEqual([...expected.values()]);
        expect(space.freeBytes).toBe(Math.max(0, space.totalBytes - sum));
        expect(space.usedBytes + space.freeBytes).toBe(space.totalBytes);
      }
    }),
  );
});
