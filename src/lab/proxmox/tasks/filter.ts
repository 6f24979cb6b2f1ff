import type { Call } from '../call.ts';
import { owns } from './rights.ts';
import type { Task } from './task.ts';

export type StatusKind = 'ok' | 'warning' | 'error' | 'unknown';

/** What a task that runs, or that was killed, has come to is unknown. */
export function statusKind(exit: string | undefined): StatusKind {
  if (exit === undefined || exit === '' || exit === 'unexpected status') return 'unknown';
  if (exit === 'OK') return 'ok';
  return /^WARNINGS: \d+$/.test(exit) ? 'warning' : 'error';
}

/** Which tasks a request for a list wants, and may see. */
export function taskFilter(call: Call, host: string): (task: Task) => boolean {
  const kinds = wantedKinds(call);
  const user = call.text('userfilter')?.toLowerCase();
  const type = call.text('typefilter');
  const id = call.text('vmid');
  const since = call.number('since');
  const until = call.number('until');
  const auditor = call.may(`/nodes/${host}`, ['Sys.Audit']);
  return (task) => {
    const started = Math.floor(task.startedAt.getTime() / 1000);
    return (
      (user === undefined || task.who.user.toLowerCase().includes(user)) &&
      (auditor || owns(call.who, task)) &&
      (type === undefined || task.type === type) &&
      (id === undefined || task.id === id) &&
      (since === undefined || started >= since) &&
      (until === undefined || started <= until) &&
      kinds.has(statusKind(task.exit))
    );
  };
}

function wantedKinds(call: Call): ReadonlySet<StatusKind> {
  if (call.flag('errors')) return new Set(['warning', 'error', 'unknown']);
  const given = call.list('statusfilter').map((each) => each.toLowerCase());
  const all: readonly StatusKind[] = ['ok', 'warning', 'error', 'unknown'];
  return new Set(call.text('statusfilter') === undefined ? all : all.filter((kind) => given.includes(kind)));
}
