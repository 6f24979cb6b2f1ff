import { describe, expect, test } from 'vitest';
import { settingsFor } from '../../../test/proxmox/asking.ts';
import { lackOf } from './check/permissions.ts';
import { grantsFor } from './check/rights.ts';
import { Permissions } from './permissions.ts';
import type { ImageRequest } from '../provider.ts';
import type { ProxmoxSettings } from './settings.ts';
import { pveVersion, type PveVersion } from './version.ts';

describe('what may be done at a path', () => {
  const permissions = new Permissions({
    '/': { 'Sys.Audit': 1, 'Sys.Modify': 0 },
    '/vms': { 'Sys.Audit': 1 },
    '/vms/120': { 'VM.Audit': 0 },
    '/pool/talos': { 'VM.Allocate': 1 },
  });

  test.each<[path: string, privilege: string, may: boolean]>([
    ['/', 'Sys.Audit', true],
    // It is there, and goes no further.
    ['/', 'Sys.Modify', true],
    ['/nodes/pve1', 'Sys.Modify', false],
    ['/nodes/pve1', 'Sys.Audit', true],
    ['/vms/120', 'VM.Audit', true],
    // What is listed for the path itself replaces what comes from above.
    ['/vms/120', 'Sys.Audit', false],
    ['/vms/121', 'Sys.Audit', true],
    ['/pool/talos', 'VM.Allocate', true],
    ['/pool/other', 'VM.Allocate', false],
    ['/storage/local', 'Datastore.Audit', false],
  ])('%s %s: %s', (path, privilege, may) => {
    expect(permissions.may(path, privilege)).toBe(may);
  });

  test('nobody without a list may do anything', () => {
    expect(new Permissions({}).may('/', 'Sys.Audit')).toBe(false);
  });
});

const image: ImageRequest = {
  kind: 'iso',
  url: 'https://example.org/talos.iso',
  name: 'talos.iso',
  checksum: undefined,
  download: 'auto',
  datastore: 'local',
};

describe('what is missing', () => {
  const version = (text: string): PveVersion => pveVersion(text) ?? { text, major: 0, minor: 0 };
  const grants = (text: string, changed: Partial<ProxmoxSettings> = {}) =>
    grantsFor(settingsFor([{ url: 'https://pve1:8006' }], changed), version(text), [image]);
  test('is listed path by path, with the roles to make', () => {
    const problem = lackOf(new Permissions({}), grants('9.2.11', { pool: 'talos' }), 'automation@pve!ichor');
    expect([problem?.severity, problem?.message, problem?.remedy]).toEqual([
      'error',
      [
        'automation@pve!ichor lacks rights:',
        '    /pool/talos: VM.Allocate VM.Audit VM.Config.CDROM VM.Config.CPU VM.Config.Cloudinit VM.Config.Disk VM.Config.HWType VM.Config.Memory VM.Config.Network VM.Config.Options VM.PowerMgmt VM.GuestAgent.Audit Pool.Audit',
        '    /storage/local-lvm: Datastore.AllocateSpace Datastore.Audit',
        '    /storage/local: Datastore.AllocateTemplate Datastore.Audit',
        '    /storage/local: Datastore.Allocate (without: media with first configurations stay on the datastore)',
        '    /sdn/zones/localnetwork/vmbr0: SDN.Use',
        '    /: Sys.Audit',
        '    /nodes/pve1: Sys.AccessNetwork Sys.Audit (without: hosts fetch no images, and this machine uploads them)',
      ].join('\n'),
      [
        'Make these roles and give them, as root on any host (a role that exists is changed by “pveum role modify”):',
        "    pveum role add ichor-machines --privs 'VM.Allocate VM.Audit VM.Config.CDROM VM.Config.CPU VM.Config.Cloudinit VM.Config.Disk VM.Config.HWType VM.Config.Memory VM.Config.Network VM.Config.Options VM.PowerMgmt VM.GuestAgent.Audit Pool.Audit'",
        "    pveum acl modify /pool/talos --roles ichor-machines --users 'automation@pve' --tokens 'automation@pve!ichor'",
        "    pveum role add ichor-disks --privs 'Datastore.AllocateSpace Datastore.Audit'",
        "    pveum acl modify /storage/local-lvm --roles ichor-disks --users 'automation@pve' --tokens 'automation@pve!ichor'",
        "    pveum role add ichor-images --privs 'Datastore.AllocateTemplate Datastore.Audit'",
        "    pveum acl modify /storage/local --roles ichor-images --users 'automation@pve' --tokens 'automation@pve!ichor'",
        "    pveum role add ichor-image-removal --privs 'Datastore.Allocate'",
        "    pveum acl modify /storage/local --roles ichor-image-removal --users 'automation@pve' --tokens 'automation@pve!ichor'",
        "    pveum role add ichor-network --privs 'SDN.Use'",
        "    pveum acl modify /sdn/zones/localnetwork/vmbr0 --roles ichor-network --users 'automation@pve' --tokens 'automation@pve!ichor'",
        "    pveum role add ichor-cluster --privs 'Sys.Audit'",
        "    pveum acl modify / --roles ichor-cluster --users 'automation@pve' --tokens 'automation@pve!ichor'",
        "    pveum role add ichor-download --privs 'Sys.AccessNetwork Sys.Audit'",
        "    pveum acl modify /nodes/pve1 --roles ichor-download --users 'automation@pve' --tokens 'automation@pve!ichor'",
      ].join('\n'),
    ]);
  });

  test.each(['8.1.3', '8.4.1', '9.2.11'])('is nothing when %s gave it all', (text) => {
    const changed = { antiAffinity: true, firewall: true, startup: { order: 1 } };
    // Two roles at one path add up.
    const data: Record<string, Record<string, number>> = {};
    for (const { paths, privileges } of grants(text, changed))
      for (const path of paths) for (const each of privileges) (data[path] ??= {})[each] = 1;
    expect(lackOf(new Permissions(data), grants(text, changed), 'x@pve!y')).toBeUndefined();
  });

  test('depends on the version: the agent’s right, and the one to fetch', () => {
    const rights = (text: string) => grants(text).flatMap(({ privileges }) => privileges);
    expect(rights('9.0.0')).toContain('VM.GuestAgent.Audit');
    expect(rights('8.4.0')).toContain('VM.Monitor');
    expect(rights('8.1.0')).not.toContain('Sys.AccessNetwork');
    expect(rights('8.2.0')).toContain('Sys.AccessNetwork');
  });

  test('is a warning where ichor goes on without', () => {
    const data = Object.fromEntries(
      grants('9.2.11')
        .filter(({ optional }) => optional === undefined)
        .flatMap(({ paths, privileges }) =>
          paths.map((path) => [path, Object.fromEntries(privileges.map((each) => [each, 1]))]),
        ),
    );
    expect(lackOf(new Permissions(data), grants('9.2.11'), 'x@pve!y')?.severity).toBe('warning');
  });
});
