import type { Outcome, RunEvent, RunFacts } from '../model/event.ts';
import { layers } from '../model/layer.ts';
import { planDifferences } from '../model/plan-digest.ts';
import { isError } from '../model/problem.ts';
import type { Holder, Journal } from '../state/store.ts';
import { lookUntilClear, outcomeOfError, stopped, stuck, type Journey, type Look } from './journey.ts';
import { endLife, lifeIsNews, noteLife } from './life.ts';
import { passes } from './passes.ts';
import { Patience } from './patience.ts';
import { realStages } from './real-stages.ts';
import type { EngineTools, Preview, PreviewRun, Run } from './run.ts';
import { askProblem, movedMeanwhile, savedPlanMoved } from './run-problems.ts';
import { look, nothingFound, type Sight, type Stages } from './stages.ts';
import { firstOf } from '../model/signals.ts';

/** What would be done. Nothing is written, anywhere. */
export const previewWith =
  (stages: Stages): PreviewRun =>
  async (meant, options, tools, signal) => {
    const given = { stages, tools, found: nothingFound(), material: stages.material(meant, tools) };
    return shown(await look(meant, options, given, signal));
  };

/** Brings a platform to what its file says, or down. Ends when nothing is left, or when a person must do something. */
export const runWith =
  (stages: Stages): Run =>
  async (meant, request, tools, stop) => {
    using ending = firstOf(stop.gentle, stop.now);
    const began = tools.clock.now();
    const id = runId(tools);
    const tally = { pass: 0, changed: 0, left: [], stopping: false, locked: false };
    const tell = (event: RunEvent): void => {
      tally.stopping ||= event.kind === 'stopping';
      request.tell(event);
    };
    const journey: Journey = {
      id,
      meant,
      request,
      tools,
      stages,
      stop,
      tally,
      tell,
      ending,
      found: nothingFound(),
      material: stages.material(meant, tools),
      patience: new Patience(tools.clock, request.atMostMs),
    };
    tell({ kind: 'began', run: factsOf(journey, began) });
    const outcome = await outcomeOf(journey).catch((error: unknown) => outcomeOfError(journey, error));
    const at = tools.clock.now();
    if (outcome.kind === 'stopped' && journey.ending.aborted && !tally.stopping)
      tell({ kind: 'stopping', at, finishing: [] });
    tell({ kind: 'ended', at, outcome });
    return outcome;
  };

async function outcomeOf(journey: Journey): Promise<Outcome> {
  const { request, tools, ending, tally } = journey;
  await mustBeAlone(journey);
  const first = await lookUntilClear(journey);
  if (first.kind === 'ended') return await noted(journey, first);
  const { sight } = first;
  tally.left = sight.plan.steps.map(({ id }) => id);
  const refused = await refusalOf(journey, sight);
  if (refused !== undefined) return refused;
  const shownAt = tools.clock.now().getTime();
  const agreed = await orEnding(request.confirm(shown(sight)), ending);
  if (!agreed) return stopped(journey);
  journey.patience.refresh();
  await using _lock = await tools.store.lock(holderOf(journey));
  tally.locked = true;
  const stale = tools.clock.now().getTime() - shownAt > freshMs;
  // Awaited here: the lock goes with this function.
  return await written(journey, stale ? await lookAgain(journey, sight) : { kind: 'sight', sight });
}

/** What somebody else is making at the moment looks foreign, or broken: who it is, is what one must know. */
async function mustBeAlone(journey: Journey): Promise<void> {
  const { store } = journey.tools;
  const holder = await store.holder();
  if (holder === undefined || holder.alive === 'no') return;
  // Refused, unless the other one has just ended.
  await using _lock = await store.lock(holderOf(journey));
}

/** How long a plan may lie before the world is looked at again. */
const freshMs = 10_000;

