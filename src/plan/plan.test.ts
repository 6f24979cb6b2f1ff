import { expect, test } from 'vitest';
import { nextKubernetes } from '../../test/arbitrary/worlds.ts';
import { carryOut } from '../../test/imagine.ts';
import { empty, seen, type Imagined } from '../../test/imagined.ts';
import { builtFrom, outlineFor, planFor, platformWith } from '../../test/planned.ts';
import { criticalPathMs, type Plan } from '../model/plan.ts';
import { planPlatform } from './plan.ts';

const platform = platformWith({ controlPlanes: 3 });

const after = (happened: (world: Imagined) => void): Imagined => {
  const world = builtFrom(platform);
  happened(world);
  return world;
};

test('500 machines on 20 hosts are planned fast, and as parallel as they may be', () => {
  const host = { cpu: 128, memory: '1TiB', disk: { 'local-lvm': '40TiB' } };
  const capacity = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`pve${index + 1}`, host]));
  const large = platformWith({ controlPlanes: 3, pools: { a: 300, b: 197 }, hosts: 20, proxmox: { capacity } });
  const world = seen(empty(large), large);
  const began = performance.now();
  const { plan } = planPlatform(large, world, { intent: 'converge' });
  // A budget of one second on a quiet machine; tests share theirs.
  expect(performance.now() - began).toBeLessThan(5000);
  expect(plan.steps.length).toBeGreaterThan(2500);
  expect(criticalPathMs(plan.steps)).toBe(criticalPathMs(planFor(platform, empty(platform)).steps));
});

const asks = (plan: Plan): readonly string[] => plan.asks.map(({ message, remedy }) => `${message}\n${remedy}`);

test('what does not fit is said with what is missing and what would fit, and nothing is made', () => {
  const large = platformWith({ pools: { w: 2 }, worker: { memory: '300GiB' } });
  const plan = planFor(large, empty(large));
  expect(asks(plan)).toMatchInlineSnapshot(`
    [
      "The machines do not fit: 2 of workers.w lack 44GiB of memory on pve2.
    It would fit with cluster.workers.w.replicas 0 instead of 2, or cluster.workers.w.memory 256GiB instead of 300GiB. The whole proof:
        ichor place",
    ]
  `);
  expect(plan.steps).toEqual([]);
});

test('a disk does not grow where there is no room for it, also while its machine is off', () => {
  const proxmox = { sharedDatastores: { ceph: '1TiB' } };
  const large = platformWith({ worker: { disk: '5TiB' } });
  const shared = platformWith({ proxmox, worker: { disks: { data: '600GiB on ceph' } } });
  const world = builtFrom(platformWith({ proxmox, worker: { disks: { data: '20GiB on ceph' } } }));
  const codes = (plan: Plan): readonly string[] => plan.asks.map(({ code }) => code);
  for (const file of [large, shared])
    expect([codes(planFor(file, world)), outlineFor(file, world)]).toEqual([['does-not-fit'], []]);
  world.machines['p-w-0']!.vm!.power = 'off';
  expect(outlineFor(large, world).filter((step) => step.includes('resize'))).toEqual([]);
});

test('machines that are configured while their secrets are missing', () => {
  const world = after((it) => {
    it.secrets = 'absent';
    for (const machine of Object.values(it.machines)) machine.disk = 'foreign';
  });
  const plan = planFor(platform, world);
  expect(asks(plan)).toMatchInlineSnapshot(`
    [
      "p-cp-0, p-cp-1, p-cp-2, p-w-0, p-w-1 are configured already, and talos/secrets.yaml is missing: without the cluster’s secrets nobody gets in, and new ones would make another cluster.
    Put talos/secrets.yaml back where it was; or make it again from a control plane’s configuration:
        talosctl gen secrets --from-controlplane-config controlplane.yaml -o talos/secrets.yaml",
    ]
  `);
  expect(plan.steps).toEqual([]);
});

