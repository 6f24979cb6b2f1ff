import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aDatacenter, type DoorlessDatacenter } from '../../../../test/proxmox-datacenter.ts';

type Row = Readonly<Record<string, unknown>>;
type Params = Readonly<Record<string, string | number>>;

const cluster = '/cluster/firewall';
const ofVm = '/nodes/{node}/qemu/{vmid}/firewall';
const vm = { node: 'pve1', vmid: 101 };
const emptyDigest = 'da39a3ee5e6b4b0d3255bfef95601890afd80709';
const changed = 'detected modified configuration - file changed by other user? Try again.';

const accept = (dport: string): Params => ({ type: 'in', action: 'ACCEPT', proto: 'tcp', dport });
const ports = async (lab: DoorlessDatacenter, path: string, params: Params = {}) =>
  ((await lab.ask(`GET ${path}`, params)) as Row[]).map((row) => row['dport']);

describe('options', () => {
  test('show what was set, with a digest of that alone', async () => {
    using lab = aDatacenter();
    expect(await lab.ask(`GET ${cluster}/options`)).toEqual({ digest: emptyDigest });
    await lab.ask(`PUT ${cluster}/options`, { policy_in: 'DROP' });
    // As the real thing has it.
    const digest = '395d2ac4abbc43e8e32c156c2cb5a93712faa369';
    expect(await lab.ask(`GET ${cluster}/options`)).toEqual({ policy_in: 'DROP', digest });
    expect(await lab.refused(`PUT ${cluster}/options`, { enable: 1, digest: emptyDigest })).toBe(changed);
    expect(await lab.refused(`PUT ${cluster}/options`, { delete: 'nosuch' })).toBe("delete: no such option 'nosuch'");
    await lab.ask(`PUT ${cluster}/options`, { delete: 'policy_in', digest });
    expect(await lab.ask(`GET ${cluster}/options`)).toEqual({ digest: emptyDigest });
  });

  test('of a VM are numbers where they are switches', async () => {
    using lab = aDatacenter();
    await lab.ask(`PUT ${ofVm}/options`, { ...vm, enable: 1, dhcp: 0, policy_in: 'DROP', log_level_in: 'info' });
    expect(await lab.ask(`GET ${ofVm}/options`, vm)).toMatchObject({
      enable: 1,
      dhcp: 0,
      policy_in: 'DROP',
      log_level_in: 'info',
    });
    expect(await lab.refused(`PUT ${ofVm}/options`, { ...vm, delete: 'ebtables' })).toBe(
      "delete: no such option 'ebtables'",
    );
  });

  test('nobody looks whether a VM is there, and a later one finds what was written', async () => {
    using lab = aDatacenter();
    expect(await lab.ask(`GET ${ofVm}/rules`, vm)).toEqual([]);
    await lab.ask(`PUT ${ofVm}/options`, { ...vm, enable: 1 });
    await lab.task('POST /nodes/{node}/qemu', vm);
    expect(await lab.ask(`GET ${ofVm}/options`, vm)).toMatchObject({ enable: 1 });
    await lab.task('DELETE /nodes/{node}/qemu/{vmid}', vm);
    expect(await lab.ask(`GET ${ofVm}/options`, vm)).toEqual({ digest: emptyDigest });
  });

  test('wait for a majority', async () => {
    using lab = aDatacenter({ hosts: 2 });
    lab.datacenter.setHost('pve2', 'dead');
    const refused = [
      lab.refused(`PUT ${cluster}/options`, { enable: 0 }),
      lab.refused(`PUT ${ofVm}/options`, { ...vm, enable: 0 }),
    ];
    await lab.clock.advance(10_000);
    expect(await Promise.all(refused)).toEqual([
      "cfs-lock 'firewall-cluster' error: no quorum!",
      "cfs-lock 'firewall-vm-101' error: no quorum!",
    ]);
  });
});

