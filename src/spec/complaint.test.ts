import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { platformFile, said } from '../../test/said.ts';

describe('an unknown key', () => {
  test.each<[what: string, file: string, says: readonly string[]]>([
    [
      'that is nearly a known one',
      platformFile({ cluster: '{ worker: {} }' }),
      ['6:14 unknown-key: Unknown key "worker" in spec.cluster. | Did you mean "workers"?'],
    ],
    [
      'that has another name here',
      platformFile({ cluster: '{ controlPlane: { cores: 4 } }' }),
      ['6:30 unknown-key: Unknown key "cores" in spec.cluster.controlPlane. | Did you mean "cpu"?'],
    ],
    [
      'that belongs to another mapping',
      platformFile({ cluster: '{ taints: [], bridge: vmbr0 }' }),
      [
        '6:14 unknown-key: Unknown key "taints" in spec.cluster. | "taints" belongs for example to spec.cluster.controlPlane.',
        '6:26 unknown-key: Unknown key "bridge" in spec.cluster. | "bridge" belongs for example to spec.machines.proxmox.',
      ],
    ],
    [
      'that belongs into spec',
      'apiVersion: ichor.dev/v1alpha1\nkind: Platform\nmetadata: { name: a }\ncluster: {}\nspec: { machines: { libvirt: {} } }\n',
      ['4:1 unknown-key: Unknown key "cluster" in this document. | "cluster" belongs to spec.'],
    ],
    [
      'where there are none',
      platformFile({ cluster: '{ cni: { flannel: { mtu: 1 } } }' }),
      ['6:32 unknown-key: Unknown key "mtu" in spec.cluster.cni.flannel. | Nothing can be set here.'],
    ],
    [
      'that nobody knows',
      platformFile({ frobnicate: '1' }),
      [
        '6:3 unknown-key: Unknown key "frobnicate" in spec. | Known here: environment, identity, machines, cluster, services, configuration.',
      ],
    ],
    [
      'that every object has',
      platformFile({ constructor: '1', toString: '2' }),
      [
        '6:3 unknown-key: Unknown key "constructor" in spec. | Known here: environment, identity, machines, cluster, services, configuration.',
        '7:3 unknown-key: Unknown key "toString" in spec. | Known here: environment, identity, machines, cluster, services, configuration.',
      ],
    ],
    [
      'of unreasonable length',
      platformFile({
        keeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeey: '1',
      }),
      [
        '6:3 unknown-key: Unknown key "keeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee…" in spec. | Known here: environment, identity, machines, cluster, services, configuration.',
      ],
    ],
    [
      'in a secret, which might be the secret',
      platformFile({ machines: '{ proxmox: { endpoint: "https://a:1", hosts: [a], token: { hunter2 } } }' }),
      ['5:72 unknown-key: Unknown key in spec.machines.proxmox.token. | Known here: env, file, age, keyring, vault.'],
    ],
    [
      'in a secret, which is nearly a known one',
      platformFile({ machines: '{ proxmox: { endpoint: "https://a:1", hosts: [a], token: { fil: ./token } } }' }),
      ['5:72 unknown-key: Unknown key in spec.machines.proxmox.token. | Did you mean "file"?'],
    ],
  ])('%s', (_, file, says) => {
    expect(said(file)).toEqual(says);
  });
});

