import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sweep } from '../../../test/sweep.ts';
import type { Host } from '../../model/host.ts';
import type { Machine } from '../../model/machine.ts';
import { gib, mib } from '../../model/size.ts';
import { place } from '../placement.ts';

const host = (name: string, cpu: number, memory: number): Host => ({
  name,
  cpu,
  memoryMiB: mib(memory * 1024),
  disks: undefined,
  used: { cpu: 0, memoryMiB: mib(0), disks: {} },
  residents: [],
});

type Wanted = {
  readonly role: 'control-plane' | 'worker';
  readonly cpu: number;
  readonly memory: number;
  readonly hosts: readonly string[] | undefined;
};

const machine = ({ role, cpu, memory, hosts }: Wanted, index: number): Machine => ({
  name: `m-${index}`,
  role,
  pool: role === 'worker' ? `${cpu}x${memory}` : null,
  index,
  hostname: `m-${index}`,
  shape: { cpu, memoryMiB: mib(memory * 1024), disks: [{ name: 'system', sizeGiB: gib(10), datastore: 'd' }] },
  fixed: {},
  allowedHosts: hosts,
});

/** Every way there is, without any cleverness. */
function canFit(machines: readonly Machine[], hosts: readonly Host[], apart: boolean): boolean {
  const [first, ...rest] = machines;
  if (first === undefined) return true;
  const { cpu, memoryMiB } = first.shape;
  return hosts.some((candidate) => {
    const together = apart && first.role === 'control-plane' && candidate.residents.length > 0;
    const allowed = first.allowedHosts?.includes(candidate.name) ?? true;
    if (
      together ||
      !allowed ||
      cpu > candidate.cpu - candidate.used.cpu ||
      memoryMiB > candidate.memoryMiB - candidate.used.memoryMiB
    )
      return false;
    const mark = {
      name: undefined,
      platform: undefined,
      vmid: undefined,
      mac: undefined,
      uuid: undefined,
      address: undefined,
      size: undefined,
    };
    const filled: Host = {
      ...candidate,
      used: { ...candidate.used, cpu: candidate.used.cpu + cpu, memoryMiB: mib(candidate.used.memoryMiB + memoryMiB) },
      residents: first.role === 'control-plane' ? [...candidate.residents, mark] : candidate.residents,
    };
    return canFit(
      rest,
      hosts.map((other) => (other === candidate ? filled : other)),
      apart,
    );
  });
}

const anyHosts = fc
  .array(fc.tuple(fc.constantFrom(4, 6, 8, 12), fc.constantFrom(8, 12, 16, 24)), { minLength: 1, maxLength: 3 })
  .map((sizes) => sizes.map(([cpu, memory], index) => host(`h${index}`, cpu, memory)));

const anyWanted: fc.Arbitrary<Wanted> = fc.record({
  role: fc.constantFrom('control-plane', 'worker', 'worker', 'worker'),
  cpu: fc.constantFrom(1, 2, 3, 4),
  memory: fc.constantFrom(2, 3, 4, 6, 8),
  hosts: fc.constantFrom<(readonly string[] | undefined)[]>(undefined, undefined, undefined, ['h0'], ['h0', 'h1']),
});

test('it fits exactly when any way of seating everybody exists', () => {
  let tight = 0;
  fc.assert(
    fc.property(anyHosts, fc.array(anyWanted, { maxLength: 7 }), fc.boolean(), (hosts, wanted, apart) => {
      const machines = wanted.map(machine);
      const placement = place({
        machines,
        inventory: { hosts, shared: {} },
        rules: { apart, overcommitCpu: 1, reserve: { cpu: 0, memoryMiB: 0, diskGiB: 0 } },
        existing: new Map(),
        leaving: [],
      });
      const possible = canFit(machines, hosts, apart);
      if (!possible) tight++;
      expect({ fits: placement.unplaced.length === 0, certain: placement.certain }).toEqual({
        fits: possible,
        certain: true,
      });
    }),
    sweep('small worlds against every way there is', 1000, 30_000),
  );
  expect(tight).toBeGreaterThan(100);
}, 300_000);
