import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  anyBeginning,
  anyDarkStory,
  anyEditedStory,
  anyStory,
  anyVeiledStory,
  nextKubernetes,
  settle,
  someOrder,
  type Story,
} from '../../test/arbitrary/worlds.ts';
import { carryOut, endLife, imagine } from '../../test/imagine.ts';
import { empty, isUp, seen, type Imagined, type ImaginedMachine } from '../../test/imagined.ts';
import { outline } from '../../test/outline.ts';
import { sweep } from '../../test/sweep.ts';
import type { Plan, PlannedStep } from '../model/plan.ts';
import type { Shape } from '../model/machine.ts';
import type { StepKind } from '../model/step.ts';
import type { WorldMachine } from '../model/world.ts';
import type { Platform } from '../spec/platform.ts';
import { planPlatform } from './plan.ts';

const patience = 300_000;
const anyLuck = fc.array(fc.nat(50), { minLength: 1, maxLength: 20 });

const planOf = ({ platform, world }: Pick<Story, 'platform' | 'world'>): Plan =>
  planPlatform(platform, seen(world, platform), { intent: 'converge' }).plan;

const ofKind = ({ steps }: Plan, ...kinds: readonly StepKind[]): readonly PlannedStep[] =>
  steps.filter(({ step }) => kinds.includes(step.kind));

test(
  'from any world, passes end in an empty plan',
  () => {
    fc.assert(
      fc.property(anyStory, (story) => {
        const first = planOf(story);
        fc.pre(first.asks.length === 0);
        const end = settle(story.platform, story.world);
        if (end === undefined) throw new Error(`It does not end:\n${outline(first).join('\n')}`);
        const last = planOf({ ...story, world: end });
        expect([last.steps, last.doubts, last.partial]).toEqual([[], [], false]);
      }),
      sweep('passes that end', 25, 1000),
    );
  },
  patience,
);

const votersOf = ({ members }: Imagined): readonly string[] =>
  Object.values(members).flatMap(({ machine }) => machine ?? '?');
/** Whoever does not answer may be dead. */
const isSilent = ({ hidden }: Imagined, name: string): boolean =>
  hidden.includes(name) || hidden.includes(`talos ${name}`);
const aliveOf = (world: Imagined): number =>
  votersOf(world).filter((name) => isUp(world.machines[name]) && !isSilent(world, name)).length;
const hasQuorum = (world: Imagined): boolean => aliveOf(world) > votersOf(world).length / 2;

/** Waiting for one that may be dead is in vain; so is whatever is asked of it. */
const isOfTheSilent = ({ step, machine }: PlannedStep, world: Imagined): boolean =>
  step.kind === 'node.await-ready'
    ? step.machines.some((name) => isSilent(world, name))
    : machine !== undefined && isSilent(world, machine);

/** Steps during which a control plane is gone for a while. */
const restarts = ({ step }: PlannedStep): string | undefined =>
  step.kind === 'talos.upgrade' || (step.kind === 'talos.reconfigure' && step.reboot) || step.kind === 'talos.shutdown'
    ? step.machine
    : undefined;

test(
  'etcd never loses its majority, in whatever order the graph allows',
  () => {
    fc.assert(
      fc.property(fc.oneof(anyStory, anyVeiledStory), anyLuck, (story, luck) => {
        const { platform } = story;
        const world = structuredClone(story.world);
        fc.pre(votersOf(world).length > 0 && hasQuorum(world));
        const failed = new Set<string>();
        for (const step of someOrder(planOf(story).steps, luck)) {
          if (step.after.some((id) => failed.has(id)) || isOfTheSilent(step, world)) {
            failed.add(step.id);
            continue;
          }
          const away = restarts(step);
          if (away !== undefined && votersOf(world).length >= 3 && votersOf(world).includes(away))
            expect([step.id, aliveOf(world) - 1 > votersOf(world).length / 2]).toEqual([step.id, true]);
          const many = votersOf(world).length >= 3;
          if (!succeeds(step, world, platform)) failed.add(step.id);
          if (many || step.step.kind.startsWith('etcd.')) expect([step.id, hasQuorum(world)]).toEqual([step.id, true]);
        }
      }),
      sweep('majorities', 25, 1000),
    );
  },
  patience,
);

/** What waits for something that never comes fails, and what stands on it is not begun. */
function succeeds(step: PlannedStep, world: Imagined, platform: Platform): boolean {
  try {
    carryOut(step, world, platform);
    return true;
  } catch {
    return false;
  }
}

