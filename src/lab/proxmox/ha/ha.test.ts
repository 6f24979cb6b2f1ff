import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aDatacenter, type DoorlessDatacenter } from '../../../../test/proxmox-datacenter.ts';
import type { DatacenterOptions } from '../twin.ts';

const second = 1000;
type Row = Readonly<Record<string, unknown>>;

/** VMs 101, 102 … spread over the hosts. */
async function withVms(count: number, options: DatacenterOptions = {}): Promise<DoorlessDatacenter> {
  const lab = aDatacenter(options);
  const names = [...lab.datacenter.hosts.keys()];
  for (let index = 0; index < count; index++)
    await lab.task('POST /nodes/{node}/qemu', { node: names[index % names.length] ?? '', vmid: 101 + index });
  return lab;
}

const manage = (lab: DoorlessDatacenter, vmid: number, state = 'stopped') =>
  lab.ask('POST /cluster/ha/resources', { sid: `vm:${vmid}`, state });

const spread = (...vmids: number[]) => ({
  rule: 'spread',
  type: 'resource-affinity',
  affinity: 'negative',
  resources: vmids.map((vmid) => `vm:${vmid}`).join(),
});

const statusOf = async (lab: DoorlessDatacenter, id: string): Promise<Row | undefined> =>
  ((await lab.ask('GET /cluster/ha/status/current')) as Row[]).find((row) => row['id'] === id);

describe('resources', () => {
  test('are named by VMID or with their kind, and keep what was set', async () => {
    using lab = await withVms(2);
    await lab.ask('POST /cluster/ha/resources', { sid: '101', state: 'stopped', max_restart: 2, comment: 'c' });
    await lab.ask('POST /cluster/ha/resources', { sid: 'vm:102' });
    const digest = expect.stringMatching(/^[0-9a-f]{40}$/) as unknown;
    expect(await lab.ask('GET /cluster/ha/resources')).toEqual([
      { sid: 'vm:101', type: 'vm', state: 'stopped', max_restart: 2, comment: 'c', digest },
      { sid: 'vm:102', type: 'vm', digest },
    ]);
    await lab.ask('PUT /cluster/ha/resources/{sid}', { sid: '101', delete: 'comment', state: 'disabled' });
    expect(await lab.ask('GET /cluster/ha/resources/{sid}', { sid: 'vm:101' })).toEqual({
      sid: 'vm:101',
      type: 'vm',
      state: 'disabled',
      max_restart: 2,
      digest,
    });
  });

  test.each([
    ['POST /cluster/ha/resources', { sid: 'vm:101' }, "create resource failed: resource ID 'vm:101' already defined"],
    ['POST /cluster/ha/resources', { sid: 'vm:9999' }, "resource 'vm:9999' does not exist in cluster"],
    ['POST /cluster/ha/resources', { sid: '9999' }, 'unable to detect SID from VMID - VM/CT 9999 does not exist'],
    ['POST /cluster/ha/resources', { sid: 'foo:1' }, "unknown section type 'foo'"],
    ['GET /cluster/ha/resources/{sid}', { sid: 'vm:9999' }, "no such resource 'vm:9999'"],
    [
      'PUT /cluster/ha/resources/{sid}',
      { sid: 'vm:9999' },
      "update resources config failed: no such resource 'vm:9999'",
    ],
    ['DELETE /cluster/ha/resources/{sid}', { sid: 'vm:9999' }, "cannot delete service 'vm:9999', not HA managed!"],
    [
      'PUT /cluster/ha/resources/{sid}',
      { sid: 'vm:101', state: 'stopped', digest: '0'.repeat(40) },
      'update resources config failed: detected modified configuration - file changed by other user? Try again.',
    ],
    [
      'POST /cluster/ha/resources',
      { sid: 'vm:102', group: 'g1' },
      "invalid parameter 'group': ha groups have been migrated to rules",
    ],
  ])('%s %j is refused', async (call, params, words) => {
    using lab = await withVms(2);
    await manage(lab, 101);
    expect(await lab.refused(call, params)).toBe(words);
  });

  test('leave their rules when they go, and a rule without any goes with the last', async () => {
    using lab = await withVms(2, { hosts: 2 });
    for (const vmid of [101, 102]) await manage(lab, vmid);
    await lab.clock.advance(5 * second);
    await lab.ask('POST /cluster/ha/rules', spread(101, 102));
    lab.datacenter.ha.purge(101);
    expect(await lab.ask('GET /cluster/ha/rules')).toMatchObject([
      { resources: 'vm:102', errors: { resources: ['rule is ineffective as there are less than two resources'] } },
    ]);
    await lab.ask('DELETE /cluster/ha/resources/{sid}', { sid: 'vm:102' });
    expect(await lab.ask('GET /cluster/ha/rules')).toEqual([]);
  });
});

