import { describe, expect, test } from 'vitest';
import { noCloudData, type NoCloudFiles } from './nocloud.ts';

const files = (given: Partial<NoCloudFiles>): NoCloudFiles => ({
  metaData: undefined,
  userData: undefined,
  networkConfig: undefined,
  ...given,
});
const versionOne = (lines: readonly string[]): string => ['version: 1', 'config:', ...lines].join('\n');

describe('user data', () => {
  test.each<[string, string | undefined, string | undefined]>([
    ['none', undefined, undefined],
    ['nothing', '\n', undefined],
    ['cloud-config is not for Talos', '#cloud-config\nhostname: a\n', undefined],
    ['an include is not followed', '#include\nhttp://127.0.0.1/config\n', undefined],
    ['anything else is a machine configuration', 'version: v1alpha1\n', 'version: v1alpha1\n'],
  ])('%s', (_, userData, config) => {
    expect(noCloudData(files({ userData })).config).toBe(config);
  });
});

describe('the name', () => {
  const networkConfig = 'version: 1\nconfig: []\n';
  test.each<[string, Partial<NoCloudFiles>, string | undefined]>([
    ['of the metadata', { metaData: 'hostname: a\nlocal-hostname: b' }, 'a'],
    ['of the metadata, spelled otherwise', { metaData: 'local-hostname: b.example.org' }, 'b'],
    ['of the user data, as Proxmox writes it', { userData: '#cloud-config\nhostname: c\n' }, 'c'],
    ['the metadata wins', { metaData: 'hostname: a', userData: '#cloud-config\nhostname: c\n' }, 'a'],
    ['nobody says one', { metaData: 'instance-id: 1' }, undefined],
    ['of metadata that is no YAML', { metaData: '{' }, undefined],
  ])('%s', (_, given, hostname) => {
    expect(noCloudData(files({ networkConfig, ...given })).network?.hostname).toBe(hostname);
  });

  test('without a network configuration nothing is taken from the platform', () => {
    expect(noCloudData(files({ metaData: 'hostname: a\ninstance-id: 7' })).network).toBeUndefined();
  });
});

describe('network configuration', () => {
  const links = (networkConfig: string) => noCloudData(files({ networkConfig })).network?.links;

  test('version 1: fixed with prefix or mask, DHCP, name servers', () => {
    const text = versionOne([
      "- { type: physical, name: eth0, mac_address: 'BC:24:11:00:00:01', subnets: [{ type: static, address: 10.0.0.5, netmask: 255.255.252.0, gateway: 10.0.0.1 }] }",
      '- { type: physical, name: eth1, subnets: [{ type: dhcp4 }, { type: static6, address: fd00::5/64 }] }',
      '- { type: nameserver, address: [10.0.0.2, 10.0.0.3], search: [example.org] }',
    ]);
    expect(noCloudData(files({ networkConfig: text })).network).toEqual({
      hostname: undefined,
      links: [
        { name: 'eth0', mac: 'bc:24:11:00:00:01', addresses: ['10.0.0.5/22'], gateway: '10.0.0.1', dhcp: false },
        { name: 'eth1', mac: undefined, addresses: ['fd00::5/64'], gateway: undefined, dhcp: true },
      ],
      nameservers: ['10.0.0.2', '10.0.0.3'],
    });
  });

  test('version 2, with and without the word network around it', () => {
    const inside =
      "version: 2\nethernets: { nic: { match: { macaddress: 'BC:24:11:00:00:02' }, addresses: [10.0.0.6/24], routes: [{ to: default, via: 10.0.0.1 }] } }\n";
    const expected = [
      { name: 'nic', mac: 'bc:24:11:00:00:02', addresses: ['10.0.0.6/24'], gateway: '10.0.0.1', dhcp: false },
    ];
    expect(links(inside)).toEqual(expected);
    expect(links(`network:\n${inside.replaceAll(/^(?=.)/gm, '  ')}`)).toEqual(expected);
  });

  test.each(['version: 3\n', 'ethernets: {}\n', '{'])('%j is none', (text) => {
    expect(links(text)).toBeUndefined();
  });
});
