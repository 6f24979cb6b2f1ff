import { describe, expect, test } from 'vitest';
import {
  at,
  controlPlane,
  documents,
  node,
  proxmox,
  render,
  request,
  worker,
  type Settings,
} from '../../../test/talos-small.ts';
import { platformOf } from '../../../test/talos-configs.ts';
import type { Contract } from './contract.ts';
import { renderConfigs } from './render.ts';
import type { ConfigRequest } from './request.ts';

describe('disks', () => {
  test.each<[string, object, Settings, string | undefined]>([
    ['Proxmox, from an image', proxmox, {}, undefined],
    ['Proxmox, from an ISO', proxmox, { talos: { image: { boot: 'iso' } } }, '/dev/sda'],
    ['libvirt, from an ISO', { libvirt: {} }, { talos: { image: { boot: 'iso' } } }, '/dev/vda'],
    ['OpenStack, from an image', { openstack: { cloud: 'c' } }, {}, undefined],
    [
      'machines that wait',
      { existing: { machines: { 'cp-0': { address: '10.10.0.11' }, 'w-0': { address: '10.10.0.21' } } } },
      {},
      '/dev/sda',
    ],
    [
      'a path of its own',
      proxmox,
      { talos: { image: { boot: 'iso' } }, controlPlane: { installDisk: { path: '/dev/nvme0n1' } } },
      '/dev/nvme0n1',
    ],
  ])('Talos is installed to: %s', (_, machines, settings, disk) => {
    expect(at(controlPlane('1.13', settings, machines), 'machine.install.disk')).toBe(disk);
    expect(
      documents(controlPlane('1.14', settings, machines), 'UnattendedInstallConfig').map(
        (each) => (each as { provisioning: unknown }).provisioning,
      ),
    ).toEqual(disk === undefined ? [] : [{ diskSelector: { match: `disk.dev_path == "${disk}"` }, wipe: false }]);
  });

  const selector = { size: '>= 100GB', model: 'WDC*', type: 'ssd', busPath: '/pci0000:00/*' };
  test('a disk by what it is', () => {
    const settings = { talos: { image: { boot: 'iso' } }, controlPlane: { installDisk: { selector } } };
    expect(at(controlPlane('1.13', settings), 'machine.install.diskSelector')).toEqual(selector);
    expect(documents(controlPlane('1.14', settings), 'UnattendedInstallConfig')).toMatchObject([
      {
        provisioning: {
          diskSelector: {
            match:
              'disk.size >= 100u * GB && glob("WDC*", disk.model) && disk.transport != "" && !disk.rotational && glob("/pci0000:00/*", disk.bus_path) && !disk.readonly && !disk.cdrom',
          },
        },
      },
    ]);
  });

  test.each([
    ['a size that is none', 'disk-size', '1.13', { size: 'big' }, {}],
    ['a bus path where Talos cannot', 'bus-path-unknown', '1.9', selector, { version: 'v1.9.1' }],
  ] as const)('%s is said', (_, code, contract, chosen, talos) => {
    const settings = {
      talos: { ...talos, image: { boot: 'iso' } },
      controlPlane: { installDisk: { selector: chosen } },
    };
    expect(() => render(contract, settings)).toThrow(expect.objectContaining({ code }));
  });

  test.each<[string, object, Settings, string]>([
    [
      'no extension',
      proxmox,
      { talos: { extensions: [] } },
      'factory.talos.dev/nocloud-installer/376567988ad370138ad8b2698212367b8edcb69b5fd68c80be1f2ec7d603b4ba:v1.13.9',
    ],
    [
      'one',
      proxmox,
      {},
      'factory.talos.dev/nocloud-installer/ce4c980550dd2ab1b17bbf2b08801c7eb59418eafe8f279833297925d67c7515:v1.13.9',
    ],
    [
      'a group’s own on top',
      proxmox,
      {
        talos: { extensions: ['qemu-guest-agent'] },
        controlPlane: { extensions: ['util-linux-tools', 'iscsi-tools'] },
      },
      'factory.talos.dev/nocloud-installer/88d1f7a5c4f1d3aba7df787c448c1d3d008ed29cfb34af53fa0df4336a56040b:v1.13.9',
    ],
    [
      'kernel arguments',
      proxmox,
      { talos: { extensions: [], kernelArgs: ['noapic', 'nolapic'] } },
      'factory.talos.dev/nocloud-installer/9cba8e32753f91a16c1837ab8abf356af021706ef284aef07380780177d9a06c:v1.13.9',
    ],
    [
      'SecureBoot, an own factory and schematic',
      { openstack: { cloud: 'c' } },
      {
        talos: { secureBoot: true, image: { factory: 'https://factory.example.org:8443/', schematic: '0'.repeat(64) } },
      },
      `factory.example.org:8443/openstack-installer-secureboot/${'0'.repeat(64)}:v1.13.9`,
    ],
    [
      'an ISO of Talos for metal',
      proxmox,
      { talos: { extensions: [], image: { iso: 'local:iso/talos.iso' } } },
      'factory.talos.dev/metal-installer/376567988ad370138ad8b2698212367b8edcb69b5fd68c80be1f2ec7d603b4ba:v1.13.9',
    ],
  ])('the installer: %s', (_, machines, settings, image) => {
    expect(at(controlPlane('1.13', settings, machines), 'machine.install.image')).toBe(image);
  });

  const disks = { workers: { w: { disks: { longhorn: '200GiB', archive: '50GiB' } } } };
  const bind = (path: string) => ({
    destination: path,
    type: 'bind',
    source: path,
    options: ['bind', 'rshared', 'rw'],
  });
  test('data disks before user volumes', () => {
    const rendered = worker('1.9', disks);
    expect(at(rendered, 'machine.disks')).toEqual([
      { device: '/dev/sdb', partitions: [{ mountpoint: '/var/mnt/archive' }] },
      { device: '/dev/sdc', partitions: [{ mountpoint: '/var/lib/longhorn' }] },
    ]);
    expect(at(rendered, 'machine.kubelet.extraMounts')).toEqual([bind('/var/mnt/archive'), bind('/var/lib/longhorn')]);
  });

  test.each<[string, object, string, string]>([
    [
      'Proxmox',
      proxmox,
      '"/dev/disk/by-id/scsi-0QEMU_QEMU_HARDDISK_drive-scsi1" in disk.symlinks',
      '"/dev/disk/by-id/scsi-0QEMU_QEMU_HARDDISK_drive-scsi2" in disk.symlinks',
    ],
    ['libvirt', { libvirt: {} }, 'disk.dev_path == "/dev/vdb"', 'disk.dev_path == "/dev/vdc"'],
    [
      'existing',
      { existing: { machines: { 'cp-0': { address: '10.10.0.11' }, 'w-0': { address: '10.10.0.21' } } } },
      '!system_disk && disk.size >= 50u * GiB',
      '!system_disk && disk.size >= 200u * GiB',
    ],
  ])('data disks as user volumes: %s', (_, machines, archive, longhorn) => {
    for (const contract of ['1.10', '1.11', '1.12', '1.13'] as const) {
      const rendered = worker(contract, disks, machines);
      expect(documents(rendered, 'UserVolumeConfig')).toEqual([
        { name: 'archive', provisioning: { diskSelector: { match: archive }, grow: true, minSize: '500MiB' } },
        { name: 'longhorn', provisioning: { diskSelector: { match: longhorn }, grow: true, minSize: '500MiB' } },
      ]);
      expect(at(rendered, 'machine.kubelet.extraMounts')).toEqual([bind('/var/mnt/longhorn')]);
      expect(at(rendered, 'machine.disks')).toBeUndefined();
    }
  });

  test.each<[Contract, object, readonly string[]]>([
    ['1.9', {}, ['/var/lib/longhorn']],
    ['1.9', { longhorn: '200GiB' }, ['/var/lib/longhorn']],
    ['1.13', {}, ['/var/lib/longhorn']],
    ['1.13', { longhorn: '200GiB' }, ['/var/mnt/longhorn', '/var/lib/longhorn']],
  ])('Longhorn on %s with the disks %j', (contract, own, paths) => {
    const given = request(contract, { workers: { w: { disks: own } } });
    const services = { ...given.platform.services, catalog: platformWithLonghorn() };
    const rendered = renderConfigs({ ...given, platform: { ...given.platform, services } });
    expect(at(node(rendered, 'p-w-0'), 'machine.kubelet.extraMounts')).toEqual(paths.map(bind));
  });

  const keys = (key: object) => ({ provider: 'luks2', keys: [{ slot: 0, ...key }] });
  test.each<[object, object]>([
    [{ nodeID: {} }, keys({ nodeID: {} })],
    [{ passphrase: { env: 'P' } }, keys({ static: { passphrase: 'text of env:P' } })],
    [
      { kms: { endpoint: 'https://kms.example.org:4050' } },
      keys({ kms: { endpoint: 'https://kms.example.org:4050' } }),
    ],
    [{ tpm: {} }, keys({ tpm: {} })],
  ])('partitions locked with %j', (key, encryption) => {
    const settings = { encryption: { state: key, ephemeral: key }, talos: { secureBoot: true } };
    expect(at(worker('1.10', settings), 'machine.systemDiskEncryption')).toEqual({
      state: encryption,
      ephemeral: encryption,
    });
    for (const contract of ['1.11', '1.12', '1.13'] as const)
      expect(documents(worker(contract, settings), 'VolumeConfig')).toEqual([
        { name: 'STATE', encryption },
        { name: 'EPHEMERAL', encryption },
      ]);
    expect(documents(worker('1.14', settings), 'VolumeConfig')).toEqual([
      { name: 'STATE', encryption },
      { name: 'EPHEMERAL', encryption, mount: { secure: true } },
    ]);
  });
});

function platformWithLonghorn(): ConfigRequest['platform']['services']['catalog'] {
  const file = { ...proxmox };
  const spec = {
    machines: file,
    services: { catalog: { longhorn: {} } },
    cluster: { talos: { extensions: ['iscsi-tools', 'util-linux-tools'] } },
  };
  return platformOf(
    JSON.stringify({ apiVersion: 'ichor.dev/v1alpha1', kind: 'Platform', metadata: { name: 'p' }, spec }),
  ).services.catalog;
}