describe('a value of the wrong type', () => {
  test.each<[what: string, file: string, says: readonly string[]]>([
    [
      'a list for a mapping',
      platformFile({ cluster: '[1]' }),
      ['6:12 wrong-type: Expected a mapping, found a list. | Write a mapping.'],
    ],
    [
      'text for a list',
      platformFile({ cluster: '{ certSANs: a }' }),
      ['6:24 wrong-type: Expected a list, found "a". | For example: [k8s.example.org]'],
    ],
    [
      'text for true or false',
      platformFile({ cluster: '{ highAvailability: maybe }' }),
      ['6:32 wrong-type: Expected true or false, found "maybe". | Write true or false.'],
    ],
    [
      'a fraction, and a number in quotes',
      platformFile({ cluster: '{ controlPlane: { replicas: 1.5, cpu: "4" } }' }),
      [
        '6:40 wrong-type: Expected a whole number from 1 to 9, found the number 1.5. | Write a whole number from 1 to 9.',
        '6:50 wrong-type: Expected a whole number from 2 to 1024, found "4". | Leave the quotes out: 4',
      ],
    ],
    [
      'a number for a version',
      platformFile({ cluster: '{ kubernetes: { version: 1.30 } }' }),
      ['6:37 wrong-type: Expected a version such as v1.35.2, found the number 1.30. | For example: v1.35.2'],
    ],
    [
      'true and a number for text',
      platformFile({ environment: 'true', services: '{ gitops: { flux: { url: "ssh://git@a/b", branch: 1.0 } } }' }),
      [
        '6:16 wrong-type: Expected text, found true. | Put it in quotes: "true"',
        '7:63 wrong-type: Expected text, found the number 1.0. | Put it in quotes: "1.0"',
      ],
    ],
    [
      'not even a number',
      platformFile({ cluster: '{ controlPlane: { replicas: .nan, cpu: .inf } }' }),
      [
        '6:40 wrong-type: Expected a whole number from 1 to 9, found the number .nan. | Write a whole number from 1 to 9.',
        '6:51 wrong-type: Expected a whole number from 2 to 1024, found the number .inf. | Write a whole number from 2 to 1024.',
      ],
    ],
    [
      'text for a mapping with secrets in it',
      platformFile({ machines: '{ proxmox: { endpoint: "https://a:1", hosts: [a], login: "root:hunter2" } }' }),
      ['5:70 wrong-type: Expected a mapping, found text. | Write a mapping.'],
    ],
  ])('%s', (_, file, says) => {
    expect(said(file)).toEqual(says);
  });
});

describe('nothing', () => {
  test.each<[what: string, file: string, says: readonly string[]]>([
    [
      'for a mapping with defaults',
      platformFile({ cluster: '{ workers: { general: } }' }),
      [
        '6:34 empty: Nothing is given for spec.cluster.workers.general. | Write {} to take the defaults, or leave the key out.',
      ],
    ],
    [
      'for a mapping that must be',
      platformFile({ machines: '' }),
      [
        '5:13 empty: Nothing is given for spec.machines. | Add machines: where the machines come from; one of proxmox, libvirt, openstack, existing.',
      ],
    ],
    [
      'for a value',
      platformFile({ cluster: '{ controlPlane: { memory: } }' }),
      ['6:38 empty: Nothing is given for spec.cluster.controlPlane.memory. | For example: 16GiB'],
    ],
    [
      'for a secret',
      platformFile({ machines: '{ proxmox: { endpoint: "https://a:1", hosts: [a], token:  } }' }),
      [
        '5:71 empty: Nothing is given for spec.machines.proxmox.token. | Say where it is: "token: { env: TOKEN }", or file, age, keyring, vault.',
      ],
    ],
  ])('%s', (_, file, says) => {
    expect(said(file)).toEqual(says);
  });
});

