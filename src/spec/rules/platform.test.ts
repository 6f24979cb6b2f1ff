import { expect, test } from 'vitest';
import { platformFile, said } from '../../../test/said.ts';
import { check } from '../check.ts';
import type { PlatformDraft } from '../expand.ts';
import { platform } from '../schema/platform.ts';
import { parseYaml } from '../yaml.ts';
import { platformRules } from './platform.ts';

const libvirt = '{ libvirt: {} }';

/** For every rule something that makes it speak; a rule without a row does not pass. */
const speaks: Readonly<Record<string, readonly [code: string, sections: Readonly<Record<string, string>>]>> = {
  oddControlPlanes: ['even-control-planes', { cluster: '{ controlPlane: { replicas: 4 } }' }],
  threeForHighAvailability: ['too-few-for-ha', { cluster: '{ highAvailability: true }' }],
  supportedVersions: ['unknown-talos', { cluster: '{ talos: { version: 0.9.0 } }' }],
  fewEnough: ['too-many-machines', { cluster: '{ workers: { a: { replicas: 5000 } } }' }],
  bigEnough: ['too-small', { cluster: '{ controlPlane: { disk: 1GiB } }' }],
  somewhereToRun: ['nowhere-to-run', { cluster: '{ controlPlane: { schedulable: false } }' }],
  nameTemplates: ['same-names', { cluster: '{ names: { worker: w } }' }],
  poolNames: ['reserved-name', { cluster: '{ workers: { cp: {} } }' }],
  machineNames: ['wrong-name', { cluster: '{ names: { controlPlane: "-{index}" } }' }],
  namedMachines: ['unknown-machine', { cluster: '{ nodes: { x: {} } }' }],
  ownHostnames: ['same-names', { cluster: '{ workers: { a: {} }, nodes: { a-0: { hostname: prod-cp-0 } } }' }],
  hostsOnce: ['listed-twice', { machines: '{ proxmox: { hosts: [a, a] } }' }],
  knownHosts: ['unknown-host', { cluster: '{ nodes: { cp-0: { host: x } } }' }],
  pinnedMachines: ['not-pinned', { cluster: '{ placement: { strategy: pin } }' }],
  networksApart: ['overlapping-networks', { cluster: '{ network: { nodes: 10.96.0.0/24 } }' }],
  vip: ['vip-outside', { cluster: '{ endpoint: { vip: 10.1.0.1 }, network: { nodes: 10.2.0.0/24 } }' }],
  machineAddresses: [
    'address-outside',
    { cluster: '{ network: { nodes: 10.2.0.0/24 }, nodes: { cp-0: { address: 10.1.0.1 } } }' },
  ],
  staticAddresses: [
    'no-address',
    { cluster: '{ network: { addresses: static, nodes: 10.2.0.0/24, gateway: 10.2.0.1 } }' },
  ],
  addressRanges: ['range-too-small', { cluster: '{ controlPlane: { replicas: 3, addresses: 10.2.0.1 } }' }],
  ownIds: ['same-vmid', { cluster: '{ nodes: { cp-0: { vmid: 400 }, cp-1: { vmid: 400 } } }' }],
  vmidRanges: [
    'overlapping-ranges',
    { cluster: '{ controlPlane: { vmids: 400-410 }, workers: { a: { vmids: 410-420 } } }' },
  ],
  vmidsOnProxmox: ['no-effect', { machines: libvirt, cluster: '{ controlPlane: { vmids: 400-410 } }' }],
  insecure: ['insecure', { machines: '{ proxmox: { tls: { insecure: true } } }' }],
  openstackCredentials: ['one-of', { machines: '{ openstack: {} }' }],
  libvirtBridge: ['needs-bridge', { machines: '{ libvirt: { network: { mode: bridge } } }' }],
  existingMachines: ['no-address', { machines: '{ existing: { machines: {} } }' }],
  talosImage: ['no-effect', { machines: libvirt, cluster: '{ talos: { image: { iso: "local:iso/talos.iso" } } }' }],
  guestAgent: ['no-agent', { cluster: '{ talos: { extensions: [] } }' }],
  features: ['needs-discovery', { cluster: '{ kubeSpan: { enabled: true }, discovery: { enabled: false } }' }],
  extensionEnvironment: [
    'secret-in-clear',
    { cluster: '{ extensionServices: { a: { environment: { A_PASSWORD: x } } } }' },
  ],
  neededServices: ['needs-service', { services: '{ catalog: { powerdns: {} } }' }],
  serviceHosts: ['no-host', { services: '{ catalog: { gitea: {} } }' }],
  storageClasses: ['needs-provider', { machines: libvirt, services: '{ catalog: { proxmox-csi: {} } }' }],
  longhorn: ['needs-extension', { services: '{ catalog: { longhorn: {} } }' }],
  services: ['no-pool', { services: '{ catalog: { metallb: {} } }' }],
  gitCredentials: [
    'no-effect',
    { services: '{ gitops: { flux: { url: "ssh://git@a/b", credentials: { token: { env: A } } } } }' },
  ],
  configured: ['needs-service', { configuration: '{ dns: { powerdns: {} } }' }],
  signIn: ['unknown-value', { configuration: '{ sso: { authentik: { applications: [x] } } }' }],
};

