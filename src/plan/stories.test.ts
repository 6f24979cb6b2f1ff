import { expect, test } from 'vitest';
import { nextKubernetes } from '../../test/arbitrary/worlds.ts';
import type { Imagined } from '../../test/imagined.ts';
import { empty } from '../../test/imagined.ts';
import { builtFrom, planFor, platformWith } from '../../test/planned.ts';
import { outline } from '../../test/outline.ts';
import type { Plan } from '../model/plan.ts';

/** A cluster that is as its file says, and what happened to it then. */
const after = (world: Imagined, happened: (world: Imagined) => void): Imagined => {
  happened(world);
  return world;
};

const one = platformWith({ controlPlanes: 1, pools: { w: 1 } });
const three = platformWith({ controlPlanes: 3, pools: { w: 2 } });
const onlyControlPlanes = (controlPlanes: number) => platformWith({ controlPlanes, pools: {} });
const existing = (...names: readonly string[]) =>
  platformWith({
    machines: {
      existing: {
        machines: Object.fromEntries(names.map((name, index) => [name, { address: `10.0.0.${index + 1}` }])),
      },
    },
    controlPlanes: names.filter((name) => name.startsWith('cp')).length,
    pools: { w: names.filter((name) => name.startsWith('w')).length },
  });
const onOneHost = (workers: number, memory: string) =>
  platformWith({
    hosts: 1,
    pools: { w: workers },
    worker: { memory },
    proxmox: { capacity: { pve1: { cpu: 32, memory: '64GiB', disk: { 'local-lvm': '1TiB' } } } },
  });
const withNextKubernetes = ({ machines }: Imagined): void => {
  for (const machine of Object.values(machines))
    if (machine.role === 'control-plane') machine.changes = [nextKubernetes];
};
const sysctls = (reboot: boolean) => [{ path: 'machine.sysctls', before: undefined, after: '1', reboot }];

