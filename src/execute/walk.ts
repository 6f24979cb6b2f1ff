import type { Plan, PlannedStep } from '../model/plan.ts';
import type { Problem } from '../model/problem.ts';
import { onlyWaits } from '../model/step.ts';
import { attempt, type AttemptTools, type Fate } from './attempt.ts';
import { graphOf, type Graph } from './graph.ts';
import { limitsFor, Places } from './limits.ts';
import { mostAttempts, restMs } from './retry.ts';
import { firstOf } from '../model/signals.ts';

export type WalkOptions = AttemptTools & {
  /** Steps at a time, over all systems; those that only wait do not count. */
  readonly parallelism: number;
};

/** `gentle`: nothing new begins, what changes something is finished. `now`: everything is left where it is. */
export type WalkStop = { readonly gentle: AbortSignal; readonly now: AbortSignal };

/** What became of the steps of a plan, by id. */
export type Walked = {
  readonly done: readonly string[];
  /** How many of those changed something. */
  readonly changed: number;
  /** With how long each was at it, over all its attempts. */
  readonly failed: readonly { readonly step: string; readonly problem: Problem; readonly ms: number }[];
  /** Not begun, or not finished. */
  readonly left: readonly string[];
  /** Somebody said stop. */
  readonly stopped: boolean;
};

/** How long after `now` a step may take to notice. */
const graceMs = 2000;

/** Does everything that a plan says, side by side as far as its graph and the limits allow. */
export const walk = (plan: Pick<Plan, 'steps'>, options: WalkOptions, stop: WalkStop): Promise<Walked> =>
  new Walk(plan.steps, options, stop).walked;

type Try = { readonly number: number; readonly since: Date };

class Walk {
  readonly walked: Promise<Walked>;
  #resolve: (walked: Walked) => void = () => {};
  #reject: (error: unknown) => void = () => {};

  readonly #steps: readonly PlannedStep[];
  readonly #options: WalkOptions;
  readonly #stop: WalkStop;
  readonly #graph: Graph;
  readonly #places: Places;

  /** Parents that are not done yet. */
  readonly #missing: Map<string, number>;
  /** Longest way to the end first. */
  readonly #ready: PlannedStep[] = [];
  readonly #running = new Map<string, PlannedStep>();
  /** Between two attempts. */
  readonly #resting = new Set<string>();
  readonly #tries = new Map<string, Try>();
  readonly #done = new Set<string>();
  readonly #failed = new Map<string, { readonly problem: Problem; readonly ms: number }>();
  readonly #skipped = new Set<string>();

  /** Ends what only waits, and rests. */
  readonly #halted = new AbortController();
  readonly #over = new AbortController();
  #broken: { readonly error: unknown } | undefined;

  constructor(steps: readonly PlannedStep[], options: WalkOptions, stop: WalkStop) {
    this.#steps = steps;
    this.#options = { ...options, tell: (event) => this.#over.signal.aborted || options.tell(event) };
    this.#stop = stop;
    this.#graph = graphOf(steps);
    this.#places = new Places(limitsFor(options.parallelism));
    this.#missing = new Map(steps.map(({ id, after }) => [id, new Set(after).size]));
    this.walked = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    for (const step of steps) if (step.after.length === 0) this.#makeReady(step);
    this.#heed();
    this.#advance();
  }