/** Members whose data is still on their disk, with power or without. */
const holdersOf = ({ members, machines }: Imagined): number =>
  Object.values(members).filter(({ machine }) => machine !== undefined && machines[machine]?.disk === 'ours').length;
const keepsData = (world: Imagined): boolean => holdersOf(world) > votersOf(world).length / 2;

test(
  'what most members of etcd have on their disks stays there, whoever has no power and whatever can be seen',
  () => {
    fc.assert(
      fc.property(fc.oneof(anyStory, anyVeiledStory, anyDarkStory), anyLuck, (story, luck) => {
        const { platform } = story;
        const world = structuredClone(story.world);
        fc.pre(keepsData(world));
        const failed = new Set<string>();
        for (const step of someOrder(planOf(story).steps, luck)) {
          if (step.after.some((id) => failed.has(id)) || !succeeds(step, world, platform)) failed.add(step.id);
          expect([step.id, keepsData(world)]).toEqual([step.id, true]);
        }
      }),
      sweep('data', 40, 1000),
    );
  },
  patience,
);

const isOurs = (talos: WorldMachine['talos']): boolean => talos.kind === 'known' && talos.value?.kind === 'ours';

function ancestorsOf({ steps }: Plan): ReadonlyMap<string, ReadonlySet<string>> {
  const all = new Map<string, Set<string>>();
  for (const { id, after } of steps) all.set(id, new Set(after.flatMap((each) => [each, ...(all.get(each) ?? [])])));
  return all;
}

test(
  'members join and leave one at a time, nodes are drained one at a time and before they go, control planes change first and all restart one at a time',
  () => {
    fc.assert(
      fc.property(anyStory, (story) => {
        const plan = planOf(story);
        const above = ancestorsOf(plan);
        const planes = new Set(story.platform.machines.flatMap(({ name, role }) => (role === 'worker' ? [] : [name])));
        const inOrder = (steps: readonly PlannedStep[]): void => {
          for (const [index, one] of steps.entries())
            for (const other of steps.slice(index + 1))
              expect([other.id, above.get(other.id)?.has(one.id)]).toEqual([other.id, true]);
        };
        if (Object.keys(story.world.members).length > 0 && ofKind(plan, 'etcd.bootstrap').length === 0)
          inOrder(ofKind(plan, 'etcd.await-member', 'etcd.leave', 'etcd.remove'));
        inOrder(ofKind(plan, 'node.drain'));
        const world = seen(story.world, story.platform);
        const runs = new Set(world.machines.flatMap(({ name, talos }) => (isOurs(talos) ? [name] : [])));
        const listed = world.nodes.kind === 'known' ? (world.nodes.value ?? []) : [];
        const works = new Set(listed.flatMap(({ machine = '' }) => (runs.has(machine) ? [machine] : [])));
        for (const { id, machine = '' } of ofKind(plan, 'machine.stop', 'talos.reset'))
          if (works.has(machine)) expect([id, above.get(id)?.has(`node.drain ${machine}`)]).toEqual([id, true]);
        if (ofKind(plan, 'etcd.bootstrap').length > 0) return;
        const changes = ofKind(plan, 'talos.reconfigure', 'talos.upgrade', 'talos.shutdown');
        const ofPlanes = changes.filter(({ machine }) => planes.has(machine ?? ''));
        for (const { id, machine } of changes)
          if (!planes.has(machine ?? ''))
            for (const first of ofPlanes)
              expect([id, first.id, above.get(id)?.has(first.id)]).toEqual([id, first.id, true]);
        inOrder(plan.steps.filter((step) => restarts(step) !== undefined));
      }),
      sweep('one at a time', 25, 1000),
    );
  },
  patience,
);

test(
  'no node joins that is ahead of the control planes',
  () => {
    fc.assert(
      fc.property(anyStory, anyLuck, (story, luck) => {
        const { platform } = story;
        const world = structuredClone(story.world);
        fc.pre(votersOf(world).length > 0 && hasQuorum(world));
        const wanted = new Map(platform.machines.map(({ name, role }) => [name, role]));
        for (const step of someOrder(planOf(story).steps, luck)) {
          const { machine: name = '' } = step;
          const joins = step.step.kind === 'talos.configure' && wanted.get(name) === 'worker';
          // What a machine without power is configured with shows when it is back.
          const behind = Object.values(world.machines).filter(
            (machine) =>
              wanted.get(machine.name) === 'control-plane' &&
              isUp(story.world.machines[machine.name]) &&
              isUp(machine) &&
              machine.changes.some((change) => change.after === nextKubernetes.after),
          );
          // One that was wiped and has its Node still is waited for by everybody.
          if (joins && world.nodes?.[name] === undefined) expect([step.id, behind]).toEqual([step.id, []]);
          carryOut(step, world, platform);
        }
      }),
      sweep('versions', 40, 1000),
    );
  },
  patience,
);