test('a machine of somebody else', () => {
  const plan = planFor(
    platform,
    after(({ machines }) => void (machines['p-w-1']!.disk = 'foreign')),
  );
  expect(asks(plan)).toMatchInlineSnapshot(`
    [
      "p-w-1 is configured already, and not with the secrets of this platform: it does not take our certificate.
    If it is yours, bring the secrets that it was configured with. If it is to be wiped, reset it with its own talosconfig:
        talosctl reset --nodes 192.0.2.14 --graceful=false --reboot",
    ]
  `);
  expect(plan.steps).toEqual([]);
});

test('a provider that takes no changes', () => {
  const more = platformWith({ controlPlanes: 3, pools: { w: 3 } });
  const plan = planFor(
    more,
    after((it) => void (it.readOnly = 'its cluster has lost its quorum (2 of 5 nodes)')),
  );
  expect(asks(plan)).toMatchInlineSnapshot(`
    [
      "Proxmox VE takes no changes at the moment: its cluster has lost its quorum (2 of 5 nodes).
    Bring it back first, then look again:
        ichor doctor",
    ]
  `);
  expect(plan.steps).toEqual([]);
});

test('a majority that is lost for good', () => {
  const world = after(({ machines }) => {
    for (const name of ['p-cp-1', 'p-cp-2']) Object.assign(machines[name]!, { vm: null, disk: 'empty' });
  });
  const plan = planFor(platform, world);
  expect(asks(plan)).toMatchInlineSnapshot(`
    [
      "etcd has 3 members, and p-cp-1, p-cp-2 lost their data: the 1 that is left cannot decide anything.
    If nothing of the cluster is to be kept: ichor destroy && ichor up. Else recover etcd from a snapshot, on one control plane whose etcd is wiped (do that on each of p-cp-0); the others join it:
        ichor talos reset --no-graceful --reboot --system-labels-to-wipe EPHEMERAL -n 192.0.2.10 && ichor talos etcd recover etcd.db -n 192.0.2.10 && ichor up",
    ]
  `);
  expect(plan.steps.filter(({ step }) => step.kind.startsWith('etcd.') && step.kind !== 'etcd.await-member')).toEqual(
    [],
  );
});

test('a majority that is lost for good, and an etcd that says nothing any more', () => {
  const world = after((it) => {
    for (const name of ['p-cp-1', 'p-cp-2']) Object.assign(it.machines[name]!, { vm: null, disk: 'empty' });
    it.hidden = ['etcd'];
  });
  const plan = planFor(platform, world);
  expect(plan.asks.map(({ code }) => code)).toEqual(['quorum-lost']);
  expect(asks(plan)[0]).toContain('etcd has 3 members, and p-cp-1, p-cp-2 lost their data');
});

test('an etcd that says nothing while control planes are added has lost nothing', () => {
  const one = builtFrom(platformWith());
  one.hidden = ['etcd'];
  expect(planFor(platform, one).asks).toEqual([]);
});

const without = (it: Imagined): void => {
  for (const name of ['p-cp-0', 'p-cp-1', 'p-cp-2']) Object.assign(it.machines[name]!, { vm: null, disk: 'empty' });
  Object.assign(it, { members: {}, nodes: undefined });
};

test('a cluster whose control planes are all gone is not begun a second time', () => {
  const plan = planFor(platform, after(without));
  expect(asks(plan)).toMatchInlineSnapshot(`
    [
      "No control plane has etcd, and there was a cluster: p-cp-0, p-cp-1, p-cp-2 had it. Its data is gone from its machines; a new etcd would be empty.
    If nothing of it is to be kept, end this life and begin another: ichor destroy && ichor up. If there is a snapshot, bring it back on one control plane once that is up, then go on:
        ichor talos etcd recover etcd.db -n ADDRESS && ichor up",
    ]
  `);
  expect(plan.steps.filter(({ step }) => step.kind.startsWith('etcd.'))).toEqual([]);
  expect(plan.steps.filter(({ step }) => step.kind === 'machine.create')).toHaveLength(3);
});

