import { describe, expect, test } from 'vitest';
import { aCluster, aRequest, toolsOf, type Cluster } from '../../../../test/proxmox/cluster.ts';
import { serveImages } from '../../../../test/proxmox/image-server.ts';
import { Someone } from '../../../../test/proxmox/someone.ts';
import type { Finding, ImageRequest, Needs, Provider } from '../../provider.ts';
import { imageTrier } from '../../../clients/images/fetch.ts';
import { openProxmox } from '../proxmox.ts';
import type { ProxmoxSettings } from '../settings.ts';
import type { ProxmoxTools } from '../tools.ts';
import type { ProxmoxFault } from '../../../lab/proxmox/twin.ts';
import { folder } from '../../../../test/folder.ts';

const signal = AbortSignal.timeout(60_000);
const nothing: Needs = { images: [], datastores: [] };
const blank = { image: { kind: 'iso', host: 'pve1', volume: 'none' } } as const;

const shown = (findings: readonly Finding[]): readonly string[] =>
  findings.map(
    ({ about, host, problem }) =>
      `${about}${host === undefined ? '' : ` ${host}`}: ${problem === undefined ? 'fine' : `${problem.severity} ${problem.code}`}`,
  );
const problems = (findings: readonly Finding[]): readonly string[] =>
  shown(findings).filter((line) => !line.endsWith(': fine'));
const problemAbout = (findings: readonly Finding[], about: string) => {
  const problem = findings.find((finding) => finding.about === about && finding.problem !== undefined)?.problem;
  return problem === undefined ? undefined : [problem.message, problem.remedy];
};

test('everything is looked at, and most of it is fine', async () => {
  await using cluster = await aCluster({ hosts: 1, speed: 1 });
  expect(shown(await cluster.provider.reader.check(nothing, signal))).toEqual([
    'endpoint: fine',
    'quorum: fine',
    'user: warning proxmox-root',
    'permissions: fine',
    'vmids: fine',
    'host pve1: fine',
    'version pve1: fine',
    'clock pve1: fine',
    'storage pve1: fine',
    'storage pve1: fine',
    'bridge pve1: fine',
  ]);
});

/** A user with a token of its own, and nothing else; the provider that uses it. */
async function newcomer(cluster: Cluster, changed: Partial<ProxmoxSettings> = {}) {
  const someone = new Someone(cluster.lab, cluster.clock);
  await someone.does('POST', '/access/users', { userid: 'automation@pve' });
  const made = (await someone.does('POST', '/access/users/automation@pve/token/ichor')) as { readonly value: string };
  const open = (tools: Partial<ProxmoxTools> = {}): Provider =>
    openProxmox(
      { ...cluster.settings, ...changed },
      { credentials: { kind: 'token', token: `automation@pve!ichor=${made.value}` }, ca: cluster.lab.ca },
      { ...toolsOf(cluster.lab, cluster.clock, cluster.warnings), ...tools },
    );
  return { someone, open };
}

/** Types what the remedy says, as root would. */
async function type(someone: Someone, remedy: string): Promise<void> {
  for (const line of remedy.split('\n')) {
    const role =
      /pveum role add (\S+) --privs '([^']+)' 2>\/dev\/null \|\| pveum role modify \1 --privs '\2' --append 1$/.exec(
        line,
      );
    const acl = /pveum acl modify (\S+) --roles (\S+) --users '([^']+)' --tokens '([^']+)'$/.exec(line);
    if (role?.[1] !== undefined && role[2] !== undefined) {
      const [, roleid, privs] = role;
      await someone
        .does('POST', '/access/roles', { roleid, privs })
        .catch(() => someone.does('PUT', `/access/roles/${roleid}`, { privs, append: 1 }));
    } else if (acl?.[1] !== undefined) {
      const [, path = '', roles = '', users = '', tokens = ''] = acl;
      await someone.does('PUT', '/access/acl', { path, roles, users, tokens });
    } else if (line.startsWith('    ')) throw new Error(`Nobody knows how to type: ${line}`);
  }
}