const stories: readonly (readonly [string, () => Plan])[] = [
  ['from nothing to a cluster', () => planFor(three, empty(three))],
  ['machines that exist become a cluster', () => planFor(existing('cp-0', 'w-0'), empty(existing('cp-0', 'w-0')))],
  [
    'from an installation medium that is ejected at the end',
    () => {
      const platform = platformWith({
        pools: {},
        cluster: { talos: { version: 'v1.13.9', image: { iso: 'local:iso/talos.iso' } } },
      });
      return planFor(platform, empty(platform));
    },
  ],
  [
    'guards on Proxmox',
    () => {
      const platform = platformWith({ pools: {}, proxmox: { antiAffinity: true, firewall: true } });
      return planFor(platform, empty(platform));
    },
  ],
  ['one worker more', () => planFor(platformWith({ pools: { w: 2 } }), builtFrom(one))],
  ['two workers less', () => planFor(one, builtFrom(platformWith({ pools: { w: 3 } })))],
  ['one control plane becomes three', () => planFor(onlyControlPlanes(3), builtFrom(onlyControlPlanes(1)))],
  ['three control planes become one', () => planFor(onlyControlPlanes(1), builtFrom(onlyControlPlanes(3)))],
  [
    'the pool in the middle is removed',
    () => planFor(platformWith({ pools: { a: 1, c: 1 } }), builtFrom(platformWith({ pools: { a: 1, b: 1, c: 1 } }))),
  ],
  [
    'a pool gets another name: the new machines come first',
    () => planFor(platformWith({ pools: { new: 1 } }), builtFrom(platformWith({ pools: { old: 1 } }))),
  ],
  [
    'a pool gets another name where there is no room for both',
    () => {
      const host = { cpu: 12, memory: '64GiB', disk: { 'local-lvm': '4TiB' } };
      const tight = (pool: string) =>
        platformWith({ pools: { [pool]: 1 }, worker: { cpu: 8 }, hosts: 1, proxmox: { capacity: { pve1: host } } });
      return planFor(tight('new'), builtFrom(tight('old')));
    },
  ],
  [
    'workers get more processors and a larger disk',
    () => planFor(platformWith({ worker: { cpu: 8, disk: '200GiB' } }), builtFrom(platformWith())),
  ],
  ['only disks grow', () => planFor(platformWith({ worker: { disk: '200GiB' } }), builtFrom(platformWith()))],
  [
    'another minor version of Kubernetes, and a pool of another name',
    () => planFor(platformWith({ pools: { v: 2 } }), after(builtFrom(one), withNextKubernetes)),
  ],
  [
    'smaller machines, and more of them, where not all fit before',
    () => planFor(onOneHost(2, '25GiB'), builtFrom(onOneHost(1, '50GiB'))),
  ],
  [
    'a look during a reboot',
    () =>
      planFor(
        three,
        after(builtFrom(three), (world) => {
          world.hidden = ['talos p-cp-1', 'talos p-w-0'];
          world.nodes!['p-w-0']!.ready = false;
        }),
      ),
  ],
  [
    'a host is silent',
    () =>
      planFor(
        three,
        after(builtFrom(three), (world) => void (world.hidden = ['p-cp-1', 'p-w-0'])),
      ),
  ],
  [
    'another configuration for all, with a restart',
    () =>
      planFor(
        three,
        after(builtFrom(three), ({ machines }) => {
          for (const machine of Object.values(machines)) machine.changes = sysctls(true);
        }),
      ),
  ],
  [
    'another configuration without a restart, and an older Talos',
    () =>
      planFor(
        three,
        after(builtFrom(three), ({ machines }) => {
          machines['p-cp-1']!.changes = sysctls(false);
          machines['p-w-0']!.version = 'v1.12.1';
          machines['p-w-0']!.changes = sysctls(false);
        }),
      ),
  ],
  [
    'a control plane was deleted by hand',
    () =>
      planFor(
        three,
        after(builtFrom(three), ({ machines }) => void Object.assign(machines['p-cp-1']!, { vm: null, disk: 'empty' })),
      ),
  ],
  [
    'everything lost its power',
    () =>
      planFor(
        three,
        after(builtFrom(three), ({ machines }) => {
          for (const machine of Object.values(machines)) machine.vm!.power = 'off';
        }),
      ),
  ],
  [
    'everything lost its power, and the file gives other names meanwhile',
    () =>
      planFor(
        platformWith({ cluster: { names: { controlPlane: '{platform}-master-{index}' } }, pools: { v: 2 } }),
        after(builtFrom(one), ({ machines }) => {
          for (const machine of Object.values(machines)) machine.vm!.power = 'off';
        }),
      ),
  ],
  [
    'the same, and nobody remembers',
    () =>
      planFor(
        platformWith({ cluster: { names: { controlPlane: '{platform}-master-{index}' } }, pools: { v: 2 } }),
        after(builtFrom(one), (world) => {
          for (const machine of Object.values(world.machines)) machine.vm!.power = 'off';
          world.memory = empty(one).memory;
        }),
      ),
  ],
  [
    'a control plane leaves that is dead',
    () =>
      planFor(
        onlyControlPlanes(1),
        after(builtFrom(onlyControlPlanes(3)), ({ machines }) => void (machines['p-cp-2']!.vm!.power = 'off')),
      ),
  ],
  [
    'control planes leave that are needed to take one out that is gone',
    () =>
      planFor(
        onlyControlPlanes(1),
        after(builtFrom(onlyControlPlanes(3)), ({ machines }) => {
          Object.assign(machines['p-cp-0']!, { vm: null, disk: 'empty', address: undefined });
          machines['p-cp-1']!.vm!.power = 'off';
        }),
      ),
  ],
  [
    'a control plane that has not joined reboots while all are to become larger',
    () =>
      planFor(
        platformWith({ pools: {}, cluster: { controlPlane: { replicas: 3, memory: '16GiB' } } }),
        after(builtFrom(onlyControlPlanes(3)), ({ machines, members, nodes }) => {
          delete members['p-cp-1'];
          delete nodes!['p-cp-1'];
          machines['p-cp-1']!.stage = 'rebooting';
        }),
      ),
  ],
  [
    'one of two members is deleted by hand, and the file no longer has it',
    () =>
      planFor(
        onlyControlPlanes(1),
        after(builtFrom(onlyControlPlanes(3)), ({ machines, members, nodes }) => {
          for (const name of ['p-cp-1', 'p-cp-2']) delete machines[name];
          delete members['p-cp-2'];
          delete nodes!['p-cp-2'];
        }),
      ),
  ],
  ['a machine that exists leaves', () => planFor(existing('cp-0'), builtFrom(existing('cp-0', 'w-0')))],
  [
    'a machine that exists leaves, and is dead',
    () =>
      planFor(
        existing('cp-0'),
        after(builtFrom(existing('cp-0', 'w-0')), (world) => {
          world.hidden = ['talos p-w-0'];
          world.nodes!['p-w-0']!.ready = false;
        }),
      ),
  ],
  [
    'a machine that exists leaves, and is dead, and somebody took its Node away',
    () =>
      planFor(
        existing('cp-0'),
        after(builtFrom(existing('cp-0', 'w-0')), (world) => {
          world.hidden = ['talos p-w-0'];
          delete world.nodes!['p-w-0'];
        }),
      ),
  ],
  [
    'a control plane that exists leaves, and is dead',
    () =>
      planFor(
        existing('cp-0', 'cp-1', 'cp-2'),
        after(builtFrom(existing('cp-0', 'cp-1', 'cp-2', 'cp-3', 'cp-4')), (world) => {
          world.hidden = ['talos p-cp-4'];
        }),
      ),
  ],
  ['a target: one machine', () => planFor(onlyControlPlanes(3), builtFrom(onlyControlPlanes(1)), { target: 'cp-2' })],
  ['a target: one layer', () => planFor(three, empty(three), { target: 'machines' })],
  ['destroy', () => planFor(one, builtFrom(one), { intent: 'destroy' })],
  ['destroy everything', () => planFor(one, builtFrom(one), { intent: 'destroy', everything: true })],
  [
    'destroy on machines that exist, one of which is dead',
    () =>
      planFor(
        existing('cp-0', 'w-0'),
        after(builtFrom(existing('cp-0', 'w-0')), (world) => void (world.hidden = ['talos p-w-0'])),
        { intent: 'destroy' },
      ),
  ],
  [
    'the same, and somebody said that it is gone',
    () =>
      planFor(
        existing('cp-0', 'w-0'),
        after(builtFrom(existing('cp-0', 'w-0')), (world) => void (world.hidden = ['talos p-w-0'])),
        { intent: 'destroy', confirmed: true },
      ),
  ],
  [
    'destroy on machines that exist',
    () => planFor(existing('cp-0', 'w-0'), builtFrom(existing('cp-0', 'w-0')), { intent: 'destroy' }),
  ],
];

const text = (plan: Plan): string =>
  [
    ...outline(plan),
    ...plan.asks.map(({ code, message }) => `asks ${code}: ${message}`),
    ...plan.doubts.map(({ about, because }) => `doubts ${about}: ${because}`),
    ...plan.drift.map(
      ({ kind, machine, what }) => `drift ${kind}: ${machine === undefined ? '' : `${machine} `}${what}`,
    ),
    ...(plan.partial ? ['not the whole way'] : []),
    '',
  ].join('\n');

test.each(stories)('%s', async (name, plan) => {
  const file = name.replaceAll(/[^a-z]+/gi, '-').toLowerCase();
  await expect(text(plan())).toMatchFileSnapshot(`../../test/golden/plans/${file}.txt`);
});