test('workers tell that there was a cluster where nobody remembers it', () => {
  const plan = planFor(
    platform,
    after((it) => {
      without(it);
      it.memory = { ...it.memory, bootstrap: undefined };
    }),
  );
  expect(plan.asks.map(({ code }) => code)).toEqual(['cluster-lost']);
  expect(asks(plan)[0]).toContain('p-w-0, p-w-1 are configured for one');
});

const destroying = (world: Imagined, confirmed = false): Plan =>
  planFor(platform, world, { intent: 'destroy', confirmed });

test('a destroy without the secrets proves nothing but a name', () => {
  const world = after((it) => {
    it.secrets = 'absent';
    for (const machine of Object.values(it.machines)) machine.disk = 'foreign';
  });
  expect(asks(destroying(world))).toMatchInlineSnapshot(`
    [
      "p-cp-0, p-cp-1, p-cp-2, p-w-0, p-w-1 are there, and talos/secrets.yaml is not: nothing here proves that this is the platform "p" that made them.
    Go to the folder, or name the --workspace, that has its secrets. If you are sure that they are yours:
        ichor destroy --confirm p",
    ]
  `);
  expect(destroying(world).steps).toEqual([]);
  expect(destroying(world, true).steps.filter(({ step }) => step.kind === 'machine.delete')).toHaveLength(5);
});

test('a destroy of machines that another cluster configured', () => {
  const world = after(({ machines }) => void (machines['p-w-1']!.disk = 'foreign'));
  expect(asks(destroying(world))).toMatchInlineSnapshot(`
    [
      "p-w-1 is configured with the secrets of another cluster: somebody else may call a platform "p", too.
    If you are sure that it is yours:
        ichor destroy --confirm p",
    ]
  `);
  expect(destroying(world).steps).toEqual([]);
  expect(destroying(world, true).asks).toEqual([]);
});

test('a destroy of machines that never were configured needs no proof', () => {
  const world = empty(platform);
  const { steps } = planFor(platform, world);
  for (const each of steps.filter(({ layer }) => layer === 'machines')) carryOut(each, world, platform);
  expect(destroying({ ...world, secrets: 'absent' }).asks).toEqual([]);
});

test('a machine that somebody protects stops a destroy before its first step, and stays when it leaves', () => {
  const world = after(({ machines }) => {
    machines['p-w-1']!.vm = { ...machines['p-w-1']!.vm!, settings: { protection: '1' } };
  });
  expect(asks(destroying(world, true))).toMatchInlineSnapshot(`
    [
      "p-w-1 cannot be deleted: somebody protects it.
    If it may go all the same:
        ssh root@pve2 qm set 502 --protection 0",
    ]
  `);
  expect(destroying(world, true).steps).toEqual([]);
  const smaller = planFor(platformWith({ controlPlanes: 3, pools: { w: 1 } }), world);
  expect([smaller.asks.map(({ code }) => code), smaller.steps]).toEqual([['protected'], []]);
});

test('a Talos that is too far away', () => {
  const plan = planFor(
    platform,
    after(({ machines }) => void (machines['p-w-1']!.version = 'v1.10.2')),
  );
  expect(asks(plan)).toMatchInlineSnapshot(`
    [
      "p-w-1 runs Talos v1.10.2, and the file asks for v1.13.9: Talos goes up one minor version at a time.
    Set cluster.talos.version to the next minor version, let that be rolled out, and go on from there:
        ichor up",
    ]
  `);
  expect(plan.steps).toEqual([]);
});

const image = (from: string, to: string) => [
  {
    path: 'cluster.apiServer.image',
    before: `registry.k8s.io/kube-apiserver:${from}`,
    after: `registry.k8s.io/kube-apiserver:${to}`,
    reboot: false,
  },
];
const kubernetesFrom = (from: string, to: string): Plan =>
  planFor(
    platform,
    after(({ machines }) => void (machines['p-cp-1']!.changes = image(from, to))),
  );

