import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folder } from '../../test/folder.ts';
import { readReservations } from './lab-reservations.ts';

const written = (text: string): string => {
  const path = join(folder(), 'hosts.conf');
  writeFileSync(path, text);
  return path;
};

test('as ichor machines prints them for dnsmasq, and as people write them', async () => {
  const path = written(`# lab
dhcp-host=02:74:92:5E:09:C2,127.0.64.131,lab-cp-0
dhcp-host=02:AE:D1:7A:ED:6B,lab-cp-1

 dhcp-host=02:D9:17:99:C3:CA, 127.0.64.133
dhcp-host=02:D9:17:99:C3:CB,[2001:db8::11],lab-cp-3
`);
  expect(await readReservations(path)).toEqual([
    { mac: '02:74:92:5E:09:C2', address: '127.0.64.131', hostname: 'lab-cp-0' },
    { mac: '02:AE:D1:7A:ED:6B', hostname: 'lab-cp-1' },
    { mac: '02:D9:17:99:C3:CA', address: '127.0.64.133' },
    // The lab has no DHCPv6.
    { mac: '02:D9:17:99:C3:CB', hostname: 'lab-cp-3' },
  ]);
});

test.each(['dhcp-range=10.0.0.1,10.0.0.9', 'dhcp-host=02:74:92:5E:09:C2', 'dhcp-host=nonsense,lab'])(
  '%s is none, and shown where it is',
  async (line) => {
    const path = written(`# lab\n${line}\n`);
    await expect(readReservations(path)).rejects.toMatchObject({
      code: 'bad-reservation',
      at: { file: path, line: 2, column: 1, length: line.length },
    });
  },
);
