import { describe, expect, test } from 'vitest';
import { aRequest } from '../../../test/proxmox/cluster.ts';
import { testNow } from '../../../test/entropy.ts';
import { cidataIso, cidataName, networkConfig } from './cidata.ts';
import { isoOf } from './iso9660.ts';

/** Reads one of the trees, by the numbers that the standard gives; knows nothing of how it was written. */
function tree(
  image: Uint8Array,
  descriptor: number,
): { readonly label: string; readonly files: Readonly<Record<string, string>> } {
  const bytes = Buffer.from(image);
  const at = descriptor * 2048;
  expect(bytes.toString('latin1', at + 1, at + 6)).toBe('CD001');
  const isWide = bytes[at] === 2;
  const text = (from: number, to: number): string =>
    isWide ? Buffer.from(bytes.subarray(from, to)).swap16().toString('utf16le') : bytes.toString('latin1', from, to);
  const root = at + 156;
  const files: Record<string, string> = {};
  let entry = bytes.readUInt32LE(root + 2) * 2048;
  const end = entry + bytes.readUInt32LE(root + 10);
  while (entry < end && (bytes[entry] ?? 0) > 0) {
    const length = bytes[entry + 32] ?? 0;
    expect(bytes.readUInt32LE(entry + 2)).toBe(bytes.readUInt32BE(entry + 6));
    if (((bytes[entry + 25] ?? 0) & 2) === 0) {
      const start = bytes.readUInt32LE(entry + 2) * 2048;
      files[text(entry + 33, entry + 33 + length)] = bytes.toString(
        'utf8',
        start,
        start + bytes.readUInt32LE(entry + 10),
      );
    }
    entry += bytes[entry] ?? 0;
  }
  return { label: text(at + 40, at + 72).trim(), files };
}

describe('an image', () => {
  const files = [
    { name: 'user-data', content: Buffer.from('x'.repeat(5000)) },
    { name: 'meta-data', content: Buffer.from('instance-id: 1\n') },
    { name: 'empty', content: Buffer.alloc(0) },
  ];
  const image = isoOf({ label: 'cidata', files, at: testNow });

  test('has its files under names that everybody reads, and under their own', () => {
    expect(tree(image, 16)).toEqual({
      label: 'cidata',
      files: { 'EMPTY.;1': '', 'META_DATA.;1': 'instance-id: 1\n', 'USER_DATA.;1': 'x'.repeat(5000) },
    });
    expect(tree(image, 17)).toEqual({
      label: 'cidata',
      files: { empty: '', 'meta-data': 'instance-id: 1\n', 'user-data': 'x'.repeat(5000) },
    });
  });

  test('is whole sectors, as many as it says, and ends its descriptors', () => {
    const bytes = Buffer.from(image);
    expect(bytes.length % 2048).toBe(0);
    expect(bytes.readUInt32LE(16 * 2048 + 80)).toBe(bytes.length / 2048);
    expect([bytes[16 * 2048], bytes[17 * 2048], bytes[18 * 2048]]).toEqual([1, 2, 255]);
  });

  test('is the same for the same files and moment', () => {
    expect(Buffer.compare(image, isoOf({ label: 'cidata', files, at: testNow }))).toBe(0);
  });
});

describe('the medium of a first configuration', () => {
  test('is what nocloud reads', () => {
    const staticAddress = { address: '10.10.0.11', prefix: 22, gateway: '10.10.0.1', nameservers: ['10.10.0.1'] };
    const request = aRequest(401, { staticAddress });
    expect(tree(cidataIso(request, 'version: v1alpha1\n', testNow), 17)).toEqual({
      label: 'cidata',
      files: {
        'meta-data': `instance-id: ${request.mark.uuid}\nlocal-hostname: prod-cp-0\n`,
        'network-config': [
          'version: 1',
          'config:',
          '    - type: physical',
          '      name: eth0',
          "      mac_address: '02:00:00:00:01:91'",
          '      subnets:',
          '      - type: static',
          "        address: '10.10.0.11'",
          "        netmask: '255.255.252.0'",
          "        gateway: '10.10.0.1'",
          '    - type: nameserver',
          '      address:',
          "      - '10.10.0.1'",
          '',
        ].join('\n'),
        'user-data': 'version: v1alpha1\n',
      },
    });
  });

  test('asks DHCP where no address is given, and knows IPv6', () => {
    expect(Object.keys(tree(cidataIso(aRequest(401), 'a', testNow), 17).files)).toEqual(['meta-data', 'user-data']);
    expect(
      networkConfig('02:00:00:00:00:01', { address: 'fd00::1', prefix: 64, gateway: undefined, nameservers: [] }),
    ).toContain("      - type: static6\n        address: 'fd00::1/64'\n");
  });

  test('has a name of its own for each machine, of signs that Proxmox keeps', () => {
    const { mark } = aRequest(401);
    expect(cidataName(mark)).toMatch(/^ichor-prod-prod-cp-0-[0-9a-f]{12}\.iso$/);
    expect(cidataName({ ...mark, uuid: mark.uuid.toUpperCase() })).toBe(cidataName(mark));
    expect(cidataName(aRequest(402).mark)).not.toBe(cidataName(mark));
  });
});
