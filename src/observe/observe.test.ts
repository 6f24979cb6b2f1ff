import { afterAll, beforeAll, expect, test } from 'vitest';
import { planPlatform } from '../plan/plan.ts';
import { onlyWaits } from '../model/step.ts';
import type { World } from '../model/world.ts';
import { openKubernetes as openClient } from '../clients/kubernetes/client.ts';
import type { Eyes } from './eyes.ts';
import { observe } from './observe.ts';
import { outline } from '../../test/observe/outline.ts';
import { call } from '../../test/lab/proxmox-api.ts';
import { PlatformLab } from '../../test/observe/platform-lab.ts';

let lab: PlatformLab;
beforeAll(async () => {
  lab = await PlatformLab.start((text) => text.replace('general: { replicas: 3', 'general: { replicas: 1'));
});
afterAll(() => lab[Symbol.asyncDispose]());

const nothing = ['prod-cp-0', 'prod-cp-1', 'prod-cp-2', 'prod-general-0'].map((name) => `${name} no vm nothing`);
const noFiles = 'files talosconfig:absent kubeconfig:absent control-plane.yaml:absent worker.yaml:absent';

test('where nothing is, nothing is seen, and nothing is unknown', async () => {
  const world = await lab.look();
  expect(outline(world)).toEqual([...nothing, 'etcd none', 'nodes no cluster', 'network not-ours', noFiles]);
  expect(world.secrets).toBe('absent');
  expect([...(world.provider?.images ?? [])].map(([, hosts]) => hosts)).toEqual([{ kind: 'known', value: [] }]);
});

test('machines in maintenance mode show their fingerprint, and those that are missing are missing', async () => {
  await lab.makeSecrets();
  await lab.makeMachines(['prod-cp-0', 'prod-cp-1', 'prod-general-0']);
  const world = await lab.look();
  expect(outline(world)).toEqual([
    'prod-cp-0 on pve1 maintenance',
    'prod-cp-1 on pve2 maintenance',
    'prod-cp-2 no vm nothing',
    'prod-general-0 on pve1 maintenance',
    'etcd none',
    'nodes no cluster',
    'network not-ours',
    noFiles,
  ]);
  expect(world.machines[0]?.talos).toMatchObject({ value: { fingerprint: expect.stringMatching(/=$/) as string } });
});

test('control planes that wait for a bootstrap have no etcd', async () => {
  await lab.makeMachines(['prod-cp-2']);
  await lab.configure();
  await Promise.all(lab.platform.machines.map(({ name }) => lab.untilUp(name)));
  expect(outline(await lab.look()).filter((line) => /^etcd|^nodes/.test(line))).toEqual([
    'etcd none',
    'nodes no cluster',
  ]);
});

test('a cluster that runs as the file says shows no change at all', async () => {
  await lab.bootstrap();
  await lab.writeArtifacts();
  const world = await lab.look();
  expect(outline(world)).toEqual([
    'prod-cp-0 on pve1 running',
    'prod-cp-1 on pve2 running',
    'prod-cp-2 on pve3 running',
    'prod-general-0 on pve1 running',
    'etcd prod-cp-0 prod-cp-1 prod-cp-2',
    'nodes prod-cp-0 prod-cp-1 prod-cp-2 prod-general-0',
    'network not-ours',
    'files talosconfig:same kubeconfig:same control-plane.yaml:same worker.yaml:same',
  ]);
  expect(world.machines[0]?.talos).toMatchObject({
    value: { version: 'v1.13.9', hostname: 'prod-cp-0', schematic: expect.stringMatching(/^[0-9a-f]{64}$/) as string },
  });
});

const talosOf = (world: World, name: string) => world.machines.find((machine) => machine.name === name)?.talos;
const soon = (): AbortSignal => AbortSignal.timeout(30_000);

test('what somebody changed by hand is seen field by field, whichever way it is written down', async () => {
  await using node = await lab.open('prod-general-0');
  const before = await node.machineConfig(soon());
  const [main = '', ...others] = before.split('\n---\n');
  // Another order, comments, empty lists: nothing that counts.
  const rewritten = [
    `# rewritten\n${others.at(-1)}`,
    main.replace('machine:\n', 'machine:\n    pods: []\n'),
    ...others.slice(0, -1),
  ];
  await node.apply(rewritten.join('\n---\n'), { mode: 'no-reboot' }, soon());
  expect(talosOf(await lab.look(), 'prod-general-0')).toMatchObject({ value: { changes: [] } });

  await node.apply(
    main.replace('machine:\n', "machine:\n    sysctls: { vm.swappiness: '10' }\n") + before.slice(main.length),
    { mode: 'no-reboot' },
    soon(),
  );
  expect(talosOf(await lab.look(), 'prod-general-0')).toMatchObject({
    value: { changes: [{ path: 'machine.sysctls["vm.swappiness"]', before: '10', after: undefined, reboot: false }] },
  });
  await node.apply(before, { mode: 'no-reboot' }, soon());
  expect(talosOf(await lab.look(), 'prod-general-0')).toMatchObject({ value: { changes: [] } });
});