test(
  'etcd is begun at most once, where nobody has it, and on the machine that was chosen',
  () => {
    fc.assert(
      fc.property(fc.oneof(anyStory, anyVeiledStory, anyBeginning), (story) => {
        const world = seen(story.world, story.platform);
        const begun = ofKind(planOf(story), 'etcd.bootstrap');
        if (begun.length === 0) return;
        expect(begun).toHaveLength(1);
        expect(world.etcd).toEqual({ kind: 'known', value: [] });
        const { bootstrap } = story.world.memory;
        expect(bootstrap?.members !== undefined && bootstrap.ending === undefined).toBe(false);
        if (bootstrap !== undefined) expect(begun[0]?.machine).toBe(bootstrap.machine);
      }),
      sweep('beginnings', 25, 1000),
    );
  },
  patience,
);

test(
  'a run that was killed before etcd began is finished without a question, and so is one after a destroy that was killed',
  () => {
    fc.assert(
      fc.property(anyBeginning, fc.nat(60), anyLuck, ({ platform, world }, steps, luck) => {
        const begun = settle(platform, world);
        fc.pre(begun !== undefined && planOf({ platform, world: begun }).asks.length === 0);
        const { plan } = planPlatform(platform, seen(begun, platform), { intent: 'destroy' });
        const half = structuredClone(begun);
        endLife(half);
        for (const step of someOrder(plan.steps, luck).slice(0, steps)) carryOut(step, half, platform);
        const asked = planOf({ platform, world: half }).asks.map(({ code }) => code);
        // What is left of three has its data still, and nobody throws that away unasked.
        if (asked.includes('quorum-lost')) expect(Object.keys(half.members).length).toBeGreaterThan(1);
        else expect([asked, settle(platform, half) === undefined]).toEqual([[], false]);
      }),
      sweep('second beginnings', 15, 500),
    );
  },
  patience,
);

test(
  'nothing is touched without our mark and its uuid',
  () => {
    fc.assert(
      fc.property(
        fc.oneof(anyStory, anyVeiledStory),
        fc.constantFrom('converge' as const, 'destroy' as const),
        (story, intent) => {
          const { platform, world } = story;
          const { plan } = planPlatform(platform, seen(world, platform), { intent });
          for (const { step } of plan.steps) {
            if (step.kind === 'machine.stop' || step.kind === 'machine.delete' || step.kind === 'machine.resize')
              expect(step.ref).toMatchObject({
                mark: { ...world.machines[step.machine]?.vm?.mark, platform: platform.name, name: step.machine },
                id: world.machines[step.machine]?.vm?.id,
              });
            if (step.kind === 'node.delete') {
              const node = story.world.nodes?.[step.node];
              const leaves = plan.steps.some(
                ({ id }) => id === `machine.stop ${step.machine}` || id === `talos.reset ${step.machine}`,
              );
              expect([step.node, node?.machine === undefined && node?.ready === true && !leaves]).toEqual([
                step.node,
                false,
              ]);
            }
            if (step.kind === 'talos.reset')
              expect(
                world.machines[step.machine]?.disk === 'ours' || world.memory.configured[step.machine] !== undefined,
              ).toBe(true);
          }
        },
      ),
      sweep('marks', 25, 1000),
    );
  },
  patience,
);

const waiting: readonly StepKind[] = ['talos.reach', 'talos.await-up', 'etcd.await-member', 'node.await-ready'];

