import { expect, test } from 'vitest';
import { virtualClock } from '../../clock.ts';
import { createAcl } from './acl.ts';
import { isAclPath, normalPath } from './paths.ts';
import { builtInRoles, privilegesOf } from './privileges.ts';
import { createTickets } from './tickets.ts';

test('a ticket is good for two hours, and only as it was made', async () => {
  const clock = virtualClock();
  const tickets = createTickets(clock);
  const { ticket, csrf } = tickets.issue('eva@pve');
  const state = (): unknown => [tickets.holder(ticket), tickets.isCsrf('eva@pve', csrf)];
  const fresh = state();
  await clock.advance(7_190_000);
  const old = state();
  await clock.advance(20_000);
  expect([
    fresh,
    old,
    state(),
    tickets.holder(tickets.issue('eva@pve').ticket.replace('eva', 'ida')),
    tickets.isCsrf('ida@pve', tickets.issue('eva@pve').csrf),
    tickets.holder('PVE:eva@pve:nonsense'),
  ]).toEqual([['eva@pve', true], ['eva@pve', true], [undefined, false], undefined, false, undefined]);
});

test('the agent has a privilege of its own in 9, and shares one in 8', () => {
  const agent = (major: 8 | 9): readonly string[] =>
    [...privilegesOf(major)].filter((each) => /Monitor|GuestAgent|Replicate/.test(each)).toSorted();
  expect([agent(8), agent(9)]).toEqual([
    ['VM.Monitor'],
    [
      'VM.GuestAgent.Audit',
      'VM.GuestAgent.FileRead',
      'VM.GuestAgent.FileSystemMgmt',
      'VM.GuestAgent.FileWrite',
      'VM.GuestAgent.Unrestricted',
      'VM.Replicate',
    ],
  ]);
});

test('roles that are always there', () => {
  const roles = builtInRoles(9);
  expect([...roles.keys()].toSorted()).toEqual([
    'Administrator',
    'NoAccess',
    'PVEAdmin',
    'PVEAuditor',
    'PVEDatastoreAdmin',
    'PVEDatastoreUser',
    'PVEMappingAdmin',
    'PVEMappingUser',
    'PVEPoolAdmin',
    'PVEPoolUser',
    'PVESDNAdmin',
    'PVESDNUser',
    'PVESysAdmin',
    'PVETemplateUser',
    'PVEUserAdmin',
    'PVEVMAdmin',
    'PVEVMUser',
  ]);
  expect([
    [...(roles.get('PVEDatastoreUser') ?? [])],
    roles.get('PVEAdmin')?.has('Mapping.Modify'),
    roles.get('PVEMappingAdmin')?.has('Mapping.Modify'),
    roles.get('PVEAdmin')?.has('Sys.Modify'),
    roles.get('Administrator')?.size === privilegesOf(9).size,
  ]).toEqual([['Datastore.AllocateSpace', 'Datastore.Audit'], false, true, false, true]);
});

test('who is named further down counts alone, and groups give way to their members', () => {
  const acl = createAcl();
  const eva = { kind: 'user', id: 'eva@pve' } as const;
  const crew = { kind: 'group', id: 'crew' } as const;
  const at = (path: string): Record<string, boolean> => Object.fromEntries(acl.rolesOf(eva, new Set(['crew']), path));
  acl.grant({ ...crew, path: '/', role: 'Crew', propagate: true });
  acl.grant({ ...eva, path: '/vms', role: 'Here', propagate: false });
  acl.grant({ ...eva, path: '/vms/100', role: 'There', propagate: true });
  acl.grant({ ...crew, path: '/vms/100', role: 'Other', propagate: true });
  acl.grant({ ...eva, path: '/nodes', role: 'NoAccess', propagate: true });
  acl.grant({ ...eva, path: '/nodes', role: 'Some', propagate: true });
  expect([at('/'), at('/vms'), at('/vms/101'), at('/vms/100'), at('/nodes/a'), at('/storage')]).toEqual([
    { Crew: true },
    { Here: false },
    { Crew: true },
    { There: true },
    { NoAccess: true },
    { Crew: true },
  ]);
  acl.revoke({ ...eva, path: '/vms/100', role: 'There' });
  acl.forget({ subjects: ({ kind }) => kind === 'group' });
  expect([at('/vms/100'), acl.paths()]).toEqual([{}, ['/vms', '/nodes']]);
});

test.each([
  ['/vms//100/', '/vms/100', true],
  ['vms', '/vms', true],
  ['//', '/', true],
  ['/vms/7', '/vms/7', false],
  ['/pool/a/b/c', '/pool/a/b/c', true],
  ['/pool/a/b/c/d', '/pool/a/b/c/d', false],
  ['/sdn/zones/localnetwork/vmbr0/40', '/sdn/zones/localnetwork/vmbr0/40', true],
  ['/sdn/zones/localnetwork/vmbr0/x', '/sdn/zones/localnetwork/vmbr0/x', false],
])('the path %s', (given, normal, allowed) => {
  expect([normalPath(given), isAclPath(normal)]).toEqual([normal, allowed]);
});

test.each(['', '/a b', '/x!'])('%j is no path', (given) => {
  expect(normalPath(given)).toBeUndefined();
});
