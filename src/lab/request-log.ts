import type { Lab } from './lab.ts';
import { isWrite } from './proxmox/faults.ts';

/** One request as the lab saw it, whichever API it was for. */
export type LabRequest = {
  readonly at: string;
  readonly api: 'proxmox' | 'talos' | 'kubernetes';
  /** The host, the node or the cluster that was asked. */
  readonly where: string;
  readonly method: string;
  readonly path: string;
  /** Of HTTP, or the name of a status of gRPC; 0: nobody heard an answer. */
  readonly status: number | string;
  /** Whether it would change something. */
  readonly write: boolean;
};

/** Everything that was asked after a moment, in the order in which it came. */
export function requestsSince({ proxmox, guests, clusters }: Lab, since: Date): readonly LabRequest[] {
  const all = [
    ...proxmox.requests().map(({ at, host, method, path, status }) => ({
      at,
      api: 'proxmox' as const,
      where: host,
      method,
      path,
      status,
      write: isWrite({ method, path }),
    })),
    ...guests.calls().map(({ at, node, path, status, write }) => ({
      at,
      api: 'talos' as const,
      where: node,
      method: 'gRPC',
      path,
      status,
      write,
    })),
    ...clusters.flatMap(({ name, twin }) =>
      twin.requests().map(({ at, method, path, status, write }) => ({
        at,
        api: 'kubernetes' as const,
        where: name,
        method,
        path,
        status,
        write,
      })),
    ),
  ];
  return all
    .filter(({ at }) => at > since)
    .toSorted((one, other) => one.at.getTime() - other.at.getTime())
    .map(({ at, ...request }) => ({ at: at.toISOString(), ...request }));
}