describe('something missing', () => {
  test.each<[what: string, file: string, says: readonly string[]]>([
    [
      'machines',
      'apiVersion: ichor.dev/v1alpha1\nkind: Platform\nmetadata: { name: a }\nspec: {}\n',
      [
        '4:1 missing: spec needs "machines". | Add machines: where the machines come from; one of proxmox, libvirt, openstack, existing.',
      ],
    ],
    [
      'metadata and spec',
      'apiVersion: ichor.dev/v1alpha1\nkind: Platform\n',
      [
        '1:1 missing: This document needs "metadata". | Add for example "metadata: { name: prod }".',
        '1:1 missing: This document needs "spec". | Add spec: A whole platform, in layers: each may use only what the layers above it have brought up.',
      ],
    ],
    [
      'a name',
      'apiVersion: ichor.dev/v1alpha1\nkind: Platform\nmetadata: {}\nspec: { machines: { libvirt: {} } }\n',
      ['3:1 missing: metadata needs "name". | Add for example "name: prod".'],
    ],
    [
      'an address, a list and a choice',
      platformFile({ machines: '{ proxmox: {} }' }),
      [
        '5:15 missing: spec.machines.proxmox needs "endpoint". | Add for example "endpoint: https://pve1.example.org:8006".',
        '5:15 missing: spec.machines.proxmox needs "hosts". | Add for example "hosts: [pve1]".',
        '5:15 one-of: spec.machines.proxmox needs one of token, login. | Add one of them; what each takes is shown by:\n    ichor explain machines.proxmox',
      ],
    ],
    [
      'a secret',
      platformFile({ machines: '{ proxmox: { endpoint: "https://a:1", hosts: [a], login: { username: a } } }' }),
      [
        '5:63 missing: spec.machines.proxmox.login needs "password". | Say where it is: "password: { env: PASSWORD }", or file, age, keyring, vault.',
      ],
    ],
    [
      'a mapping with two fields',
      'apiVersion: ichor.dev/v1alpha1\nkind: Substrate\nmetadata: { name: a }\nspec: {}\n',
      [
        '4:1 missing: spec needs "image". | Add for example "image: { url: https://example.org/ubuntu-24.04.img, checksum: sha256:0000000000000000000000000000000000000000000000000000000000000000 }".',
      ],
    ],
  ])('%s', (_, file, says) => {
    expect(said(file)).toEqual(says);
  });
});

describe('a secret', () => {
  test.each<[what: string, file: string, says: readonly string[]]>([
    [
      'in clear',
      platformFile({ machines: '{ proxmox: { endpoint: "https://a:1", hosts: [a], token: hunter2 } }' }),
      [
        '5:70 secret-in-clear: A secret must not be written here in clear: spec.machines.proxmox.token takes a reference. | Say where it is instead: "token: { env: TOKEN }", or file, age, keyring, vault.',
      ],
    ],
    [
      'as a number',
      platformFile({ machines: '{ proxmox: { endpoint: "https://a:1", hosts: [a], token: 4711 } }' }),
      [
        '5:70 secret-in-clear: A secret must not be written here in clear: spec.machines.proxmox.token takes a reference. | Say where it is instead: "token: { env: TOKEN }", or file, age, keyring, vault.',
      ],
    ],
    [
      'in a list',
      platformFile({ machines: '{ proxmox: { endpoint: "https://a:1", hosts: [a], token: [hunter2] } }' }),
      [
        '5:70 secret-in-clear: A secret must not be written here in clear: spec.machines.proxmox.token takes a reference. | Say where it is instead: "token: { env: TOKEN }", or file, age, keyring, vault.',
      ],
    ],
    [
      'in two places',
      platformFile({ machines: '{ proxmox: { endpoint: "https://a:1", hosts: [a], token: { env: A, file: ./b } } }' }),
      [
        '5:80 one-of: spec.machines.proxmox.token has env and file, and only one of them can be. | Keep one of env and file.',
      ],
    ],
    [
      'nowhere',
      platformFile({ machines: '{ proxmox: { endpoint: "https://a:1", hosts: [a], token: {} } }' }),
      [
        '5:63 one-of: spec.machines.proxmox.token needs one of env, file, age, keyring, vault. | Say where it is: "token: { env: TOKEN }", or file, age, keyring, vault.',
      ],
    ],
    [
      'as the name of a variable',
      platformFile({
        machines: '{ proxmox: { endpoint: "https://a:1", hosts: [a], token: { env: "root@pam!x=hunter2" } } }',
      }),
      ['5:77 wrong-format: Expected the name of an environment variable, found text. | For example: PROXMOX_TOKEN'],
    ],
    [
      'as a number for a variable',
      platformFile({ machines: '{ proxmox: { endpoint: "https://a:1", hosts: [a], token: { env: 4711 } } }' }),
      ['5:77 wrong-type: Expected the name of an environment variable, found a number. | For example: PROXMOX_TOKEN'],
    ],
    [
      'in a URL',
      platformFile({
        machines: '{ proxmox: { endpoint: "https://root:hunter2@a:1", hosts: [a], token: { env: A } } }',
        services: '{ gitops: { flux: { url: "https://hunter2@git.example.org/a.git" } } }',
      }),
      [
        '5:36 secret-in-clear: A user and password must not be written in a URL: spec.machines.proxmox.endpoint would be a secret in clear. | Leave them out; credentials have keys of their own.',
        '6:38 secret-in-clear: A user and password must not be written in a URL: spec.services.gitops.flux.url would be a secret in clear. | Leave them out; credentials have keys of their own.',
      ],
    ],
  ])('%s', (_, file, says) => {
    expect(said(file)).toEqual(says);
  });
});

