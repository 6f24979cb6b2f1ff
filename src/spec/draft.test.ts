import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sweep } from '../../test/sweep.ts';
import { formatAddress, parseCidr } from '../model/ip.ts';
import { talosReleases } from '../model/talos-releases.ts';
import type { Given } from './answers.ts';
import { draftPlatform } from './draft.ts';
import { read } from './read.ts';

const label = fc.stringMatching(/^[a-z][a-z0-9-]{0,18}[a-z0-9]$/);
const hostList = fc.uniqueArray(fc.stringMatching(/^[A-Za-z][A-Za-z0-9_-]{0,12}$/), { minLength: 1, maxLength: 6 });
const octet = fc.integer({ min: 0, max: 255 });
const network = fc
  .tuple(fc.constantFrom('10', '172', '192'), octet, octet)
  .map(([first, second, third]) =>
    first === '10'
      ? `10.${second}.${third}.0/24`
      : first === '172'
        ? `172.${16 + (second % 16)}.${third}.0/24`
        : `192.168.${third}.0/24`,
  );

/** Everything that a sensible person could answer, in every combination. */
const sensible: fc.Arbitrary<Given> = fc
  .record({
    name: fc.option(label, { nil: undefined }),
    folder: fc.string(),
    provider: fc.constantFrom('proxmox', 'libvirt', 'openstack', 'existing'),
    hosts: hostList,
    noHosts: fc.boolean(),
    capacity: fc.constantFrom(undefined, '32,128GiB', '4, 16GiB'),
    controlPlanes: fc.constantFrom(undefined, 1, 3, 5, 7, 9),
    workers: fc.option(fc.integer({ min: 0, max: 60 }), { nil: undefined }),
    network: fc.option(network, { nil: undefined }),
    hasGateway: fc.boolean(),
    hasVip: fc.boolean(),
    how: fc.constantFrom('dhcp', 'first', 'range', undefined),
    hostnames: fc.constantFrom(undefined, 'talos', 'dhcp'),
    talos: fc.constantFrom(undefined, ...Object.values(talosReleases).map(({ patch }) => patch)),
    ipv6: fc.boolean(),
  })
  .map(({ hosts, noHosts, hasGateway, hasVip, how, network: net, ipv6, ...rest }): Given => {
    const at = (host: number): string | undefined => {
      const cidr = net === undefined ? undefined : parseCidr(net);
      return cidr && formatAddress({ family: 4, value: cidr.first + BigInt(host) });
    };
    const isStatic = net !== undefined && (how === 'first' || how === 'range');
    const machines = (rest.controlPlanes ?? 3) + (rest.workers ?? 3);
    return {
      ...rest,
      endpoint:
        rest.provider === 'proxmox' ? (ipv6 ? 'https://[fd00::1]:8006' : 'https://pve1.example.org:8006') : undefined,
      cloud: rest.provider === 'openstack' ? 'prod cloud' : undefined,
      hosts:
        rest.provider === 'existing'
          ? Array.from({ length: machines }, (_, index) =>
              net === undefined ? `fd00::${index + 10}` : (at(index + 20) ?? ''),
            )
          : noHosts && !ipv6
            ? undefined
            : rest.provider === 'libvirt'
              ? hosts.map((host) =>
                  host.length % 2 === 0 ? host : `qemu+ssh://root@${host.replaceAll('_', '-')}.example.org/system`,
                )
              : hosts,
      controlPlanes: rest.provider === 'existing' ? (rest.controlPlanes ?? 3) : rest.controlPlanes,
      workers: rest.provider === 'existing' ? (rest.workers ?? 3) : rest.workers,
      network: net,
      gateway: hasGateway || isStatic ? at(1) : undefined,
      vip: hasVip ? (at(5) ?? '10.0.0.5') : undefined,
      addresses:
        rest.provider === 'existing'
          ? undefined
          : isStatic
            ? `static:${at(11)}${how === 'range' ? `-${at(240)}` : ''}`
            : how === 'dhcp'
              ? 'dhcp'
              : undefined,
    };
  })
  // Two URIs of one host would be one host.
  .filter(
    ({ hosts, provider }) =>
      provider !== 'libvirt' ||
      new Set(hosts?.map((host) => host.replace(/^.*@|\..*$/g, '').toLowerCase())).size === (hosts?.length ?? 0),
  );

test('whatever sensible answers are given, the file is right', () => {
  fc.assert(
    fc.property(sensible, (given) => {
      const { file, problems } = draftPlatform(given);
      expect(problems.map(({ path, message }) => `${path}: ${message}`)).toEqual([]);
      const { platforms } = read({ sources: [{ name: 'a.yaml', content: file ?? '' }] });
      expect(platforms).toHaveLength(1);
    }),
    sweep('sensible answers', 100, 2000),
  );
});