  #heed(): void {
    const { gentle, now } = this.#stop;
    const listening = { signal: this.#over.signal, once: true };
    if (gentle.aborted || now.aborted) return this.#halt();
    gentle.addEventListener('abort', () => this.#stopGently(), listening);
    now.addEventListener('abort', () => void this.#stopNow(), listening);
  }

  #stopGently(): void {
    if (this.#halted.signal.aborted) return;
    const finishing = [...this.#running.values()].filter(({ step }) => !onlyWaits(step)).map(({ id }) => id);
    this.#options.tell({ kind: 'stopping', at: this.#now(), finishing });
    this.#halt();
    this.#advance();
  }

  async #stopNow(): Promise<void> {
    if (!this.#halted.signal.aborted) this.#options.tell({ kind: 'stopping', at: this.#now(), finishing: [] });
    this.#halt();
    this.#advance();
    await this.#options.tools.pause(graceMs, this.#over.signal).catch(() => undefined);
    this.#end();
  }

  #halt(): void {
    this.#halted.abort();
  }

  /** Begins whatever may begin; ends the walk when nothing is under way any more. */
  #advance(): void {
    if (!this.#halted.signal.aborted)
      for (const planned of this.#ready.filter(({ step }) => this.#places.take(step))) {
        this.#ready.splice(this.#ready.indexOf(planned), 1);
        void this.#run(planned);
      }
    if (this.#running.size === 0 && this.#resting.size === 0) this.#end();
  }

  async #run(planned: PlannedStep): Promise<void> {
    const { id, step } = planned;
    const last = this.#tries.get(id);
    const mine: Try = { number: (last?.number ?? 0) + 1, since: last?.since ?? this.#now() };
    this.#tries.set(id, mine);
    this.#running.set(id, planned);
    const signals = onlyWaits(step) ? [this.#halted.signal, this.#stop.now] : [this.#stop.now];
    using own = firstOf(...signals);
    const fate = await attempt(planned, mine, this.#options, own);
    this.#running.delete(id);
    this.#places.give(step);
    this.#settle(planned, mine, fate);
    this.#advance();
  }

  #settle(planned: PlannedStep, { number, since }: Try, fate: Fate): void {
    switch (fate.kind) {
      case 'done':
        return this.#finish(planned, since);
      case 'left':
        return;
      case 'broken':
        this.#broken ??= fate;
        return this.#halt();
      case 'failed':
        if (this.#mayTryAgain(fate.problem, number, since)) return void this.#rest(planned, number, fate.problem);
        return this.#fail(planned, since, fate.problem);
    }
  }

  /** As often as it may, and not beyond the time that one gate may take. */
  #mayTryAgain({ recovery }: Problem, number: number, since: Date): boolean {
    const late = this.#now().getTime() - since.getTime() >= this.#options.atMostMs;
    return recovery === 'retry' && number < mostAttempts && !late && !this.#halted.signal.aborted;
  }

  #finish({ id }: PlannedStep, since: Date): void {
    this.#done.add(id);
    const at = this.#now();
    this.#options.tell({ kind: 'step-done', at, step: id, ms: at.getTime() - since.getTime() });
    for (const child of this.#children(id)) {
      const missing = (this.#missing.get(child.id) ?? 0) - 1;
      this.#missing.set(child.id, missing);
      if (missing === 0 && !this.#skipped.has(child.id)) this.#makeReady(child);
    }
  }

  #fail({ id }: PlannedStep, since: Date, problem: Problem): void {
    const at = this.#now();
    this.#failed.set(id, { problem, ms: at.getTime() - since.getTime() });
    this.#options.tell({ kind: 'step-failed', at, step: id, problem });
    const below = [...this.#children(id)];
    for (const child of below) {
      if (this.#skipped.has(child.id)) continue;
      this.#skip(child, `${id} failed`);
      below.push(...this.#children(child.id));
    }
  }

  async #rest(planned: PlannedStep, attempts: number, problem: Problem): Promise<void> {
    const { tools, tell } = this.#options;
    const inMs = restMs(attempts, tools.entropy);
    this.#resting.add(planned.id);
    tell({ kind: 'step-again', at: this.#now(), step: planned.id, problem, inMs });
    // Its end may be that somebody said stop; then it is not begun again.
    await tools.pause(inMs, this.#halted.signal).catch(() => undefined);
    this.#resting.delete(planned.id);
    this.#makeReady(planned);
    this.#advance();
  }

  #makeReady(step: PlannedStep): void {
    const way = this.#way(step);
    const place = this.#ready.findIndex((other) => this.#way(other) < way);
    this.#ready.splice(place < 0 ? this.#ready.length : place, 0, step);
  }

  #skip({ id }: PlannedStep, because: string): void {
    this.#skipped.add(id);
    this.#options.tell({ kind: 'step-skipped', at: this.#now(), step: id, because });
  }

  #end(): void {
    if (this.#over.signal.aborted) return;
    const open = this.#steps.filter(({ id }) => !this.#done.has(id) && !this.#failed.has(id));
    for (const step of open) if (!this.#skipped.has(step.id)) this.#skip(step, this.#leftBecause(step));
    this.#over.abort();
    if (this.#broken !== undefined) return this.#reject(this.#broken.error);
    this.#resolve({
      done: [...this.#done],
      changed: this.#steps.filter(({ id, step }) => this.#done.has(id) && !onlyWaits(step)).length,
      failed: [...this.#failed].map(([step, failure]) => ({ step, ...failure })),
      left: open.map(({ id }) => id),
      stopped: this.#stop.gentle.aborted || this.#stop.now.aborted,
    });
  }

  #leftBecause({ id, step }: PlannedStep): string {
    if (this.#broken !== undefined) return 'a bug in ichor ended the run';
    return this.#tries.has(id) && !onlyWaits(step) ? 'it was stopped before it was done' : 'somebody said stop';
  }

  #children(id: string): readonly PlannedStep[] {
    return this.#graph.children.get(id) ?? [];
  }

  #way({ id }: PlannedStep): number {
    return this.#graph.remainingMs.get(id) ?? 0;
  }

  #now(): Date {
    return this.#options.tools.clock.now();
  }
}
