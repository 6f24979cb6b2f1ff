import { expect, test } from 'vitest';
import { provePlatform } from '../plan/proof.ts';
import type { Survey, Unmarked } from '../providers/provider.ts';
import { platformOf, twoMachines } from '../../test/talos-platform.ts';
import { claimsOf, doubtFinder, withClaims } from './claims.ts';
import type { Wanted } from './eyes.ts';

const platform = platformOf(twoMachines());
const identities = new Map([
  ['prod-cp-0', { uuid: 'aa', mac: '02:00:00:00:00:01', vmid: 401, address: null }],
  ['prod-general-0', { uuid: 'bb', mac: '02:00:00:00:00:02', vmid: 501, address: null }],
]);
const wanted = { identity: (name: string) => identities.get(name) } as Wanted;

const survey = (more: Partial<Survey> = {}): Survey => ({
  provider: { product: '', version: '' },
  inventory: { hosts: [], shared: {} },
  machines: [],
  unmarked: [],
  silent: [],
  readOnly: undefined,
  ...more,
});

const vm = (id: string, uuid: string, mac: string): Unmarked => ({
  id,
  host: 'pve1',
  name: 'anything',
  uuid,
  macs: [mac],
  damage: ({ name }) => ({ lacking: ['the tags'], restore: `mark ${name}` }),
});

const outlined = (unmarked: readonly Unmarked[]): readonly string[] =>
  claimsOf(platform, survey({ unmarked }), wanted).map(({ machine, vm: { id }, damage }) =>
    [machine, id, damage.restore].join(' '),
  );

test('a VM with the UUID or the MAC of a machine may be that one, whatever it is called', () => {
  expect(outlined([vm('999', 'AA', '02:00:00:00:00:99')])).toEqual(['prod-cp-0 999 mark prod-cp-0']);
  expect(outlined([vm('999', 'cc', '02:00:00:00:00:02')])).toEqual(['prod-general-0 999 mark prod-general-0']);
  expect(outlined([vm('401', 'cc', '02:00:00:00:00:99')])).toEqual([]);
});

test('it keeps its place, so that nobody else is given its VMID', () => {
  const { inventory } = provePlatform(platform, undefined);
  const resident = { name: 'x', platform: null, vmid: 402, mac: undefined, uuid: undefined, address: undefined };
  const host = {
    name: 'pve1',
    cpu: 4,
    memoryMiB: 1,
    disks: undefined,
    used: {},
    residents: [{ ...resident, size: undefined }],
  };
  const there = { ...inventory, hosts: [host as unknown as (typeof inventory.hosts)[number]] };
  const claims = claimsOf(platform, survey({ unmarked: [vm('402', 'aa', '02:00:00:00:00:01')] }), wanted);
  expect(withClaims('prod', there, claims).hosts[0]?.residents[0]).toMatchObject({
    name: 'prod-cp-0',
    platform: 'prod',
    vmid: 402,
    uuid: 'aa',
  });
});

const silent = (carries: Survey['silent'][number]['carries']): Survey =>
  survey({ silent: [{ host: 'pve3', because: 'it is offline', carries }] });
const doubts = (seen: Survey): readonly (string | undefined)[] =>
  ['prod-cp-0', 'prod-general-0'].map(doubtFinder(platform, seen, wanted));
const doubt = 'pve3 did not answer (it is offline): what it carries is not known';

test('who was not found may be on a host that did not answer, if anything there can be it', () => {
  expect(doubts(survey())).toEqual([undefined, undefined]);
  expect(doubts(silent(undefined))).toEqual([doubt, doubt]);
  expect(doubts(silent([]))).toEqual([undefined, undefined]);
  expect(doubts(silent([{ id: '501', platform: 'prod' }]))).toEqual([undefined, doubt]);
  expect(doubts(silent([{ id: '501', platform: undefined }]))).toEqual([undefined, doubt]);
  expect(doubts(silent([{ id: '501', platform: 'other' }]))).toEqual([undefined, undefined]);
});

test('one of ours with a VMID that nobody should have can be anybody', () => {
  expect(doubts(silent([{ id: '777', platform: 'prod' }]))).toEqual([doubt, doubt]);
  expect(doubts(silent([{ id: '777', platform: undefined }]))).toEqual([undefined, undefined]);
});
