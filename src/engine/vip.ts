import type { World } from '../model/world.ts';
import type { Platform } from '../spec/platform.ts';
import { Problem } from '../model/problem.ts';
import type { PlatformMaterial } from './material.ts';
import type { LookTools } from './sight.ts';

/** Which control plane has the virtual address. They are asked side by side; one that does not answer does not hold it. */
export async function vipHolderOf(
  { cluster }: Platform,
  { machines, secrets }: World,
  material: Pick<PlatformMaterial, 'talosAccess'>,
  { talos }: Pick<LookTools, 'talos'>,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { vip } = cluster.endpoint;
  if (vip === undefined || secrets === 'absent') return undefined;
  const access = await material.talosAccess();
  const planes = machines.filter(
    (machine) =>
      machine.role === 'control-plane' && machine.talos.kind === 'known' && machine.talos.value?.kind === 'ours',
  );
  const asked = planes.map(async ({ name, address }) => {
    if (address === undefined) return undefined;
    await using node = talos.open({ host: address, access });
    const own = await node.addresses(signal).catch(nothing);
    return own.some((each) => each.address.split('/')[0] === vip) ? name : undefined;
  });
  return (await Promise.all(asked)).find((name) => name !== undefined);
}

const nothing = (error: unknown): readonly never[] => {
  if (error instanceof Problem) return [];
  throw error;
};
