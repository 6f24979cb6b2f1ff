import type { Inventory, Resident } from '../model/host.ts';
import type { Damage } from '../model/observed.ts';
import type { Carried, Survey, Unmarked } from '../providers/provider.ts';
import type { Platform } from '../spec/platform.ts';
import type { Wanted } from './eyes.ts';

export type Claim = { readonly machine: string; readonly vm: Unmarked; readonly damage: Damage };

/** Machines of the file whose UUID or MAC a VM has that does not carry their whole mark. */
export function claimsOf(platform: Platform, { machines, unmarked }: Survey, wanted: Wanted): readonly Claim[] {
  if (unmarked.length === 0) return [];
  const whole = new Set(
    machines.flatMap((each) =>
      each.kind === 'known' && each.value.mark.platform === platform.name ? [each.value.mark.name] : [],
    ),
  );
  return platform.machines.flatMap(({ name }): readonly Claim[] => {
    const identity = whole.has(name) ? undefined : wanted.identity?.(name);
    if (identity === undefined) return [];
    const uuid = identity.uuid.toLowerCase();
    const mac = identity.mac.toUpperCase();
    const vm =
      unmarked.find((each) => each.uuid?.toLowerCase() === uuid) ?? unmarked.find(({ macs }) => macs.includes(mac));
    if (vm === undefined) return [];
    return [{ machine: name, vm, damage: vm.damage({ platform: platform.name, name, uuid: identity.uuid }) }];
  });
}

/** What is there, with those counted as ours: they keep their place, VMID and MAC. */
export function withClaims(platform: string, inventory: Inventory, claims: readonly Claim[]): Inventory {
  if (claims.length === 0) return inventory;
  const byVmid = new Map(claims.map((claim) => [Number(claim.vm.id), claim]));
  const claimed = (resident: Resident): Resident => {
    const claim = resident.vmid === undefined ? undefined : byVmid.get(resident.vmid);
    if (claim === undefined) return resident;
    const { uuid, macs } = claim.vm;
    return { ...resident, name: claim.machine, platform, uuid, mac: macs[0] };
  };
  return {
    ...inventory,
    hosts: inventory.hosts.map((host) => ({ ...host, residents: host.residents.map(claimed) })),
  };
}

/** Why a machine that was not found may still be there; undefined: it is not. */
export function doubtFinder(
  platform: Platform,
  survey: Survey,
  wanted: Wanted,
): (machine: string) => string | undefined {
  const silent = survey.silent.map(({ host, because, carries }) => ({
    carries,
    doubt: `${host} did not answer (${because}): what it carries is not known`,
  }));
  const blind = silent.find(({ carries }) => carries === undefined);
  if (blind !== undefined) return () => blind.doubt;
  const carried = silent.flatMap(({ carries, doubt }) => (carries ?? []).map((vm) => ({ ...vm, doubt })));
  if (carried.length === 0) return () => undefined;
  const vmidOf = (machine: string): string => String(wanted.identity?.(machine)?.vmid ?? '');
  const vmids = new Set(platform.machines.map(({ name }) => vmidOf(name)));
  const mayBe = ({ platform: tagged }: Carried): boolean => tagged === undefined || tagged === platform.name;
  // One with our tag and a VMID that none of ours should have can be any of them.
  const anybody = carried.find(({ id, platform: tagged }) => tagged === platform.name && !vmids.has(id));
  return (machine) => (carried.find((vm) => vm.id === vmidOf(machine) && mayBe(vm)) ?? anybody)?.doubt;
}
