import type { Doubt, PlannedStep } from '../model/plan.ts';
import { destroyAsks } from './destroy-asks.ts';
import { guardStep, isGuarded } from './finish.ts';
import { planned, together, type Part } from './graph.ts';
import { damagedMarks } from './marks.ts';
import { clause } from './removal.ts';
import { wantedOf, type Situation, type Standing } from './situation.ts';

type Meant = {
  readonly everything: boolean;
  /** Somebody named the platform. */
  readonly confirmed: boolean;
};

/** Everything that is ours goes, all at once; nothing else is touched. */
export function planDestroy(situation: Situation, { everything, confirmed }: Meant): Required<Part> {
  const { world, platform } = situation;
  const all = [...wantedOf(situation), ...situation.leaving];
  // Whoever is half marked would be left behind when all others are gone.
  const asks = [...destroyAsks(situation, all, confirmed), ...damagedMarks(situation)];
  if (asks.length > 0) return { steps: [], asks, doubts: [] };
  const guards = isGuarded(world) ? [guardStep([], 'none', 'what it guards goes')] : [];
  const after = guards.map(({ id }) => id);
  const machines = together(
    ...all.map((standing) =>
      platform.provider.kind === 'existing'
        ? wiped(situation, standing, confirmed && !everything)
        : erased(standing, after),
    ),
  );
  const end = machines.doubts.length > 0 ? [] : forgotten(situation, everything, [...guards, ...machines.steps]);
  return together({ steps: guards }, machines, { steps: end });
}

const because = 'the platform is destroyed';

function erased({ name, ref, phase, observed, because: unseen }: Standing, after: readonly string[]): Part {
  if (phase === 'absent' || phase === 'barred') return { steps: [] };
  if (observed === undefined || ref === undefined) return { steps: [], doubts: [{ about: name, because: unseen }] };
  const stop =
    phase === 'off'
      ? []
      : [planned({ kind: 'machine.stop', machine: name, ref }, { after, because, disruption: 'downtime' })];
  const gone = planned(
    { kind: 'machine.delete', machine: name, ref },
    { after: [...after, ...stop.map(({ id }) => id)], because: `${because}; its disks go with it`, disruption: 'data' },
  );
  return { steps: [...stop, gone] };
}

function wiped({ world, platform }: Situation, standing: Standing, isGone: boolean): Part {
  const { name, phase, seen, because: silent } = standing;
  const remembered = world.memory.configured[name];
  const address = seen?.address ?? remembered?.address;
  const ours = phase === 'running' || phase === 'booting';
  if (!ours) {
    const doubt: Doubt = {
      about: name,
      because: `it does not answer, and may be configured: ${clause(silent)}; if it is gone for good: ichor destroy --confirm ${platform.name}`,
    };
    // What nobody remembers to have configured is not ours to worry about.
    return phase === 'silent' && remembered !== undefined && !isGone ? { steps: [], doubts: [doubt] } : { steps: [] };
  }
  if (address === undefined) return { steps: [], doubts: [{ about: name, because: 'nobody says where it is' }] };
  const reset = { kind: 'talos.reset', machine: name, address } as const;
  return {
    steps: [planned(reset, { because: `${because}: it is wiped, and waits in maintenance mode`, disruption: 'data' })],
  };
}

/** Who it is survives, unless somebody asks for everything. */
function forgotten({ world }: Situation, everything: boolean, before: readonly PlannedStep[]): readonly PlannedStep[] {
  const after = before.map(({ id }) => id);
  const { bootstrap, configured, guarded } = world.memory;
  const files = world.artifacts
    .filter(({ standing, path }) => standing !== 'absent' && (everything || !path.endsWith('.yaml')))
    .map(({ path }) => path)
    .toSorted();
  const remembers = bootstrap !== undefined || guarded !== undefined || Object.keys(configured).length > 0;
  const forget =
    remembers || files.length > 0
      ? [planned({ kind: 'cluster.forget', files }, { after, because: 'its life is over; the next one begins anew' })]
      : [];
  if (!everything || world.secrets === 'absent') return forget;
  const secrets = planned(
    { kind: 'secrets.delete' },
    {
      after: [...after, ...forget.map(({ id }) => id)],
      because: 'everything was asked for: the cluster can never be the same again',
      disruption: 'data',
    },
  );
  return [...forget, secrets];
}
