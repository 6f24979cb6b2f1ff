import { describe, expect, test } from 'vitest';
import { aBench, refTo, seen, vm } from '../../test/execute/bench.ts';
import { platformFile } from '../../test/said.ts';
import type { MachineRef } from '../model/observed.ts';
import { Problem } from '../model/problem.ts';

const machine = 'prod-cp-0';
const address = '10.9.0.7';
const found = { address: async () => address, machines: async () => seen(vm(machine)) };

describe('etcd’s beginning', () => {
  test('is remembered before anybody is asked for it', async () => {
    const asked: string[] = [];
    const bench = await aBench({
      reader: found,
      nodes: { [address]: {} },
      bootstrapOnce: async (nodes, chosen) => {
        asked.push(
          `${chosen} of ${nodes.map(({ name }) => name).join()}, ${bench.store.remembered?.bootstrap?.machine} remembered`,
        );
        return { by: 'this-call' };
      },
    });
    await bench.does('etcd.bootstrap', { machine, ref: refTo(machine) });
    expect(asked).toEqual(['prod-cp-0 of prod-cp-0, prod-cp-0 remembered']);
    const chosen = bench.store.remembered?.bootstrap;
    await bench.does('etcd.bootstrap', { machine, ref: refTo(machine) });
    expect(bench.store.remembered?.bootstrap).toEqual(chosen);
  });

  test('is never on another machine than the one that was chosen, also when that one never answered', async () => {
    const bench = await aBench({
      reader: found,
      nodes: { [address]: {} },
      bootstrapOnce: () => Promise.reject(new Problem('talos-not-authorized', 'no', { recovery: 'ask' })),
    });
    expect((await bench.refuses('etcd.bootstrap', { machine, ref: refTo(machine) })).code).toBe('talos-not-authorized');
    const problem = await bench.refuses('etcd.bootstrap', { machine: 'prod-cp-1', ref: undefined });
    expect([problem.code, problem.recovery]).toEqual(['bootstrap-elsewhere', 'ask']);
    expect(problem.remedy).toContain('Bring prod-cp-0 back.');
  });

  test('nothing is asked while it cannot be remembered', async () => {
    let called = 0;
    const bench = await aBench({
      reader: found,
      nodes: { [address]: {} },
      bootstrapOnce: async () => {
        called++;
        return { by: 'this-call' };
      },
    });
    bench.store.remember = () => Promise.reject(new Problem('disk-full', 'There is no space left.'));
    expect((await bench.refuses('etcd.bootstrap', { machine, ref: refTo(machine) })).code).toBe('disk-full');
    expect(called).toBe(0);
  });
});

describe('machines', () => {
  test('that are guarded are told about once, and the rules go with the last of them', async () => {
    const calls: unknown[] = [];
    const names = (machines: readonly MachineRef[]) => machines.map(({ mark }) => mark.name);
    const writer = {
      keepApart: async (group: string, machines: readonly MachineRef[]) => void calls.push([group, names(machines)]),
      firewall: async (
        platform: string,
        machines: readonly (MachineRef & { readonly role: string; readonly addresses: readonly string[] })[],
        rules: unknown,
      ) => void calls.push([platform, machines.map(({ role, addresses }) => [role, ...addresses]), rules]),
    };
    const file = platformFile({
      machines:
        '{ proxmox: { endpoint: "https://pve1:8006", token: { env: TOKEN }, hosts: [pve1], antiAffinity: true, firewall: true } }',
      cluster:
        '{ controlPlane: { replicas: 1 }, workers: { general: { replicas: 1 } }, endpoint: { vip: 10.9.0.5 }, highAvailability: false }',
    });
    const bench = await aBench({ file, reader: found, writer });
    const refs = [refTo(machine), refTo('prod-general-0')];
    await bench.does('machines.guard', { refs, digest: 'd1' });
    const rules = { management: [], alsoOurs: ['10.9.0.5', '10.244.0.0/16'] };
    expect(calls.splice(0)).toEqual([
      ['prod-control-planes', [machine]],
      [
        'prod',
        [
          ['control-plane', address],
          ['worker', address],
        ],
        rules,
      ],
    ]);
    expect(bench.store.remembered?.guarded).toBe('d1');
    await bench.does('machines.guard', { refs: [], digest: 'd2' });
    expect(calls).toEqual([
      ['prod-control-planes', []],
      ['prod', [], rules],
    ]);
    expect(bench.store.remembered?.guarded).toBeUndefined();
  });

  test('are not shut out by a firewall that does not know where they are', async () => {
    const bench = await aBench({
      file: platformFile({
        machines:
          '{ proxmox: { endpoint: "https://pve1:8006", token: { env: TOKEN }, hosts: [pve1], firewall: true } }',
        cluster: '{ controlPlane: { replicas: 1 }, endpoint: { vip: 10.9.0.5 }, highAvailability: false }',
      }),
    });
    const problem = await bench.refuses('machines.guard', { refs: [refTo(machine)], digest: 'd' });
    expect(problem.message).toBe('Where prod-cp-0 is is not known yet, and a firewall would shut it out.');
  });

  test('start from an image that another run brought', async () => {
    const requests: unknown[] = [];
    const image = { kind: 'disk', host: 'pve1', volume: 'local:import/talos.qcow2' } as const;
    const bench = await aBench({
      reader: { ...found, images: async () => [image] },
      writer: {
        create: async (request) => {
          requests.push(request.image);
          return refTo(machine);
        },
      },
    });
    const [request] = bench.tools.material.images;
    const order = {
      mark: refTo(machine).mark,
      role: 'control-plane',
      pool: null,
      hostname: machine,
      host: 'pve1',
      id: '401',
      shape: { cpu: 2, memoryMiB: 2048, disks: [] },
      mac: '02:00:00:00:00:01',
      image: request !== undefined && 'name' in request ? request.name : '',
      staticAddress: undefined,
    } as const;
    await bench.does('machine.create', { machine, order: order as never });
    expect(requests).toEqual([image]);
    expect(bench.tools.found.refs.get(machine)).toEqual(refTo(machine));
  });
});

