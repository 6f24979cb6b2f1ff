import { bodyDifferences } from './alike.ts';
import { sentOf } from './asked.ts';
import { withoutChance } from './chance.ts';
import { events, isQuick, unrecordedAround } from './events.ts';
import type { Event } from './events.ts';
import { exchange } from '../../lab/exchange.ts';
import type { Exchanged } from '../../lab/exchange.ts';
import type { Machine } from './machines.ts';
import { tellingMs, usualSpeed } from './machines.ts';
import { masked } from './masks.ts';
import { tasksIn } from './memory.ts';
import { withOurSums } from './origin.ts';
import type { Origin } from './origin.ts';
import type { Row } from './rows.ts';
import type { Unrecorded } from './happened.ts';
import { requestBehind, unrecorded } from './unrecorded.ts';
import { mishaps, pauses } from './unrecorded-vms.ts';

export type Stage = { readonly machine: Machine; readonly origin: Origin };

const hurry = 200;
/** While something is waited for: slow enough that not much more time passes than it takes. */
const brisk = 50;
const pauseMs = 10;
/** How often a row is asked again before time is made to run. */
const calmLooks = 4;
const patienceMs = 2000;

/** Asks what was asked then, and says where the answer differs. Who only looks may look again until it is as it was. */
export async function replay(stage: Stage, row: Row, insist: boolean): Promise<readonly string[]> {
  await catchUp(stage, row);
  const { clock } = stage.machine;
  clock.speed = row.ms > 2000 ? hurry : isQuick(row.n) ? 1 : usualSpeed;
  try {
    const deadline = performance.now() + patienceMs;
    for (let looks = 1; ; looks++) {
      const answer = await ask(stage, row);
      const differing = answer === undefined ? ['no answer'] : differencesOf(stage, row, answer);
      if (differing.length === 0 || row.method !== 'GET' || !insist || performance.now() > deadline) return differing;
      if (looks > calmLooks) clock.speed = brisk;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  } finally {
    clock.speed = usualSpeed;
  }
}

/** Does what happened between the rows: what is known, and what tasks tell that nobody has asked for. */
async function catchUp(stage: Stage, row: Row): Promise<void> {
  for (const each of [...pauses, ...events].filter(({ before }) => before === row.n)) await happen(stage, each);
  for (const each of [...unrecorded, ...unrecordedAround].filter(({ before }) => before === row.n))
    await act(stage, row, each, each.task);
  for (const { fault } of mishaps.filter(({ before }) => before === row.n)) stage.machine.lab.fail(fault);
  for (const task of tasksIn(row.path)) {
    const behind = stage.machine.memory.knows(task) ? undefined : requestBehind(task);
    if (behind !== undefined) await act(stage, row, behind, task);
  }
}

/** Waiting is short for whoever replays. */
async function happen({ machine }: Stage, { host, fault, told, seconds = 0, unhurried }: Event): Promise<void> {
  const { lab, clock } = machine;
  if (host !== undefined) lab.setHost(host.name, host.state);
  if (fault !== undefined) lab.fail(fault);
  clock.speed = unhurried === true ? usualSpeed : hurry;
  const sinceStart = clock.now().getTime() - machine.startedAt.getTime();
  const untilTold = told === true ? tellingMs - (sinceStart % tellingMs) + 1000 : 0;
  await clock.sleep(seconds * 1000 + untilTold);
  clock.speed = usualSpeed;
}

async function act(
  stage: Stage,
  { n }: Row,
  { method, path, form, auth, waits }: Omit<Unrecorded, 'before' | 'task'>,
  task: string | undefined,
): Promise<void> {
  const answer = await ask(stage, {
    n,
    section: '',
    note: '',
    method,
    path: `/api2/json${path}`,
    auth: auth ?? 'ticket root@pam',
    ...(form === undefined ? {} : { form }),
    status_line: '',
    ms: 0,
    body: '',
  });
  const actual = bodyOf(answer?.body ?? '');
  if (task !== undefined) stage.machine.memory.learn({ data: task }, actual);
  const upid = (actual as { readonly data?: unknown }).data;
  if (waits === true && typeof upid === 'string') await ended(stage, n, upid);
}

/** Resolves when a task of the lab has ended. */
async function ended(stage: Stage, n: number, upid: string): Promise<void> {
  const [, node = ''] = upid.split(':');
  for (let running = true, looks = 0; running; looks++) {
    // What is short is waited for, so that little else happens meanwhile.
    stage.machine.clock.speed = looks < 10 ? usualSpeed : hurry;
    const answer = await ask(stage, {
      n,
      section: '',
      note: '',
      method: 'GET',
      path: `/api2/json/nodes/${node}/tasks/${encodeURIComponent(upid)}/status`,
      auth: 'ticket root@pam',
      status_line: '',
      ms: 0,
      body: '',
    });
    running = answer?.body.includes('"running"') === true;
  }
  stage.machine.clock.speed = usualSpeed;
}

async function ask({ machine, origin }: Stage, row: Row): Promise<Exchanged | undefined> {
  const { lab, memory, credentials } = machine;
  const renews = JSON.stringify(row.form ?? '').includes('<signature>');
  const { ticket } = renews ? await credentials.ticket() : { ticket: '' };
  const here = (text: string): string =>
    withOurSums(memory.translated(text))
      .replaceAll(/127\.0\.0\.1(:|%3A)8099/g, `127.0.0.1$1${origin.http}`)
      .replaceAll(/127\.0\.0\.1(:|%3A)8443/g, `127.0.0.1$1${origin.https}`)
      .replaceAll('<password>', lab.password.password)
      .replaceAll('PVE:root@pam:<time>::<signature>', ticket);
  const { path, body, type } = sentOf(row, here);
  const plain = row.note.startsWith('plain HTTP');
  const headers = [
    ['Host', plain ? 'pve1:8006' : 'lab'],
    ['Connection', 'close'],
    ...(await credentials.headersOf(row.auth, row.note)),
    ...(row.extra_headers ?? []),
    ...(body !== undefined && type !== undefined ? [['Content-Type', type]] : []),
    ...(body !== undefined && row.extra_headers === undefined ? [['Content-Length', String(body.length)]] : []),
  ];
  const head = [`${row.method} ${path} HTTP/1.1`, ...headers.map(([name, value]) => `${name}: ${value}`), '', ''];
  const [endpoint = ''] = lab.endpoints.values();
  return await exchange(
    endpoint,
    lab.ca,
    Buffer.concat([Buffer.from(head.join('\r\n')), body ?? Buffer.alloc(0)]),
    plain,
  ).catch(() => undefined);
}

function differencesOf({ machine }: Stage, row: Row, answer: Exchanged): readonly string[] {
  const actual = bodyOf(answer.body);
  machine.memory.learn(row.body, actual);
  const [then, now] = [masked(row.status_line), masked(answer.statusLine)];
  if (then !== now) return [`${then}, not ${now}`];
  if (typeof row.body === 'string' && typeof actual === 'string')
    return masked(row.body) === masked(actual) ? [] : [`body ${row.body.slice(0, 200)}, not ${actual.slice(0, 200)}`];
  return bodyDifferences(withoutChance(row, row.body), withoutChance(row, actual));
}

function bodyOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