describe('rules', () => {
  test('new ones come first, are off, and have a place', async () => {
    using lab = aDatacenter();
    await lab.ask(`POST ${cluster}/rules`, { ...accept('50000'), source: '10.0.0.0/8', enable: 1, comment: 'apid' });
    await lab.ask(`POST ${cluster}/rules`, accept('6443'));
    const digest = expect.stringMatching(/^[0-9a-f]{40}$/) as unknown;
    expect(await lab.ask(`GET ${cluster}/rules`)).toEqual([
      { type: 'in', action: 'ACCEPT', proto: 'tcp', dport: '6443', enable: 0, pos: 0, digest },
      {
        type: 'in',
        action: 'ACCEPT',
        proto: 'tcp',
        dport: '50000',
        source: '10.0.0.0/8',
        enable: 1,
        comment: 'apid',
        ipversion: 4,
        pos: 1,
        digest,
      },
    ]);
    expect(await lab.ask(`GET ${cluster}/rules/{pos}`, { pos: 0 })).toMatchObject({ dport: '6443', pos: '0' });
    expect(await lab.refused(`GET ${cluster}/rules/{pos}`, { pos: 9 })).toBe('no rule at position 9');
  });

  test('where a new one should stand is not looked at', async () => {
    using lab = aDatacenter();
    for (const port of ['1', '2', '3']) await lab.ask(`POST ${cluster}/rules`, { ...accept(port), pos: 99 });
    expect(await ports(lab, `${cluster}/rules`)).toEqual(['3', '2', '1']);
  });

  test.each([
    [0, 1, ['3', '2', '1']],
    [0, 2, ['2', '3', '1']],
    [0, 3, ['2', '1', '3']],
    [2, 0, ['1', '3', '2']],
  ])('%i moves to the front of %i, and nothing else changes', async (pos, moveto, expected) => {
    using lab = aDatacenter();
    for (const port of ['1', '2', '3']) await lab.ask(`POST ${cluster}/rules`, accept(port));
    await lab.ask(`PUT ${cluster}/rules/{pos}`, { pos, moveto, comment: 'not taken' });
    expect(await ports(lab, `${cluster}/rules`)).toEqual(expected);
    expect(JSON.stringify(await lab.ask(`GET ${cluster}/rules`))).not.toContain('not taken');
  });

  test('change, lose properties and go, if they are as they were', async () => {
    using lab = aDatacenter();
    await lab.ask(`POST ${cluster}/rules`, { ...accept('1'), comment: 'c', source: '10.0.0.1' });
    await lab.ask(`PUT ${cluster}/rules/{pos}`, { pos: 0, dport: '2', delete: 'comment', source: '' });
    const [rule] = (await lab.ask(`GET ${cluster}/rules`)) as [Row];
    expect(rule).toEqual({
      type: 'in',
      action: 'ACCEPT',
      proto: 'tcp',
      dport: '2',
      enable: 0,
      pos: 0,
      digest: rule['digest'],
    });
    expect(await lab.refused(`PUT ${cluster}/rules/{pos}`, { pos: 0, delete: 'type' })).toBe(
      "unable to delete required property 'type'",
    );
    expect(await lab.refused(`DELETE ${cluster}/rules/{pos}`, { pos: 0, digest: emptyDigest })).toBe(changed);
    await lab.ask(`DELETE ${cluster}/rules/{pos}`, { pos: 0, digest: String(rule['digest']) });
    expect(await lab.ask(`GET ${cluster}/rules`)).toEqual([]);
  });

  test.each<[Params, string]>([
    [{ type: 'in', action: 'FOO' }, "action: unknown action 'FOO'"],
    [{ type: 'forward', action: 'REJECT' }, 'action: cannot define REJECT rules on forward chain'],
    [{ type: 'in', action: 'ACCEPT', dport: '80' }, "proto: missing property - 'dport' requires this property"],
    [{ type: 'in', action: 'ACCEPT', proto: 'esp', dport: '80' }, "dport: protocol 'esp' does not support ports"],
    [
      { type: 'in', action: 'ACCEPT', proto: 'tcp', 'icmp-type': 'any' },
      "proto: missing property - 'icmp-type' requires this property",
    ],
    [{ type: 'in', action: 'ACCEPT', source: '+nosuchset' }, "source: no such ipset 'nosuchset'"],
    [{ type: 'in', action: 'ACCEPT', dest: 'nosuch' }, "dest: no such alias 'nosuch'"],
    [{ type: 'in', action: 'ACCEPT', macro: 'Nope' }, "macro: unknown macro 'Nope'"],
    [
      { type: 'in', action: 'ACCEPT', source: '10.0.0.1', dest: 'fd00::1' },
      'detected mixed ipv4/ipv6 addresses in rule',
    ],
  ])('%j is refused', async (rule, words) => {
    using lab = aDatacenter();
    expect(await lab.refused(`POST ${cluster}/rules`, rule)).toBe(words);
    expect(await lab.ask(`GET ${cluster}/rules`)).toEqual([]);
  });

  test('of a VM name their NIC, may use groups that are not there, and know no forwarding', async () => {
    using lab = aDatacenter();
    await lab.ask(`POST ${ofVm}/rules`, { ...vm, type: 'in', action: 'ACCEPT', macro: 'ssh', iface: 'net0' });
    await lab.ask(`POST ${ofVm}/rules`, { ...vm, type: 'group', action: 'nosuch', enable: 1 });
    expect(await lab.ask(`GET ${ofVm}/rules`, vm)).toMatchObject([
      { type: 'group', action: 'nosuch', enable: 1 },
      { macro: 'SSH', iface: 'net0', enable: 0 },
    ]);
    expect(await lab.refused(`POST ${ofVm}/rules`, { ...vm, type: 'in', action: 'ACCEPT', iface: 'eth0' })).toBe(
      String.raw`iface: value does not match the regex pattern 'net\d+'`,
    );
    expect(await lab.refused(`POST ${ofVm}/rules`, { ...vm, type: 'forward', action: 'ACCEPT' })).toBe(
      "type: invalid rule type 'forward' for rule_env 'vm'",
    );
  });
});