describe('rules', () => {
  test('are judged by the hosts that the manager knows, and it knows none before it is active', async () => {
    using lab = await withVms(2, { hosts: 3 });
    for (const vmid of [101, 102]) await manage(lab, vmid);
    expect(await lab.refused('POST /cluster/ha/rules', spread(101, 102))).toBe(
      "create ha rule failed: 400 Rule 'spread' is invalid.\nresources: rule defines more resources than available nodes",
    );
    await lab.clock.advance(5 * second);
    expect(await statusOf(lab, 'master')).toMatchObject({ node: 'pve1' });
    expect(await lab.refused('POST /cluster/ha/rules', spread(101, 102))).toBe('no refusal');
    expect(await lab.ask('GET /cluster/ha/rules/{rule}', { rule: 'spread' })).toMatchObject({
      type: 'resource-affinity',
      resources: 'vm:101,vm:102',
      affinity: 'negative',
      order: 1,
    });
  });

  test.each([
    [{ ...spread(101, 555) }, 'create ha rule failed: cannot use unmanaged resource(s) vm:555.'],
    [
      { rule: 'pin', type: 'node-affinity', resources: 'vm:101', nodes: 'nowhere:2,pve1' },
      'create ha rule failed: cannot use non-existent node(s) nowhere.',
    ],
    [{ ...spread(101, 102), rule: 'there' }, "create ha rule failed: HA rule 'there' already defined"],
  ])('%j is refused', async (rule, words) => {
    using lab = await withVms(2, { hosts: 2 });
    for (const vmid of [101, 102]) await manage(lab, vmid);
    await lab.ask('POST /cluster/ha/rules', {
      rule: 'there',
      type: 'node-affinity',
      resources: 'vm:101',
      nodes: 'pve1',
    });
    expect(await lab.refused('POST /cluster/ha/rules', rule)).toBe(words);
  });

  test('change, and one that is not there can be deleted but not read', async () => {
    using lab = await withVms(1, { hosts: 2 });
    await manage(lab, 101);
    const pin = { rule: 'pin', type: 'node-affinity' };
    await lab.ask('POST /cluster/ha/rules', { ...pin, resources: 'vm:101', nodes: 'pve2,pve1:2' });
    await lab.ask('PUT /cluster/ha/rules/{rule}', { ...pin, strict: 1, comment: 'c' });
    expect(await lab.ask('GET /cluster/ha/rules/{rule}', { rule: 'pin' })).toMatchObject({
      nodes: 'pve1:2,pve2',
      strict: 1,
      comment: 'c',
    });
    expect(await lab.refused('PUT /cluster/ha/rules/{rule}', { ...pin, rule: 'no' })).toBe(
      "update HA rules failed: HA rule 'no' does not exist",
    );
    expect(await lab.refused('GET /cluster/ha/rules/{rule}', { rule: 'no' })).toBe("no such ha rule 'no'");
    expect(await lab.refused('DELETE /cluster/ha/rules/{rule}', { rule: 'no' })).toBe('no refusal');
  });
});

describe('groups', () => {
  test('are for 8', async () => {
    using lab = await withVms(1, { version: '8.4', hosts: 2 });
    await lab.ask('POST /cluster/ha/groups', { group: 'g1', nodes: 'pve2,pve1:2', restricted: 1 });
    expect(await lab.ask('GET /cluster/ha/groups')).toMatchObject([
      { group: 'g1', type: 'group', nodes: 'pve1:2,pve2', restricted: 1 },
    ]);
    expect(await lab.refused('POST /cluster/ha/resources', { sid: 'vm:101', group: 'no' })).toBe(
      "HA group 'no' does not exist",
    );
    await lab.ask('POST /cluster/ha/resources', { sid: 'vm:101', group: 'g1', state: 'stopped' });
    expect(await lab.ask('GET /cluster/ha/resources')).toMatchObject([{ group: 'g1' }]);
    expect(await lab.refused('DELETE /cluster/ha/groups/{group}', { group: 'g1' })).toBe(
      "delete ha group failed: ha group is used by service 'vm:101'",
    );
  });

  test('are gone in 9', async () => {
    using lab = aDatacenter();
    expect(await lab.refused('GET /cluster/ha/groups')).toBe(
      'cannot index groups: ha groups have been migrated to rules',
    );
    expect(await lab.refused('POST /cluster/ha/groups', { group: 'g1', nodes: 'pve1' })).toBe(
      'cannot create group: ha groups have been migrated to rules',
    );
  });
});