test('a machine that waits with a Talos that is too old is not configured with what it does not know', () => {
  const waiting = platformWith({
    machines: { existing: { machines: { 'cp-0': { address: '10.0.0.1' } } } },
    pools: {},
  });
  const world = empty(waiting);
  world.machines['p-cp-0']!.version = 'v1.11.6';
  const plan = planFor(waiting, world);
  expect([plan.steps, ...asks(plan)]).toMatchInlineSnapshot(`
    [
      [],
      "p-cp-0 waits for its configuration with Talos v1.11.6, and the file asks for v1.13.9: an older Talos does not know all that a newer one is configured with.
    Start it from an image of v1.13.9; or set cluster.talos.version to v1.11.6, build the cluster with it, and go up one minor version at a time:
        ichor up",
    ]
  `);
  world.machines['p-cp-0']!.version = 'v1.13.0';
  expect(planFor(waiting, world).asks).toEqual([]);
});

test('a Kubernetes that goes back, and one that goes too far', () => {
  const back = kubernetesFrom('v1.36.3', 'v1.33.0');
  const far = kubernetesFrom('v1.33.1', 'v1.35.2');
  expect([asks(back), asks(far)]).toMatchInlineSnapshot(`
    [
      [
        "p-cp-1 runs Kubernetes v1.36.3, and the file asks for v1.33.0: Kubernetes does not go back, and an older one may not read what the newer one wrote.
    Set cluster.kubernetes.version to v1.36.3, or to a newer one, and look again:
        ichor plan",
      ],
      [
        "p-cp-1 runs Kubernetes v1.33.1, and the file asks for v1.35.2: Kubernetes goes up one minor version at a time.
    Set cluster.kubernetes.version to the next minor version, let that be rolled out, and go on from there:
        ichor up",
      ],
    ]
  `);
  expect([back.steps, far.steps]).toEqual([[], []]);
  expect(kubernetesFrom('v1.35.4', 'v1.35.2').asks).toEqual([]);
});

test('networks of pods and services, and secrets, are kept for life', () => {
  const changed = (path: string, before: string, to: string) =>
    after(({ machines }) => void (machines['p-cp-0']!.changes = [{ path, before, after: to, reboot: false }]));
  const networks = planFor(platform, changed('cluster.network.podSubnets[0]', '10.244.0.0/16', '10.9.0.0/16'));
  const secrets = planFor(platform, changed('cluster.secretboxEncryptionSecret', '***', '***'));
  expect([...asks(networks), ...asks(secrets)]).toMatchInlineSnapshot(`
    [
      "p-cp-0 runs with other networks, or another domain, of pods and services than the file says: cluster.network.podSubnets[0] is 10.244.0.0/16, not 10.9.0.0/16. Everything in a cluster has addresses and names of them, so that it keeps them as long as it lives.
    Set pods, services and domain under cluster.network back to what is there; other ones are for another cluster:
        ichor plan",
      "p-cp-0 runs with other secrets than talos/secrets.yaml has: cluster.secretboxEncryptionSecret. With others machines would not know each other any more, and what etcd holds could not be read.
    Bring back the talos/secrets.yaml that it was configured with; where somebody rotated them on the machines, make it again from a control plane’s configuration:
        talosctl gen secrets --from-controlplane-config controlplane.yaml -o talos/secrets.yaml",
    ]
  `);
  for (const plan of [networks, secrets]) expect([plan.steps, plan.drift[0]?.kind]).toEqual([[], 'danger']);
});