describe('security groups', () => {
  const group = { group: 'talos' };

  test('have rules of their own, and go when they are empty', async () => {
    using lab = aDatacenter();
    await lab.ask(`POST ${cluster}/groups`, { ...group, comment: 'c' });
    expect(await lab.ask(`GET ${cluster}/groups`)).toMatchObject([{ group: 'talos', comment: 'c' }]);
    await lab.ask(`POST ${cluster}/groups/{group}`, { ...group, ...accept('50000') });
    expect(await ports(lab, `${cluster}/groups/{group}`, group)).toEqual(['50000']);
    expect(await lab.refused(`DELETE ${cluster}/groups/{group}`, group)).toBe("Security group 'talos' is not empty");
    await lab.ask(`DELETE ${cluster}/groups/{group}/{pos}`, { ...group, pos: 0 });
    await lab.ask(`DELETE ${cluster}/groups/{group}`, group);
    expect(await lab.refused(`GET ${cluster}/groups/{group}`, group)).toBe("no such security group 'talos'");
  });

  test('are there once, hold no groups and no interfaces', async () => {
    using lab = aDatacenter();
    await lab.ask(`POST ${cluster}/groups`, group);
    expect(await lab.refused(`POST ${cluster}/groups`, group)).toBe("group: Security group 'talos' already exists");
    expect(await lab.refused(`POST ${cluster}/groups/{group}`, { ...group, type: 'group', action: 'other' })).toBe(
      "type: invalid rule type 'group' for rule_env 'group'",
    );
    expect(await lab.refused(`POST ${cluster}/groups/{group}`, { ...group, ...accept('1'), iface: 'net0' })).toBe(
      'type: parameter -i not allowed for this rule type',
    );
  });

  test('take their rules along when they get another name', async () => {
    using lab = aDatacenter();
    await lab.ask(`POST ${cluster}/groups`, group);
    await lab.ask(`POST ${ofVm}/rules`, { ...vm, type: 'group', action: 'talos' });
    await lab.ask(`POST ${cluster}/groups`, { group: 'nodes', rename: 'talos', comment: 'new' });
    expect(await lab.ask(`GET ${cluster}/groups`)).toMatchObject([{ group: 'nodes', comment: 'new' }]);
    expect(await lab.ask(`GET ${ofVm}/rules`, vm)).toMatchObject([{ action: 'nodes' }]);
    expect(await lab.refused(`POST ${cluster}/groups`, { group: 'x1', rename: 'no' })).toBe(
      "group: Security group 'no' does not exist",
    );
  });
});

