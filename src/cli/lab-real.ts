import type { Guests } from '../lab/proxmox/guest/guests.ts';
import type { Parts } from '../lab/real/parts.ts';
import { Problem } from '../model/problem.ts';
import type { LabPlatform } from './lab-platform.ts';

/** Real Talos nodes for the VMs of a lab, or what has to be done before there can be any. */
export async function openRealGuests(): Promise<Guests> {
  const [{ lackForNodes }, { tryLand }, { freeNetwork }, { realGuests }] = await Promise.all([
    import('../lab/real/requirements.ts'),
    import('../lab/real/land.ts'),
    import('../lab/real/network.ts'),
    import('../lab/real/guests.ts'),
  ]);
  const lack = await lackForNodes('ichor lab start --guests real');
  if (lack !== undefined) throw new Problem('real-guests-impossible', lack.message, { remedy: lack.remedy });
  const parts = await mustBeBuilt();
  const land = await tryLand({ parts, network: freeNetwork });
  if ('by' in land)
    throw new Problem('real-guests-elsewhere', `Process ${land.by} runs real Talos nodes on this machine already.`, {
      recovery: 'wait',
      remedy: 'One set of them runs at a time. Where it is a lab, end it:\n    ichor lab stop',
    });
  return realGuests(land, parts);
}

/** What a platform file for such nodes must know. */
export async function realPlatform(gateway: string): Promise<NonNullable<LabPlatform['real']>> {
  const [{ fitting }, { talos, kubernetes }] = await Promise.all([import('../lab/real/fitting.ts'), mustBeBuilt()]);
  return { talos, kubernetes, fitting: fitting(gateway, 'said elsewhere') };
}

async function mustBeBuilt(): Promise<Parts> {
  const { findParts } = await import('../lab/real/parts.ts');
  const parts = await findParts();
  if (parts !== undefined) return parts;
  throw new Problem('real-guests-not-built', 'The programs that real Talos nodes are made of are not built.', {
    remedy: 'Build them in a clone of ichor; it takes half an hour, once:\n    make real-peers',
  });
}
