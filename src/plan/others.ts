import type { Ask } from '../model/plan.ts';
import { wantedOf, type Situation, type Standing } from './situation.ts';

/**
 * Machines of the file with another machine of it at their address. To give each what the file says there would make control
 * planes of workers, and take members of etcd away.
 */
export const otherMachines = (situation: Situation): readonly Ask[] =>
  wantedOf(situation).flatMap((standing) => {
    const why = whyOther(situation, standing);
    if (why === undefined) return [];
    return [
      {
        code: 'machine-other',
        message: `At ${standing.seen?.address ?? 'its address'}, where the file has ${standing.name}, ${why}. Nothing is changed on it.`,
        remedy: `If the addresses in the file are wrong, correct them. If it is to become ${standing.name} all the same, reset it first, which wipes it:\n    ichor talos reset -n ${standing.seen?.address ?? 'ADDRESS'}`,
      },
    ];
  });

function whyOther({ platform }: Situation, { name, role, talos }: Standing): string | undefined {
  if (talos === undefined) return undefined;
  // Where VMs are ours, their UUIDs tell who they are, and a hostname is only one more setting.
  const says =
    platform.provider.kind === 'existing' && platform.cluster.hostnames === 'talos' ? talos.hostname : undefined;
  const other = platform.machines.find((each) => each.name !== name && each.hostname === says);
  if (other !== undefined) return `stands a machine that says it is ${other.name}`;
  const type = talos.changes.find(({ path }) => path === 'machine.type');
  if (type === undefined) return undefined;
  return `stands a ${type.before ?? 'machine of another kind'}, and ${name} is a ${role === 'worker' ? 'worker' : 'control plane'}`;
}