describe('sets of addresses', () => {
  const set = { name: 'nodes' };

  test('keep networks without their hosts, by address', async () => {
    using lab = aDatacenter();
    await lab.ask(`POST ${cluster}/ipset`, { ...set, comment: 'c' });
    for (const cidr of ['10.0.0.1', '10.1.0.0/16', '10.0.0.5/24', '10.0.0.2/32', 'fd00::1/128'])
      await lab.ask(`POST ${cluster}/ipset/{name}`, { ...set, cidr });
    expect(((await lab.ask(`GET ${cluster}/ipset/{name}`, set)) as Row[]).map((row) => row['cidr'])).toEqual([
      '10.0.0.0/24',
      '10.0.0.1',
      '10.0.0.2',
      '10.1.0.0/16',
      'fd00::1',
    ]);
    expect(await lab.refused(`POST ${cluster}/ipset/{name}`, { ...set, cidr: '10.0.0.9/24' })).toBe(
      "cidr: address '10.0.0.0/24' already exists",
    );
    expect(await lab.refused(`POST ${cluster}/ipset/{name}`, { ...set, cidr: '0.0.0.0/0' })).toBe(
      'cidr: a zero prefix is not allowed in ipset entries',
    );
  });

  test('entries change, and one that is not there can be deleted but not read', async () => {
    using lab = aDatacenter();
    await lab.ask(`POST ${cluster}/ipset`, set);
    await lab.ask(`POST ${cluster}/ipset/{name}`, { ...set, cidr: '10.0.0.1', nomatch: 1, comment: 'n' });
    const entry = { ...set, cidr: '10.0.0.1' };
    expect(await lab.ask(`GET ${cluster}/ipset/{name}/{cidr}`, entry)).toMatchObject({ nomatch: 1, comment: 'n' });
    await lab.ask(`PUT ${cluster}/ipset/{name}/{cidr}`, { ...entry, comment: 'z' });
    const read = await lab.ask(`GET ${cluster}/ipset/{name}/{cidr}`, entry);
    expect(read).toEqual({ cidr: '10.0.0.1', comment: 'z', digest: expect.any(String) as unknown });
    const missing = { ...set, cidr: '10.9.9.9' };
    expect(await lab.refused(`GET ${cluster}/ipset/{name}/{cidr}`, missing)).toBe('cidr: no such IP/Network');
    expect(await lab.refused(`DELETE ${cluster}/ipset/{name}/{cidr}`, missing)).toBe('no refusal');
    expect(await lab.refused(`DELETE ${cluster}/ipset/{name}`, set)).toBe("IPSet 'nodes' is not empty");
    expect(await lab.refused(`DELETE ${cluster}/ipset/{name}`, { ...set, force: 1 })).toBe('no refusal');
    expect(await lab.refused(`DELETE ${cluster}/ipset/{name}`, set)).toBe("no such IPSet 'nodes'");
  });

  test('may name aliases, if there are such', async () => {
    using lab = aDatacenter();
    await lab.ask(`POST ${cluster}/ipset`, set);
    expect(await lab.refused(`POST ${cluster}/ipset/{name}`, { ...set, cidr: 'lan' })).toBe("no such alias 'lan'");
    await lab.ask(`POST ${cluster}/aliases`, { name: 'LAN', cidr: '10.0.0.0/8' });
    await lab.ask(`POST ${cluster}/ipset/{name}`, { ...set, cidr: 'lan' });
    expect(await lab.ask(`GET ${cluster}/ipset/{name}`, set)).toMatchObject([{ cidr: 'lan' }]);
  });
});

