import { expect, test } from 'vitest';
import { aVm } from '../../../../../test/proxmox-vm.ts';
import { dumped } from './content.ts';
import { driftRows, noteDrift } from './drift.ts';

const config = new Map(
  Object.entries({
    name: 'worker-1',
    searchdomain: 'lab.example',
    nameserver: '192.0.2.53 192.0.2.54',
    ciuser: 'u',
    cipassword: 'pw',
    sshkeys: 'ssh-ed25519%20AAAA%20a%40b%0A',
    net0: 'virtio=BC:24:11:00:00:0A,bridge=vmbr0',
    ipconfig0: 'ip=192.0.2.11/25,gw=192.0.2.1,ip6=auto',
    net1: 'virtio=BC:24:11:00:00:0B,bridge=vmbr0',
    ipconfig1: 'ip=dhcp,gw=192.0.2.1',
  }),
);

test('user data has the name, the user and the keys; a password only for who may see it', () => {
  const text = (password: string): string =>
    `#cloud-config\nhostname: worker-1\nmanage_etc_hosts: true\nfqdn: worker-1.lab.example\nuser: u\npassword: ${password}\nssh_authorized_keys:\n  - ssh-ed25519 AAAA a@b\nchpasswd:\n  expire: False\nusers:\n  - default\npackage_upgrade: true\n`;
  expect([dumped(config, 100, 'user', false), dumped(config, 100, 'user', true)]).toEqual([
    text('pw'),
    text('**********'),
  ]);
});

test('network data is version 1; a gateway beside DHCP is worth nothing', () => {
  expect(dumped(config, 100, 'network', false)).toBe(`version: 1
config:
    - type: physical
      name: eth0
      mac_address: 'bc:24:11:00:00:0a'
      subnets:
      - type: static
        address: '192.0.2.11'
        netmask: '255.255.255.128'
        gateway: '192.0.2.1'
      - type: ipv6_slaac
    - type: physical
      name: eth1
      mac_address: 'bc:24:11:00:00:0b'
      subnets:
    - type: nameserver
      address:
      - '192.0.2.53'
      - '192.0.2.54'
      search:
      - 'lab.example'
`);
});

test('meta data is a hash of both, and Windows gets another dialect', () => {
  expect(dumped(config, 100, 'meta', true)).toMatch(/^instance-id: [0-9a-f]{40}\n$/);
  const windows = new Map([...config, ['ostype', 'win11']]);
  expect(dumped(windows, 100, 'meta', true)).toMatch(/^\{\n {5}"uuid": "[0-9a-f]{40}",\n/);
  expect(dumped(windows, 100, 'network', true).split('\n').slice(0, 8)).toEqual([
    'auto lo',
    'iface lo inet loopback',
    '',
    '        dns_nameservers 192.0.2.53 192.0.2.54',
    '        dns_search lab.example',
    'auto eth0',
    'iface eth0 inet static',
    '        address 192.0.2.11',
  ]);
});

test('the guest has the drive’s contents, and a change needs a new drive', async () => {
  using lab = await aVm(
    { name: 'a', ide0: 'disks:cloudinit', net0: 'virtio=BC:24:11:00:00:0A,bridge=vmbr0', ipconfig0: 'ip=192.0.2.9/24' },
    { runs: true },
  );
  const [guest] = lab.started;
  expect(guest?.hardware.cloudInit?.networkConfig).toContain("address: '192.0.2.9'");
  await lab.on('PUT /config', { ciuser: 'x', nameserver: '192.0.2.53' });
  await lab.on('PUT /config', { ciuser: 'y' });
  expect(await lab.on('GET /cloudinit')).toEqual([
    { key: 'ciuser', pending: 'y' },
    { key: 'nameserver', pending: '192.0.2.53' },
  ]);
  await lab.on('PUT /cloudinit');
  expect(await lab.on('GET /cloudinit')).toEqual([
    { key: 'ciuser', value: 'y' },
    { key: 'nameserver', value: '192.0.2.53' },
  ]);
});

test('drift is what the drive still has', () => {
  const drift = new Map<string, string>();
  noteDrift(drift, 'ciuser', 'a', 'b');
  noteDrift(drift, 'ciuser', 'b', 'c');
  noteDrift(drift, 'nameserver', '1', undefined);
  noteDrift(drift, 'memory', '1', '2');
  expect(driftRows(new Map([['ciuser', 'c']]), drift)).toEqual([
    { key: 'ciuser', value: 'a', pending: 'c' },
    { key: 'nameserver', delete: 1 },
  ]);
  noteDrift(drift, 'ciuser', 'c', 'a');
  noteDrift(drift, 'nameserver', undefined, '1');
  expect([...drift]).toEqual([]);
});