describe('a value that is none of a few', () => {
  test.each<[what: string, file: string, says: readonly string[]]>([
    [
      'nearly one, and not nearly',
      platformFile({ cluster: '{ hostnames: dhpc, placement: { strategy: random } }' }),
      [
        '6:25 unknown-value: "dhpc" is not one of talos, dhcp. | Did you mean "dhcp"?',
        '6:54 unknown-value: "random" is not one of spread, pin. | Use one of spread, pin.',
      ],
    ],
    [
      'not even text',
      platformFile({ cluster: '{ network: { addresses: 5 }, hostnames: [dhcp] }' }),
      [
        '6:36 unknown-value: The number 5 is not one of dhcp, static. | Use one of dhcp, static.',
        '6:52 unknown-value: A list is not one of talos, dhcp. | Use one of talos, dhcp.',
      ],
    ],
    [
      'of a choice of one',
      'apiVersion: ichor.dev/v1alpha1\nkind: Substrate\nmetadata: { name: a }\nspec: { image: { url: "file:///a", checksum: "sha256:0000000000000000000000000000000000000000000000000000000000000000" }, openstack: { networking: ovs } }\n',
      ['4:148 unknown-value: "ovs" is not "ovn". | Did you mean "ovn"?'],
    ],
  ])('%s', (_, file, says) => {
    expect(said(file)).toEqual(says);
  });
});