const draftOf = (sections: Readonly<Record<string, string>>): PlatformDraft => {
  const [tree] = parseYaml({ name: 'a', content: platformFile(sections) }).documents;
  if (tree === undefined) throw new Error('There is no document.');
  return { name: 'prod', spec: check(platform, tree).draft.spec ?? {} };
};

test('every rule has a row', () => {
  expect(platformRules.map(({ name }) => name).toSorted()).toEqual(Object.keys(speaks).toSorted());
});

test.each(platformRules.map((rule) => [rule.name, rule] as const))(
  '%s speaks, and is silent about a good file',
  (name, rule) => {
    const [code, sections] = speaks[name] ?? ['', {}];
    expect([...rule(draftOf(sections))].map((complaint) => complaint.code)).toContain(code);
    expect([...rule(draftOf({}))]).toEqual([]);
  },
);

test.each(platformRules.map((rule) => [rule.name, rule] as const))('%s has nothing to say about nothing', (_, rule) => {
  expect([...rule({ name: 'prod', spec: {} })]).toEqual([]);
});

/** A broken value is one problem: no rule complains that it is missing, or counts without it. */
test.each<[what: string, sections: Readonly<Record<string, string>>, says: readonly string[]]>([
  [
    'a broken number of workers',
    {
      cluster:
        '{ controlPlane: { schedulable: false }, workers: { a: { replicas: three } }, nodes: { a-0: { host: pve1 } } }',
    },
    ['6:78 wrong-type: Expected a whole number from 0 to 5000, found "three". | Write a whole number from 0 to 5000.'],
  ],
  [
    'a broken pool',
    { cluster: '{ workers: { a: 5 }, nodes: { a-0: { host: pve1 } } }' },
    ['6:28 wrong-type: Expected a mapping, found a number. | Write a mapping.'],
  ],
  [
    'a broken template',
    { cluster: '{ names: { controlPlane: [x] }, nodes: { cp-0: { host: pve1 } } }' },
    ['6:37 wrong-type: Expected text, found a list. | For example: {platform}-cp-{index}'],
  ],
  [
    'a broken host among others',
    {
      machines: '{ proxmox: { endpoint: "https://a:1", token: { env: A }, hosts: ["pve 1", pve2, pve2] } }',
      cluster: '{ nodes: { cp-0: { host: pve-1 } } }',
    },
    [
      '5:78 wrong-format: Expected letters, digits, dots, dashes and underscores, found "pve 1". | For example: pve1',
      '5:93 listed-twice: "pve2" is listed twice. | Keep one of the two.',
    ],
  ],
  [
    'a broken address of libvirt',
    { machines: '{ libvirt: { hosts: { kvm1: nowhere }, capacity: { kvm1: { cpu: 4, memory: 8GiB } } } }' },
    [
      '5:41 wrong-format: Expected a URL that begins with qemu:// or qemu+ssh:// or qemu+tls:// or qemu+tcp:// or qemu+libssh:// or qemu+libssh2://, found "nowhere". | For example: qemu+ssh://root@kvm1.example.org/system',
    ],
  ],
  [
    'broken parts of static addresses',
    {
      cluster: '{ controlPlane: { addresses: x }, network: { addresses: static, nodes: 10.2.0.1/24, gateway: none } }',
    },
    [
      '6:41 wrong-format: Expected addresses such as 10.10.0.20-10.10.0.39, 10.10.0.20-39 or 10.10.0.64/27, found "x". | For example: 10.10.0.20-10.10.0.39',
      '6:83 wrong-format: Expected a network in CIDR form without host bits, such as 10.10.0.0/24, found "10.2.0.1/24". | For example: 10.10.0.0/24',
      '6:105 wrong-format: Expected an IPv4 or IPv6 address, such as 10.10.0.5, found "none". | For example: 10.10.0.5',
    ],
  ],
  [
    'a broken address of one machine',
    { machines: '{ existing: { machines: { cp-0: { address: x } } } }' },
    ['5:56 wrong-format: Expected an IPv4 or IPv6 address, such as 10.10.0.5, found "x". | For example: 10.10.0.5'],
  ],
  [
    'a broken pin',
    { cluster: '{ placement: { strategy: pin, pinned: { cp-0: 5 } } }' },
    [
      '6:58 wrong-type: Expected letters, digits, dots, dashes and underscores, found the number 5. | Put it in quotes: "5"',
    ],
  ],
  [
    'broken settings of services',
    {
      services:
        '{ domain: 5, catalog: { metallb: { pool: x }, ingress-nginx: {}, cert-manager: {}, gitea: { storageClass: 5 } } }',
      configuration: '{ dns: { powerdns: { url: 5, apiKey: 5 } } }',
    },
    [
      '6:23 wrong-type: Expected a DNS name, found the number 5. | Put it in quotes: "5"',
      '6:54 wrong-format: Expected addresses such as 10.10.0.20-10.10.0.39, 10.10.0.20-39 or 10.10.0.64/27, found "x". | For example: 10.10.0.20-10.10.0.39',
      '6:119 wrong-type: Expected lower-case letters, digits and dashes, found the number 5. | Put it in quotes: "5"',
      '7:44 wrong-type: Expected a URL that begins with https:// or http://, found the number 5. | For example: https://dns.example.org:8081',
      '7:55 secret-in-clear: A secret must not be written here in clear: spec.configuration.dns.powerdns.apiKey takes a reference. | Say where it is instead: "apiKey: { env: API_KEY }", or file, age, keyring, vault.',
    ],
  ],
  [
    'a broken credential of OpenStack',
    { machines: '{ openstack: { cloud: [a] } }' },
    ['5:35 wrong-type: Expected text, found a list. | For example: prod'],
  ],
  [
    'a broken name of the platform',
    { cluster: '{ controlPlane: { replicas: 4 } }' },
    [
      '6:40 even-control-planes: 4 control planes tolerate no more failures than 3: etcd needs a majority, so the number must be odd. | Use 3 or 5.',
    ],
  ],
])('%s is the only problem', (_, sections, says) => {
  expect(said(platformFile(sections))).toEqual(says);
});

test('rules still speak when the name of the platform is broken', () => {
  expect(said(platformFile({ cluster: '{ controlPlane: { replicas: 4 } }' }, 'My Platform'))).toEqual([
    '3:19 wrong-format: Expected lower-case letters, digits and dashes, found "My Platform". | For example: prod',
    '6:40 even-control-planes: 4 control planes tolerate no more failures than 3: etcd needs a majority, so the number must be odd. | Use 3 or 5.',
  ]);
});

test('what a rule finds again and again is said fifty times, and then that there is more', () => {
  const nodes = Array.from({ length: 60 }, (_, index) => `x${index}: {}`).join(', ');
  const complaints = said(platformFile({ cluster: `{ nodes: { ${nodes} } }` }));
  expect(complaints).toHaveLength(51);
  expect(complaints.at(-1)).toBe(
    '6:463 many-more: There are more than 50 such problems (unknown-machine). | Mend the others first.',
  );
});
