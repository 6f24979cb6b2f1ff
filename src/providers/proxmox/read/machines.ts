import { Problem } from '../../../model/problem.ts';
import { known, type Seen } from '../../../model/seen.ts';
import type { ObservedMachine } from '../../provider.ts';
import type { ProxmoxApi } from '../api/api.ts';
import type { ProxmoxSettings } from '../settings.ts';
import { liveGuests, type LiveGuest } from './live.ts';
import { hidden, mayBeOurs, recognise } from './recognise.ts';
import { listResources, type ListedVm } from './resources.ts';

/** One call for the cluster, one for each host that carries some, and one for each machine. */
export async function readMachines(
  api: ProxmoxApi,
  settings: ProxmoxSettings,
  platform: string,
  signal: AbortSignal,
): Promise<readonly Seen<ObservedMachine>[]> {
  const { vms, hosts } = await listResources(api, signal);
  const silent = new Set(hosts.filter(({ online }) => !online).map(({ name }) => name));
  const lists = new Map<string, Promise<readonly LiveGuest[] | undefined>>();
  const liveOf = async ({ host, vmid }: ListedVm): Promise<LiveGuest | undefined> => {
    const asked = lists.get(host) ?? liveGuests(api, host, 'qemu', signal).catch(onlyProblems);
    lists.set(host, asked);
    return (await asked)?.find((guest) => guest.vmid === vmid);
  };
  const read = async (vm: ListedVm): Promise<readonly Seen<ObservedMachine>[]> => {
    if (silent.has(vm.host)) return [hidden(vm, `${vm.host} is offline`)];
    try {
      const found = await recognise(api, vm, () => liveOf(vm), settings, signal);
      return found?.kind === 'ours' && found.machine.mark.platform === platform ? [known(found.machine)] : [];
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return [hidden(vm, error.message)];
    }
  };
  return (await Promise.all(vms.filter(mayBeOurs(settings, platform)).map(read))).flat();
}

const onlyProblems = (error: unknown): undefined => {
  if (error instanceof Problem) return undefined;
  throw error;
};
