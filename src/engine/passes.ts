import { walk } from '../execute/walk.ts';
import type { Outcome } from '../model/event.ts';
import { beyond, planDigest } from '../model/plan-digest.ts';
import type { Plan } from '../model/plan.ts';
import type { Journal } from '../state/store.ts';
import { lookUntilClear, rest, stopped, stuck, type Journey } from './journey.ts';
import { askProblem, beyondSavedPlan, lockLost, tooManyPasses } from './run-problems.ts';
import type { Sight } from './stages.ts';

/** Nobody needs as many; whoever does is not coming nearer. */
const mostPasses = 50;

/** Does what is to be done and looks again, until nothing is left or it is clear that it does not go on. */
export async function passes(journey: Journey, first: Sight, journal: Journal): Promise<Outcome> {
  const { patience, tally } = journey;
  let sight = first;
  for (let count = 0; count < mostPasses; count++) {
    const { plan } = sight;
    mustBeSaved(journey, plan);
    await mustHoldLock(journey);
    const walked = await onePass(journey, sight, journal);
    if (walked.stopped) return stopped(journey);
    const verdict = patience.afterWalk(plan, walked);
    if (verdict.kind === 'stuck') return stuck(journey, [...verdict.problems, ...plan.asks.map(askProblem)]);
    await rest(journey, verdict.inMs);
    const next = await lookUntilClear(journey);
    if (next.kind === 'ended') return next.outcome;
    sight = next.sight;
  }
  return stuck(journey, [tooManyPasses(tally.pass)]);
}

async function onePass(journey: Journey, { plan, tools }: Sight, journal: Journal) {
  const { request, stages, tally, tell, stop } = journey;
  const at = tools.clock.now().toISOString();
  tally.left = plan.steps.map(({ id }) => id);
  await journal.write({ at, kind: 'planned', pass: tally.pass, steps: plan.steps.length, digest: planDigest(plan) });
  const { parallelism, atMostMs } = request;
  const walked = await walk(plan, { handlers: stages.handlers, tools, journal, parallelism, atMostMs, tell }, stop);
  tally.changed += walked.changed;
  const done = new Set(walked.done);
  tally.left = plan.steps.flatMap(({ id }) => (done.has(id) ? [] : [id]));
  return walked;
}

/** Only what somebody signed off is done, in whatever pass; waiting changes nothing. */
function mustBeSaved({ request: { saved } }: Journey, plan: Plan): void {
  const more = saved === undefined ? [] : beyond(saved, plan);
  if (more.length > 0) throw beyondSavedPlan(more);
}

/** A person can take a lock away; who has lost it does not go on as if nothing were. */
async function mustHoldLock({ id, tools: { store } }: Journey): Promise<void> {
  const now = await store.holder();
  if (now?.holder.run === id) return;
  throw lockLost(store.where, now && `${now.holder.who} on ${now.holder.host}`);
}
