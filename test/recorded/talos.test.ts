import type { JsonObject } from '@bufbuild/protobuf';
import { afterAll, expect, test } from 'vitest';
import { call } from '../lab/caller.ts';
import { differences } from './alike.ts';
import { ask, nodeOf, shaped } from './ask.ts';
import type { Answer } from './ask.ts';
import { requestBytes, responseJson } from '../lab/codec.ts';
import { reasons } from './reasons.ts';
import { rowsOf } from './rows.ts';
import type { Row } from './rows.ts';
import { scenes } from './scenes.ts';
import type { Scene } from './scenes.ts';
import { address, clientFor, stageOf, until } from './stage.ts';
import type { NodeName, Stage } from './stage.ts';

const rows = rowsOf('talos-observed.jsonl');
const found = new Map<Row, readonly string[]>();
const inScenes = new Set(
  scenes.flatMap(({ cases, watching }) => [...cases, ...(watching ?? []).map((each) => each.case)]),
);

function judge(row: Row, answer: Answer): void {
  const { code, message, response, alert } = answer;
  const open = row.code === 'DEADLINE_EXCEEDED' && row.message === '';
  found.set(row, [
    ...differences(row.code, code, 'code'),
    ...(open || row.tls_alert !== undefined ? [] : differences(row.message, message, 'message')),
    ...(row.tls_alert === undefined ? [] : differences(row.tls_alert, alert, 'alert')),
    ...(row.response === undefined ? [] : differences(inOrder(row, row.response), inOrder(row, response), 'response')),
  ]);
}

/** Several nodes answer in the order in which they come; members are listed by ids, and those are of the moment. */
function inOrder(row: Row, given: unknown): unknown {
  const response = membersByName(given);
  const messages = (response as { messages?: unknown } | undefined)?.messages;
  if (!(row.metadata ?? []).some(([key]) => key === 'nodes') || !Array.isArray(messages)) return response;
  const hostname = (each: unknown): string =>
    ((each as { metadata?: { hostname?: string } }).metadata?.hostname ?? '').replace('127.91.', '10.5.');
  return { messages: messages.toSorted((one, other) => (hostname(one) < hostname(other) ? -1 : 1)) };
}

function membersByName(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(membersByName);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      (key === 'members' || key === 'legacy_members') && Array.isArray(each)
        ? each.toSorted((one, other) => (nameIn(one) < nameIn(other) ? -1 : 1))
        : membersByName(each),
    ]),
  );
}

const nameIn = (value: unknown): string =>
  typeof value === 'string' ? value : String((value as { readonly hostname?: string }).hostname);

async function membersOf(): Promise<ReadonlyMap<string, bigint>> {
  const path = '/machine.MachineService/EtcdMemberList';
  const admin = clientFor({ role: 'os:admin' } as Row);
  const { messages } = await call(
    { host: address.cp1, ...(admin === undefined ? {} : { client: admin }) },
    path,
    [new Uint8Array(0)],
    { deadlineMs: 500 },
  );
  const json = responseJson(path, messages[0] ?? new Uint8Array(0)) as {
    messages?: { members?: { id: string; hostname: string }[] }[];
  };
  return new Map((json.messages?.[0]?.members ?? []).map(({ id, hostname }) => [hostname, BigInt(id)]));
}

async function play(scene: Scene): Promise<void> {
  await using _stage = await stageOf(scene.nodes, scene.state, scene.durations);
  const members = scene.state === 'bootstrapped' ? await membersOf() : new Map<string, bigint>();
  if (scene.missing !== undefined)
    _stage.lab.twins.get(address.cp1)?.fail({ kind: 'missing-image', image: scene.missing });
  const first = rows.find((row) => row.case === scene.first);
  if (first !== undefined) {
    await ask(first, 'cp1');
    await pause(100);
  }
  const streams = (scene.watching ?? []).map(({ case: name, on }) => {
    const row = rows.find((each) => each.case === name) as Row;
    return { row, answer: watch(row, on) };
  });
  if (streams.length > 0) await pause(80);
  const pauses = [...(scene.pauses ?? [])];
  const later: Promise<void>[] = [];
  for (const name of scene.cases)
    for (const row of rows.filter((each) => each.case === name)) {
      await pause(pauses.shift() ?? 0);
      if (name === 'b-bootstrap-again-2s') await until(async () => (await membersOf()).size > 0);
      const judged = ask(row, nodeOf(row, scene.unconfigured ?? 'cp1'), members).then((answer) => judge(row, answer));
      if (scene.waiting?.includes(name) === true) later.push(judged);
      else await judged;
    }
  await Promise.all(later);
  for (const { row, answer } of streams) judge(row, await answer);
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A stream that others go on after is judged by as much of it as was recorded. */
function watch(row: Row, node: NodeName): Promise<Answer> {
  const on = address[node];
  const recorded = (row.response as { readonly messages: number }).messages;
  const client = clientFor(row);
  const request = requestBytes(row.method, row.request as JsonObject);
  return call({ host: on, ...(client === undefined ? {} : { client }) }, row.method, [request], {
    deadlineMs: 2500,
  }).then(({ code, message, messages }) => ({
    code: code === 0 ? 'OK' : code === 4 ? 'DEADLINE_EXCEEDED' : String(code),
    message,
    response: shaped(row, messages.slice(0, recorded)),
  }));
}

/** Rows that change nothing share a lab. */
async function playTogether(group: readonly Row[], nodes: readonly NodeName[], state: Row['state']): Promise<void> {
  await using _stage: Stage = await stageOf(nodes, state);
  for (const row of group) judge(row, await ask(row, nodeOf(row, 'cp1')));
}

const joined = rows.findIndex((row) => row.case === 'm-apply-cp2');
const shared = rows.filter((row) => !inScenes.has(row.case));
const groups = [
  ['maintenance', ['cp1'], shared.filter((row) => row.state === 'maintenance')],
  ['configured', ['cp1', 'worker'], shared.filter((row) => row.state === 'configured')],
  [
    'bootstrapped',
    ['cp1', 'worker'],
    shared.filter((row) => row.state === 'bootstrapped' && rows.indexOf(row) < joined),
  ],
  [
    'bootstrapped',
    ['cp1', 'cp2', 'worker'],
    shared.filter((row) => row.state === 'bootstrapped' && rows.indexOf(row) > joined),
  ],
] as const;

for (const [state, nodes, group] of groups)
  test(`${group.length} rows: ${state}, ${nodes.join(' ')}`, () => playTogether(group, nodes, state));

for (const scene of scenes) test(scene.cases.join(', '), () => play(scene));

afterAll(() => {
  const different = [...found].filter(([, differing]) => differing.length > 0);
  const alike = found.size - different.length;
  const share = (100 * alike) / rows.length;
  process.stderr.write(`recorded: ${alike} of ${rows.length} rows alike, ${share.toFixed(1)} %\n`);
  for (const [row, differing] of different)
    process.stderr.write(`  ${row.case}: ${reasons[row.case] ?? `NO REASON · ${differing.join(' · ')}`}\n`);
  const unexplained = different.filter(([row]) => reasons[row.case] === undefined).map(([row]) => row.case);
  expect({ unexplained, replayed: found.size, enough: share >= 97 }).toEqual({
    unexplained: [],
    replayed: rows.length,
    enough: true,
  });
});