describe('the manager', () => {
  test('takes its time: from queued to stopped', async () => {
    using lab = await withVms(1, { hosts: 2 });
    const states: unknown[] = [];
    const look = async () => states.push((await statusOf(lab, 'service:vm:101'))?.['state']);
    expect(await statusOf(lab, 'fencing')).toMatchObject({ 'armed-state': 'standby' });
    await manage(lab, 101);
    await look();
    for (let round = 0; round < 3; round++) {
      await lab.clock.advance(5 * second);
      await look();
    }
    expect(states).toEqual(['queued', 'request_stop', 'request_stop', 'stopped']);
    expect(await statusOf(lab, 'fencing')).toMatchObject({ 'armed-state': 'armed' });
    expect(await lab.ask('GET /cluster/ha/status/manager_status')).toMatchObject({
      manager_status: { master_node: 'pve1', node_status: { pve1: 'online', pve2: 'online' } },
    });
  });

  test('starts what is wanted, by a task of root, a while after it was asked', async () => {
    using lab = await withVms(1, { hosts: 2 });
    await manage(lab, 101);
    await lab.clock.advance(15 * second);
    const { datacenter } = lab;
    const asked = await lab.task('POST /nodes/{node}/qemu/{vmid}/status/start', { node: 'pve1', vmid: 101 });
    expect([asked.type, asked.exit]).toEqual(['hastart', 'OK']);
    expect(datacenter.vms.get(101)?.run).toBeUndefined();
    expect(await lab.ask('GET /cluster/ha/resources/{sid}', { sid: 'vm:101' })).toMatchObject({ state: 'started' });
    await lab.clock.advance(16 * second);
    expect(datacenter.vms.get(101)?.run).toBeDefined();
    const started = datacenter.hosts.get('pve1')?.tasks.at(-1);
    expect([started?.type, started?.who]).toEqual(['qmstart', { user: 'root@pam', token: undefined }]);
    expect(datacenter.ha.stateOf(101)).toBe('started');
  });

  test('stops what was asked to be stopped, and only then says so', async () => {
    using lab = await withVms(1, { hosts: 2 });
    await manage(lab, 101, 'started');
    await lab.clock.advance(20 * second);
    const { datacenter } = lab;
    expect(datacenter.vms.get(101)?.run).toBeDefined();
    const asked = await lab.task('POST /nodes/{node}/qemu/{vmid}/status/stop', { node: 'pve1', vmid: 101 });
    expect(asked.type).toBe('hastop');
    expect(await lab.ask('GET /cluster/ha/resources/{sid}', { sid: 'vm:101' })).toMatchObject({ state: 'started' });
    await lab.clock.advance(20 * second);
    expect(datacenter.vms.get(101)?.run).toBeUndefined();
    expect(await lab.ask('GET /cluster/ha/resources/{sid}', { sid: 'vm:101' })).toMatchObject({ state: 'stopped' });
  });

  test('gives up on what will not start', async () => {
    using lab = await withVms(1);
    lab.datacenter.vms.get(101)?.config.set('lock', 'backup');
    await manage(lab, 101, 'started');
    await lab.clock.advance(60 * second);
    expect(await statusOf(lab, 'service:vm:101')).toMatchObject({ state: 'error' });
    expect(await lab.refused('PUT /cluster/ha/resources/{sid}', { sid: 'vm:101', state: 'started' })).toBe(
      "service 'vm:101' in error state, must be disabled and fixed first",
    );
    lab.datacenter.vms.get(101)?.config.delete('lock');
    await lab.ask('PUT /cluster/ha/resources/{sid}', { sid: 'vm:101', state: 'disabled' });
    await lab.clock.advance(10 * second);
    expect(await statusOf(lab, 'service:vm:101')).toMatchObject({ state: 'disabled' });
  });

  test('moves what it is asked to move, and starts nothing anew', async () => {
    using lab = aDatacenter({ hosts: 3, storages: [{ id: 'net', type: 'nfs', content: ['images'] }] });
    await lab.task('POST /nodes/{node}/qemu', { node: 'pve1', vmid: 101, scsi0: 'net:1' });
    await manage(lab, 101, 'started');
    await lab.clock.advance(20 * second);
    expect(await lab.ask('POST /cluster/ha/resources/{sid}/migrate', { sid: '101', node: 'pve2' })).toEqual({
      sid: 'vm:101',
      'requested-node': 'pve2',
    });
    await lab.clock.advance(60 * second);
    const vm = lab.datacenter.vms.get(101);
    expect([vm?.host, vm?.run === undefined]).toEqual(['pve2', false]);
    expect(await statusOf(lab, 'service:vm:101')).toMatchObject({ node: 'pve2', state: 'started' });
    expect(lab.datacenter.hosts.get('pve2')?.tasks.map(({ type }) => type)).not.toContain('qmstart');
    expect(await lab.refused('POST /cluster/ha/resources/{sid}/migrate', { sid: 'vm:9', node: 'pve2' })).toBe(
      "resource 'vm:9' is not HA managed",
    );
  });

  test('moves what lay on a dead host, where its disks can be seen', async () => {
    const shared = { id: 'net', type: 'nfs', content: ['images'] } as const;
    using lab = aDatacenter({ hosts: 3, storages: [shared, { id: 'own', content: ['images'] }] });
    await lab.task('POST /nodes/{node}/qemu', { node: 'pve3', vmid: 101, scsi0: 'net:1' });
    await lab.task('POST /nodes/{node}/qemu', { node: 'pve3', vmid: 102, scsi0: 'own:1' });
    for (const vmid of [101, 102]) await manage(lab, vmid, 'started');
    await lab.clock.advance(20 * second);
    const { datacenter } = lab;
    for (const { run } of datacenter.vms.values()) await run?.end();
    datacenter.setHost('pve3', 'dead');
    await lab.clock.advance(30 * second);
    expect(datacenter.ha.hostState('pve3')).toBe('unknown');
    await lab.clock.advance(90 * second);
    expect([datacenter.vms.get(101)?.host, datacenter.vms.get(101)?.run === undefined]).toEqual(['pve1', false]);
    expect([datacenter.vms.get(102)?.host, datacenter.ha.stateOf(102)]).toEqual(['pve3', 'recovery']);
  });

  test('decides nothing without a majority, and resources are refused at once', async () => {
    using lab = await withVms(1, { hosts: 2 });
    lab.datacenter.setHost('pve2', 'dead');
    expect(await lab.refused('POST /cluster/ha/resources', { sid: 'vm:101' })).toBe('cluster not ready - no quorum?');
    lab.datacenter.ha.add(101, 'started');
    await lab.clock.advance(60 * second);
    expect(await statusOf(lab, 'master')).toBeUndefined();
    expect(await statusOf(lab, 'quorum')).toMatchObject({ quorate: 0, status: "No quorum on node 'pve1'!" });
  });
});

