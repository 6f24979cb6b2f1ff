import type { Datacenter } from '../datacenter.ts';
import type { Host } from '../host.ts';
import type { Fate, StartTask } from './task.ts';
import { startProcess } from './workers.ts';

/** The archive is two files of about a thousand lines. */
const archived = 2000;

/** Starts worker processes of hosts; what was told to go wrong with a request strikes the task that it starts. */
export function createTasks(datacenter: () => Datacenter): StartTask {
  return (given) => {
    const { clock, random } = datacenter();
    const { host } = given;
    const daemon = Math.floor(random() * host.daemonWarnings.length);
    const fate = given.fate ?? fateOf(datacenter());
    const task = startProcess(clock, fate === undefined ? given : { ...given, fate }, host.daemonWarnings[daemon] ?? 0);
    host.tasks.push(task);
    forgetOldest(host);
    return task.upid;
  };
}

function fateOf({ faults }: Datacenter): Fate | undefined {
  const failure = faults.take('fail-task');
  if (failure !== undefined) return { kind: 'fail', reason: failure.reason ?? 'told to fail' };
  if (faults.take('kill-task') !== undefined) return { kind: 'kill' };
  return faults.take('warn-task') === undefined ? undefined : { kind: 'warn' };
}

function forgetOldest({ tasks }: Host): void {
  if (tasks.length <= archived) return;
  const oldest = tasks.findIndex(({ exit }) => exit !== undefined);
  if (oldest >= 0) tasks.splice(oldest, 1);
}