const fetched = { kind: 'iso', name: 'talos.iso', checksum: undefined, datastore: 'local' } as const;

/** Everything that a finding says is missing. */
const allPrivileges = ({ about, problem }: Finding): readonly string[] =>
  about === 'permissions' ? [...new Set(problem?.message.match(/\b[A-Z][A-Za-z]+\.[A-Za-z.]+\b/g) ?? [])] : [];

describe('rights', () => {
  test.each([
    ['9.2', undefined],
    ['8.4', undefined],
    ['9.2', 'talos'],
    ['8.4', 'talos'],
  ] as const)(
    'on %s with the pool %s: what is missing is named, and what is printed gives it',
    async (version, pool) => {
      await using cluster = await aCluster({ version });
      const settings = pool === undefined ? { vlan: 40 } : { vlan: 40, pool };
      const { someone, open } = await newcomer(cluster, settings);
      if (pool !== undefined) await someone.does('POST', '/pools', { poolid: pool });
      await using before = open();
      const findings = await before.reader.check(nothing, signal);
      const [, remedy = ''] = problemAbout(findings, 'permissions') ?? [];
      expect(remedy).toContain('pveum role add ichor-machines');
      expect(problemAbout(findings, 'quorum')).toEqual([
        'automation@pve!ichor may not look at the cluster: it lacks Sys.Audit on /.',
        'Give it the roles that are printed under “permissions”.',
      ]);
      await type(someone, remedy);
      await using after = open();
      expect(problems(await after.reader.check(nothing, signal)).filter((line) => !line.startsWith('clock'))).toEqual(
        [],
      );
      const machine = await after.writer.create(aRequest(401, blank), signal);
      expect(cluster.lab.vms()[0]?.config['tags']).toBe('control-plane;ichor;ichor-prod');
      await after.writer.setPower(machine, 'on', signal);
      expect((await after.reader.machines('prod', signal)).map(({ kind }) => kind)).toEqual(['known']);
      await after.writer.ejectMedia(machine, signal);
      await after.writer.resize(machine, { ...aRequest(401).shape, cpu: 4 }, signal);
      const rule = { mac: aRequest(401).mac, network: undefined, not: [] };
      expect(await after.reader.address(machine, rule, signal)).toBeUndefined();
      expect((await after.reader.survey(signal)).inventory.hosts.map(({ cpu }) => cpu)).toEqual([16, 16, 16]);
      await after.writer.delete(machine, signal);
      await after.writer.delete(machine, signal);
      expect(cluster.lab.vms()).toEqual([]);
    },
  );

  test('that come from above are still there after what is printed was typed, also a second time', async () => {
    await using cluster = await aCluster({ hosts: 2 });
    const { someone, open } = await newcomer(cluster);
    const image = { ...fetched, url: 'http://127.0.0.1:1/x', download: 'auto' } as const;
    const look = async () => {
      await using provider = open({ tryFile: () => Promise.resolve() });
      return await provider.reader.check({ images: [image], datastores: [] }, signal);
    };
    const subject = { users: 'automation@pve', tokens: 'automation@pve!ichor' };
    // All of it from the root on, but for hosts that fetch.
    const { roleid, privs } = { roleid: 'all', privs: (await look()).flatMap(allPrivileges).join(' ') };
    await someone.does('POST', '/access/roles', { roleid, privs: privs.replace('Sys.AccessNetwork', 'Sys.Console') });
    await someone.does('PUT', '/access/acl', { path: '/', roles: roleid, ...subject });
    const before = await look();
    const [message, remedy = ''] = problemAbout(before, 'permissions') ?? [];
    expect(message).toMatch(/lacks rights:\n {4}\/nodes\/pve1: Sys.AccessNetwork \(without/);
    expect(problemAbout(before, 'image')?.[1]).toBe('Give it the roles that are printed under “permissions”.');
    await type(someone, remedy);
    await type(someone, remedy);
    expect(problemAbout(await look(), 'permissions')).toBeUndefined();
    await using after = open();
    expect((await after.reader.survey(signal)).inventory.hosts.map(({ cpu }) => cpu)).toEqual([16, 16]);
    expect(
      await someone.does('GET', '/access/permissions', { userid: 'automation@pve!ichor', path: '/nodes/pve1' }),
    ).toMatchObject({ '/nodes/pve1': { 'Sys.Audit': 1, 'Sys.Console': 1, 'Sys.AccessNetwork': 1 } });
  });

  test('that somebody took away at a host leave that host unseen, and not empty', async () => {
    await using cluster = await aCluster({ hosts: 2 });
    const { someone, open } = await newcomer(cluster);
    await using before = open();
    await type(someone, problemAbout(await before.reader.check(nothing, signal), 'permissions')?.[1] ?? '');
    await someone.does('POST', '/access/roles', { roleid: 'extra', privs: 'Sys.AccessNetwork' });
    const subject = { users: 'automation@pve', tokens: 'automation@pve!ichor' };
    await someone.does('PUT', '/access/acl', { path: '/nodes/pve1', roles: 'ichor-hosts', delete: 1, ...subject });
    await someone.does('PUT', '/access/acl', { path: '/nodes/pve1', roles: 'extra', ...subject });
    await using after = open();
    const { inventory, silent } = await after.reader.survey(signal);
    expect([inventory.hosts.map(({ name }) => name), silent]).toEqual([
      ['pve2'],
      [
        {
          host: 'pve1',
          because: 'automation@pve!ichor may not see what it has: Sys.Audit on /nodes/pve1 is missing',
          carries: [],
        },
      ],
    ]);
    const [message] = problemAbout(await after.reader.check(nothing, signal), 'permissions') ?? [];
    expect(message).toBe('automation@pve!ichor lacks rights:\n    /nodes/pve1: Sys.Audit');
  });

  test('on a pool alone leave machines of others unseen, and that is said', async () => {
    await using cluster = await aCluster({ hosts: 1 }, { pool: 'talos' });
    const { someone, open } = await newcomer(cluster);
    await someone.does('POST', '/pools', { poolid: 'talos' });
    await someone.does('POST', '/nodes/pve1/qemu', { vmid: 477, name: 'stranger', memory: 8192 });
    await using before = open();
    const [, remedy = ''] = problemAbout(await before.reader.check(nothing, signal), 'permissions') ?? [];
    await type(someone, remedy.replaceAll(/ {4}pveum acl modify \/vms .*\n/g, ''));
    await using blind = open();
    const findings = await blind.reader.check(nothing, signal);
    expect(problems(findings).filter((line) => !line.startsWith('clock'))).toEqual([
      'permissions: warning proxmox-permissions',
    ]);
    expect(findings.find(({ about }) => about === 'vmids')?.what).toBe(
      'The ranges of VMIDs belong to machines of ichor alone, as far as automation@pve!ichor sees.',
    );
    const { inventory } = await blind.reader.survey(signal);
    expect(inventory.hosts[0]?.residents).toEqual([]);
    expect(cluster.warnings.map(({ code }) => code)).toEqual(['proxmox-partial-view']);
    await type(someone, problemAbout(findings, 'permissions')?.[1] ?? '');
    await using seeing = open();
    const survey = await seeing.reader.survey(signal);
    expect(survey.inventory.hosts[0]?.residents.map(({ vmid }) => vmid)).toEqual([477]);
    expect(cluster.warnings).toHaveLength(1);
    expect(problemAbout(await seeing.reader.check(nothing, signal), 'vmids')?.[0]).toContain('477 on pve1');
  });

  test('to say the start order are missed with a warning, and it is left out', async () => {
    await using cluster = await aCluster({ hosts: 1 });
    const { someone, open } = await newcomer(cluster, { startup: { order: 3 } });
    await using before = open();
    const findings = await before.reader.check(nothing, signal);
    const remedy = problemAbout(findings, 'permissions')?.[1] ?? '';
    // Everything but the role for the start order.
    await type(
      someone,
      remedy.replaceAll(/ {4}pveum role add ichor-startup .*\n/g, '').replaceAll(',ichor-startup', ''),
    );
    await using after = open();
    expect(problems(await after.reader.check(nothing, signal))).toContain('permissions: warning proxmox-permissions');
    await after.writer.create(aRequest(401, blank), signal);
    expect(cluster.lab.vms()[0]?.config['startup']).toBeUndefined();
    expect(cluster.warnings.map(({ message }) => message)).toEqual([
      'The start order is left out: automation@pve!ichor lacks Sys.Modify on /, which it takes.',
    ]);
  });
});

describe('what is wrong is found, with what to type', () => {
  const findingsOf = async (
    settings: Partial<ProxmoxSettings>,
    options: Parameters<typeof aCluster>[0] = {},
    prepare: (cluster: Cluster) => Promise<void> | void = () => undefined,
    image?: ImageRequest,
  ) => {
    await using cluster = await aCluster({ hosts: 1, ...options }, settings);
    await prepare(cluster);
    return await cluster.provider.reader.check({ images: image === undefined ? [] : [image], datastores: [] }, signal);
  };

  test('a host that is not in the cluster, and one that is down', async () => {
    expect(problemAbout(await findingsOf({ hosts: ['pve9'] }), 'host')).toEqual([
      'There is no host “pve9” in this cluster; it has pve1.',
      'Correct machines.proxmox.hosts; the hosts are listed by:\n    pvecm nodes',
    ]);
    const down = await findingsOf({ hosts: ['pve2'] }, { hosts: 3 }, ({ lab }) => lab.setHost('pve2', 'dead'));
    expect(problemAbout(down, 'host')?.[0]).toBe('pve2 is offline.');
  });

  test('a datastore that is not there, takes something else, or is full', async () => {
    expect(problemAbout(await findingsOf({ datastore: 'fast' }), 'storage')?.[0]).toBe(
      'There is no datastore “fast” on pve1, or we may not see it.',
    );
    expect(problemAbout(await findingsOf({ imageDatastore: 'local-lvm' }), 'storage')).toEqual([
      'The datastore local-lvm on pve1 does not take iso, only images, rootdir.',
      'Allow it there, or name another datastore:\n    ssh root@pve1 pvesm set local-lvm --content images,iso,rootdir',
    ]);
    const full = await findingsOf({}, {}, ({ lab }) => lab.fill('local', 1, 'pve1'));
    expect(problemAbout(full, 'storage')?.[0]).toBe(
      'The datastore local on pve1 has 1.0 GiB free, and an image needs about 3 GiB.',
    );
  });

  test('a bridge that is not there, or not for VLANs', async () => {
    expect(problemAbout(await findingsOf({ bridge: 'vmbr7' }), 'bridge')).toEqual([
      'There is no bridge “vmbr7” on pve1; there is vmbr0.',
      "Correct machines.proxmox.bridge, or make it, with the port of the host that it is to use instead of PORT:\n    ssh root@pve1 'pvesh create /nodes/pve1/network --iface vmbr7 --type bridge --bridge_ports PORT --bridge_vlan_aware 1 --autostart 1 && pvesh set /nodes/pve1/network'",
    ]);
    const plain = await findingsOf(
      { vlan: 40 },
      { hosts: [{ name: 'pve1', bridges: { vmbr0: { vlanAware: false } } }] },
    );
    expect(problemAbout(plain, 'bridge')?.[0]).toBe(
      'vmbr0 on pve1 is not VLAN-aware: Proxmox makes a second bridge vmbr0v40 for the machines, which needs a physical port in vmbr0.',
    );
  });

  test('others in our range of VMIDs, a pool that is not there', async () => {
    const found = await findingsOf({ pool: 'talos' }, {}, async ({ lab, clock }) => {
      await new Someone(lab, clock).does('POST', '/nodes/pve1/qemu', { vmid: 450, name: 'web' });
    });
    expect(problemAbout(found, 'vmids')?.[0]).toBe(
      'Other machines have VMIDs in the ranges of the file: 450 on pve1. ichor goes around them.',
    );
    expect(problemAbout(found, 'pool')).toEqual([
      'There is no pool “talos”.',
      'Make it, or take machines.proxmox.pool out of the file:\n    pveum pool add talos',
    ]);
  });

  test('what HA and the firewall would need', async () => {
    const alone = await findingsOf({ antiAffinity: true, firewall: true });
    expect(problems(alone)).toEqual(
      expect.arrayContaining(['ha: error proxmox-ha-alone', 'firewall: warning proxmox-firewall-off']),
    );
    const local = await findingsOf({ antiAffinity: true }, { hosts: 3 });
    expect(problemAbout(local, 'ha')?.[0]).toBe(
      'HA restarts machines of a failed host elsewhere, and those on local-lvm leave their disks behind.',
    );
  });

  describe('an image', () => {
    const image: Extract<ImageRequest, { url: string }> = {
      kind: 'disk',
      url: 'http://127.0.0.1:1/talos.qcow2',
      name: 'talos.qcow2',
      checksum: undefined,
      download: 'host',
      datastore: 'local',
    };
    const look = async (
      images: readonly ImageRequest[],
      cannot: Parameters<typeof aCluster>[0] & { fault?: ProxmoxFault } = {},
    ) => {
      await using cluster = await aCluster({ hosts: 2, ...cannot });
      if (cannot.fault !== undefined) cluster.lab.fail(cannot.fault);
      const provider = cluster.open({}, { tryFile: imageTrier({ folder: folder() }) });
      return (await provider.reader.check({ images, datastores: [] }, signal)).filter(({ about }) => about === 'image');
    };

    test('that hosts cannot fetch; this machine tries where it would bring it', async () => {
      await using images = await serveImages();
      const dead = (download: typeof image.download) => look([{ ...image, download }]);
      const both = (verdict: string) => [`image pve1: ${verdict}`, `image pve2: ${verdict}`];
      expect(shown(await dead('host'))).toEqual(both('error proxmox-image-unreachable'));
      expect(shown(await dead('here'))).toEqual(both('error image-unreachable'));
      // Nobody could have it.
      const nobody = await dead('auto');
      expect(shown(nobody)).toEqual(both('error proxmox-image-unreachable'));
      expect(nobody[0]?.problem?.remedy).not.toContain('download');
      const url = `${images.url}/talos.qcow2`;
      for (const download of ['host', 'here', 'auto'] as const)
        expect(shown(await look([{ ...image, url, download }]))).toEqual(both('fine'));
      expect(images.fetched).not.toEqual([]);
    });

    test('that a host cannot fetch and this machine can is only worth a warning', async () => {
      await using images = await serveImages();
      const wanted = { ...image, url: `${images.url}/talos.qcow2`, download: 'auto' } as const;
      const fault = {
        kind: 'refuse',
        match: 'GET /nodes/pve2/query-url-metadata',
        status: 500,
        reason: '500 no route',
      } as const;
      const [first, second] = await look([wanted], { fault });
      expect([first?.problem, second?.problem?.severity]).toEqual([undefined, 'warning']);
      expect(second?.problem?.message).toMatch(/ This machine can, and would upload it to pve2\.$/);
      expect(second?.problem?.remedy).not.toContain('download');
    });

    test('that somebody is said to have put there', async () => {
      const [finding] = await look([{ kind: 'iso', volume: 'local:iso/talos.iso' }]);
      expect([finding?.problem?.code, finding?.problem?.message]).toEqual([
        'proxmox-no-volume',
        'There is no local:iso/talos.iso on pve1.',
      ]);
    });

    test('needs one look at its datastore, whatever it is for', async () => {
      await using cluster = await aCluster({ hosts: 1 }, { datastore: 'local', imageDatastore: 'local' });
      const provider = cluster.open({}, { tryFile: () => Promise.resolve() });
      const findings = await provider.reader.check(
        { images: [{ ...image, download: 'here' }], datastores: [] },
        signal,
      );
      expect(
        findings.filter(({ about }) => about === 'storage').map(({ what, problem }) => [what, problem?.message]),
      ).toEqual([
        [
          'local on pve1 takes disks and images (import, iso) and has room for one.',
          'The datastore local on pve1 does not take images, only backup, import, iso, snippets, vztmpl.',
        ],
      ]);
    });
  });

  test('a datastore that only some machines use', async () => {
    await using cluster = await aCluster({ hosts: 1 });
    const findings = await cluster.provider.reader.check({ images: [], datastores: ['local-lvm', 'nosuch'] }, signal);
    expect(problemAbout(findings, 'storage')?.[0]).toBe(
      'There is no datastore “nosuch” on pve1, or we may not see it.',
    );
  });

  test('an endpoint that does not answer, while another one does', async () => {
    await using cluster = await aCluster({ hosts: 3, speed: 1 });
    cluster.lab.setHost('pve1', 'dead');
    const findings = await cluster.open({ hosts: ['pve2'] }).reader.check(nothing, signal);
    expect(shown(findings.filter(({ about }) => about === 'endpoint'))).toEqual([
      'endpoint: warning proxmox-unreachable',
      'endpoint: fine',
      'endpoint: fine',
    ]);
    expect(problemAbout(findings, 'endpoint')?.[0]).toMatch(
      /nothing listens there\. The other endpoints are asked instead\.$/,
    );
  });

  test('an endpoint that nobody believes, while another one is', async () => {
    await using cluster = await aCluster({ hosts: 2 });
    const [, second] = cluster.lab.endpoints.values();
    const endpoints = [{ url: second ?? '', fingerprint: 'AA'.repeat(32) }];
    const findings = await cluster.open({ endpoints }).reader.check(nothing, signal);
    expect(problems(findings)).toContain('endpoint: error proxmox-fingerprint');
  });

  test('the version and the clock of each host', async () => {
    await using cluster = await aCluster({
      hosts: [{ name: 'pve1' }, { name: 'pve2', clockAheadMs: 120_000 }, { name: 'pve3', clockAheadMs: -3_600_000 }],
      speed: 1,
    });
    const asked = (path: string) => cluster.lab.requests().filter((each) => each.path.endsWith(path)).length;
    const findings = await cluster.provider.reader.check(nothing, signal);
    const clocks = findings.filter(({ about }) => about === 'clock').map(({ problem }) => problem?.message);
    expect(clocks).toEqual([
      undefined,
      expect.stringMatching(/^The clock of pve2 is 1(19|20) s ahead of the one of this machine\.$/),
      expect.stringMatching(/^The clock of pve3 is 3(599|600|601) s behind the one of this machine\.$/),
    ]);
    expect(['pve1', 'pve2', 'pve3'].map((host) => asked(`/nodes/${host}/version`))).toEqual([1, 1, 1]);
  });

  test('a virtual network that does not reach a host', async () => {
    const sdn = {
      zones: [{ zone: 'blue', hosts: ['pve1'] }],
      vnets: [{ vnet: 'talos', zone: 'blue', tag: 40 }],
    };
    const findings = await findingsOf({ bridge: 'talos' }, { hosts: 2, sdn });
    expect(shown(findings.filter(({ about }) => about === 'bridge'))).toEqual([
      'bridge pve1: fine',
      'bridge pve2: error proxmox-no-bridge',
    ]);
    expect(problemAbout(findings, 'bridge')?.[0]).toBe(
      'The virtual network talos is not there on pve2: its zone blue leaves that host out, or was not applied.',
    );
  });
});