describe('secrets', () => {
  test('that are there stay, whatever is asked', async () => {
    const bench = await aBench();
    const before = bench.store.secretsText;
    await bench.does('secrets.make', {});
    expect([bench.store.secretsText, bench.store.asked]).toEqual([before, []]);
    await bench.does('secrets.delete', {});
    await bench.does('secrets.make', {});
    expect(bench.store.asked).toEqual(['delete secrets', 'make secrets']);
  });
});

describe('a drain', () => {
  const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'prod-general-0' } };
  const pod = (name: string, owner: string | undefined, spec: object = {}) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: 'shop',
      ...(owner === undefined
        ? {}
        : {
            ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: owner, uid: '1', controller: true }],
          }),
    },
    spec: { nodeName: 'prod-general-0', ...spec },
  });
  const step = { machine: 'prod-general-0', node: 'prod-general-0' };

  test('ends no pod that nobody makes anew, and says how to go on', async () => {
    const bench = await aBench({ reader: found });
    bench.kubernetes.put(node);
    bench.kubernetes.put(pod('by-hand', undefined));
    const problem = await bench.refuses('node.drain', step);
    expect([problem.code, problem.recovery]).toEqual(['drain-needs-yes', 'ask']);
    expect(problem.message).toBe('shop/by-hand on prod-general-0 stays: nobody makes it anew.');
    expect(problem.remedy.split('\n').at(-1)).toBe('    ichor drain prod-general-0 --unmanaged --delete-emptydir-data');
    expect(bench.kubernetes.asked).not.toContain('evict Pod by-hand');
  });

  test('says whose scratch data goes, and a node that is gone is drained', async () => {
    const bench = await aBench({ reader: found });
    bench.kubernetes.put(node);
    bench.kubernetes.put(pod('web', 'web', { volumes: [{ name: 'cache', emptyDir: {} }] }));
    await bench.does('node.drain', step);
    expect(bench.told).toContain('what these keep in an emptyDir goes with them: shop/web');
    expect(bench.kubernetes.asked).toContain('evict Pod web');
    await bench.kubernetes.delete({ apiVersion: 'v1', kind: 'Node', name: 'prod-general-0' });
    await bench.does('node.drain', step);
  });
});

describe('a kubelet that is configured otherwise', () => {
  const works = { id: 'kubelet', state: 'Running', health: 'healthy', message: '', events: [] } as const;
  const node = (kubeletVersion: string) => ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: machine },
    status: { nodeInfo: { kubeletVersion } },
  });
  const step = { machine, ref: refTo(machine), version: 'v1.36.3' };

  test('is waited for until it works, and its Node tells its version', async () => {
    let looks = 0;
    const services = async () => [{ ...works, state: ++looks < 3 ? 'Preparing' : 'Running' }];
    const bench = await aBench({ reader: found, nodes: { [address]: { services } } });
    bench.kubernetes.put(node('v1.35.2'));
    bench.kubernetes.before = () => void (looks > 4 && bench.kubernetes.put(node('v1.36.3')));
    await bench.does('kubernetes.await-kubelet', step);
    expect(bench.told).toEqual([
      'the kubelet on prod-cp-0 to work: it is Preparing; its Node is at v1.35.2, and not at v1.36.3',
      'the kubelet on prod-cp-0 to work: its Node is at v1.35.2, and not at v1.36.3',
    ]);
    const settled = await aBench({ reader: found, nodes: { [address]: { services: async () => [works] } } });
    await settled.does('kubernetes.await-kubelet', { ...step, version: undefined });
    expect(settled.told).toEqual(['the kubelet on prod-cp-0 to work: it is configured']);
  });

  test('and never works keeps the next one from being changed', async () => {
    const services = async () => [{ ...works, health: 'unhealthy' as const, message: 'Health check failed' }];
    const bench = await aBench({ reader: found, nodes: { [address]: { services } } });
    const problem = await bench.refuses('kubernetes.await-kubelet', { ...step, version: undefined });
    expect([problem.code, problem.recovery]).toEqual(['kubelet-not-back', 'wait']);
    expect(problem.remedy).toContain('ichor talos logs kubelet -n 10.9.0.7');
  });
});