const deeds = fc.array(
  fc.oneof(
    fc.record({ call: fc.constant('POST /cluster/ha/resources'), sid: fc.constantFrom('vm:101', 'vm:102', 'vm:103') }),
    fc.record({ call: fc.constant('DELETE /cluster/ha/resources/{sid}'), sid: fc.constantFrom('vm:101', 'vm:102') }),
    fc.record({
      call: fc.constant('POST /cluster/ha/rules'),
      rule: fc.constantFrom('x', 'y'),
      type: fc.constant('resource-affinity'),
      affinity: fc.constantFrom('positive', 'negative'),
      resources: fc.constantFrom('vm:101,vm:102', 'vm:101,vm:103', 'vm:101,vm:102,vm:103'),
    }),
    fc.record({ call: fc.constant('DELETE /cluster/ha/rules/{rule}'), rule: fc.constantFrom('x', 'y') }),
  ),
  { maxLength: 25 },
);

test('whatever is done, rules name only what is managed, and no rule is empty', async () => {
  using lab = await withVms(3, { hosts: 3 });
  await fc.assert(
    fc.asyncProperty(deeds, async (sequence) => {
      const { config } = lab.datacenter.ha;
      for (const { call, ...params } of sequence) {
        await lab.refused(call, params);
        await lab.clock.advance(second);
        for (const { resources } of config.rules.values()) {
          expect(resources.size).toBeGreaterThan(0);
          for (const sid of resources) expect(config.resources.has(sid)).toBe(true);
        }
      }
    }),
    { numRuns: 20 },
  );
});