test('whatever is answered, there is a file that is right, or every problem names a flag', () => {
  const anything = fc.option(
    fc.oneof(
      fc.string(),
      fc.constantFrom('10.10.0.5', 'https://a', '::1', '10.0.0.0/8', 'null', '{', '"', 'a: b', '#', 'x\ny'),
    ),
    { nil: undefined },
  );
  fc.assert(
    fc.property(
      fc.record({
        name: anything,
        provider: fc.constantFrom('proxmox', 'libvirt', 'openstack', 'existing', undefined),
        endpoint: anything,
        cloud: anything,
        hosts: fc.option(
          fc.array(
            anything.map((host) => host ?? ''),
            { maxLength: 4 },
          ),
          { nil: undefined },
        ),
        capacity: anything,
        controlPlanes: fc.option(fc.nat(12), { nil: undefined }),
        workers: fc.option(fc.nat(6000), { nil: undefined }),
        vip: anything,
        network: anything,
        gateway: anything,
        addresses: anything.map((address) => (address === undefined ? undefined : `static:${address}`)),
        talos: anything,
      }),
      (given) => {
        const { file, problems } = draftPlatform(given);
        if (file === undefined) expect(problems.filter(({ path }) => !path?.startsWith('--'))).toEqual([]);
        else
          expect(
            read({ sources: [{ name: 'a.yaml', content: file }] }).problems.filter(
              ({ severity }) => severity === 'error',
            ),
          ).toEqual([]);
      },
    ),
    sweep('any answers', 100, 2000),
  );
});

const complete: Readonly<Record<string, Given>> = {
  proxmox: {
    name: 'prod',
    provider: 'proxmox',
    endpoint: 'https://pve1.example.org:8006',
    hosts: ['pve1', 'pve2', 'pve3'],
  },
  libvirt: { name: 'prod', provider: 'libvirt' },
  openstack: { name: 'prod', provider: 'openstack', cloud: 'prod' },
  existing: { name: 'prod', provider: 'existing', hosts: ['10.0.0.1'] },
};