describe('aliases', () => {
  test('are found by their name in any letters, and can be renamed', async () => {
    using lab = aDatacenter();
    await lab.ask(`POST ${cluster}/aliases`, { name: 'Lan', cidr: '10.1.2.3/8', comment: 'c' });
    expect(await lab.ask(`GET ${cluster}/aliases`)).toMatchObject([
      { name: 'Lan', cidr: '10.0.0.0/8', ipversion: 4, comment: 'c' },
    ]);
    expect(await lab.refused(`POST ${cluster}/aliases`, { name: 'LAN', cidr: '10.0.0.1' })).toBe(
      "name: alias 'LAN' already exists",
    );
    await lab.ask(`PUT ${cluster}/aliases/{name}`, { name: 'lan', cidr: 'fd00::/8', rename: 'Home' });
    expect(await lab.ask(`GET ${cluster}/aliases/{name}`, { name: 'home' })).toEqual({
      name: 'Home',
      cidr: 'fd00::/8',
      ipversion: 6,
    });
    expect(await lab.refused(`GET ${cluster}/aliases/{name}`, { name: 'lan' })).toBe('name: no such alias');
    expect(await lab.refused(`DELETE ${cluster}/aliases/{name}`, { name: 'lan' })).toBe('no refusal');
  });
});

test('what rules can refer to is that of the cluster, and for a VM its own as well', async () => {
  using lab = aDatacenter();
  await lab.ask(`POST ${cluster}/ipset`, { name: 'nodes', comment: 'c' });
  await lab.ask(`POST ${cluster}/aliases`, { name: 'Lan', cidr: '10.0.0.0/8' });
  await lab.ask(`POST ${ofVm}/ipset`, { ...vm, name: 'ipfilter-net0' });
  const ofCluster = [
    { type: 'ipset', name: 'nodes', ref: '+nodes', scope: 'dc', comment: 'c' },
    { type: 'alias', name: 'lan', ref: 'lan', scope: 'dc' },
  ];
  expect(await lab.ask(`GET ${cluster}/refs`)).toEqual(ofCluster);
  expect(await lab.ask(`GET ${cluster}/refs`, { type: 'alias' })).toEqual(ofCluster.slice(1));
  expect(await lab.ask(`GET ${ofVm}/refs`, vm)).toEqual([
    ...ofCluster,
    { type: 'ipset', name: 'ipfilter-net0', ref: '+ipfilter-net0', scope: 'guest' },
  ]);
});

test('macros are known by name and word', async () => {
  using lab = aDatacenter();
  expect(await lab.ask(`GET ${cluster}/macros`)).toContainEqual({ macro: 'SSH', descr: 'Secure shell traffic' });
});

const deeds = fc.array(
  fc.oneof(
    fc.record({ do: fc.constant('add' as const), port: fc.integer({ min: 1, max: 9 }) }),
    fc.record({ do: fc.constant('remove' as const), pos: fc.nat(6) }),
    fc.record({ do: fc.constant('move' as const), pos: fc.nat(6), moveto: fc.nat(8) }),
  ),
  { maxLength: 30 },
);

test('rules stay where a list would have them, and equal lists have equal digests', async () => {
  await fc.assert(
    fc.asyncProperty(deeds, async (sequence) => {
      using lab = aDatacenter();
      let model: string[] = [];
      const digests = new Map<string, unknown>();
      for (const deed of sequence) {
        if (deed.do === 'add') {
          await lab.ask(`POST ${cluster}/rules`, accept(String(deed.port)));
          model = [String(deed.port), ...model];
        } else if (deed.pos < model.length) {
          const { do: what, ...params } = deed;
          await lab.ask(`${what === 'move' ? 'PUT' : 'DELETE'} ${cluster}/rules/{pos}`, params);
          const [taken = ''] = model.slice(deed.pos, deed.pos + 1);
          const rest = model.toSpliced(deed.pos, 1);
          if (what === 'remove') model = rest;
          else if (deed.do === 'move' && deed.moveto !== deed.pos)
            model = rest.toSpliced(deed.moveto > deed.pos ? deed.moveto - 1 : deed.moveto, 0, taken);
        }
        expect(await ports(lab, `${cluster}/rules`)).toEqual(model);
        const digest = ((await lab.ask(`GET ${cluster}/rules`)) as Row[])[0]?.['digest'];
        expect(digests.get(model.join()) ?? digest).toBe(digest);
        digests.set(model.join(), digest);
      }
      expect(new Set([...digests.values()].filter((each) => each !== undefined)).size).toBe(
        [...digests].filter(([, digest]) => digest !== undefined).length,
      );
    }),
    { numRuns: 40 },
  );
});
