import { describe, expect, test } from 'vitest';
import { settingsFor } from '../../../test/proxmox/asking.ts';
import type { Problem } from '../../model/problem.ts';
import type { Row } from './api/row.ts';
import { lackOf, type Holder } from './check/permissions.ts';
import { grantsFor } from './check/rights.ts';
import { Permissions } from './permissions.ts';
import type { ImageRequest, Needs } from '../provider.ts';
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

const image: Extract<ImageRequest, { url: string }> = {
  kind: 'iso',
  url: 'https://example.org/talos.iso',
  name: 'talos.iso',
  checksum: undefined,
  download: 'auto',
  datastore: 'local',
};

describe('what is missing', () => {
  const version = (text: string): PveVersion => pveVersion(text) ?? { text, major: 0, minor: 0 };
  const grants = (text: string, changed: Partial<ProxmoxSettings> = {}, needs: Partial<Needs> = {}) =>
    grantsFor(
      settingsFor([{ url: 'https://pve1:8006' }], changed),
      version(text),
      { images: [image], datastores: [], ...needs },
      '/sdn/zones/localnetwork/vmbr0',
    );
  const holding = (data: Row, changed: Partial<Holder> = {}): Holder => ({
    who: 'automation@pve!ichor',
    permissions: new Permissions(data),
    user: undefined,
    ...changed,
  });
  /** Every role that is made, and everything that is given. */
  const typed = (problem: Problem | undefined) => {
    const lines = problem?.remedy.split('\n').slice(1) ?? [];
    return {
      roles: lines.flatMap((line) => /role add (\S+ --privs '[^']*')/.exec(line)?.[1] ?? []),
      given: lines.flatMap((line) => /acl modify (.*)/.exec(line)?.[1] ?? []),
    };
  };

  test('is listed path by path, with the roles to make; all may be typed again', () => {
    const problem = lackOf(holding({}), grants('9.2.11', { pool: 'talos' }));
    const both = "--users 'automation@pve' --tokens 'automation@pve!ichor'";
    expect([problem?.severity, problem?.message]).toEqual([
      'error',
      [
        'automation@pve!ichor lacks rights:',
        '    /pool/talos: VM.Allocate VM.Audit VM.Config.CDROM VM.Config.CPU VM.Config.Cloudinit VM.Config.Disk VM.Config.HWType VM.Config.Memory VM.Config.Network VM.Config.Options VM.PowerMgmt VM.GuestAgent.Audit Pool.Audit',
        '    /vms: VM.Audit (without: machines of others are not seen, so that hosts look emptier than they are and VMIDs free that are not)',
        '    /storage/local-lvm: Datastore.AllocateSpace Datastore.Audit',
        '    /storage/local: Datastore.AllocateTemplate Datastore.Audit',
        '    /storage/local: Datastore.Allocate (without: media with first configurations stay on the datastore)',
        '    /sdn/zones/localnetwork/vmbr0: SDN.Use',
        '    /: Sys.Audit',
        '    /nodes/pve1: Sys.Audit',
        '    /nodes/pve1: Sys.AccessNetwork (without: hosts fetch no images, and this machine uploads them)',
      ].join('\n'),
    ]);
    expect(typed(problem)).toEqual({
      roles: [
        "ichor-machines --privs 'VM.Allocate VM.Audit VM.Config.CDROM VM.Config.CPU VM.Config.Cloudinit VM.Config.Disk VM.Config.HWType VM.Config.Memory VM.Config.Network VM.Config.Options VM.PowerMgmt VM.GuestAgent.Audit Pool.Audit'",
        "ichor-sight --privs 'VM.Audit'",
        "ichor-disks --privs 'Datastore.AllocateSpace Datastore.Audit'",
        "ichor-images --privs 'Datastore.AllocateTemplate Datastore.Audit'",
        "ichor-image-removal --privs 'Datastore.Allocate'",
        "ichor-network --privs 'SDN.Use'",
        "ichor-cluster --privs 'Sys.Audit'",
        "ichor-hosts --privs 'Sys.Audit'",
        "ichor-download --privs 'Sys.AccessNetwork'",
      ],
      given: [
        `/pool/talos --roles ichor-machines ${both}`,
        `/vms --roles ichor-sight ${both}`,
        `/storage/local-lvm --roles ichor-disks ${both}`,
        `/storage/local --roles ichor-images,ichor-image-removal ${both}`,
        `/sdn/zones/localnetwork/vmbr0 --roles ichor-network ${both}`,
        `/ --roles ichor-cluster ${both}`,
        `/nodes/pve1 --roles ichor-hosts,ichor-download ${both}`,
      ],
    });
    expect(problem?.remedy).toContain(
      "    pveum role add ichor-sight --privs 'VM.Audit' 2>/dev/null || pveum role modify ichor-sight --privs 'VM.Audit' --append 1\n",
    );
  });

  test('at a path that has rights from above comes with all that is needed there, and what else was there', () => {
    const enough = {
      '/': { 'Sys.Audit': 1, 'Sys.Console': 1 },
      '/vms': Object.fromEntries(grants('9.2.11')[0]?.privileges.map((each) => [each, 1]) ?? []),
      '/storage': {
        'Datastore.Allocate': 1,
        'Datastore.AllocateSpace': 1,
        'Datastore.AllocateTemplate': 1,
        'Datastore.Audit': 1,
      },
      '/sdn': { 'SDN.Use': 1 },
    };
    const problem = lackOf(holding(enough), grants('9.2.11', { hosts: ['pve1', 'pve2'] }));
    expect(problem?.severity).toBe('warning');
    expect(typed(problem).roles).toEqual([
      "ichor-hosts --privs 'Sys.Audit'",
      "ichor-download --privs 'Sys.AccessNetwork'",
      "ichor-kept --privs 'Sys.Console'",
    ]);
    expect(typed(problem).given).toEqual(
      ['pve1', 'pve2'].map(
        (host) =>
          `/nodes/${host} --roles ichor-hosts,ichor-download,ichor-kept --users 'automation@pve' --tokens 'automation@pve!ichor'`,
      ),
    );
  });

  test('is given to the token alone where its user has it', () => {
    const user = new Permissions({ '/': { 'Datastore.AllocateSpace': 1, 'Datastore.Audit': 1 } });
    const { given } = typed(lackOf(holding({}, { user }), grants('9.2.11')));
    expect(given).toContain("/storage/local-lvm --roles ichor-disks --tokens 'automation@pve!ichor'");
    expect(given).toContain("/ --roles ichor-cluster --users 'automation@pve' --tokens 'automation@pve!ichor'");
  });

  test('to a user is given to the user', () => {
    const { given } = typed(lackOf(holding({}, { who: 'me@pve' }), grants('9.2.11')));
    expect(given).toContain("/ --roles ichor-cluster --users 'me@pve'");
  });

  test('on every datastore that disks are to lie on', () => {
    const [, disks] = grants('9.2.11', {}, { datastores: ['fast', 'slow', 'fast'] });
    expect(disks?.paths).toEqual(['/storage/fast', '/storage/slow']);
  });

  test('is an error where hosts alone may fetch the image', () => {
    const last = (download: 'auto' | 'host' | 'here') =>
      grants('9.2.11', {}, { images: [{ ...image, download }] }).map(({ role, optional }) => [
        role,
        optional === undefined,
      ]);
    expect(last('host')).toContainEqual(['ichor-download', true]);
    expect(last('auto')).toContainEqual(['ichor-download', false]);
    expect(last('here').map(([role]) => role)).not.toContain('ichor-download');
  });

  test.each(['8.1.3', '8.4.1', '9.2.11'])('is nothing when %s gave it all', (text) => {
    const changed = { antiAffinity: true, firewall: true, startup: { order: 1 } };
    // Two roles at one path add up.
    const data: Record<string, Record<string, number>> = {};
    for (const { paths, privileges } of grants(text, changed))
      for (const path of paths) for (const each of privileges) (data[path] ??= {})[each] = 1;
    expect(lackOf(holding(data), grants(text, changed))).toBeUndefined();
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
    expect(lackOf(holding(data), grants('9.2.11'))?.severity).toBe('warning');
  });
});
