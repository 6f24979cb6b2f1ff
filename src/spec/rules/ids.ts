import { rangesOverlap, type VmidRange } from '../../model/range.ts';
import { isGiven } from '../check.ts';
import { poolNames, type PlatformDraft } from '../expand.ts';
import type { Path } from '../tree.ts';
import type { Said } from './rule.ts';

const at = (...steps: (string | number)[]) => ['spec', 'cluster', ...steps];

/** What makes a machine itself is given to no other. */
export function* ownIds({ spec }: PlatformDraft): Iterable<Said> {
  const things = [
    { key: 'vmid', what: 'VMID', code: 'same-vmid' },
    { key: 'mac', what: 'MAC address', code: 'same-mac' },
    { key: 'uuid', what: 'UUID', code: 'same-uuid' },
  ] as const;
  for (const { key, what, code } of things) {
    const owners = new Map<string, string>();
    for (const [machine, node] of Object.entries(spec.cluster?.nodes ?? {})) {
      const value = node?.[key];
      if (value === undefined) continue;
      const owner = owners.get(String(value).toUpperCase());
      if (owner !== undefined)
        yield {
          path: at('nodes', machine, key),
          code,
          message: `"${machine}" and "${owner}" have one ${what}, ${value}.`,
          remedy: 'Give each its own.',
        };
      owners.set(String(value).toUpperCase(), machine);
    }
  }
}

type Group = {
  readonly path: Path;
  readonly what: string;
  readonly range: VmidRange;
  readonly replicas: number | undefined;
};

export function* vmidRanges({ spec }: PlatformDraft): Iterable<Said> {
  const proxmox = spec.machines?.proxmox;
  const own: Group[] = [];
  const add = (
    path: Path,
    what: string,
    group: { readonly vmids?: VmidRange | undefined; readonly replicas?: number | undefined } | undefined,
  ): void => {
    if (group?.vmids) own.push({ path, what, range: group.vmids, replicas: group.replicas });
  };
  const controlPlanes = spec.cluster?.controlPlane;
  if (isGiven(controlPlanes, 'vmids')) add(at('controlPlane', 'vmids'), 'controlPlane', controlPlanes);
  else {
    const given = { vmids: proxmox?.vmids?.controlPlane, replicas: controlPlanes?.replicas };
    add(['spec', 'machines', 'proxmox', 'vmids', 'controlPlane'], 'control planes', given);
  }
  for (const pool of poolNames(spec))
    add(at('workers', pool, 'vmids'), `workers.${pool}`, spec.cluster?.workers?.[pool]);
  for (const [index, group] of own.entries()) {
    const other = own.slice(0, index).find((earlier) => rangesOverlap(earlier.range, group.range));
    const room = group.range.last - group.range.first + 1;
    if (other)
      yield {
        path: group.path,
        code: 'overlapping-ranges',
        message: `The VMIDs of ${group.what} and ${other.what} overlap.`,
        remedy: 'Give each group its own.',
      };
    else if (group.replicas !== undefined && group.replicas > room) {
      yield {
        path: group.path,
        code: 'range-too-small',
        message: `${group.replicas} machines need more than the ${room} VMIDs of ${group.what}.`,
        remedy: `End it at ${group.range.first + group.replicas - 1} or later.`,
      };
    }
  }
  const { controlPlane, workers } = proxmox?.vmids ?? {};
  const path = ['spec', 'machines', 'proxmox', 'vmids'];
  if (controlPlane && workers && rangesOverlap(controlPlane, workers)) {
    yield {
      path,
      code: 'overlapping-ranges',
      message: 'The VMIDs of control planes and workers overlap.',
      remedy: 'Use for example controlPlane: 401-499 and workers: 501-1499.',
    };
  }
  const unranged = Object.values(spec.cluster?.workers ?? {}).reduce(
    (total, pool) => total + (pool?.vmids ? 0 : (pool?.replicas ?? 0)),
    0,
  );
  if (workers && unranged > workers.last - workers.first + 1) {
    yield {
      path: [...path, 'workers'],
      code: 'range-too-small',
      message: `${unranged} workers need more than the ${workers.last - workers.first + 1} VMIDs from ${workers.first} to ${workers.last}.`,
      remedy: `Use for example ${workers.first}-${workers.first + unranged - 1}.`,
    };
  }
}

/** VMIDs exist on Proxmox only. */
export function* vmidsOnProxmox({ spec }: PlatformDraft): Iterable<Said> {
  if (spec.machines === undefined || spec.machines.proxmox !== undefined) return;
  const given: Path[] = [];
  for (const [machine, node] of Object.entries(spec.cluster?.nodes ?? {}))
    if (node?.vmid !== undefined) given.push(at('nodes', machine, 'vmid'));
  if (spec.cluster?.controlPlane?.vmids) given.push(at('controlPlane', 'vmids'));
  for (const [pool, group] of Object.entries(spec.cluster?.workers ?? {}))
    if (group?.vmids) given.push(at('workers', pool, 'vmids'));
  for (const path of given)
    yield { path, code: 'no-effect', message: 'VMIDs exist on Proxmox only.', remedy: 'Leave it out.' };
}