describe('the options that are commented out', () => {
  test.each(Object.entries(complete))('of %s can be taken as they stand', (_, given) => {
    const { file = '' } = draftPlatform(given);
    const lines = file.split('\n');
    const options = lines.flatMap((line, index) => (/^\s*#\S/.test(line) ? [index] : []));
    expect(options.length).toBeGreaterThan(2);
    const taken = (chosen: readonly number[]) =>
      lines.map((line, index) => (chosen.includes(index) ? line.replace('#', '') : line)).join('\n');
    for (const chosen of options.map((option) => [option])) {
      const problems = read({ sources: [{ name: 'a.yaml', content: taken(chosen) }] }).problems.map(
        ({ message }) => message,
      );
      expect([taken(chosen), problems]).toEqual([taken(chosen), []]);
    }
  });
});

describe('what is said about an answer', () => {
  test.each<[what: string, given: Given, says: readonly string[]]>([
    [
      'nothing',
      {},
      [
        '--provider missing-answer: Where machines come from is not known. | Add --provider proxmox, libvirt, openstack or existing',
      ],
    ],
    [
      'Proxmox alone',
      { provider: 'proxmox' },
      [
        '--endpoint missing-answer: The address of Proxmox is not known. | Add --endpoint https://pve1.example.org:8006',
        '--hosts missing-answer: The name of a host is not known. | Add --hosts pve1,pve2,pve3',
      ],
    ],
    [
      'an address of Proxmox without a name',
      { provider: 'proxmox', endpoint: 'https://10.0.0.1:8006' },
      ['--hosts missing-answer: The name of a host is not known. | Add --hosts pve1,pve2,pve3'],
    ],
    [
      'OpenStack alone',
      { provider: 'openstack' },
      [
        '--cloud missing-answer: The name of the cloud in clouds.yaml is not known. | Add --cloud NAME, or set OS_CLOUD',
      ],
    ],
    [
      'existing machines alone',
      { provider: 'existing' },
      ['--hosts missing-answer: Where the machines wait is not known. | Add --hosts 10.10.0.11,10.10.0.12,10.10.0.13'],
    ],
    [
      'a name',
      { ...complete['libvirt'], name: 'My Platform' },
      ['--name wrong-format: Expected lower-case letters, digits and dashes, found "My Platform". | For example: prod'],
    ],
    [
      'a long name',
      { ...complete['libvirt'], name: 'p'.repeat(62) },
      [
        `--name wrong-name: "${'p'.repeat(62)}-cp-0" cannot be the name of a machine. | Names have up to 63 lower-case letters, digits and dashes: shorten the platform’s or the pool’s name, or change cluster.names.`,
      ],
    ],
    [
      'an endpoint without TLS',
      { ...complete['proxmox'], endpoint: 'http://pve1' },
      [
        '--endpoint wrong-format: Expected a URL that begins with https://, found "http://pve1". | For example: https://pve1.example.org:8006',
      ],
    ],
    [
      'hosts twice',
      { ...complete['proxmox'], hosts: ['a', 'a'] },
      ['--hosts listed-twice: "a" is listed twice. | Keep one of the two.'],
    ],
    [
      'a host that no key can be',
      { ...complete['libvirt'], hosts: ['__proto__'] },
      ['--hosts wrong-name: "__proto__" cannot be a key. | Use another name.'],
    ],
    [
      'a capacity',
      { ...complete['proxmox'], capacity: '32' },
      ['--capacity out-of-bounds: spec.machines.proxmox.capacity.pve1.memory must not be empty. | For example: 16GiB'],
    ],
    [
      'an even number',
      { ...complete['proxmox'], controlPlanes: 4 },
      [
        '--control-planes even-control-planes: 4 control planes tolerate no more failures than 3: etcd needs a majority, so the number must be odd. | Use 3 or 5.',
      ],
    ],
    [
      'too many workers',
      { ...complete['libvirt'], workers: 5000 },
      [
        '--workers too-many-machines: The groups ask for 5001 machines together, and Kubernetes is made for up to 5000 nodes. | Ask for fewer replicas, or make several platforms.',
      ],
    ],
    [
      'a VIP outside',
      { ...complete['proxmox'], vip: '10.1.0.5', network: '10.2.0.0/24' },
      [
        '--vip vip-outside: The VIP 10.1.0.5 is not an address for a machine in 10.2.0.0/24. | Choose a free address of 10.2.0.0/24.',
      ],
    ],
    [
      'a network with host bits',
      { ...complete['proxmox'], network: '10.2.0.1/24' },
      [
        '--network wrong-format: Expected a network in CIDR form without host bits, such as 10.10.0.0/24, found "10.2.0.1/24". | For example: 10.10.0.0/24',
      ],
    ],
    [
      'static addresses alone',
      { ...complete['proxmox'], addresses: 'static:10.2.0.11' },
      [
        '--network static-needs: Static addresses need cluster.network.nodes. | Add for example "nodes: 10.10.0.0/24".',
        '--gateway static-needs: Static addresses need cluster.network.gateway. | Add for example "gateway: 10.10.0.1".',
      ],
    ],
    [
      'too few static addresses',
      { ...complete['proxmox'], network: '10.2.0.0/24', gateway: '10.2.0.1', addresses: 'static:10.2.0.11-12' },
      [
        '--addresses range-too-small: 3 machines need more than the 2 addresses of controlPlane. | End it at 10.2.0.13 or later.',
      ],
    ],
    [
      'no address',
      { ...complete['proxmox'], network: '10.2.0.0/24', gateway: '10.2.0.1', addresses: 'static:here' },
      [
        '--addresses wrong-format: Expected addresses such as 10.10.0.20-10.10.0.39, 10.10.0.20-39 or 10.10.0.64/27, found "here". | For example: 10.10.0.20-10.10.0.39',
      ],
    ],
    [
      'a gateway outside',
      { ...complete['proxmox'], network: '10.2.0.0/24', gateway: '10.3.0.1' },
      [
        '--gateway address-outside: The gateway 10.3.0.1 is not an address of 10.2.0.0/24. | Choose an address of 10.2.0.0/24.',
      ],
    ],
    [
      'too few machines',
      { ...complete['existing'], controlPlanes: 3 },
      [
        '--hosts no-address: The file asks for machines that are not in machines.existing.machines: prod-cp-1, prod-cp-2. | Add "prod-cp-1: { address: … }", or ask for fewer replicas.',
      ],
    ],
    [
      'a Talos of tomorrow',
      { ...complete['libvirt'], talos: 'v2.0.0' },
      ['--talos unknown-talos: ichor does not know Talos 2.0. | Use a version from 1.9 to 1.14.'],
    ],
  ])('%s', (_, given, says) => {
    expect(
      draftPlatform(given).problems.map(({ path, code, message, remedy }) => `${path} ${code}: ${message} | ${remedy}`),
    ).toEqual(says);
  });
});

test.each<[what: string, given: Given, expected: Readonly<Record<string, unknown>>]>([
  ['a name from the folder', { folder: 'My Homelab!', provider: 'libvirt' }, { name: 'my-homelab' }],
  ['a name from nothing', { folder: '/', provider: 'libvirt' }, { name: 'platform' }],
  [
    'the host of the endpoint',
    { provider: 'proxmox', endpoint: 'https://pve7.example.org:8006' },
    { hosts: ['pve7'], controlPlanes: 1, workers: 1 },
  ],
  ['three where there are three hosts', complete['proxmox'] ?? {}, { controlPlanes: 3, workers: 3 }],
  [
    'as many workers as there are addresses left',
    { provider: 'existing', hosts: ['10.0.0.1', '10.0.0.2', '10.0.0.3', '10.0.0.4'] },
    { controlPlanes: 3, workers: 1 },
  ],
  [
    'networks of pods and services apart from the machines’',
    { ...complete['libvirt'], network: '10.100.0.0/24' },
    { pods: undefined, services: '172.21.0.0/16' },
  ],
  [
    'room to grow, up to what is taken',
    {
      ...complete['proxmox'],
      network: '10.2.0.0/24',
      gateway: '10.2.0.1',
      vip: '10.2.0.20',
      addresses: 'static:10.2.0.11',
    },
    { addresses: { controlPlanes: '10.2.0.11-10.2.0.13', workers: '10.2.0.14-10.2.0.19' } },
  ],
])('%s', (_, given, expected) => {
  expect(draftPlatform(given).answers).toMatchObject(expected);
});