test('a machine whose partitions are encrypted otherwise is left as it is, and others are not', () => {
  const locked = { path: 'VolumeConfig.STATE.encryption.provider', before: undefined, after: 'luks2', reboot: false };
  const label = { path: 'machine.nodeLabels.a', before: undefined, after: 'b', reboot: false };
  const plan = planFor(
    platform,
    after(({ machines }) => {
      machines['p-w-0']!.changes = [locked, label];
      machines['p-w-1']!.changes = [label];
    }),
  );
  expect(plan.steps.map(({ id }) => id)).toEqual([
    'cluster.await-healthy p-w-1',
    'talos.reconfigure p-w-1',
    'node.await-ready p-w-1',
  ]);
  expect(plan.drift.map(({ kind, machine, what }) => `${kind} ${machine} ${what}`)).toEqual([
    'danger p-w-0 VolumeConfig.STATE.encryption.provider',
    'keep p-w-0 machine.nodeLabels.a',
    'correct p-w-1 machine.nodeLabels.a',
  ]);
});

test('a Kubernetes that goes up says from where to where', () => {
  const { asks: asked, steps } = kubernetesFrom('v1.34.4', 'v1.35.2');
  expect(asked).toEqual([]);
  expect(steps.find(({ step }) => step.kind === 'talos.reconfigure')?.because).toBe(
    'Kubernetes v1.34.4 becomes v1.35.2; the file says otherwise about cluster.apiServer.image',
  );
});

test('another Kubernetes reaches one control plane after the other, each when the one before it serves', () => {
  const world = after((it) => {
    for (const name of ['p-cp-0', 'p-cp-1'])
      it.machines[name]!.changes = [{ path: 'cluster.apiServer.image', before: 'x', after: 'y', reboot: false }];
  });
  expect(outlineFor(platform, world)).toEqual([
    'cluster.await-healthy p-cp-0',
    'talos.reconfigure p-cp-0, after cluster.await-healthy p-cp-0',
    'kubernetes.await-server p-cp-0, after talos.reconfigure p-cp-0',
    'node.await-ready p-cp-0, after kubernetes.await-server p-cp-0',
    'cluster.await-healthy p-cp-1, after node.await-ready p-cp-0',
    'talos.reconfigure p-cp-1, after cluster.await-healthy p-cp-1',
    'kubernetes.await-server p-cp-1, after talos.reconfigure p-cp-1',
    'node.await-ready p-cp-1, after kubernetes.await-server p-cp-1',
  ]);
});

test('another kubelet reaches one worker after the other, each when the one before it works', () => {
  const kubelet = (version: string): string => `ghcr.io/siderolabs/kubelet:${version}`;
  const world = after(({ machines }) => {
    for (const name of ['p-w-0', 'p-w-1'])
      machines[name]!.changes = [
        { path: 'machine.kubelet.image', before: kubelet('v1.35.2'), after: kubelet('v1.35.3'), reboot: false },
      ];
  });
  expect(outlineFor(platform, world)).toEqual([
    'cluster.await-healthy p-w-0',
    'talos.reconfigure p-w-0, after cluster.await-healthy p-w-0',
    'kubernetes.await-kubelet p-w-0, after talos.reconfigure p-w-0',
    'node.await-ready p-w-0, after kubernetes.await-kubelet p-w-0',
    'cluster.await-healthy p-w-1, after node.await-ready p-w-0',
    'talos.reconfigure p-w-1, after cluster.await-healthy p-w-1',
    'kubernetes.await-kubelet p-w-1, after talos.reconfigure p-w-1',
    'node.await-ready p-w-1, after kubernetes.await-kubelet p-w-1',
  ]);
});

test('while Kubernetes does not answer, control planes are put right one by one, and nobody is restarted', () => {
  const world = after((it) => {
    it.hidden = ['nodes', 'network'];
    for (const [name, reboot] of [
      ['p-cp-0', false],
      ['p-cp-1', false],
      ['p-cp-2', true],
      ['p-w-0', false],
    ] as const)
      it.machines[name]!.changes = [{ path: 'cluster.apiServer.extraArgs', before: 'x', after: 'y', reboot }];
  });
  const plan = planFor(platform, world);
  expect(outlineFor(platform, world)).toEqual([
    'talos.reconfigure p-cp-0',
    'kubernetes.await-server p-cp-0, after talos.reconfigure p-cp-0',
    'talos.reconfigure p-cp-1, after kubernetes.await-server p-cp-0',
    'kubernetes.await-api, after talos.reconfigure p-cp-1',
    'kubernetes.await-server p-cp-1, after talos.reconfigure p-cp-1',
  ]);
  expect(plan.doubts.map(({ about }) => about)).toEqual(['Kubernetes', 'p-cp-2', 'p-w-0']);
});

