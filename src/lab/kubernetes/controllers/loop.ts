import type { KubeObject } from '../../../wire/kubernetes/objects.ts';
import type { LabClock } from '../../clock.ts';
import type { Api, ResourceKey } from '../api.ts';
import { Refusal } from '../refusal.ts';
import { Agenda } from './agenda.ts';

/** Names of what a controller looks at: `namespace/name`, or whatever it understands. What is new or gone has no `old`. */
export type Keys = (object: KubeObject, old: KubeObject | undefined) => readonly string[];

export type Controller = {
  readonly name: string;
  /** Changes of which resources make it look, and at what. */
  readonly watches: Readonly<Record<ResourceKey, Keys>>;
  /** Looks at the world and brings one thing nearer to what it should be. A number: to be looked at again in that many ms. */
  readonly reconcile: (key: string) => number | void;
};

/** So many things are done before others get a turn. */
const perTurn = 200;
const backoffMs = { first: 1000, most: 60_000 };

/** Everything that controllers of a cluster do happens here, one after the other; idle it costs one timer at most. */
export class Loop {
  readonly #controllers: readonly Controller[];
  readonly #api: Api;
  readonly #clock: LabClock;
  readonly #signal: AbortSignal;
  readonly #queue = new Set<string>();
  readonly #agenda = new Agenda();
  readonly #tries = new Map<string, number>();
  readonly #index = new Map<ResourceKey, { readonly controller: number; readonly keys: Keys }[]>();
  #turn = false;
  #wakes = Infinity;
  #held = false;

  constructor(
    controllers: readonly Controller[],
    { api, clock, signal }: { api: Api; clock: LabClock; signal: AbortSignal },
  ) {
    this.#controllers = controllers;
    this.#api = api;
    this.#clock = clock;
    this.#signal = signal;
    controllers.forEach(({ watches }, controller) => {
      for (const [resource, keys] of Object.entries(watches))
        this.#index.set(resource, [...(this.#index.get(resource) ?? []), { controller, keys }]);
    });
    const stop = api.onChange(undefined, ({ kind, resource, object, old }) => {
      for (const { controller, keys } of [...(this.#index.get(resource) ?? []), ...(this.#index.get('*') ?? [])])
        for (const key of keys(object, kind === 'DELETED' ? undefined : old)) this.#push(`${controller} ${key}`);
    });
    signal.addEventListener('abort', stop, { once: true });
  }

  /** What was there before anybody listened. */
  lookAtEverything(): void {
    for (const [resource, listeners] of this.#index)
      for (const object of resource === '*' ? [] : this.#api.list(resource))
        for (const { controller, keys } of listeners)
          for (const key of keys(object, undefined)) this.#push(`${controller} ${key}`);
  }

  look(controller: string, key: string): void {
    this.#push(`${this.#controllers.findIndex(({ name }) => name === controller)} ${key}`);
  }

  /** Nobody is there to do anything; what happens meanwhile is done afterwards. */
  hold(held: boolean): void {
    this.#held = held;
    if (!held) this.#schedule();
  }

  #push(id: string): void {
    this.#queue.add(id);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#turn || this.#held || this.#signal.aborted || this.#queue.size === 0) return;
    this.#turn = true;
    setImmediate(() => {
      this.#turn = false;
      if (!this.#signal.aborted && !this.#held) this.#work();
    });
  }

  #work(): void {
    let left = perTurn;
    for (const id of this.#queue) {
      if (left-- === 0) break;
      this.#queue.delete(id);
      this.#reconcile(id);
    }
    this.#schedule();
    this.#sleep();
  }

  #reconcile(id: string): void {
    const gap = id.indexOf(' ');
    try {
      const again = this.#controllers[Number(id.slice(0, gap))]?.reconcile(id.slice(gap + 1));
      this.#tries.delete(id);
      if (typeof again === 'number') this.#agenda.set(id, this.#clock.now().getTime() + again);
      else this.#agenda.delete(id);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const tries = this.#tries.get(id) ?? 0;
      this.#tries.set(id, tries + 1);
      this.#agenda.set(id, this.#clock.now().getTime() + Math.min(backoffMs.first * 2 ** tries, backoffMs.most));
    }
  }

  /** One sleep for whatever is next; one that comes too late wakes for nothing. */
  #sleep(): void {
    const next = this.#agenda.next();
    if (next === undefined || next >= this.#wakes) return;
    this.#wakes = next;
    void this.#clock.sleep(Math.max(0, next - this.#clock.now().getTime()), this.#signal).then(
      () => {
        if (this.#wakes === next) this.#wakes = Infinity;
        for (const id of this.#agenda.due(this.#clock.now().getTime())) this.#queue.add(id);
        if (this.#queue.size > 0) this.#schedule();
        else this.#sleep();
      },
      () => undefined,
    );
  }
}
