import { isGiven } from '../check.ts';
import { allSeatsOf, byName, type PlatformDraft } from '../expand.ts';
import { fewOf, machineNamed } from '../names.ts';
import { addressesOf } from '../machine-addresses.ts';
import { parseVersion } from '../../model/version.ts';
import type { Said } from './rule.ts';

export function* insecure({ spec }: PlatformDraft): Iterable<Said> {
  if (spec.machines?.proxmox?.tls?.insecure !== true) return;
  yield {
    path: ['spec', 'machines', 'proxmox', 'tls', 'insecure'],
    code: 'insecure',
    severity: 'warning',
    message: 'Any certificate is accepted: whoever answers at this address gets your token.',
    remedy: 'Pin the certificate with tls.fingerprint; the web interface shows it under Node, System, Certificates.',
  };
}

export function* openstackCredentials({ spec }: PlatformDraft): Iterable<Said> {
  const openstack = spec.machines?.openstack;
  if (openstack === undefined) return;
  const given = (['cloud', 'authentication', 'substrate'] as const).filter((key) => isGiven(openstack, key));
  if (given.length !== 1) {
    yield {
      path: ['spec', 'machines', 'openstack'],
      code: 'one-of',
      message:
        given.length === 0
          ? 'spec.machines.openstack needs one of cloud, authentication, substrate.'
          : `spec.machines.openstack has ${given.join(' and ')}, and only one of them can be.`,
      remedy: 'Use "cloud: NAME" with a clouds.yaml, or "substrate: NAME" for an OpenStack that ichor builds.',
    };
  }
  if (openstack.loadBalancer === true && spec.cluster?.endpoint?.vip !== undefined) {
    yield {
      path: ['spec', 'cluster', 'endpoint', 'vip'],
      code: 'no-effect',
      message: 'A load balancer has an address of its own: a VIP beside it would be unused.',
      remedy: 'Leave endpoint.vip or machines.openstack.loadBalancer out.',
    };
  }
}

export function* libvirtBridge({ spec }: PlatformDraft): Iterable<Said> {
  const network = spec.machines?.libvirt?.network;
  if (network?.mode === undefined) return;
  if (network.mode === 'bridge' && !isGiven(network, 'bridge')) {
    yield {
      path: ['spec', 'machines', 'libvirt', 'network', 'mode'],
      code: 'needs-bridge',
      message: 'Mode bridge needs the name of the host’s bridge.',
      remedy: 'Add for example "bridge: br0".',
    };
  }
  if (network.mode !== 'bridge' && network.bridge !== undefined) {
    yield {
      path: ['spec', 'machines', 'libvirt', 'network', 'bridge'],
      code: 'no-effect',
      message: `Mode ${network.mode} joins no bridge of the host.`,
      remedy: 'Use mode: bridge, or leave bridge out.',
    };
  }
}

/** Every machine must be one of those that wait. */
export function* existingMachines(platform: PlatformDraft): Iterable<Said> {
  const { spec, name } = platform;
  const existing = spec.machines?.existing?.machines;
  const seats = allSeatsOf(platform);
  if (existing === undefined || seats === undefined) return;
  const machines = byName(seats);
  const known = new Set(Object.keys(existing).map((written) => machineNamed(written, name, machines)?.name));
  const addressed = new Set(
    addressesOf(platform).flatMap(({ name: machine, address, broken }) => (address || broken ? [machine] : [])),
  );
  const missing = seats.filter((seat) => !known.has(seat.name) && !addressed.has(seat.name));
  if (missing.length === 0) return;
  yield {
    path: ['spec', 'machines', 'existing', 'machines'],
    code: 'no-address',
    message: `The file asks for machines that are not in machines.existing.machines: ${fewOf(missing.map((seat) => seat.name))}.`,
    remedy: `Add "${missing[0]?.name}: { address: … }", or ask for fewer replicas.`,
  };
}

export function* talosImage({ spec }: PlatformDraft): Iterable<Said> {
  const image = spec.cluster?.talos?.image;
  const path = ['spec', 'cluster', 'talos', 'image'];
  yield* oneChecksum(spec);
  if (image?.iso === undefined) return;
  const fetched = [
    ...(image.checksum === undefined ? [] : ['checksum']),
    ...(image.download === 'here' || image.download === 'host' ? ['download'] : []),
  ];
  for (const key of fetched) {
    yield {
      path: [...path, key],
      code: 'no-effect',
      message: `The ISO is on its storage already and nothing is fetched, so ${key} means nothing.`,
      remedy: `Leave ${key} out, or leave iso out: the image then comes from the Image Factory.`,
    };
  }
  if (spec.machines !== undefined && spec.machines.proxmox === undefined) {
    yield {
      path: [...path, 'iso'],
      code: 'no-effect',
      message: 'An ISO that lies on a Proxmox storage is of use to machines.proxmox only.',
      remedy: 'Leave iso out: the image comes from the Image Factory.',
    };
  }
  if (image.boot === 'disk')
    yield {
      path: [...path, 'boot'],
      code: 'not-a-disk',
      message: 'boot: disk needs a disk image, and iso names an ISO.',
      remedy: 'Leave boot out to boot the ISO, or leave iso out.',
    };
  const named = /(\d+\.\d+\.\d+)/.exec(image.iso)?.[1];
  const written = spec.cluster?.talos?.version;
  const version = parseVersion(written ?? '');
  if (named === undefined || version === undefined || named === `${version.major}.${version.minor}.${version.patch}`)
    return;
  yield {
    path: [...path, 'iso'],
    code: 'other-version',
    severity: 'warning',
    message: `The ISO looks like Talos ${named}, and cluster.talos.version is ${written}: the machine boots the one and installs the other.`,
    remedy: `Set cluster.talos.version: v${named}, or name another ISO.`,
  };
}

/** Extensions of a group make an image of its own, which has a checksum of its own. */
function* oneChecksum({ cluster }: PlatformDraft['spec']): Iterable<Said> {
  if (cluster?.talos?.image?.checksum === undefined) return;
  const groups = [
    ['controlPlane', cluster.controlPlane] as const,
    ...Object.entries(cluster.workers ?? {}).map(([name, pool]) => [`workers.${name}`, pool] as const),
  ];
  const own = groups.find(([, group]) => (group?.extensions?.length ?? 0) > 0)?.[0];
  if (own === undefined) return;
  yield {
    path: ['spec', 'cluster', 'talos', 'image', 'checksum'],
    code: 'several-images',
    message: `cluster.${own} has extensions of its own and so an image of its own: one checksum cannot be that of both.`,
    remedy: 'Move the extensions to cluster.talos.extensions, or leave checksum out.',
  };
}

/** Without an agent nobody tells which address DHCP gave. */
export function* guestAgent(platform: PlatformDraft): Iterable<Said> {
  const { spec } = platform;
  const extensions = spec.cluster?.talos?.extensions;
  if (spec.machines?.proxmox === undefined || extensions === undefined || spec.cluster?.network?.addresses === 'static')
    return;
  if (extensions.some((extension) => extension === undefined || extension.endsWith('qemu-guest-agent'))) return;
  if (addressesOf(platform).every(({ address, broken }) => address !== undefined || broken)) return;
  yield {
    path: ['spec', 'cluster', 'talos', 'extensions'],
    code: 'no-agent',
    severity: 'warning',
    message: 'Without the guest agent Proxmox cannot tell which addresses DHCP gave.',
    remedy: 'Add qemu-guest-agent to extensions, or give addresses.',
  };
}
