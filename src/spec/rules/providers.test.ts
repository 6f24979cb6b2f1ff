import { expect, test } from 'vitest';
import { platformFile, said } from '../../../test/said.ts';

type Sections = Readonly<Record<string, string>>;

test.each<[what: string, wrong: Sections, says: readonly string[]]>([
  [
    'any certificate',
    {
      machines:
        '{ proxmox: { endpoint: "https://pve1:8006", token: { env: TOKEN }, hosts: [pve1], tls: { insecure: true } } }',
    },
    [
      '5:112 warning insecure: Any certificate is accepted: whoever answers at this address gets your token. | Pin the certificate with tls.fingerprint; the web interface shows it under Node, System, Certificates.',
    ],
  ],
  [
    'OpenStack without credentials',
    { machines: '{ openstack: {} }' },
    [
      '5:15 one-of: spec.machines.openstack needs one of cloud, authentication, substrate. | Use "cloud: NAME" with a clouds.yaml, or "substrate: NAME" for an OpenStack that ichor builds.',
    ],
  ],
  [
    'OpenStack with two',
    {
      machines:
        '{ openstack: { cloud: a, authentication: { url: "https://keystone:5000/v3", applicationCredential: { id: { env: ID }, secret: { env: SECRET } } } } }',
    },
    [
      '5:15 one-of: spec.machines.openstack has cloud and authentication, and only one of them can be. | Use "cloud: NAME" with a clouds.yaml, or "substrate: NAME" for an OpenStack that ichor builds.',
    ],
  ],
  [
    'a VIP beside a load balancer',
    { machines: '{ openstack: { cloud: a, loadBalancer: true } }', cluster: '{ endpoint: { vip: 10.0.0.5 } }' },
    [
      '6:31 no-effect: A load balancer has an address of its own: a VIP beside it would be unused. | Leave endpoint.vip or machines.openstack.loadBalancer out.',
    ],
  ],
  [
    'a bridge without a name',
    { machines: '{ libvirt: { network: { mode: bridge } } }' },
    ['5:43 needs-bridge: Mode bridge needs the name of the host’s bridge. | Add for example "bridge: br0".'],
  ],
  [
    'a bridge that nobody joins',
    { machines: '{ libvirt: { network: { bridge: br0 } } }' },
    ['5:45 no-effect: Mode nat joins no bridge of the host. | Use mode: bridge, or leave bridge out.'],
  ],
  [
    'machines that do not exist',
    {
      machines: '{ existing: { machines: { cp-0: { address: 10.0.0.1 } } } }',
      cluster: '{ controlPlane: { replicas: 3 }, workers: { a: { replicas: 9 } } }',
    },
    [
      '5:27 no-address: The file asks for machines that are not in machines.existing.machines: prod-cp-1, prod-cp-2, prod-a-0, prod-a-1, prod-a-2, … prod-a-8. | Add "prod-cp-1: { address: … }", or ask for fewer replicas.',
    ],
  ],
  [
    'an ISO without Proxmox, and as a disk',
    {
      machines: '{ libvirt: { hosts: { kvm1: "qemu:///system", kvm2: "qemu:///system" } } }',
      cluster: '{ talos: { image: { iso: "local:iso/talos-v1.13.9.iso", boot: disk } } }',
    },
    [
      '6:37 no-effect: An ISO that lies on a Proxmox storage is of use to machines.proxmox only. | Leave iso out: the image comes from the Image Factory.',
      '6:74 not-a-disk: boot: disk needs a disk image, and iso names an ISO. | Leave boot out to boot the ISO, or leave iso out.',
    ],
  ],
  [
    'a checksum and a way to fetch what is there already',
    {
      cluster: `{ talos: { image: { iso: "local:iso/talos-v1.13.9.iso", checksum: "sha256:${'0'.repeat(64)}", download: here } } }`,
    },
    [
      '6:78 no-effect: The ISO is on its storage already and nothing is fetched, so checksum means nothing. | Leave checksum out, or leave iso out: the image then comes from the Image Factory.',
      '6:163 no-effect: The ISO is on its storage already and nothing is fetched, so download means nothing. | Leave download out, or leave iso out: the image then comes from the Image Factory.',
    ],
  ],
  [
    'one checksum for two images',
    {
      cluster: `{ talos: { image: { checksum: "sha256:${'0'.repeat(64)}" } }, workers: { gpu: { replicas: 1, extensions: [nvidia-container-toolkit-production] } } }`,
    },
    [
      '6:42 several-images: cluster.workers.gpu has extensions of its own and so an image of its own: one checksum cannot be that of both. | Move the extensions to cluster.talos.extensions, or leave checksum out.',
    ],
  ],
  [
    'an ISO of another version',
    { cluster: '{ talos: { version: v1.13.9, image: { iso: "local:iso/talos-1.9.0.iso" } } }' },
    [
      '6:55 warning other-version: The ISO looks like Talos 1.9.0, and cluster.talos.version is v1.13.9: the machine boots the one and installs the other. | Set cluster.talos.version: v1.9.0, or name another ISO.',
    ],
  ],
  [
    'nobody to tell addresses',
    { cluster: '{ talos: { extensions: [] } }' },
    [
      '6:23 warning no-agent: Without the guest agent Proxmox cannot tell which addresses DHCP gave. | Add qemu-guest-agent to extensions, or give addresses.',
    ],
  ],
  [
    'nobody to tell addresses, and nothing to tell',
    { cluster: '{ talos: { extensions: [] }, controlPlane: { addresses: 10.0.0.7 } }' },
    [],
  ],
])('%s', (_, wrong, says) => {
  expect(said(platformFile(wrong))).toEqual(says);
});

test.each<[notThis: string, right: Sections]>([
  ['any certificate', {}],
  ['OpenStack without credentials', { machines: '{ openstack: { cloud: a } }' }],
  [
    'OpenStack with two',
    {
      machines:
        '{ openstack: { authentication: { url: "https://keystone:5000/v3", applicationCredential: { id: { env: ID }, secret: { env: SECRET } } } } }',
    },
  ],
  ['a VIP beside a load balancer', { machines: '{ openstack: { cloud: a, loadBalancer: true } }' }],
  ['a bridge without a name', { machines: '{ libvirt: { network: { mode: bridge, bridge: br0 } } }' }],
  [
    'machines that do not exist',
    {
      machines: '{ existing: { machines: { cp-0: { address: 10.0.0.1 } } } }',
      cluster: '{ workers: { a: { addresses: 10.0.0.7 } } }',
    },
  ],
  [
    'an ISO without Proxmox, and as a disk',
    { cluster: '{ talos: { image: { iso: "local:iso/talos-v1.13.9.iso", boot: iso } } }' },
  ],
  [
    'a checksum of something that is fetched',
    { cluster: `{ talos: { image: { checksum: "sha512:${'0'.repeat(128)}", download: host } } }` },
  ],
  ['nobody to tell addresses', { cluster: '{ talos: { extensions: [siderolabs/qemu-guest-agent] } }' }],
])('nothing is said where there is not %s', (_, right) => {
  expect(said(platformFile(right))).toEqual([]);
});
