import type { Situation, Standing } from './situation.ts';

/** What to type so that a VM is made anew in its place; undefined: its cluster would go with it, or nobody makes it. */
export function madeAnew({ controlPlanes }: Situation, { name, role, observed, node }: Standing): string | undefined {
  if (observed === undefined || (role === 'control-plane' && controlPlanes.length < 3)) return undefined;
  const { host, id } = observed;
  return `ichor drain ${node?.name ?? name} && ssh root@${host} 'qm stop ${id} && qm destroy ${id}' && ichor up`;
}