test('whoever is not well has its turn first, so that nobody goes down beside it', () => {
  const world = after((it) => {
    for (const name of ['p-cp-0', 'p-cp-2'])
      it.machines[name]!.changes = [{ path: 'machine.sysctls', before: undefined, after: '1', reboot: true }];
    it.nodes!['p-cp-2']!.ready = false;
  });
  const gates = planFor(platform, world).steps.flatMap(({ id, step }) =>
    step.kind === 'cluster.await-healthy' ? [[id, step.except]] : [],
  );
  expect(gates).toEqual([
    ['cluster.await-healthy p-cp-2', ['p-cp-2']],
    ['cluster.await-healthy p-cp-0', []],
  ]);
});

test('who asks for one machine is told what keeps that one, and nothing of others', () => {
  const more = platformWith({ controlPlanes: 3, pools: { w: 4 } });
  const world = after(({ machines }) => {
    for (const name of ['p-cp-0', 'p-cp-1', 'p-cp-2']) machines[name]!.changes = [nextKubernetes];
  });
  const plan = planFor(more, world, { target: 'w-3' });
  expect([plan.steps, plan.doubts.map(({ about }) => about)]).toEqual([[], ['p-w-3']]);
});

test('a machine that runs is not moved to another address', () => {
  const at = (addresses: string) =>
    platformWith({
      pools: { w: 1 },
      worker: { addresses },
      cluster: {
        controlPlane: { replicas: 1, addresses: '10.0.0.5-7' },
        network: { nodes: '10.0.0.0/24', gateway: '10.0.0.1', nameservers: ['10.0.0.1'], addresses: 'static' },
      },
    });
  const plan = planFor(at('10.0.0.20-29'), builtFrom(at('10.0.0.10-19')));
  expect(asks(plan)).toMatchInlineSnapshot(`
    [
      "p-w-0 is at 10.0.0.10, and the file says 10.0.0.20: a machine that has its configuration is not moved to another address.
    Set its address in the file back to 10.0.0.10. If it is to have the other one, let it be made anew, which empties it:
        ichor drain p-w-0 && ssh root@pve2 'qm stop 501 && qm destroy 501' && ichor up",
    ]
  `);
  expect(plan.steps).toEqual([]);
});

test('a control plane is not restarted while another one is away', () => {
  const world = after((it) => {
    it.hidden = ['talos p-cp-2'];
    it.machines['p-cp-0']!.changes = [{ path: 'machine.sysctls', before: undefined, after: '1', reboot: true }];
  });
  expect(outlineFor(platform, world)).toEqual(['talos.await-up p-cp-2']);
});

test('a control plane that is to be changed before it ever was Ready has its turn', () => {
  const single = platformWith({ pools: {} });
  const world = builtFrom(single);
  world.nodes = {};
  world.machines['p-cp-0']!.changes = [{ path: 'machine.sysctls', before: undefined, after: '1', reboot: false }];
  expect(outlineFor(single, world)).toEqual([
    'cluster.await-healthy p-cp-0',
    'talos.reconfigure p-cp-0, after cluster.await-healthy p-cp-0',
    'node.await-ready p-cp-0, after talos.reconfigure p-cp-0',
  ]);
});