test('a VM whose notes somebody edited is not absent: nothing is made beside it, and it says how to put that right', async () => {
  const { id = '', host = '' } = lab.refs.get('prod-cp-1') ?? {};
  const [endpoint = ''] = lab.lab.proxmox.endpoints.values();
  const api = { endpoint, ca: lab.lab.proxmox.ca, token: lab.lab.proxmox.token('somebody') };
  const before = lab.lab.proxmox.vms().find(({ vmid }) => String(vmid) === id)?.config ?? {};
  const set = (form: Record<string, string>) => call(api, 'PUT', `/nodes/${host}/qemu/${id}/config`, form);
  for (const [damage, lacking] of [
    [{ description: 'my notes' }, 'the line in its notes'],
    [{ description: 'my notes', delete: 'tags' }, 'the line in its notes and the tags'],
    [{ delete: 'tags' }, 'the tags'],
  ] as const) {
    await set(damage);
    const world = await lab.look();
    for (const intent of ['converge', 'destroy'] as const) {
      const { plan } = planPlatform(lab.platform, world, { intent });
      expect(plan.steps.filter(({ step }) => !onlyWaits(step))).toEqual([]);
      expect(plan.asks).toEqual([
        {
          code: 'mark-damaged',
          message: expect.stringContaining(`lacks ${lacking}.`) as string,
          remedy: expect.stringContaining(`ssh root@${host} qm set ${id} --`) as string,
        },
      ]);
      if (intent === 'converge')
        expect(plan.drift.map(({ what, found }) => [what, found])).toEqual([['mark', `without ${lacking}`]]);
    }
    await set({ description: before['description'] ?? '', tags: before['tags'] ?? '' });
  }
  expect(outline(await lab.look())[1]).toBe('prod-cp-1 on pve2 running');
});

test('a file that asks for something else shows what, and whether it takes a reboot; secrets are masked', async () => {
  const patch = `{ machine: { sysctls: { net.core.somaxconn: '1024' }, files: [{ path: /var/etc/key, op: create, permissions: 384, content: x }] } }`;
  const token = `{ cluster: { token: abcdef.0123456789abcdef } }`;
  const platform = lab.edited((text) => text.replace('    cni:', `    patches: [${patch}, ${token}]\n    cni:`));
  const world = await lab.look(platform);
  expect(outline(world).find((line) => line.startsWith('prod-general-0'))).toBe(
    'prod-general-0 on pve1 running machine.sysctls["net.core.somaxconn"] machine.files[0].path (reboot) machine.files[0].op (reboot) machine.files[0].permissions (reboot) machine.files[0].content (reboot) cluster.token',
  );
  expect(JSON.stringify(world)).not.toContain('0123456789abcdef');
});

test('machines that the file no longer has are there and not wanted', async () => {
  const platform = lab.edited((text) => text.replace('general:', 'other:'));
  const world = await lab.look(platform);
  expect(outline(world).filter((line) => /other|general/.test(line))).toEqual([
    'prod-other-0 no vm nothing',
    'prod-general-0 left on pve1 running',
    'nodes prod-cp-0 prod-cp-1 prod-cp-2 prod-general-0',
  ]);
  expect(world.machines.find(({ name }) => name === 'prod-general-0')?.role).toBe('worker');
});

test('an API that answers nowhere leaves the nodes unknown', async () => {
  const eyes = lab.eyes();
  const refused = (): Promise<never> => Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }));
  const openKubernetes: Eyes['openKubernetes'] = (target) => openClient(target, { connect: refused });
  const world = await observe(lab.platform, { ...eyes, openKubernetes }, soon());
  expect(outline(world).filter((line) => /^etcd|^nodes/.test(line))).toEqual([
    'etcd prod-cp-0 prod-cp-1 prod-cp-2',
    expect.stringContaining('nodes ? 127.80.0.130:6443 could not be asked'),
  ]);
});

test('a machine that does not answer, as while it reboots, is unknown and never absent: nothing is made or taken away', async () => {
  const vmid = Number(lab.refs.get('prod-cp-1')?.id);
  lab.lab.guests.fail(vmid, { kind: 'refuse-connection' });
  const world = await lab.look();
  lab.lab.guests.heal(vmid);
  const [first, second] = outline(world);
  expect([first, second]).toEqual(['prod-cp-0 on pve1 running', expect.stringMatching(/^prod-cp-1 on pve2 \? /)]);
  const { steps } = planPlatform(lab.platform, world, { intent: 'converge' }).plan;
  expect(steps.filter(({ step }) => !onlyWaits(step))).toEqual([]);
});

test('a host that is dead leaves what it carries unknown, and the rest is seen all the same', async () => {
  lab.lab.proxmox.setHost('pve3', 'dead');
  expect(outline(await lab.look())).toEqual([
    'prod-cp-0 on pve1 running',
    'prod-cp-1 on pve2 running',
    expect.stringMatching(/^prod-cp-2 \? pve3 did not answer .* \? .*nothing listens there/),
    'prod-general-0 on pve1 running',
    'etcd prod-cp-0 prod-cp-1 prod-cp-2',
    expect.stringMatching(/^nodes prod-cp-0 prod-cp-1 prod-cp-2!? prod-general-0$/),
    'network not-ours',
    'files talosconfig:same kubeconfig:same control-plane.yaml:same worker.yaml:same',
  ]);
});

test('without a quorum nothing is concluded from an etcd that does not answer', async () => {
  lab.lab.proxmox.setHost('pve2', 'dead');
  expect(outline(await lab.look()).find((line) => line.startsWith('etcd'))).toBe(
    'etcd ? etcd: 127.80.0.131 did not answer etcd members in time.',
  );
});
