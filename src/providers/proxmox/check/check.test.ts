import { describe, expect, test } from 'vitest';
import { aCluster, aRequest, toolsOf, type Cluster } from '../../../../test/proxmox/cluster.ts';
import { serveImages } from '../../../../test/proxmox/image-server.ts';
import { Someone } from '../../../../test/proxmox/someone.ts';
import type { Finding, ImageRequest, Provider } from '../../provider.ts';
import { openProxmox } from '../proxmox.ts';
import type { ProxmoxSettings } from '../settings.ts';

const signal = AbortSignal.timeout(60_000);
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
  expect(shown(await cluster.provider.reader.check([], signal))).toEqual([
    'version: fine',
    'clock: fine',
    'quorum: fine',
    'user: warning proxmox-root',
    'permissions: fine',
    'vmids: fine',
    'host pve1: fine',
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
  const open = (): Provider =>
    openProxmox(
      { ...cluster.settings, ...changed },
      { credentials: { kind: 'token', token: `automation@pve!ichor=${made.value}` }, ca: cluster.lab.ca },
      toolsOf(cluster.lab, cluster.clock, cluster.warnings),
    );
  return { someone, open };
}

/** Types what the remedy says, as root would. */
async function type(someone: Someone, remedy: string): Promise<void> {
  for (const line of remedy.split('\n')) {
    const role = /pveum role add (\S+) --privs '([^']+)'/.exec(line);
    const acl = /pveum acl modify (\S+) --roles (\S+) --users '([^']+)' --tokens '([^']+)'/.exec(line);
    if (role?.[1] !== undefined && role[2] !== undefined) {
      await someone.does('POST', '/access/roles', { roleid: role[1], privs: role[2] });
    }
    if (acl?.[1] !== undefined) {
      const [, path = '', roles = '', users = '', tokens = ''] = acl;
      await someone.does('PUT', '/access/acl', { path, roles, users, tokens });
    }
  }
}

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
      const findings = await before.reader.check([], signal);
      const [, remedy = ''] = problemAbout(findings, 'permissions') ?? [];
      expect(remedy).toContain('pveum role add ichor-machines');
      await type(someone, remedy);
      await using after = open();
      expect(problems(await after.reader.check([], signal)).filter((line) => !line.startsWith('clock'))).toEqual([]);
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

  test('to say the start order are missed with a warning, and it is left out', async () => {
    await using cluster = await aCluster({ hosts: 1 });
    const { someone, open } = await newcomer(cluster, { startup: { order: 3 } });
    await using before = open();
    const findings = await before.reader.check([], signal);
    const remedy = problemAbout(findings, 'permissions')?.[1] ?? '';
    // Everything but the role for the start order.
    const typed = remedy.split('\n').filter((line) => !line.includes('ichor-startup'));
    await type(someone, typed.join('\n'));
    await using after = open();
    expect(problems(await after.reader.check([], signal))).toContain('permissions: warning proxmox-permissions');
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
    return await cluster.provider.reader.check(image === undefined ? [] : [image], signal);
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
      'There is no bridge “vmbr7” on pve1, or we may not use it; we see vmbr0.',
      'Correct machines.proxmox.bridge, or make it on the host:\n    ssh root@pve1 ip -br link show type bridge',
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

  test('an image that hosts cannot fetch', async () => {
    await using images = await serveImages();
    const image: ImageRequest = {
      kind: 'disk',
      url: 'http://127.0.0.1:1/talos.qcow2',
      name: 'talos.qcow2',
      checksum: undefined,
      download: 'host',
      datastore: 'local',
    };
    const look = async (changed: Partial<Extract<ImageRequest, { url: string }>>) =>
      problems(await findingsOf({}, {}, undefined, { ...image, ...changed })).filter((line) =>
        line.startsWith('image'),
      );
    expect(await look({})).toEqual(['image pve1: error proxmox-image-unreachable']);
    expect(await look({ download: 'auto' })).toEqual(['image pve1: warning proxmox-image-unreachable']);
    expect(await look({ download: 'here' })).toEqual([]);
    expect(await look({ url: `${images.url}/talos.qcow2` })).toEqual([]);
  });

  test('clocks that do not agree', async () => {
    await using cluster = await aCluster({ hosts: 1 });
    const ahead = { now: () => new Date(Date.now() + 3600_000) };
    const findings = await cluster.open({}, { clock: ahead }).reader.check([], signal);
    expect(problemAbout(findings, 'clock')?.[0]).toMatch(
      /^The clock of the hosts is 3(599|600|601) s behind the one of this machine\.$/,
    );
  });
});
