import {
  PhaseEvent_Action,
  PhaseEventSchema,
  SequenceEvent_Action,
  SequenceEventSchema,
  TaskEvent_Action,
  TaskEventSchema,
} from '../../../wire/gen/talos/machine_pb.ts';
import type { Boot } from './boot.ts';
import type { Stage } from './status.ts';

/** Stages that begin with a sequence. */
const stageOf: Readonly<Record<string, Stage>> = {
  initialize: 'booting',
  boot: 'booting',
  shutdown: 'shutting down',
  upgrade: 'upgrading',
  stageUpgrade: 'upgrading',
  maintenanceUpgrade: 'upgrading',
  reset: 'resetting',
  reboot: 'rebooting',
};

/** Tells sequences, phases and tasks as they begin and end. */
export class Teller {
  readonly #boot: Boot;
  readonly #actor: string;
  #stage: Stage | undefined;

  constructor(boot: Boot, actor = '') {
    this.#boot = boot;
    this.#actor = actor;
  }

  sequence(sequence: string, action: 'START' | 'STOP'): void {
    this.#boot.events.publish(SequenceEventSchema, { sequence, action: SequenceEvent_Action[action] }, this.#actor);
    const stage = stageOf[sequence];
    if (action === 'START' && stage !== undefined) this.#stage = stage;
    if (action === 'STOP' && sequence === 'boot') this.#boot.enter('running');
  }

  async phase(
    phase: string,
    tasks: Readonly<Record<string, (() => Promise<void> | void) | undefined>>,
    stage?: Stage,
  ): Promise<void> {
    this.#boot.events.publish(PhaseEventSchema, { phase, action: PhaseEvent_Action.START }, this.#actor);
    if (stage !== undefined) this.#stage = stage;
    for (const [task, work] of Object.entries(tasks)) {
      this.task(task, 'START');
      this.#enter();
      await work?.();
      this.task(task, 'STOP');
    }
    this.#enter();
    this.#boot.events.publish(PhaseEventSchema, { phase, action: PhaseEvent_Action.STOP }, this.#actor);
  }

  phaseEvent(phase: string, action: 'START' | 'STOP'): void {
    this.#boot.events.publish(PhaseEventSchema, { phase, action: PhaseEvent_Action[action] }, this.#actor);
  }

  /** A phase that does not end before the node does. */
  begin(phase: string, task: string): void {
    this.#boot.events.publish(PhaseEventSchema, { phase, action: PhaseEvent_Action.START }, this.#actor);
    this.task(task, 'START');
    this.#enter();
  }

  task(task: string, action: 'START' | 'STOP'): void {
    this.#boot.events.publish(TaskEventSchema, { task, action: TaskEvent_Action[action] }, this.#actor);
  }

  // A new stage shows a moment after the sequence that brings it has begun.
  #enter(): void {
    if (this.#stage !== undefined) this.#boot.enter(this.#stage);
    this.#stage = undefined;
  }
}