describe('out of bounds', () => {
  test.each<[what: string, file: string, says: readonly string[]]>([
    [
      'numbers',
      platformFile({ cluster: '{ controlPlane: { replicas: 0, cpu: 9999 }, nodes: { cp-0: { vmid: 5 } } }' }),
      [
        '6:40 out-of-bounds: spec.cluster.controlPlane.replicas must be at least 1, found 0. | Use 1 or more.',
        '6:48 out-of-bounds: spec.cluster.controlPlane.cpu must be at most 1024, found 9999. | Use 1024 or less.',
        '6:79 out-of-bounds: spec.cluster.nodes.cp-0.vmid must be at least 100, found 5. | Use 100 or more.',
      ],
    ],
    [
      'a number that no computer counts with',
      platformFile({ cluster: '{ controlPlane: { replicas: 99999999999999999999 } }' }),
      ['6:40 out-of-bounds: 99999999999999999999 is too large a number. | Use a smaller number.'],
    ],
    [
      'text that is too long',
      platformFile({ environment: 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx' }),
      ['6:16 out-of-bounds: spec.environment may have at most 63 characters. | Make it shorter.'],
    ],
    [
      'text that is empty',
      platformFile({ environment: '""' }),
      ['6:16 out-of-bounds: spec.environment must not be empty. | For example: production'],
    ],
    [
      'lists',
      platformFile({
        machines: '{ proxmox: { endpoint: "https://a:1", hosts: [], token: { env: A } } }',
        cluster:
          '{ certSANs: [a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a30, a31, a32, a33, a34, a35, a36, a37, a38, a39, a40, a41, a42, a43, a44, a45, a46, a47, a48, a49, a50, a51, a52, a53, a54, a55, a56, a57, a58, a59, a60, a61, a62, a63, a64] }',
      }),
      [
        '5:58 out-of-bounds: spec.machines.proxmox.hosts must not be empty. | For example: [pve1]',
        '6:24 out-of-bounds: spec.cluster.certSANs may have at most 64 items. | Make it shorter.',
      ],
    ],
    [
      'mappings',
      platformFile({
        cluster:
          '{ sysctls: { a0: b, a1: b, a2: b, a3: b, a4: b, a5: b, a6: b, a7: b, a8: b, a9: b, a10: b, a11: b, a12: b, a13: b, a14: b, a15: b, a16: b, a17: b, a18: b, a19: b, a20: b, a21: b, a22: b, a23: b, a24: b, a25: b, a26: b, a27: b, a28: b, a29: b, a30: b, a31: b, a32: b, a33: b, a34: b, a35: b, a36: b, a37: b, a38: b, a39: b, a40: b, a41: b, a42: b, a43: b, a44: b, a45: b, a46: b, a47: b, a48: b, a49: b, a50: b, a51: b, a52: b, a53: b, a54: b, a55: b, a56: b, a57: b, a58: b, a59: b, a60: b, a61: b, a62: b, a63: b, a64: b } }',
      }),
      ['6:23 out-of-bounds: spec.cluster.sysctls may have at most 64 entries. | Make it shorter.'],
    ],
  ])('%s', (_, file, says) => {
    expect(said(file)).toEqual(says);
  });
});

describe('a name that cannot be', () => {
  test.each<[what: string, file: string, says: readonly string[]]>([
    [
      'of a pool and a sysctl',
      platformFile({ cluster: '{ workers: { Big_Pool: {} }, sysctls: { "a b": x } }' }),
      [
        '6:25 wrong-name: "Big_Pool" cannot be a name in spec.cluster.workers. | Use lower-case letters, digits and dashes.',
        '6:52 wrong-name: "a b" cannot be a name in spec.cluster.sysctls. | Use the name of a sysctl.',
      ],
    ],
    [
      'of a zone',
      platformFile({
        configuration: '{ dns: { powerdns: { url: "https://a", apiKey: { env: A }, zones: { "Example.org": {} } } } }',
      }),
      ['6:86 wrong-name: "Example.org" cannot be a name in spec.configuration.dns.powerdns.zones. | Use a DNS name.'],
    ],
  ])('%s', (_, file, says) => {
    expect(said(file)).toEqual(says);
  });
});

describe('a value of the wrong form', () => {
  test.each<[what: string, file: string, says: readonly string[]]>([
    [
      'sizes',
      platformFile({
        cluster: '{ controlPlane: { memory: 16GB, disk: 1.5GiB }, workers: { a: { disks: { d: 10GiB on } } } }',
      }),
      [
        '6:38 wrong-format: Expected a size with its unit, such as 16GiB or 512MiB, found "16GB". | For example: 16GiB',
        '6:50 wrong-format: Expected a size in whole GiB with its unit, such as 100GiB or 2TiB, found "1.5GiB". | For example: 100GiB',
        '6:88 wrong-format: Expected a size in whole GiB, and the datastore when it is another one, such as 200GiB or "200GiB on fast-nvme", found "10GiB on". | For example: 200GiB',
      ],
    ],
    [
      'addresses',
      platformFile({
        cluster:
          '{ endpoint: { vip: 10.0.0 }, controlPlane: { addresses: 10.0.0.9-1 }, network: { nodes: 10.10.0.1/24, pods: "10.0.0.0/99" } }',
      }),
      [
        '6:31 wrong-format: Expected an IPv4 or IPv6 address, such as 10.10.0.5, found "10.0.0". | For example: 10.10.0.5',
        '6:68 wrong-format: Expected addresses such as 10.10.0.20-10.10.0.39, 10.10.0.20-39 or 10.10.0.64/27, found "10.0.0.9-1". | For example: 10.10.0.20-10.10.0.39',
        '6:100 wrong-format: Expected a network in CIDR form without host bits, such as 10.10.0.0/24, found "10.10.0.1/24". | For example: 10.10.0.0/24',
        '6:120 wrong-format: Expected a network in CIDR form without host bits, such as 10.10.0.0/24, found "10.0.0.0/99". | For example: 10.10.0.0/24',
      ],
    ],
    [
      'ids',
      platformFile({
        cluster:
          '{ controlPlane: { vmids: 5 }, workers: { a: { vmids: 99-200 } }, nodes: { cp-0: { mac: "01:00:00:00:00:00", uuid: x } } }',
      }),
      [
        '6:37 wrong-type: Expected VMIDs such as 401-499, from 100 up, found the number 5. | For example: 401-499',
        '6:65 wrong-format: Expected VMIDs such as 401-499, from 100 up, found "99-200". | For example: 401-499',
        '6:99 wrong-format: Expected a unicast MAC address such as BC:24:11:00:00:10, found "01:00:00:00:00:00". | For example: BC:24:11:00:00:10',
        '6:126 wrong-format: Expected a UUID such as 6f1c2f8e-5a0f-5d5e-9c54-0f6a2f1f2a11, found "x". | For example: 6f1c2f8e-5a0f-5d5e-9c54-0f6a2f1f2a11',
      ],
    ],
    [
      'versions and taints',
      platformFile({ cluster: '{ talos: { version: latest }, controlPlane: { taints: [x] } }' }),
      [
        '6:32 wrong-format: Expected a version such as v1.13.9, found "latest". | For example: v1.13.9',
        '6:67 wrong-format: Expected a taint such as gpu=true:NoSchedule, found "x". | For example: gpu=true:NoSchedule',
      ],
    ],
    [
      'names and labels',
      platformFile({
        machines: '{ proxmox: { endpoint: "http://a:1", token: { env: A }, hosts: ["a b"], tags: [A] } }',
        cluster: '{ controlPlane: { labels: { k: "a b" } } }',
      }),
      [
        '5:36 wrong-format: Expected a URL that begins with https://, found "http://a:1". | For example: https://pve1.example.org:8006',
        '5:77 wrong-format: Expected letters, digits, dots, dashes and underscores, found "a b". | For example: pve1',
        '5:92 wrong-format: Expected lower-case letters, digits and dashes, found "A". | For example: production',
        '6:43 wrong-format: Expected a label value: up to 63 letters, digits, dashes, dots and underscores, found "a b". | Write a label value: up to 63 letters, digits, dashes, dots and underscores.',
      ],
    ],
    [
      'fingerprints and prefixes',
      platformFile({
        machines:
          '{ proxmox: { endpoint: "https://a:1", hosts: [a], token: { env: A }, macPrefix: "01", tls: { fingerprint: AA } } }',
      }),
      [
        '5:93 wrong-format: Expected one to three octets of a unicast MAC address, such as BC:24:11, found "01". | For example: BC:24:11',
        '5:119 wrong-format: Expected the SHA-256 fingerprint of the certificate: 32 octets in hex, separated by colons, found "AA". | For example: 11:18:1F:26:2D:34:3B:42:49:50:57:5E:65:6C:73:7A:81:88:8F:96:9D:A4:AB:B2:B9:C0:C7:CE:D5:DC:E3:EA',
      ],
    ],
    [
      'patches',
      platformFile({ cluster: '{ patches: [5, "", { a: 1 }] }' }),
      [
        '6:24 wrong-format: Expected a mapping (strategic merge) or text (several documents, or a JSON patch), found a number. | Write a mapping (strategic merge) or text (several documents, or a JSON patch).',
        '6:27 out-of-bounds: spec.cluster.patches[1] must not be empty. | Write a mapping (strategic merge) or text (several documents, or a JSON patch).',
      ],
    ],
    [
      'Substrate',
      'apiVersion: ichor.dev/v1alpha1\nkind: Substrate\nmetadata: { name: a }\nspec: { image: { url: "ftp://a", checksum: md5 }, openstack: { release: latest } }\n',
      [
        '4:23 wrong-format: Expected a URL that begins with https:// or http:// or file://, found "ftp://a". | For example: https://example.org/ubuntu-24.04.img',
        '4:44 wrong-format: Expected sha256: or sha512: and the checksum in hex, found "md5". | For example: sha256:0000000000000000000000000000000000000000000000000000000000000000',
        '4:73 wrong-format: Expected a branch such as stable/epoxy or a tag such as 31.3.0, found "latest". | For example: stable/epoxy',
      ],
    ],
  ])('%s', (_, file, says) => {
    expect(said(file)).toEqual(says);
  });
});

describe('a choice', () => {
  test.each<[what: string, file: string, says: readonly string[]]>([
    [
      'with nothing chosen',
      platformFile({ machines: '{}' }),
      [
        '5:3 one-of: spec.machines needs one of proxmox, libvirt, openstack, existing. | Add one of them; what each takes is shown by:\n    ichor explain machines',
      ],
    ],
    [
      'with two',
      platformFile({ machines: '{ libvirt: {}, existing: { machines: { cp-0: { address: 10.0.0.1 } } } }' }),
      [
        '5:28 one-of: spec.machines has libvirt and existing, and only one of them can be. | Keep one of libvirt and existing.',
      ],
    ],
    [
      'with three',
      platformFile({
        machines: '{ libvirt: {}, openstack: { cloud: a }, existing: { machines: { cp-0: { address: 10.0.0.1 } } } }',
      }),
      [
        '5:53 one-of: spec.machines has libvirt, openstack and existing, and only one of them can be. | Keep one of libvirt, openstack and existing.',
      ],
    ],
    [
      'of one at most',
      platformFile({ cluster: '{ endpoint: { vip: 10.0.0.5, host: a } }' }),
      ['6:41 one-of: spec.cluster.endpoint has vip and host, and only one of them can be. | Keep one of vip and host.'],
    ],
    [
      'whose name has a slip',
      platformFile({ machines: '{ proxmx: {} }' }),
      ['5:15 unknown-key: Unknown key "proxmx" in spec.machines. | Did you mean "proxmox"?'],
    ],
    [
      'of token or login',
      platformFile({
        machines:
          '{ proxmox: { endpoint: "https://a:1", hosts: [a], token: { env: A }, login: { username: a, password: { env: B } } } }',
      }),
      [
        '5:82 one-of: spec.machines.proxmox has token and login, and only one of them can be. | Keep one of token and login.',
      ],
    ],
  ])('%s', (_, file, says) => {
    expect(said(file)).toEqual(says);
  });
});

test('of very many mistakes the first two hundred are said, and that there are more', () => {
  const keys = Array.from({ length: 300 }, (_, index) => `x${index}: 1`).join(', ');
  const complaints = said(platformFile({ cluster: `{ ${keys} }` }));
  expect(complaints).toHaveLength(201);
  expect(complaints[0]).toBe(
    '1:1 many-more: There is more wrong here than the first 200 problems. | Mend those first.',
  );
});

test.each(readdirSync('test/fuzz/corpus'))('nothing is said about %s, which is right', (name) => {
  expect(said(readFileSync(`test/fuzz/corpus/${name}`, 'utf8'))).toEqual([]);
});
