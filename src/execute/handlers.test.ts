import { expect, test } from 'vitest';
import { aRig } from '../../test/execute/rig.ts';
import { drainedMark } from '../kubernetes/nodes.ts';
import { openApi } from './kubernetes-client.ts';
import { openMachine } from './talos-node.ts';

const signal = AbortSignal.timeout(120_000);
const both = ['prod-cp-0', 'prod-general-0'] as const;
const [plane, worker] = both;

test('one control plane and one worker, from nothing to Ready; a second run of every step changes nothing', async () => {
  await using rig = await aRig();
  await rig.up(...both);
  expect(rig.store.remembered?.bootstrap?.machine).toBe(plane);
  await rig.does('cluster.await-healthy', { except: [] });
  await rig.does('artifacts.write', { files: [...rig.tools.material.artifacts] });
  expect([...rig.store.artifacts.keys()]).toEqual(['talosconfig', 'kubeconfig', 'control-plane.yaml', 'worker.yaml']);

  const secrets = rig.store.secretsText;
  const before = rig.lab.guests.running();
  const asked = rig.store.asked.length;
  const writes = () => rig.lab.proxmox.requests().filter(({ method }) => method !== 'GET').length;
  const written = writes();
  const again = rig.anew();
  for (const machine of both) {
    const ref = rig.ref(machine);
    await rig.does('talos.reach', { machine, ref }, again);
    await rig.does('talos.configure', { machine, ref }, again);
    await rig.does('talos.await-up', { machine, ref }, again);
    await rig.does('talos.reconfigure', { machine, ref, changes: [], reboot: true }, again);
  }
  await rig.does('secrets.make', {}, again);
  await rig.does('etcd.bootstrap', { machine: plane, ref: rig.ref(plane) }, again);
  await rig.does('cni.install', { network: 'cilium', version: '' }, again);
  await rig.does('node.await-ready', { machines: [...both] }, again);
  await rig.does('artifacts.write', { files: [...again.material.artifacts] }, again);
  expect(rig.lab.guests.running()).toEqual(before);
  expect(rig.store.secretsText).toBe(secrets);
  expect(rig.store.asked.slice(asked)).toEqual([]);
  expect(writes()).toBe(written);
  await rig.does('machine.create', { machine: worker, order: rig.order(worker) }, again);
  await rig.does('machine.start', { machine: worker, ref: rig.ref(worker) }, again);
  expect(rig.lab.guests.running()).toEqual(before);

  const bootId = async (): Promise<string> => {
    await using opened = await openMachine(worker, rig.ref(worker), rig.tools, signal);
    return await opened.node.bootId(signal);
  };
  const boot = await bootId();
  const change = { machine: worker, ref: rig.ref(worker), changes: [] };
  rig.lab.guests.fail(501, { method: '/machine.MachineService/ApplyConfiguration', kind: 'lose-answer', times: 1 });
  await rig.does('talos.reconfigure', { ...change, reboot: false }, rig.anew('sysctls: { vm.swappiness: "10" }'));
  expect(await bootId()).toBe(boot);
  const deep = rig.anew(
    'sysctls: { vm.swappiness: "10" }, patches: [{ machine: { kernel: { modules: [{ name: br_netfilter }] } } }, { machine: { install: { wipe: true } } }]',
  );
  await rig.does('talos.reconfigure', { ...change, reboot: true }, deep);
  await rig.does('cluster.await-healthy', { except: [] });

  const words = rig.told.join('\n');
  const secret = [...(secrets ?? '').matchAll(/: (\S{20,})$/gm)].map(([, value = '']) => value);
  expect(secret.length).toBeGreaterThan(8);
  for (const each of secret) expect(words).not.toContain(each);
});

test('a worker is drained, shut down, started and works again; whose cordon it was is known', async () => {
  await using rig = await aRig();
  await rig.up(...both);
  const step = { machine: worker, ref: rig.ref(worker) };
  await rig.does('node.drain', { machine: worker, node: worker });
  await using client = await openApi(rig.tools, signal);
  const node = () => client.get({ apiVersion: 'v1', kind: 'Node', name: worker }, signal);
  expect((await node())?.metadata.annotations).toHaveProperty([drainedMark]);
  await rig.does('talos.shutdown', step);
  await rig.does('talos.shutdown', step);
  expect(rig.lab.guests.running().map(({ name }) => name)).toEqual([plane]);
  const { shape } = rig.order(worker);
  await rig.does('machine.resize', { ...step, shape: { ...shape, cpu: 3 }, changes: ['cpu 2 -> 3'] });
  await rig.does('machine.start', step);
  await rig.does('talos.await-up', step);
  await rig.does('node.await-ready', { machines: [worker] });
  await rig.does('node.uncordon', { machine: worker, node: worker });
  expect((await node())?.metadata.annotations).not.toHaveProperty([drainedMark]);
  expect((await node())?.['spec']).not.toHaveProperty('unschedulable');

  await client.patch(
    { apiVersion: 'v1', kind: 'Node', name: worker },
    { kind: 'merge', body: { spec: { unschedulable: true } } },
    {},
    signal,
  );
  await rig.does('node.drain', { machine: worker, node: worker });
  await rig.does('node.uncordon', { machine: worker, node: worker });
  expect(rig.told).toContain(`${worker} stays cordoned: somebody else did that`);

  expect((await rig.refuses('node.delete', { machine: 'prod-general-9', node: worker })).message).toBe(
    `The node ${worker} is ${worker}, and not prod-general-9; it stays.`,
  );
  await rig.does('machine.stop', step);
  await rig.does('machine.delete', step);
  await rig.does('machine.delete', step);
  await rig.does('node.delete', { machine: worker, node: worker });
  await rig.does('node.delete', { machine: worker, node: worker });
  expect(await node()).toBeUndefined();
  const left = await rig.refuses('cluster.forget', { files: [] });
  expect(left.message).toBe(`The cluster is not forgotten: machines of it are left (${plane}).`);
  await rig.does('machine.delete', { machine: plane, ref: rig.ref(plane) });
  await rig.does('cluster.forget', { files: ['talosconfig'] });
  expect(rig.store.remembered).toEqual({ platform: 'prod', bootstrap: undefined, configured: {}, guarded: undefined });
  expect(rig.store.secretsText).toBeDefined();
});
