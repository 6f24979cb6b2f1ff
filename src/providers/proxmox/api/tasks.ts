import { Problem } from '../../../model/problem.ts';
import type { ProxmoxApi, Request } from './api.ts';
import { taskFailure } from './classify.ts';
import { path } from './form.ts';
import { ApiProblem } from './problem.ts';
import type { Asked } from './refusals.ts';
import { rowOf, rowsOf, textOf, type Row } from './row.ts';
import { TaskPace } from './task-pace.ts';
import { parseUpid, type Upid } from './upid.ts';

/** A task that has just begun may not be in the list yet. */
const looksForNew = 5;
const noSuchTask = 'no such task';

/** What was begun: follows it to its end, and makes a problem of a bad one. */
export class Tasks {
  readonly #api: ProxmoxApi;
  readonly #pace: TaskPace;

  constructor(api: ProxmoxApi) {
    this.#api = api;
    this.#pace = new TaskPace(api.tools);
  }

  /** `upid` is what a host answered; null means that it has been done at once. */
  async end(upid: unknown, asked: Pick<Request, 'doing' | 'needs'>, signal: AbortSignal): Promise<Upid | undefined> {
    if (upid === null) return undefined;
    const task = parseUpid(upid);
    if (task === undefined) throw new Error(`Proxmox was asked to ${asked.doing} and answered without a task.`);
    const exit = await this.#exitOf(task, signal).catch((error: unknown) => {
      throw error instanceof ApiProblem && mayPass(error) ? unfollowed(error, asked) : error;
    });
    if (exit === 'OK') return task;
    if (exit.startsWith('WARNINGS')) {
      await this.#warn(task, asked, signal);
      return task;
    }
    if (exit === 'unexpected status') throw killed(task, asked);
    throw taskFailure(exit, await this.#log(task, signal), this.#asked(task, asked));
  }

  /** What is being done to a VM at the moment, by us: the task whose name got lost on the way. */
  async running(host: string, vmid: number, type: string, signal: AbortSignal): Promise<Upid | undefined> {
    const rows = await this.#list(host, { source: 'active', vmid, typefilter: type }, signal);
    return upidsIn(
      rows.filter((row) => textOf(row, 'status') === 'RUNNING' || textOf(row, 'endtime') === undefined),
    )[0];
  }

  /** The last of its kind that began at or after a moment of the host’s clock. */
  async since(
    host: string,
    vmid: number,
    type: string,
    seconds: number,
    signal: AbortSignal,
  ): Promise<Upid | undefined> {
    const rows = await this.#list(host, { source: 'all', vmid, typefilter: type, limit: 5 }, signal);
    return upidsIn(rows).find(({ startedAt }) => startedAt >= seconds);
  }

  async ofFile(host: string, name: string, signal: AbortSignal): Promise<Upid | undefined> {
    const rows = await this.#list(host, { source: 'active', typefilter: 'download' }, signal);
    return upidsIn(rows).find(({ id }) => id === name);
  }

  async #list(host: string, params: Request['params'] & object, signal: AbortSignal): Promise<readonly Row[]> {
    const request = { path: path`/nodes/${host}/tasks`, doing: `list the tasks of ${host}`, params };
    return rowsOf(await this.#api.get(request, signal));
  }

  #exitOf(task: Upid, signal: AbortSignal): Promise<string> {
    const request = {
      path: path`/nodes/${task.host}/tasks/${task.upid}/status`,
      doing: `look at the task ${task.upid}`,
    };
    const look = async (nth: number): Promise<string | undefined> => {
      try {
        const status = rowOf(await this.#api.get(request, signal));
        if (textOf(status, 'status') === 'running') return undefined;
        return textOf(status, 'exitstatus') ?? 'unexpected status';
      } catch (error) {
        const notYet = error instanceof ApiProblem && error.errors['upid'] === noSuchTask && nth < looksForNew;
        if (!notYet) throw error;
        return undefined;
      }
    };
    return this.#pace.until(task.type, look, signal);
  }

  async #log({ host, upid }: Upid, signal: AbortSignal): Promise<readonly string[]> {
    const request = {
      path: path`/nodes/${host}/tasks/${upid}/log`,
      doing: `read the log of ${upid}`,
      params: { limit: 5000 },
    };
    try {
      return rowsOf(await this.#api.get(request, signal)).map((row) => textOf(row, 't') ?? '');
    } catch (error) {
      // The task’s own end is what matters; its log only explains it.
      if (error instanceof Problem) return [];
      throw error;
    }
  }

  /** A host counts warnings of others too; only what is in this task’s own log is one of its own. */
  async #warn(task: Upid, asked: Pick<Request, 'doing'>, signal: AbortSignal): Promise<void> {
    const lines = await this.#log(task, signal);
    for (const line of lines.filter((text) => text.startsWith('WARN:'))) {
      this.#api.tools.warn(
        new Problem(
          'proxmox-task-warning',
          `Proxmox gave a warning when it was asked to ${asked.doing}: ${line.slice(5).trim()}`,
          {
            severity: 'warning',
          },
        ),
      );
    }
  }

  #asked(task: Upid, { doing, needs }: Pick<Request, 'doing' | 'needs'>): Asked {
    const vmid = /^\d+$/.test(task.id) ? Number(task.id) : undefined;
    return { doing, who: this.#api.who, host: task.host, vmid, needs };
  }
}

const upidsIn = (rows: readonly Row[]): readonly Upid[] => rows.flatMap((row) => parseUpid(textOf(row, 'upid')) ?? []);

const mayPass = ({ fate, passing, errors }: ApiProblem): boolean =>
  fate !== 'refused' || passing || errors['upid'] === noSuchTask;

/** Whatever became of the look: what was asked for has been begun, and may have happened. */
const unfollowed = (cause: ApiProblem, { doing }: Pick<Request, 'doing'>): ApiProblem =>
  new ApiProblem(
    cause.code,
    `Proxmox has begun to ${doing}, and its end could not be seen. ${cause.message}`,
    { fate: 'unknown', passing: cause.passing, status: cause.status, said: cause.said, errors: cause.errors },
    { recovery: cause.recovery, remedy: cause.remedy, cause },
  );

const killed = ({ host, upid }: Upid, { doing }: Pick<Request, 'doing'>): ApiProblem =>
  new ApiProblem(
    'proxmox-task-lost',
    `Proxmox was asked to ${doing}, and nobody knows how that ended: the task was killed, or ${host} restarted meanwhile.`,
    { fate: 'unknown', passing: false },
    { recovery: 'retry', remedy: `Look at what is left of its log:\n    ssh root@${host} pvenode task log ${upid}` },
  );
