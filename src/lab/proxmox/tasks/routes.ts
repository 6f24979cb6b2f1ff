import { answer, principalName } from '../call.ts';
import type { Answer, Call, Principal, Routes } from '../call.ts';
import { wrongParameters } from '../refusal.ts';
import { taskFilter } from './filter.ts';
import { owns } from './rights.ts';
import { activeRow, archivedRow, broadcastRow, statusOf } from './rows.ts';
import type { Task } from './task.ts';
import { parseUpid } from './upid.ts';

/** How many tasks of a host its neighbours hear of. */
const broadcast = 25;

export const tasksRoutes: Routes = {
  'GET /nodes/{node}/tasks': listTasks,
  'GET /nodes/{node}/tasks/{upid}': () => answer([{ name: 'log' }, { name: 'status' }]),
  'DELETE /nodes/{node}/tasks/{upid}': stopTask,
  'GET /nodes/{node}/tasks/{upid}/log': readLog,
  'GET /nodes/{node}/tasks/{upid}/status': (call) => {
    const task = namedTask(call) ?? noSuchTask();
    requireOwnerOr(call, task.who, 'Sys.Audit');
    return answer(statusOf(task));
  },
  'GET /cluster/tasks': clusterTasks,
};

function listTasks(call: Call): Answer {
  const source = call.text('source') ?? 'archive';
  const wanted = taskFilter(call, call.host.name);
  const newestFirst = call.host.tasks.toReversed().filter(wanted);
  const active = source === 'archive' ? [] : newestFirst.filter(({ exit }) => exit === undefined);
  const archived = source === 'active' ? [] : newestFirst.filter(({ exit }) => exit !== undefined).toSorted(byEnd);
  const rows = [...active.map(activeRow), ...archived.map(archivedRow)];
  const start = call.number('start') ?? 0;
  const shown = rows.slice(start, start + (call.number('limit') ?? 50));
  return answer(shown, rows.length === 0 ? {} : { total: rows.length });
}

/** The archive is read backwards, and written when tasks end. */
const byEnd = (one: Task, other: Task): number => (other.endedAt?.getTime() ?? 0) - (one.endedAt?.getTime() ?? 0);

async function stopTask(call: Call): Promise<Answer> {
  const task = namedTask(call) ?? noSuchTask();
  requireOwnerOr(call, task.who, 'Sys.Modify');
  task.abort();
  await task.ended;
  return answer(null);
}

function readLog(call: Call): Answer {
  const upid = parsedUpid(call);
  requireOwnerOr(call, principalOf(upid.user), 'Sys.Audit');
  const task = namedTask(call);
  const lines = task === undefined ? ['unable to open file - No such file or directory'] : task.log;
  if (lines.length === 0) return answer([{ n: 1, t: 'no content' }], { total: 1 });
  const start = task === undefined ? 0 : (call.number('start') ?? 0);
  const limit = call.number('limit') ?? 50;
  const until = limit === 0 ? lines.length : start + limit;
  const shown = lines.map((t, index) => ({ n: index + 1, t })).slice(start, until);
  return answer(shown, { total: lines.length });
}

function clusterTasks(call: Call): Answer {
  const all = call.may('/', ['Sys.Audit']);
  const name = principalName(call.who);
  const tasks = [...call.datacenter.hosts.values()].flatMap((host) => host.tasks.toReversed().slice(0, broadcast));
  return answer(tasks.filter(({ who }) => all || who.user === name).map(broadcastRow));
}

/** Only a host’s own workers are known to it. */
const namedTask = (call: Call): Task | undefined => {
  const { host } = parsedUpid(call);
  const upid = call.text('upid');
  return host === call.host.name ? call.host.tasks.findLast((task) => task.upid === upid) : undefined;
};

function parsedUpid(call: Call): NonNullable<ReturnType<typeof parseUpid>> {
  const parsed = parseUpid(call.text('upid') ?? '');
  if (parsed === undefined) throw wrongParameters({ upid: 'unable to parse worker upid' });
  return parsed;
}

const noSuchTask = (): never => {
  throw wrongParameters({ upid: 'no such task' });
};

function requireOwnerOr(call: Call, who: Principal, privilege: string): void {
  if (!owns(call.who, { who })) call.require(`/nodes/${call.host.name}`, [privilege]);
}

const principalOf = (name: string): Principal => {
  const [user = '', token] = name.split('!');
  return { user, token };
};
