import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { ichor } from '../cli.ts';
import { dnsmasqLines } from '../../src/cli/views/reservations.ts';
import { folder } from '../folder.ts';

function dnsmasq(): string {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  const found = folders.map((each) => join(each, 'dnsmasq')).find((file) => existsSync(file));
  if (found === undefined)
    throw new Error('The real tier asks dnsmasq, and there is none. Install the Debian package dnsmasq-base.');
  return found;
}

const judged = (reservations: string) => {
  const file = join(folder(), 'hosts.conf');
  writeFileSync(file, reservations);
  const { status, stderr } = spawnSync(dnsmasq(), ['--test', `--conf-file=${file}`], { encoding: 'utf8' });
  return { status, says: stderr.trim().replace(/ at line .*/, '') };
};

test('dnsmasq takes the reservations of a platform', () => {
  const { stdout } = ichor(['machines', '-f', 'examples/homelab.yaml', '--output', 'dnsmasq']);
  expect(judged(stdout)).toEqual({ status: 0, says: 'dnsmasq: syntax check OK.' });
});

test('also those without an address, for any example', () => {
  for (const example of ['ha', 'enterprise', 'full', 'libvirt']) {
    const { stdout } = ichor(['machines', '-f', `examples/${example}.yaml`, '--output', 'dnsmasq']);
    expect(judged(stdout)).toEqual({ status: 0, says: 'dnsmasq: syntax check OK.' });
  }
});

test('it reads what stands in brackets as an IPv6 address, and would refuse another text there', () => {
  const line = dnsmasqLines([{ hostname: 'cp-0', mac: 'BC:24:11:00:00:10', address: '2001:db8::10' }]);
  expect(judged(line)).toEqual({ status: 0, says: 'dnsmasq: syntax check OK.' });
  expect(judged(line.replace('db8::10', 'nonsense'))).toEqual({ status: 1, says: 'dnsmasq: bad IPv6 address' });
});

test('it would refuse two machines with one address', () => {
  const twice = 'dhcp-host=BC:24:11:00:00:10,10.10.0.10,cp-0\ndhcp-host=BC:24:11:00:00:11,10.10.0.10,cp-1\n';
  expect(judged(twice)).toEqual({ status: 1, says: 'dnsmasq: duplicate dhcp-host IP address 10.10.0.10' });
});
