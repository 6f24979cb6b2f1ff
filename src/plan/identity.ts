import { createHash } from 'node:crypto';
import { groupBy } from '../model/group.ts';
import type { Resident } from '../model/host.ts';
import type { Machine } from '../model/machine.ts';
import type { Identity } from '../model/proof.ts';
import type { VmidRange } from '../model/range.ts';

export type IdentityRequest = {
  readonly platform: string;
  readonly machines: readonly Machine[];
  /** Machines of this platform that are there already, by name: what they have, they keep. */
  readonly existing: ReadonlyMap<string, Resident>;
  /** Everything else there: its VMIDs and MAC addresses are taken. */
  readonly others: readonly Resident[];
  /** Undefined where the provider has no VMIDs. */
  readonly vmids: VmidRules | undefined;
  readonly macPrefix: string;
};

export type VmidRules = {
  readonly controlPlane: VmidRange;
  readonly workers: VmidRange;
  /** Ranges that groups have of their own; the key of control planes is null. */
  readonly groups: ReadonlyMap<string | null, VmidRange>;
};

/** What makes each machine itself. Nothing here depends on the order of anything, or on another machine that is there. */
export function identify(request: IdentityRequest): ReadonlyMap<string, Identity> {
  const vmids = request.vmids === undefined ? undefined : assignVmids(request, request.vmids);
  const macs = assignMacs(request);
  return new Map(
    request.machines.map(({ name, fixed }) => {
      const there = request.existing.get(name);
      const identity: Identity = {
        vmid: vmids?.get(name) ?? null,
        mac: macs.get(name) ?? '',
        uuid: there?.uuid ?? fixed.uuid ?? uuidOf(request.platform, name),
        address: there?.address ?? fixed.address ?? null,
      };
      return [name, identity];
    }),
  );
}

/** Names of this namespace are platform/machine. */
const namespace = 'a3b1f6d2-6f0e-4d1c-9d0b-7a5f3c2e8b14';

/** A name-based UUID (version 5): the same name has the same UUID, everywhere and always. */
export function uuidOf(platform: string, machine: string): string {
  const hash = createHash('sha1')
    .update(Buffer.from(namespace.replaceAll('-', ''), 'hex'))
    .update(`${platform}/${machine}`)
    .digest();
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x50;
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80;
  const hex = hash.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');
}

function assignMacs({ platform, machines, existing, others, macPrefix }: IdentityRequest): ReadonlyMap<string, string> {
  const given = new Map<string, string>();
  for (const { name, fixed } of machines) {
    const mac = existing.get(name)?.mac ?? fixed.mac;
    if (mac !== undefined) given.set(name, mac.toUpperCase());
  }
  const taken = new Set([...given.values(), ...others.flatMap(({ mac }) => mac?.toUpperCase() ?? [])]);
  // A short prefix leaves few octets: two names may meet, and then the later name by alphabet takes its next choice.
  for (const { name } of machines.filter((machine) => !given.has(machine.name)).toSorted(byName)) {
    let attempt = 0;
    let mac = macOf(macPrefix, platform, name, attempt);
    while (taken.has(mac)) mac = macOf(macPrefix, platform, name, ++attempt);
    taken.add(mac);
    given.set(name, mac);
  }
  return given;
}

function macOf(prefix: string, platform: string, machine: string, attempt: number): string {
  const octets = prefix.split(':');
  const hash = createHash('sha256').update(`mac ${attempt} ${platform}/${machine}`).digest('hex').toUpperCase();
  const own = Array.from({ length: 6 - octets.length }, (_, index) => hash.slice(index * 2, index * 2 + 2));
  return [...octets, ...own].join(':');
}

function assignVmids({ machines, existing, others }: IdentityRequest, rules: VmidRules): ReadonlyMap<string, number> {
  const given = new Map<string, number>();
  for (const { name, fixed } of machines) {
    const vmid = existing.get(name)?.vmid ?? fixed.vmid;
    if (vmid !== undefined) given.set(name, vmid);
  }
  const taken = new Set([...given.values(), ...others.flatMap(({ vmid }) => vmid ?? [])]);
  const groups = [...groupBy(machines, ({ role, pool }) => (role === 'control-plane' ? null : pool))].toSorted(
    ([one], [other]) => (one === null ? -1 : other === null ? 1 : one < other ? -1 : 1),
  );
  for (const [group, members] of groups) {
    const own = rules.groups.get(group);
    const range = own ?? (group === null ? rules.controlPlane : rules.workers);
    const first =
      firstVmid(members, given) ??
      (own || group === null ? range.first : freeHundred(range, members.length, taken, rules));
    for (const { name, index } of members.filter((member) => !given.has(member.name)).toSorted(byIndex)) {
      const vmid = nextFree(Math.max(first + index, range.first), range, taken);
      if (vmid === undefined) continue;
      taken.add(vmid);
      given.set(name, vmid);
    }
  }
  return given;
}

/** Where machine 0 of a group would be, judging by those of it that have a VMID. */
function firstVmid(members: readonly Machine[], given: ReadonlyMap<string, number>): number | undefined {
  const starts = members.flatMap(({ name, index }) => {
    const vmid = given.get(name);
    return vmid === undefined ? [] : [vmid - index];
  });
  return starts.length === 0 ? undefined : Math.min(...starts);
}

/** Each pool begins a hundred of its own while there are any: growing one then never runs into the next. */
function freeHundred(range: VmidRange, length: number, taken: ReadonlySet<number>, rules: VmidRules): number {
  const hundreds = Math.max(1, Math.ceil(length / 100));
  const reserved = [...rules.groups.values()];
  for (let first = range.first; first + length - 1 <= range.last; first += 100) {
    const last = first + hundreds * 100 - 1;
    const free =
      ![...taken].some((vmid) => vmid >= first && vmid <= last) &&
      !reserved.some((other) => other.first <= last && first <= other.last);
    if (free) return first;
  }
  return range.first;
}

function nextFree(from: number, range: VmidRange, taken: ReadonlySet<number>): number | undefined {
  for (let vmid = from; vmid <= range.last; vmid++) if (!taken.has(vmid)) return vmid;
  for (let vmid = range.first; vmid < from; vmid++) if (!taken.has(vmid)) return vmid;
  return undefined;
}

const byName = (one: { readonly name: string }, other: { readonly name: string }): number =>
  one.name < other.name ? -1 : 1;
const byIndex = (one: Machine, other: Machine): number => one.index - other.index;
