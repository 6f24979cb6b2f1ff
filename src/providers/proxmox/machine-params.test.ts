import { describe, expect, test } from 'vitest';
import { settingsFor } from '../../../test/proxmox/asking.ts';
import { aRequest } from '../../../test/proxmox/cluster.ts';
import { gib } from '../../model/size.ts';
import { createParams, type CreateOptions } from './machine-params.ts';
import { descriptionFor } from './mark.ts';
import type { ProxmoxSettings } from './settings.ts';

const everything: CreateOptions = { tags: true, startup: true, cidata: undefined };
const settings = (changed: Partial<ProxmoxSettings> = {}) => settingsFor([{ url: 'https://pve1:8006' }], changed);
const disk = { image: { kind: 'disk', host: 'pve1', volume: 'local:import/talos.qcow2' } } as const;

test('a machine is made whole by one request', () => {
  const request = aRequest(401, disk);
  expect(createParams(request, 401, settings(), everything)).toEqual({
    vmid: 401,
    name: 'prod-cp-0',
    ostype: 'l26',
    cpu: 'x86-64-v2-AES',
    sockets: 1,
    cores: 2,
    memory: 2048,
    balloon: 0,
    scsihw: 'virtio-scsi-pci',
    machine: 'q35',
    bios: 'ovmf',
    efidisk0: 'local-lvm:1,efitype=4m,pre-enrolled-keys=0',
    scsi0: 'local-lvm:0,import-from=local:import/talos.qcow2,discard=on,serial=system',
    boot: 'order=scsi0',
    net0: 'virtio=02:00:00:00:01:91,bridge=vmbr0',
    agent: 'enabled=1',
    serial0: 'socket',
    smbios1: `uuid=${request.mark.uuid}`,
    description: descriptionFor(request.mark, 'control-plane', 401),
    tags: 'control-plane;ichor;ichor-prod',
    pool: undefined,
    onboot: true,
    startup: undefined,
  });
});

describe('what differs', () => {
  test('from an ISO: an empty disk first, then the medium', () => {
    expect(createParams(aRequest(401), 401, settings(), everything)).toMatchObject({
      scsi0: 'local-lvm:10,discard=on,serial=system',
      ide2: 'local:iso/talos.iso,media=cdrom',
      boot: 'order=scsi0;ide2',
    });
  });

  test('with the old firmware there is no disk for it', () => {
    const params = createParams(aRequest(401), 401, settings({ firmware: 'bios' }), everything);
    expect([params['bios'], params['machine'], params['efidisk0']]).toEqual(['seabios', 'q35', undefined]);
  });

  test('data disks come after the system’s, each with its name as serial number', () => {
    const { shape } = aRequest(401);
    const disks = [...shape.disks, { name: 'longhorn', sizeGiB: gib(200), datastore: 'fast' }];
    expect(createParams(aRequest(401, { shape: { ...shape, disks } }), 401, settings(), everything)).toMatchObject({
      scsi1: 'fast:200,discard=on,serial=longhorn',
    });
  });

  test('an address of its own comes on the drive that Proxmox writes', () => {
    const staticAddress = {
      address: '10.10.0.11',
      prefix: 24,
      gateway: '10.10.0.1',
      nameservers: ['10.10.0.1', '9.9.9.9'],
    };
    expect(createParams(aRequest(401, { staticAddress }), 401, settings(), everything)).toMatchObject({
      ide0: 'local-lvm:cloudinit',
      citype: 'nocloud',
      ipconfig0: 'ip=10.10.0.11/24,gw=10.10.0.1',
      nameserver: '10.10.0.1 9.9.9.9',
    });
    const six = { address: 'fd00::11', prefix: 64, gateway: undefined, nameservers: [] };
    const params = createParams(aRequest(401, { staticAddress: six }), 401, settings(), everything);
    expect([params['ipconfig0'], params['nameserver']]).toEqual(['ip6=fd00::11/64', undefined]);
  });

  test('a first configuration is a medium of ours, and Proxmox writes none', () => {
    const staticAddress = { address: '10.10.0.11', prefix: 24, gateway: undefined, nameservers: [] };
    const params = createParams(aRequest(401, { staticAddress }), 401, settings(), {
      ...everything,
      cidata: 'local:iso/c.iso',
    });
    expect([params['ide0'], params['ipconfig0'], params['citype']]).toEqual([
      'local:iso/c.iso,media=cdrom',
      'ip=10.10.0.11/24',
      undefined,
    ]);
  });

  test('VLAN, MTU, firewall, pool, further tags, start order', () => {
    const params = createParams(
      aRequest(401),
      401,
      settings({
        vlan: 40,
        mtu: 9000,
        firewall: true,
        pool: 'talos',
        tags: ['blue'],
        onBoot: false,
        startup: { order: 2, upSeconds: 30 },
      }),
      everything,
    );
    expect([params['net0'], params['pool'], params['tags'], params['onboot'], params['startup']]).toEqual([
      'virtio=02:00:00:00:01:91,bridge=vmbr0,firewall=1,mtu=9000,tag=40',
      'talos',
      'blue;control-plane;ichor;ichor-prod',
      false,
      'order=2,up=30',
    ]);
  });

  test('what the token may not say at once is left out', () => {
    const options = { ...everything, tags: false, startup: false };
    const params = createParams(aRequest(401), 401, settings({ startup: { order: 2 } }), options);
    expect([params['tags'], params['startup']]).toEqual([undefined, undefined]);
  });
});
