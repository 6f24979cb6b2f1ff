import { talosRelease } from '../model/talos-releases.ts';
import { parseVersion } from '../model/version.ts';
import type { Draft } from './check.ts';
import { byName, seatsOf, type PlatformDraft, type PlatformSpec } from './expand.ts';
import { addressesOf } from './machine-addresses.ts';
import { machineNamed } from './names.ts';
import { pinsOf } from './pins.ts';
import type { Path } from './tree.ts';

type ClusterDraft = Draft<PlatformSpec['cluster']>;

export const isHighlyAvailable = ({ highAvailability, controlPlane }: ClusterDraft): boolean | undefined =>
  highAvailability ?? (controlPlane?.replicas === undefined ? undefined : controlPlane.replicas >= 3);

export function kubernetesVersionOf({ kubernetes, talos }: ClusterDraft): string | undefined {
  const version = parseVersion(talos?.version ?? '');
  return kubernetes?.version ?? (version && talosRelease(version)?.defaultKubernetes);
}

export const isSchedulable = ({ controlPlane, workers }: ClusterDraft): boolean =>
  controlPlane?.schedulable ?? Object.values(workers ?? {}).every((pool) => (pool?.replicas ?? 0) === 0);

export const domainOf = ({ spec }: PlatformDraft): string | undefined =>
  spec.services?.domain ?? Object.keys(spec.configuration?.dns?.powerdns?.zones ?? {}).toSorted()[0];

/** What ichor found for a value that the file leaves open, and the value that it follows from. */
export type Derived = {
  readonly from: Path;
  /** Absent: the same as `from` has. */
  readonly value?: unknown;
};

type Derive = (platform: PlatformDraft, path: Path) => Derived | undefined;

const found = (value: unknown, ...from: string[]): Derived | undefined =>
  value === undefined ? undefined : { value, from: ['spec', ...from] };

const zones = ['configuration', 'dns', 'powerdns', 'zones'];

const hostIn: Derive = (platform, path) => {
  const domain = domainOf(platform);
  const fromZone = platform.spec.services?.domain === undefined;
  return found(domain && `${String(path.at(-2))}.${domain}`, ...(fromZone ? zones : ['services', 'domain']));
};

const issuer: Derive = ({ spec }) => {
  const [first] = Object.keys(spec.services?.catalog?.['cert-manager']?.issuers ?? {}).toSorted();
  return found(first, 'services', 'catalog', 'cert-manager', 'issuers');
};

/** What the group of a machine says, where the machine itself says nothing. */
const asItsGroup: Derive = (platform, path) => {
  const seat = seatAt(platform, path);
  if (seat === undefined) return undefined;
  const group = seat.role === 'worker' ? ['workers', seat.pool ?? ''] : ['controlPlane'];
  return { from: ['spec', 'cluster', ...group, String(path.at(-1))] };
};

function seatAt(platform: PlatformDraft, path: Path) {
  return machineNamed(String(path[3]), platform.name, byName(seatsOf(platform)));
}

const derivations: Readonly<Record<string, Derive>> = {
  'spec.cluster.name': ({ name }) => ({ value: name, from: ['metadata', 'name'] }),
  'spec.cluster.highAvailability': ({ spec }) =>
    found(isHighlyAvailable(spec.cluster ?? {}), 'cluster', 'controlPlane', 'replicas'),
  'spec.cluster.kubernetes.version': ({ spec }) =>
    found(kubernetesVersionOf(spec.cluster ?? {}), 'cluster', 'talos', 'version'),
  'spec.cluster.controlPlane.schedulable': ({ spec }) => found(isSchedulable(spec.cluster ?? {}), 'cluster', 'workers'),
  'spec.cluster.talos.image.boot': ({ spec }) => {
    const iso = spec.cluster?.talos?.image?.iso !== undefined;
    return found(iso ? 'iso' : 'disk', 'cluster', 'talos', 'image', ...(iso ? ['iso'] : []));
  },
  'spec.cluster.nodes.*.hostname': (platform, path) => {
    const seat = seatAt(platform, path);
    return found(seat?.name, 'cluster', 'names', seat?.role === 'worker' ? 'worker' : 'controlPlane');
  },
  'spec.cluster.nodes.*.cpu': asItsGroup,
  'spec.cluster.nodes.*.memory': asItsGroup,
  'spec.cluster.nodes.*.disk': asItsGroup,
  'spec.cluster.nodes.*.disks': asItsGroup,
  'spec.cluster.nodes.*.address': (platform, path) => {
    const seat = seatAt(platform, path);
    const given = addressesOf(platform).find(({ name }) => name === seat?.name);
    return given?.address === undefined ? undefined : { value: given.address, from: given.path };
  },
  'spec.cluster.nodes.*.host': (platform, path) => {
    const seat = seatAt(platform, path);
    const [pin] = (seat && pinsOf(platform, byName(seatsOf(platform))).get(seat.name)) ?? [];
    return pin && { value: pin.host, from: pin.path };
  },
  'spec.services.domain': (platform) => found(domainOf(platform), ...zones),
  'spec.services.gitops.argocd.host': hostIn,
  'spec.services.catalog.*.host': hostIn,
  'spec.services.catalog.*.issuer': issuer,
  'spec.services.catalog.matrix.serverName': (platform) => {
    const fromZone = platform.spec.services?.domain === undefined;
    return found(domainOf(platform), ...(fromZone ? zones : ['services', 'domain']));
  },
};

/** The value that stands for an absent one at this path of a Platform, if it is known before anything runs. */
export function derivedAt(platform: PlatformDraft, path: Path): Derived | undefined {
  const names = path.map(String);
  const [, derive] =
    Object.entries(derivations).find(([pattern]) => {
      const steps = pattern.split('.');
      return steps.length === names.length && steps.every((step, index) => step === '*' || step === names[index]);
    }) ?? [];
  return derive?.(platform, path);
}
