import { Problem } from '../../../model/problem.ts';
import { known, unknown, type Seen } from '../../../model/seen.ts';
import type { ObservedMachine } from '../../provider.ts';
import type { ProxmoxApi } from '../api/api.ts';
import { isOursToFinish, platformTag, writtenIn } from '../mark.ts';
import { readConfig } from './config.ts';
import { liveGuests, type LiveGuest } from './live.ts';
import { observedOf } from './observed.ts';
import { listResources, type ListedVm } from './resources.ts';

/** One call for the cluster, one for each host that carries some, and one for each machine. */
export async function readMachines(
  api: ProxmoxApi,
  platform: string,
  signal: AbortSignal,
): Promise<readonly Seen<ObservedMachine>[]> {
  const { vms, hosts } = await listResources(api, signal);
  const tag = platformTag(platform);
  // One whose tags somebody took off is found when it is to be made: what is there then is finished, not made again.
  const candidates = vms.filter(({ kind, template, tags }) => kind === 'qemu' && !template && tags.includes(tag));
  const silent = new Set(hosts.filter(({ online }) => !online).map(({ name }) => name));
  const lists = new Map<string, Promise<readonly LiveGuest[] | undefined>>();
  const liveOf = (host: string): Promise<readonly LiveGuest[] | undefined> => {
    const asked = lists.get(host) ?? liveGuests(api, host, 'qemu', signal).catch(onlyProblems);
    lists.set(host, asked);
    return asked;
  };
  const seen = candidates.map((vm) =>
    silent.has(vm.host)
      ? Promise.resolve(hidden(vm, `${vm.host} is offline`))
      : readMachine(api, platform, vm, liveOf, signal),
  );
  return (await Promise.all(seen)).flat();
}

async function readMachine(
  api: ProxmoxApi,
  platform: string,
  vm: ListedVm,
  liveOf: (host: string) => Promise<readonly LiveGuest[] | undefined>,
  signal: AbortSignal,
): Promise<readonly Seen<ObservedMachine>[]> {
  try {
    const config = await readConfig(api, vm.host, vm.vmid, signal);
    const written = config === undefined ? undefined : writtenIn(config);
    if (config === undefined || written === undefined || written.mark.platform !== platform) return [];
    // A clone has our tags and our notes, and another UUID or VMID.
    if (!isOursToFinish(config, vm.vmid, written.mark)) return [];
    const live = (await liveOf(vm.host))?.find(({ vmid }) => vmid === vm.vmid);
    return [known(observedOf(written.mark, vm, config, live))];
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return hidden(vm, error.message);
  }
}

const hidden = (vm: ListedVm, because: string): readonly Seen<ObservedMachine>[] => [
  unknown(`VM ${vm.vmid} on ${vm.host} could not be read: ${because}`),
];

const onlyProblems = (error: unknown): undefined => {
  if (error instanceof Problem) return undefined;
  throw error;
};
