import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { wallClock } from '../../src/lab/clock.ts';
import { startProxmoxLab } from '../../src/lab/proxmox/lab.ts';
import { folder } from '../folder.ts';
import { python } from './python.ts';

test('proxmoxer lists, creates, reconfigures, starts, stops and deletes on the twin, by token and by ticket', async () => {
  const place = folder();
  await using lab = await startProxmoxLab({ hosts: 3, addresses: 'mapped', clock: wallClock(20) });
  const ca = join(place, 'ca.pem');
  writeFileSync(ca, lab.ca);
  const saw = await python('machines.py', {
    ENDPOINT: lab.endpoints.get('pve1') ?? '',
    TOKEN: lab.token('proxmoxer'),
    USERNAME: lab.password.username,
    PASSWORD: lab.password.password,
    CA: ca,
    FOLDER: place,
  });
  expect(saw).toEqual({
    version: '9.2',
    nodes: ['pve1', 'pve2', 'pve3'],
    quorate: [1],
    'free id': '100',
    create: 'OK',
    config: { name: 'by-proxmoxer', memory: '1024', cores: 2, tags: 'a;b', boot: 'order=scsi0;net0' },
    disk: expect.stringMatching(/^local-lvm:vm-950-disk-0,size=8G$/) as string,
    put: null,
    post: 'OK',
    resize: 'OK',
    changed: { memory: '2048', description: 'two lines\nof text', onboot: 1 },
    disks: ['10G', '4G'],
    start: 'OK',
    running: 'running',
    'delete while running': [500, expect.stringContaining('VM 950 is running - destroy failed') as string],
    stop: 'OK',
    listed: [[950, 'stopped']],
    tasks: ['qmconfig', 'qmcreate', 'qmstart', 'qmstop', 'resize'],
    delete: 'OK',
    gone: [500, "Configuration file 'nodes/pve1/qemu-server/950.conf' does not exist"],
    upload: 'OK',
    files: ['local:iso/by-proxmoxer.iso'],
    remove: 'OK',
    refused: [
      400,
      'Parameter verification failed.',
      { nonsense: 'property is not defined in schema and the schema does not allow additional properties' },
    ],
    ticket: '9.2',
    pool: [null, [{ poolid: 'by-ticket' }], null],
  });
});
