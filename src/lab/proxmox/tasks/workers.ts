import type { LabClock } from '../../clock.ts';
import { principalName } from '../call.ts';
import { never } from '../file-lock.ts';
import type { Host } from '../host.ts';
import { died, quoted } from '../refusal.ts';
import type { Fate, NewTask, Task, Worker } from './task.ts';
import { printUpid } from './upid.ts';

/** How long a worker may take over its TERM before it is killed. */
const patienceMs = 5000;

/** A worker process: a promise on the lab’s clock that has a pid, a log and an end. */
export function startProcess(clock: LabClock, given: NewTask, warnings: number): Task {
  const started = new Process(clock, given, warnings);
  started.run();
  return started.task;
}

/** Power failure: workers are gone, and what they did so far stays. */
export function killTasks(host: Host): void {
  for (const task of host.tasks) if (task.exit === undefined) task.kill();
}

class Process {
  readonly task: Task;
  readonly #clock: LabClock;
  readonly #given: NewTask;
  readonly #log: string[] = [];
  readonly #term = new AbortController();
  readonly #death = new AbortController();
  #fate: Fate | undefined;
  #warnings: number;
  #end: () => void = () => undefined;

  constructor(clock: LabClock, given: NewTask, warnings: number) {
    this.#clock = clock;
    this.#given = given;
    this.#fate = given.fate;
    this.#warnings = warnings;
    const { host, who, type, id } = given;
    const startedAt = clock.now();
    const pid = host.nextPid++;
    const pstart = Math.max(1, Math.floor((startedAt.getTime() - host.bootedAt.getTime()) / 10));
    const starttime = Math.floor(startedAt.getTime() / 1000);
    this.task = {
      upid: printUpid({ host: host.name, pid, pstart, starttime, type, id, user: principalName(who) }),
      host: host.name,
      pid,
      pstart,
      startedAt,
      type,
      id,
      who,
      log: this.#log,
      exit: undefined,
      endedAt: undefined,
      ended: new Promise((resolve) => {
        this.#end = resolve;
      }),
      abort: () => this.#abort(),
      kill: () => this.#kill(),
    };
  }

  run(): void {
    void this.#work().then(
      () => this.#finish(this.#warnings === 0 ? 'OK' : `WARNINGS: ${this.#warnings}`, 'TASK '),
      (error: unknown) => this.#finish(reasonOf(error), 'TASK ERROR: '),
    );
  }

  async #work(): Promise<void> {
    // Whoever asked for the task has its name before anything happens.
    await Promise.resolve();
    await this.#given.work(this.#worker(), this.task.upid);
    await this.#meet(this.#fate);
  }

  #worker(): Worker {
    return {
      say: (line) => this.#say(line),
      warn: (line) => {
        this.#say(`WARN: ${line}`);
        this.#warnings += 1;
      },
      sleep: async (ms, how) => {
        try {
          if (how !== 'early') await this.#meet(this.#fate);
          await this.#clock.sleep(ms, AbortSignal.any([this.#term.signal, this.#death.signal]));
        } catch (error) {
          if (this.#death.signal.aborted) await never();
          throw error;
        }
      },
      signal: this.#term.signal,
      killed: this.#death.signal,
    };
  }

  #say(text: string): void {
    if (this.task.exit === undefined) this.#log.push(...text.replace(/\n$/, '').split('\n'));
  }

  async #meet(fate: Fate | undefined): Promise<void> {
    this.#fate = undefined;
    if (fate?.kind === 'warn') this.#warnings += 1;
    if (fate?.kind === 'fail') throw died(fate.reason);
    if (fate?.kind === 'kill') {
      this.#kill();
      await never();
    }
  }

  #abort(): void {
    if (this.task.exit !== undefined || this.#term.signal.aborted) return;
    this.#term.abort(died('received interrupt'));
    void this.#clock.sleep(patienceMs, this.#death.signal).then(
      () => this.#kill(),
      () => undefined,
    );
  }

  #kill(): void {
    if (this.task.exit !== undefined) return;
    this.#finish('unexpected status', undefined);
  }

  /** The last line of the log is where everybody reads how it ended; who is killed writes none. */
  #finish(exit: string, lastWords: 'TASK ' | 'TASK ERROR: ' | undefined): void {
    if (this.task.exit !== undefined) return;
    if (lastWords !== undefined) this.#log.push(`${lastWords}${exit}`);
    this.task.exit = exit;
    this.task.endedAt = this.#clock.now();
    this.#death.abort(new Error('the process is gone'));
    this.#end();
  }
}

/** One line, however many there were. */
const reasonOf = (error: unknown): string => quoted(error).trimEnd().replaceAll('\n', ' ');