test(
  'nothing is made or taken away because a look failed',
  () => {
    fc.assert(
      fc.property(anyVeiledStory, (story) => {
        const world = seen(story.world, story.platform);
        const plan = planOf(story);
        const machines = new Map(world.machines.map((machine) => [machine.name, machine]));
        for (const { step, machine: name } of plan.steps) {
          const machine = name === undefined ? undefined : machines.get(name);
          if (step.kind === 'machine.create') expect(machine?.vm).toEqual({ kind: 'known', value: null });
          if (step.kind === 'etcd.bootstrap' || step.kind === 'etcd.remove') expect(world.etcd.kind).toBe('known');
          if (step.kind === 'node.delete') expect(world.nodes.kind).toBe('known');
          if (machine === undefined) continue;
          const isPlane = machine.role === 'control-plane';
          if (step.kind === 'talos.configure' && isPlane) expect([name, world.etcd.kind]).toEqual([name, 'known']);
          if (step.kind === 'machine.forget')
            expect([world.etcd.kind, world.nodes.kind, machine.wanted]).toEqual(['known', 'known', false]);
          else if (machine.vm?.kind === 'unknown') expect(waiting).toContain(step.kind);
          else if (machine.talos.kind === 'unknown' && (machine.wanted || isPlane))
            expect([step.kind, waiting.includes(step.kind)]).toEqual([step.kind, true]);
        }
        const hidden = [...machines.values()].some(({ vm }) => vm?.kind === 'unknown');
        if (hidden && story.world.secrets === 'there') expect(plan.partial || plan.asks.length > 0).toBe(true);
      }),
      sweep('veils', 60, 1000),
    );
  },
  patience,
);

test(
  'an edit touches nobody but those it speaks of',
  () => {
    fc.assert(
      fc.property(anyEditedStory, (story) => {
        const plan = planOf(story);
        const before = new Map(story.before.machines.map((machine) => [machine.name, machine]));
        const after = new Map(story.platform.machines.map((machine) => [machine.name, machine]));
        for (const { machine: name, id } of plan.steps) {
          // What there was no room for was never made.
          if (name === undefined || story.world.machines[name]?.disk !== 'ours') continue;
          const same = JSON.stringify(before.get(name)?.shape) === JSON.stringify(after.get(name)?.shape);
          expect([id, same]).toEqual([id, false]);
        }
      }),
      sweep('edits', 25, 1000),
    );
  },
  patience,
);

const isLarger = (shape: Shape, vm: ImaginedMachine['vm']): boolean => {
  if (vm === undefined || vm === null) return false;
  const gibOf = (disks: readonly { readonly sizeGiB: number }[]): number =>
    disks.reduce((total, { sizeGiB }) => total + sizeGiB, 0);
  return shape.cpu > vm.cpu || shape.memoryMiB > vm.memoryMiB || gibOf(shape.disks) > gibOf(vm.disks);
};

test(
  'whatever is made or becomes larger has room, as the proof says',
  () => {
    fc.assert(
      fc.property(fc.oneof(anyStory, anyVeiledStory), (story) => {
        const { plan, proof } = planPlatform(story.platform, seen(story.world, story.platform), { intent: 'converge' });
        const placed = new Map(proof.machines.map(({ machine, host, identity }) => [machine.name, { host, identity }]));
        for (const { step } of plan.steps) {
          if (step.kind === 'machine.resize' && isLarger(step.shape, story.world.machines[step.machine]?.vm))
            expect([step.machine, proof.fits]).toEqual([step.machine, true]);
          if (step.kind !== 'machine.create') continue;
          expect(proof.fits).toBe(true);
          const { host, identity } = placed.get(step.machine)!;
          expect(step.order).toMatchObject({
            host,
            id: String(identity.vmid),
            mac: identity.mac,
            mark: { uuid: identity.uuid },
          });
        }
      }),
      sweep('places', 25, 1000),
    );
  },
  patience,
);

/** What machines of ours take of a host. */
function loadOf({ machines }: Imagined, host: string, resource: string): number {
  const here = Object.values(machines).flatMap(({ vm }) => (vm?.host === host ? vm : []));
  return here.reduce((total, { cpu, memoryMiB, disks }) => {
    if (resource === 'cpu') return total + cpu;
    if (resource === 'memory') return total + memoryMiB;
    const own = disks.filter(({ datastore }) => resource === `disk:${datastore}`);
    return total + own.reduce((sum, { sizeGiB }) => sum + sizeGiB, 0);
  }, 0);
}

