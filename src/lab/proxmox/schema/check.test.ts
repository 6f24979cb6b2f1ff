import { expect, test } from 'vitest';
import { api } from '../../../wire/proxmox/api.ts';
import { privilegesOf } from '../access/privileges.ts';
import type { Params } from '../call.ts';
import { Refusal } from '../refusal.ts';
import type { Sent } from '../server/form.ts';
import { createCheck } from './check.ts';
import { printSize, parseSize } from './sizes.ts';

const check = createCheck(privilegesOf(9));

function judged(key: string, sent: Sent): Params | Readonly<Record<string, string>> | string {
  const endpoint = api[key];
  if (endpoint === undefined) throw new Error(`There is no ${key}.`);
  try {
    return check(key, endpoint, sent);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return error.errors ?? error.message;
  }
}

const create = 'POST /nodes/{node}/qemu';
const here = { node: 'h1', vmid: '4000' };

test('values come out as texts, whatever they were', () => {
  expect(judged(create, { ...here, vmid: 4000, onboot: true, numa: false, cores: 2, tags: ['a', 'b'] })).toEqual({
    node: 'h1',
    vmid: '4000',
    onboot: '1',
    numa: '0',
    cores: '2',
    tags: 'a,b',
  });
});

test('one of several is several of one', () => {
  const exec = 'POST /nodes/{node}/qemu/{vmid}/agent/exec';
  expect([
    judged(exec, { ...here, command: 'ls' }),
    judged(exec, { ...here, command: ['ls', '-l'] }),
    judged(exec, { ...here, command: {} }),
  ]).toEqual([
    { ...here, command: ['ls'] },
    { ...here, command: ['ls', '-l'] },
    { command: "type check ('array') failed" },
  ]);
});

test('what has a name and no value is nothing, except in a configuration', () => {
  expect([
    judged('PUT /pools', { poolid: 'a', comment: undefined }),
    judged('PUT /pools', { poolid: 'a', comment: null }),
    judged('PUT /nodes/{node}/qemu/{vmid}/config', { ...here, numa: undefined }),
  ]).toEqual([{ poolid: 'a' }, { poolid: 'a' }, "unable to parse value of 'numa' - got undefined value"]);
});

test('a call that takes more takes anything', () => {
  expect(judged('GET /nodes/{node}/qemu/{vmid}/agent', { ...here, colour: 'red' })).toEqual({ ...here, colour: 'red' });
});

test('two complaints about one parameter stand in one text', () => {
  expect(judged('POST /access/ticket', { username: 'a@pve', password: 'b', path: '/', privs: undefined })).toEqual({
    privs: "missing property required by 'path'",
  });
});

test.each<[string, string, string, string | undefined]>([
  ['a whole number with a sign', 'balloon', '+4', undefined],
  ['a number with an exponent', 'cpulimit', '1e1', undefined],
  ['a fraction where a whole number is wanted', 'balloon', '1.5', "type check ('integer') failed - got '1.5'"],
  ['a last line end, which Perl does not see', 'serial0', 'socket\n', undefined],
  ['an alias', 'scsi0', 'volume=tank:4', undefined],
  ['a bare size', 'hotplug', '1', undefined],
  ['letters count, not bytes', 'description', 'ß'.repeat(8192), undefined],
  ['a DHCP lease', 'ipconfig0', 'ip=dhcp,gw=10.0.0.1,ip6=auto', undefined],
  ['a wide network', 'ipconfig0', 'ip=10.0.0.1/7', 'ipconfig0.ip'],
  ['a drive that is empty', 'ide2', 'none,media=cdrom', undefined],
  ['a path', 'ide2', '/dev/cdrom,media=cdrom', undefined],
  ['a processor with flags', 'cpu', 'host,flags=+aes;-pcid', undefined],
  ['a processor of a person', 'cpu', 'custom-mine', "Custom cputype 'mine' not found"],
  ['an identity that is two', 'smbios1', 'uuid=1,uuid=2', 'duplicate key in comma-separated list property: uuid'],
  ['a key without a value', 'net0', 'virtio,bridge=', 'missing key in comma-separated list property'],
  ['nothing between commas', 'net0', 'virtio,,bridge=vmbr0,', undefined],
])('%s', (_, name, value, complaint) => {
  const result = judged(create, { ...here, [name]: value });
  if (complaint === undefined) expect(result).toEqual({ ...here, [name]: value });
  else expect(result).toEqual({ [name]: expect.stringContaining(complaint) as unknown });
});

test('sizes are read in any unit and printed in the largest that fits', () => {
  expect([parseSize('1.5G'), parseSize('528K'), parseSize('2TiB'), parseSize('much')]).toEqual([
    1_610_612_736,
    540_672,
    2 * 2 ** 40,
    undefined,
  ]);
  expect([1, 1024, 1536, 2 ** 30, 3 * 2 ** 40, 2 ** 50].map((bytes) => printSize(bytes))).toEqual([
    '1',
    '1K',
    '1536',
    '1G',
    '3T',
    '1024T',
  ]);
});
