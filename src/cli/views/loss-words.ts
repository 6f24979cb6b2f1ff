import type { Loss, Proof } from '../../model/proof.ts';
import { missing } from './amounts.ts';

export function membersAfter({ controlPlanes, membersLeft, membersNeeded, quorum }: Loss, kind: Proof['kind']): string {
  const members = membersLeft + controlPlanes.length;
  if (controlPlanes.length === 0) return kind === 'Platform' ? 'etcd untouched' : 'controllers untouched';
  if (members === 1) return kind === 'Platform' ? 'the only control plane is lost' : 'the only controller is lost';
  return `majority ${quorum} (${membersLeft} of ${members} left, ${membersNeeded} needed)`;
}

export function workersAfter({ workers, fit }: Loss): string {
  const some = workers.length === 1 ? '1 worker' : `${workers.length} workers`;
  if (workers.length === 0) return 'no workers there';
  if (fit) return `${some} ${workers.length === 1 ? 'fits' : 'fit'} elsewhere`;
  return `${some} ${workers.length === 1 ? 'does' : 'do'} not fit elsewhere`;
}

export const shortBy = ({ short }: Loss): string =>
  short.length === 0 ? '' : `: short by ${short.map(missing).join(', ')}`;