/** Where nothing is to be done, and only what is remembered is out of date; who is at work meanwhile sees to that. */
async function noted(journey: Journey, { outcome, world }: Extract<Look, { kind: 'ended' }>): Promise<Outcome> {
  const { request, tools, material } = journey;
  if (request.intent === 'destroy' || world === undefined || !lifeIsNews(world)) return outcome;
  if ((await tools.store.holder()) !== undefined) return outcome;
  await using _lock = await tools.store.lock(holderOf(journey));
  await noteLife(world, { ...tools, material });
  return outcome;
}

/** From here on everything is in the history. */
async function written(journey: Journey, start: Look): Promise<Outcome> {
  if (start.kind === 'ended') return start.outcome;
  const { id, tools, tally } = journey;
  const now = (): string => tools.clock.now().toISOString();
  await using journal: Journal = await tools.store.begin(id);
  const { began: _, ...run } = factsOf(journey, tools.clock.now());
  await journal.write({ at: now(), kind: 'began', run: { ...run, command: journey.request.runner.command } });
  const { world, tools: able } = start.sight;
  await (endsLife(journey.request) ? endLife(world, able) : noteLife(world, able));
  const outcome = await passes(journey, start.sight, journal).catch((error: unknown) => outcomeOfError(journey, error));
  await journal.write({ at: now(), kind: 'ended', outcome: outcome.kind, changed: tally.changed });
  return outcome;
}

/** Where only one machine goes, the cluster stays. */
const endsLife = ({ intent, target }: Journey['request']): boolean =>
  intent === 'destroy' && (target === undefined || layers.some((layer) => layer === target));

/** What ends a run before anything is written; what only warns is told. */
async function refusalOf(journey: Journey, sight: Sight): Promise<Outcome | undefined> {
  const { request, stages, meant, tools, ending, tell } = journey;
  const asks = sight.plan.asks.filter(({ code }) => concernsAll.has(code));
  if (asks.length > 0) return stuck(journey, asks.map(askProblem));
  const differences = request.saved === undefined ? [] : planDifferences(request.saved, sight.plan);
  if (differences.length > 0) return stuck(journey, [savedPlanMoved(differences)]);
  const problems = await stages.preflight(meant, shown(sight), tools, ending);
  for (const problem of problems) if (!isError(problem)) tell({ kind: 'warned', at: tools.clock.now(), problem });
  return problems.some(isError) ? stuck(journey, problems.filter(isError)) : undefined;
}

/** Questions that no step should be done before they are answered. */
const concernsAll: ReadonlySet<string> = new Set([
  'does-not-fit',
  'provider-read-only',
  'foreign-talos',
  'secrets-missing',
  'quorum-lost',
]);

/** With the lock held: what was agreed to must still be what is to be done. */
async function lookAgain(journey: Journey, { plan }: Sight): Promise<Look> {
  const next = await lookUntilClear(journey);
  if (next.kind === 'ended') return next;
  const differences = planDifferences(plan, next.sight.plan);
  if (differences.length === 0) return next;
  return { kind: 'ended', outcome: stuck(journey, [movedMeanwhile(differences)]) };
}

const shown = ({ plan, proof, world }: Sight): Preview => ({ plan, proof, world });

/** Runs sort by when they began, and two of one moment are told apart. */
const runId = ({ clock, entropy }: EngineTools): string =>
  `${clock.now().toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z-${Buffer.from(entropy.bytes(3)).toString('hex')}`;

const factsOf = ({ id, meant, request: { intent, runner } }: Journey, began: Date): RunFacts => ({
  id,
  platform: meant.platform.name,
  intent,
  who: runner.who,
  host: runner.host,
  pid: runner.pid,
  began,
});

const holderOf = ({ id, tools, request: { runner } }: Journey): Holder => ({
  run: id,
  since: tools.clock.now().toISOString(),
  ...runner,
});

/** An answer, or the end of the run while a person thinks. */
const orEnding = <T>(answer: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    answer.then(resolve, reject);
    if (signal.aborted) reject(signal.reason);
  });

export const preview = previewWith(realStages);
export const run = runWith(realStages);
