import { principalName } from '../call.ts';
import type { Task } from './task.ts';

const seconds = (date: Date): number => Math.floor(date.getTime() / 1000);

/** What a token is called apart from its user; a ticket has no second name. */
const splitUser = ({ who }: Task): { readonly user: string; readonly tokenid?: string } =>
  who.token === undefined ? { user: who.user } : { user: who.user, tokenid: who.token };

/** A row of the list, of a task that has ended. */
export const archivedRow = (task: Task): Record<string, unknown> => ({
  upid: task.upid,
  node: task.host,
  pid: task.pid,
  pstart: task.pstart,
  starttime: seconds(task.startedAt),
  ...(task.endedAt === undefined ? {} : { endtime: seconds(task.endedAt) }),
  type: task.type,
  id: task.id,
  ...splitUser(task),
  status: task.exit,
});

/** A row of the list, of a task that runs: nobody has taken the token out of its user’s name yet. */
export const activeRow = (task: Task): Record<string, unknown> => ({
  upid: task.upid,
  node: task.host,
  pid: task.pid,
  pstart: task.pstart,
  starttime: seconds(task.startedAt),
  type: task.type,
  id: task.id,
  user: principalName(task.who),
  saved: '0',
  status: 'RUNNING',
});

/** A row of what hosts tell each other. */
export const broadcastRow = (task: Task): Record<string, unknown> => ({
  upid: task.upid,
  node: task.host,
  starttime: seconds(task.startedAt),
  ...(task.endedAt === undefined ? {} : { endtime: seconds(task.endedAt), status: task.exit }),
  type: task.type,
  id: task.id,
  ...splitUser(task),
  saved: task.exit === undefined ? '0' : '1',
});

/** The answer for one task. */
export const statusOf = (task: Task): Record<string, unknown> => ({
  upid: task.upid,
  node: task.host,
  pid: task.pid,
  pstart: task.pstart,
  starttime: seconds(task.startedAt),
  type: task.type,
  id: task.id,
  ...splitUser(task),
  ...(task.exit === undefined ? { status: 'running' } : { status: 'stopped', exitstatus: task.exit }),
});
