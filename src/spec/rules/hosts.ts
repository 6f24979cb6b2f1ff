import { nearest } from '../../model/nearest.ts';
import { isGiven } from '../check.ts';
import { isHighlyAvailable } from '../derived.ts';
import { byName, hostNames, hostsPath, seatsOf, type PlatformDraft } from '../expand.ts';
import { fewOf, machineNamed } from '../names.ts';
import { pinsOf } from '../pins.ts';
import type { Path } from '../tree.ts';
import type { Said } from './rule.ts';

const at = (...steps: (string | number)[]) => ['spec', 'cluster', ...steps];

/** Hosts that a machine is pinned to, a group is kept on, or a capacity is declared for, must be there. */
export function* knownHosts({ spec }: PlatformDraft): Iterable<Said> {
  const hosts = hostNames(spec);
  if (hosts === undefined) return;
  const unknown = (path: Path, host: string): Said => {
    const meant = nearest(host, hosts);
    return {
      path,
      code: 'unknown-host',
      message: `There is no host "${host}" in ${hostsPath(spec)}.`,
      remedy: meant === undefined ? `Hosts: ${fewOf(hosts)}.` : `Did you mean "${meant}"?`,
    };
  };
  const { placement, nodes, controlPlane, workers } = spec.cluster ?? {};
  for (const [machine, host] of Object.entries(placement?.pinned ?? {})) {
    if (host !== undefined && !hosts.includes(host)) yield unknown(at('placement', 'pinned', machine), host);
  }
  for (const [machine, node] of Object.entries(nodes ?? {})) {
    if (node?.host !== undefined && !hosts.includes(node.host)) yield unknown(at('nodes', machine, 'host'), node.host);
  }
  for (const [index, host] of (controlPlane?.hosts ?? []).entries()) {
    if (host !== undefined && !hosts.includes(host)) yield unknown(at('controlPlane', 'hosts', index), host);
  }
  for (const [pool, group] of Object.entries(workers ?? {})) {
    for (const [index, host] of (group?.hosts ?? []).entries())
      if (host !== undefined && !hosts.includes(host)) yield unknown(at('workers', pool, 'hosts', index), host);
  }
  for (const provider of ['proxmox', 'libvirt', 'openstack'] as const) {
    for (const host of Object.keys(spec.machines?.[provider]?.capacity ?? {})) {
      if (!hosts.includes(host)) yield unknown(['spec', 'machines', provider, 'capacity', host], host);
    }
  }
}

export function* hostsOnce({ spec }: PlatformDraft): Iterable<Said> {
  const lists = [
    { path: ['spec', 'machines', 'proxmox', 'hosts'], hosts: spec.machines?.proxmox?.hosts },
    {
      path: ['spec', 'machines', 'openstack', 'availabilityZones'],
      hosts: spec.machines?.openstack?.availabilityZones,
    },
  ];
  for (const { path, hosts } of lists) {
    for (const [index, host] of (hosts ?? []).entries()) {
      if (host !== undefined && hosts?.indexOf(host) !== index)
        yield {
          path: [...path, index],
          code: 'listed-twice',
          message: `"${host}" is listed twice.`,
          remedy: 'Keep one of the two.',
        };
    }
  }
}

export function* pinnedMachines(platform: PlatformDraft): Iterable<Said> {
  const { spec } = platform;
  const seats = seatsOf(platform);
  const hosts = hostNames(spec);
  const pins = pinsOf(platform, byName(seats));
  for (const [machine, given] of pins) {
    const [first, second] = given;
    if (first && second && first.host !== second.host) {
      yield {
        path: second.path,
        code: 'two-hosts',
        message: `"${machine}" is pinned to "${first.host}" and has the host "${second.host}".`,
        remedy: 'Keep one of the two.',
      };
    }
  }
  for (const { name, role, pool } of seats) {
    const allowed = role === 'worker' ? spec.cluster?.workers?.[pool ?? '']?.hosts : spec.cluster?.controlPlane?.hosts;
    const pin = pins.get(name)?.[0];
    const known = pin !== undefined && hosts?.includes(pin.host);
    if (!known || allowed === undefined || allowed.includes(undefined) || allowed.includes(pin.host)) continue;
    yield {
      path: pin.path,
      code: 'two-hosts',
      message: `"${name}" is to be on "${pin.host}", and its group only on ${fewOf(allowed.filter((host) => host !== undefined))}.`,
      remedy: `Add "${pin.host}" to the hosts of the group, or choose one of them.`,
    };
  }
  const controlPlanes = seats.filter((seat) => seat.role === 'control-plane');
  if (spec.cluster?.placement?.strategy === 'pin') {
    const named = byName(seats);
    const broken = [
      ...Object.keys(spec.cluster.placement.pinned ?? {}),
      ...Object.entries(spec.cluster.nodes ?? {}).flatMap(([written, node]) =>
        isGiven(node, 'host') ? [written] : [],
      ),
    ].map((written) => machineNamed(written, platform.name, named)?.name);
    const free = controlPlanes.filter((seat) => !pins.has(seat.name) && !broken.includes(seat.name));
    if (free.length > 0) {
      yield {
        path: at('placement', 'strategy'),
        code: 'not-pinned',
        message: `Strategy pin needs a host for every control plane; ${fewOf(free.map((seat) => seat.name))} ${free.length === 1 ? 'has' : 'have'} none.`,
        remedy: `Add "${free[0]?.name}: HOST" to cluster.placement.pinned, or use strategy spread.`,
      };
    }
  }
  if (isHighlyAvailable(spec.cluster ?? {}) !== true) return;
  const taken = new Map<string, string>();
  for (const { name } of controlPlanes) {
    const pin = pins.get(name)?.[0];
    const other = pin && taken.get(pin.host);
    if (pin && other !== undefined) {
      yield {
        path: pin.path,
        code: 'together',
        message: `"${name}" and "${other}" would both be on "${pin.host}": if it fails, etcd may lose its majority.`,
        remedy: 'Pin them to different hosts, or set highAvailability: false.',
      };
    } else if (pin) taken.set(pin.host, name);
  }
}
