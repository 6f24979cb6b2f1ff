import { expect, test } from 'vitest';
import { explainPlace, type Explanation } from './explain.ts';
import { kindNames, kinds } from './kinds.ts';
import { findPlace } from './place.ts';
import { fieldsOf, itemOf, noteFor, valueOf, type Schema } from './schema-walk.ts';

const explain = (path: string): Explanation => explainPlace(findPlace(path));

test('a number: what it is, its bounds, its default, and the rules that speak about it', () => {
  expect(explain('cluster.controlPlane.replicas')).toEqual({
    kind: 'Platform',
    path: 'cluster.controlPlane.replicas',
    description: 'How many; an odd number, at least 3 for high availability.',
    type: 'a whole number from 1 to 9',
    required: false,
    default: { value: 1 },
    examples: [],
    rules: [
      'the number of control planes must be odd, because etcd needs a majority: use 1, 3, 5, 7 or 9',
      'high availability needs at least three control planes: use 3 or more, or leave highAvailability out',
    ],
    fields: [],
    isCollection: false,
  });
});

test('a map: what each entry may have', () => {
  const { type, isCollection, fields, rules } = explain('machines.existing.machines');
  expect({ type, isCollection, fields, rules }).toEqual({
    type: 'entries by name, each a mapping',
    isCollection: true,
    rules: ['each name must be lower-case letters, digits and dashes'],
    fields: [
      {
        name: 'address',
        description: 'Address where it waits in maintenance mode.',
        type: 'an IPv4 or IPv6 address, such as 10.10.0.5',
        required: true,
        default: undefined,
      },
      {
        name: 'fingerprint',
        description: 'Fingerprint of its maintenance certificate; absent: pinned at first contact.',
        type: 'the SHA-256 fingerprint of the certificate: 32 octets in hex, separated by colons',
        required: false,
        default: undefined,
      },
      {
        name: 'mac',
        description: 'MAC address of its first network card.',
        type: 'a unicast MAC address such as BC:24:11:00:00:10',
        required: false,
        default: undefined,
      },
    ],
  });
});

test.each<[string, string]>([
  ['cluster.hostnames', 'one of talos, dhcp'],
  ['cluster.highAvailability', 'true or false'],
  ['cluster.placement.overcommit.cpu', 'a number from 1 to 64'],
  ['machineclass.cpu.cores', 'a whole number'],
  ['cluster.controlPlane.memory', 'a size with its unit, such as 16GiB or 512MiB'],
  ['cluster.talos.extensions', 'a list of texts'],
  ['cluster.network.nameservers', 'a list of texts, each an IPv4 or IPv6 address, such as 10.10.0.5'],
  ['services.clusterApi.infrastructure', 'a list of values, each one of openstack, proxmox, metal3, docker'],
  ['machines.proxmox.endpoints', 'a list of mappings'],
  ['machines.proxmox.token', 'a reference to a secret'],
  ['services.catalog.harbor.values', 'any mapping'],
  [
    'cluster.patches',
    'a list of values, each a mapping (strategic merge) or text (several documents, or a JSON patch)',
  ],
  ['machineclass.memory.quantity', 'a quantity such as 8Gi'],
  ['topology.workers', 'a mapping, or only what stands under nodePools'],
  ['kind', '"Platform"'],
])('%s is %s', (path, type) => {
  expect(explain(path).type).toBe(type);
});

test.each<[string, Explanation['default']]>([
  ['cluster.name', { derived: 'the platform’s name' }],
  ['cluster.kubernetes.version', { derived: 'the newest that the Talos version is made for' }],
  ['services.catalog.harbor.host', { derived: 'harbor. in front of services.domain' }],
  ['cluster.cni', { value: { cilium: {} } }],
  ['machines.proxmox.endpoint', undefined],
])('the default of %s', (path, expected) => {
  expect(explain(path).default).toEqual(expected);
});

test.each<[string, readonly string[]]>([
  [
    'cluster.endpoint.vip',
    [
      'the VIP must be an address of the machines’ network (network.nodes)',
      'the VIP must not be the address of a machine under nodes: choose a free one',
      'at most one of vip, host must be given',
    ],
  ],
  ['cluster.nodes.cp-0.address', ['the VIP must not be the address of a machine under nodes: choose a free one']],
  [
    'cluster.placement.pinned.cp-0',
    [
      'a machine may be pinned only to a host of machines.proxmox.hosts',
      'each name must be lower-case letters, digits and dashes',
    ],
  ],
  ['services.catalog.proxmox-csi', ['proxmox-csi gives volumes of machines.proxmox: use longhorn elsewhere']],
  ['machines.proxmox.datastore', []],
  ['substrate.storage.cpu', []],
])('the rules about %s', (path, rules) => {
  expect(explain(path).rules).toEqual(rules);
});

test('every place can be asked for, and says something', () => {
  const silent: string[] = [];
  const visit = (schema: Schema, path: string): void => {
    const explanation = explain(path);
    if (explanation.type === '' || explanation.description === undefined) silent.push(path);
    if (noteFor(schema).free === true) return;
    for (const [name, field] of Object.entries(fieldsOf(schema) ?? {})) visit(field, `${path}.${name}`);
    const [value, item] = [valueOf(schema), itemOf(schema)];
    if (value !== undefined) visit(value, `${path}.<name>`);
    if (item !== undefined) visit(item, `${path}[0]`);
  };
  for (const kind of kindNames) {
    const spec = fieldsOf(kinds[kind].document)?.['spec'];
    if (spec !== undefined) visit(spec, `${kind}.spec`);
  }
  expect(silent).toEqual([]);
});