test.each([
  [
    'clusted',
    '"clusted" is neither a layer nor a machine of "p".\nDid you mean "cluster"?\n    ichor plan --target cluster',
  ],
  ['w-01', '"w-01" is neither a layer nor a machine of "p".\nDid you mean "w-0"?\n    ichor plan --target w-0'],
  [
    'nonsense',
    '"nonsense" is neither a layer nor a machine of "p".\nName a layer (identity, machines, cluster, services, configuration) or a machine (p-cp-0, p-cp-1, p-cp-2, p-w-0, p-w-1):\n    ichor plan --target machines',
  ],
])('the target %s', (target, said) => {
  const world = builtFrom(platform);
  expect(() => planFor(platform, world, { target })).toThrowError(
    expect.toSatisfy((error: { message: string; remedy: string }) => `${error.message}\n${error.remedy}` === said),
  );
});

test('what was changed by hand is told apart', () => {
  const world = after((it) => {
    const vm = it.machines['p-w-0']!.vm!;
    it.machines['p-w-0']!.vm = {
      ...vm,
      cpu: 1,
      disks: [
        { ...vm.disks[0]!, sizeGiB: 500 },
        { name: undefined, sizeGiB: 10, datastore: 'ceph' },
      ],
      medium: 'local:iso/virtio-win.iso',
      settings: {
        name: 'p-w-0',
        bios: 'ovmf',
        cpu: 'host',
        balloon: '0',
        onboot: '1',
        bridge: 'vmbr1',
        boot: 'order=ide2;scsi0',
        protection: '1',
      },
    };
    it.machines['p-w-1']!.version = 'v1.14.0';
    Object.assign(it.nodes!['p-w-1']!, { schedulable: false });
    it.nodes!['laptop'] = { machine: undefined, ready: true, schedulable: true, drained: false };
    it.network = { kind: 'handed-over', to: 'Flux' };
  });
  const { drift } = planFor(platform, world);
  expect(drift.map(({ kind, machine, what, wanted, found, because }) => [kind, machine, what, wanted, found, because]))
    .toMatchInlineSnapshot(`
      [
        [
          "correct",
          "p-w-0",
          "cpu",
          "4",
          "1",
          "the file asks for another number",
        ],
        [
          "danger",
          "p-w-0",
          "disk system",
          "100GiB",
          "500GiB",
          "a smaller disk loses what is on it",
        ],
        [
          "keep",
          "p-w-0",
          "disk without a name",
          undefined,
          "10GiB",
          "somebody else attached it",
        ],
        [
          "keep",
          "p-w-0",
          "medium",
          undefined,
          "local:iso/virtio-win.iso",
          "somebody put it in",
        ],
        [
          "keep",
          "p-w-0",
          "cpu type",
          "x86-64-v2-AES",
          "host",
          "it is told when a machine is made, and was changed since, in the file or by hand; ichor leaves it",
        ],
        [
          "keep",
          "p-w-0",
          "bridge",
          "vmbr0",
          "vmbr1",
          "it is told when a machine is made, and was changed since, in the file or by hand; ichor leaves it",
        ],
        [
          "danger",
          "p-w-0",
          "boot",
          "order=scsi0",
          "order=ide2;scsi0",
          "it does not start from its own disk first: the next restart may begin something else",
        ],
        [
          "keep",
          "p-w-0",
          "protection",
          undefined,
          "1",
          "somebody protects it: it can be neither deleted nor resized until that is taken away",
        ],
        [
          "danger",
          "p-w-1",
          "Talos",
          "v1.13.9",
          "v1.14.0",
          "somebody brought it further, and an older Talos may not read what the newer one wrote",
        ],
        [
          "keep",
          "p-w-1",
          "node",
          "schedulable",
          "cordoned",
          "somebody cordoned it, and knows why",
        ],
        [
          "keep",
          undefined,
          "node",
          undefined,
          "laptop",
          "it is none of the machines that we know, and stays",
        ],
        [
          "keep",
          undefined,
          "Cilium",
          undefined,
          "Flux",
          "Flux keeps it from now on",
        ],
      ]
    `);
});