test(
  'no host ever carries more than it has, at no moment of a plan',
  () => {
    fc.assert(
      fc.property(anyEditedStory, anyLuck, ({ platform, world: start }, luck) => {
        fc.pre(platform.provider.kind === 'proxmox');
        const world = structuredClone(start);
        const { plan, proof } = planPlatform(platform, seen(world, platform), { intent: 'converge' });
        // Control planes are replaced before they go, whatever that takes: nobody gives up members of etcd for room.
        const wanted = new Set(platform.machines.map((machine) => machine.name));
        const replaced = new Set(
          Object.values(world.machines).flatMap(({ name, role, vm }) =>
            role === 'control-plane' && !wanted.has(name) && vm ? [vm.host] : [],
          ),
        );
        const most = proof.hosts
          .filter(({ name }) => !replaced.has(name))
          .flatMap(({ name, gauges }) =>
            gauges.map(({ resource, capacity }) => {
              return { name, resource, most: Math.max(capacity, loadOf(world, name, resource)) };
            }),
          );
        for (const step of someOrder(plan.steps, luck)) {
          carryOut(step, world, platform);
          const over = most.filter(({ name, resource, most: limit }) => loadOf(world, name, resource) > limit);
          expect([step.id, over]).toEqual([step.id, []]);
        }
      }),
      sweep('room at every moment', 40, 1000),
    );
  },
  patience,
);

/** Whoever writes into it throws. */
function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const each of Object.values(value)) frozen(each);
  return Object.freeze(value);
}

test(
  'a plan is data: it writes into nothing, survives JSON, its steps are in order, and the order of what was seen changes nothing',
  () => {
    fc.assert(
      fc.property(fc.oneof(anyStory, anyVeiledStory), (story) => {
        const { platform } = story;
        const world = frozen(seen(story.world, platform));
        const { plan } = planPlatform(frozen(platform), world, { intent: 'converge' });
        expect(JSON.parse(JSON.stringify(plan))).toEqual(plan);
        const done = new Set<string>();
        for (const { id, after } of plan.steps) {
          for (const each of after) expect(done).toContain(each);
          expect(done).not.toContain(id);
          done.add(id);
        }
        const reversed = {
          ...world,
          machines: world.machines.toReversed(),
          artifacts: world.artifacts.toReversed(),
          etcd: world.etcd.kind === 'known' ? { ...world.etcd, value: world.etcd.value.toReversed() } : world.etcd,
          nodes:
            world.nodes.kind === 'known' ? { ...world.nodes, value: world.nodes.value?.toReversed() } : world.nodes,
        };
        const other = planPlatform(platform, reversed, { intent: 'converge' });
        expect(JSON.stringify(other.plan)).toBe(JSON.stringify(plan));
      }),
      sweep('plans as data', 25, 1000),
    );
  },
  patience,
);

test(
  'a target keeps its own steps and what they stand on',
  () => {
    fc.assert(
      fc.property(anyStory, fc.nat(), (story, at) => {
        const { platform } = story;
        const target = ['machines', 'cluster', ...platform.machines.map(({ name }) => name)][
          at % (2 + platform.machines.length)
        ]!;
        const { plan } = planPlatform(platform, seen(story.world, platform), { intent: 'converge', target });
        const ids = new Set(plan.steps.map(({ id }) => id));
        for (const { after, layer } of plan.steps) {
          for (const id of after) expect(ids).toContain(id);
          if (target === 'machines') expect(layer).not.toBe('cluster');
        }
      }),
      sweep('targets', 25, 1000),
    );
  },
  patience,
);

test(
  'destroy leaves nothing of ours and touches nothing else; the next one has nothing to do',
  () => {
    fc.assert(
      fc.property(anyStory, fc.boolean(), (story, everything) => {
        const { platform, world } = story;
        const { plan } = planPlatform(platform, seen(world, platform), {
          intent: 'destroy',
          everything,
          confirmed: true,
        });
        const end = imagine(plan, world, platform);
        expect(
          Object.values(end.machines).filter(({ vm, disk }) => (vm === undefined ? disk === 'ours' : vm !== null)),
        ).toEqual([]);
        expect(end.secrets).toBe(everything ? 'absent' : world.secrets);
        expect(planPlatform(platform, seen(end, platform), { intent: 'destroy', everything }).plan.steps).toEqual([]);
      }),
      sweep('destroys', 25, 1000),
    );
  },
  patience,
);

test(
  'what was destroyed is built again as itself',
  () => {
    fc.assert(
      fc.property(anyEditedStory, ({ platform, before, world }) => {
        fc.pre(Object.keys(world.machines).length > 0);
        const { plan } = planPlatform(before, seen(world, before), { intent: 'destroy' });
        const end = imagine(plan, world, before);
        expect(planOf({ platform: before, world: end }).steps.map(({ id }) => id)).toEqual(
          planOf({
            platform: before,
            world: { ...empty(before), images: end.images, secrets: end.secrets, artifacts: end.artifacts },
          }).steps.map(({ id }) => id),
        );
        expect(platform.name).toBe(before.name);
      }),
      sweep('second lives', 15, 500),
    );
  },
  patience,
);
