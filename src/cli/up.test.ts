import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { at, doAll, playCommand, type Script } from '../../test/fake-door.ts';
import { folder } from '../../test/folder.ts';
import { aPlan, bringUp, names, rollout, tearDown } from '../../test/plans.ts';
import type { Outcome } from '../model/event.ts';
import type { Plan } from '../model/plan.ts';
import { Problem } from '../model/problem.ts';
import { destroy } from './destroy.ts';
import { diff } from './diff.ts';
import { plan as planCommand } from './plan.ts';
import { up } from './up.ts';

afterEach(() => {
  for (const name of Object.keys(process.env)) if (/^ICHOR_(?!SEED|SWEEP)/.test(name)) delete process.env[name];
});

const small = bringUp(1, 0);

const plays = (register: typeof up, argv: readonly string[], script: Partial<Script> = {}) =>
  playCommand(register, argv, folder(), { plan: small, ...script });

test('up shows the plan, asks, does it and says so', async () => {
  const { out, err, code, questions } = await plays(up, ['up'], { answers: ['yes'] });
  expect([code, err, questions]).toEqual([0, '', ['Do it? [yes/no] ']]);
  expect(out).toContain('  prod-cp-0\n    + create: 4 cpu, 8GiB memory, 40GiB disk, on pve1 as 401');
  expect(out).toContain('00:02  begins  prod-cp-0: create: 4 cpu, 8GiB memory, 40GiB disk, on pve1 as 401\n');
  expect(out).toContain('00:05  done    prod-cp-0: start (3.0 s)\n');
  expect(out).toMatch(
    /Done: prod is as the file says\. 12 steps in 1 min 5 s\.\nUse it with:\n {4}kubectl --kubeconfig talos\/kubeconfig get nodes\n$/,
  );
});

test.each(['no', '', 'yes please'])('anything but a yes changes nothing: "%s"', async (answer) => {
  const { out, code } = await plays(up, ['up'], { answers: [answer] });
  expect(code).toBe(1);
  expect(out).toMatch(/Nothing was done: prod is as it was\.\n$/);
});

test('without a terminal somebody must have said yes, and nothing is opened', async () => {
  const { err, code, opened } = await plays(up, ['up']);
  expect([code, opened]).toEqual([1, []]);
  expect(err).toBe(
    'error: There is no terminal to ask on, and nobody has said yes.\n  Look at the plan first, then say that you mean it:\n    ichor plan -f FOLDER/prod.yaml\n    ichor up -f FOLDER/prod.yaml --yes\n',
  );
  expect((await plays(destroy, ['destroy'])).err).toMatch(
    / {4}ichor plan -f FOLDER\/prod\.yaml --destroy\n {4}ichor destroy -f FOLDER\/prod\.yaml --yes\n$/,
  );
});

test('--yes, ICHOR_YES and apply do the same', async () => {
  expect((await plays(up, ['up', '--yes'])).code).toBe(0);
  expect((await plays(up, ['apply', '-y'])).code).toBe(0);
  process.env['ICHOR_YES'] = 'true';
  expect((await plays(up, ['up'])).code).toBe(0);
  process.env['ICHOR_YES'] = 'perhaps';
  expect((await plays(up, ['up'])).err).toContain('The environment variable ICHOR_YES is "perhaps".');
});

test('where nothing is to do, nothing is asked', async () => {
  const { out, code, questions } = await plays(up, ['up'], { plan: aPlan([]), answers: [] });
  expect([code, questions]).toEqual([0, []]);
  expect(out).toMatch(/Nothing to do: prod is as the file says\.\n$/);
});

test('where nothing is to do, what is open is said all the same', async () => {
  const { out } = await plays(up, ['up'], { plan: { ...rollout(), steps: [] }, answers: [] });
  expect(out).toContain('needs you\n  ! VM 407 on pve2');
});

test('with a target only what it asks for is said to be done', async () => {
  const { out } = await plays(up, ['up', '--yes', '--target', 'machines']);
  expect(out).toMatch(
    /Done: what --target machines asks for; the rest of prod was not asked for, and may be other than the file says\. 12 steps in/,
  );
});

test('what is open is said also when something was done', async () => {
  const { out } = await plays(up, ['up', '--yes'], { plan: rollout() });
  expect(out).toContain('Done: prod is as the file says, but for what is open.');
  expect(out.slice(out.indexOf('Done:'))).toContain('needs you\n  ! VM 407 on pve2');
});

test('what a run is asked for comes from flags and variables', async () => {
  process.env['ICHOR_PARALLELISM'] = '3';
  process.env['ICHOR_WORKSPACE'] = 'blue';
  const { requests, opened } = await plays(up, [
    'up',
    '--yes',
    '--timeout',
    '2m',
    '--target',
    'machines',
    '--set',
    'cluster.name=x',
  ]);
  expect(opened).toEqual(['prod blue']);
  expect(requests).toMatchObject([{ intent: 'converge', target: 'machines', parallelism: 3, atMostMs: 120_000 }]);
  expect(requests[0]).toMatchObject({
    runner: {
      pid: 4711,
      started: 'then',
      command: expect.stringMatching(
        /prod\.yaml --set 'cluster\.name=…' --workspace blue --target machines$/,
      ) as unknown,
    },
  });
});

const full = new Problem('full', 'Storage "local" is full.', { remedy: 'Free some space:\n    ichor hosts' });

test('failures are told once each, with who met them and how to go on', async () => {
  const plan = bringUp(1, 2);
  const { out, err, code } = await plays(up, ['up', '--yes'], {
    plan,
    play: ({ tell }) => {
      for (const machine of names(1, 2)) {
        tell({ kind: 'step-began', at: at(2), step: `machine.create ${machine}`, attempt: 1 });
        tell({ kind: 'step-failed', at: at(4), step: `machine.create ${machine}`, problem: full });
      }
      return Promise.resolve({ kind: 'stuck', problems: [full, full, full], changed: 0 });
    },
  });
  expect(code).toBe(1);
  expect(out).toContain('failed  prod-cp-0: create: 4 cpu');
  expect(err).toBe(`error: Storage "local" is full.
  Free some space:
    ichor hosts
  met by prod-cp-0 (create), prod-general-0 (create), prod-general-1 (create)

Failed after 1 min 5 s: 0 steps done, 3 failed, 19 not begun. What is done stays done.
When it is put right, go on with:
    ichor up -f FOLDER/prod.yaml
`);
});

const until = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve());
  });

test('Ctrl-C once: what is begun is finished, and how to go on is said', async () => {
  const { out, code } = await plays(up, ['up', '--yes'], {
    play: async ({ tell }, stop): Promise<Outcome> => {
      tell({ kind: 'step-began', at: at(2), step: 'image.ensure', attempt: 1 });
      setImmediate(() => process.emit('SIGINT'));
      await until(stop.gentle);
      expect(stop.now.aborted).toBe(false);
      tell({ kind: 'stopping', at: at(3), finishing: ['image.ensure'] });
      tell({ kind: 'step-done', at: at(4), step: 'image.ensure', ms: 2000 });
      return { kind: 'stopped', changed: 1, left: ['machine.create prod-cp-0', 'machine.start prod-cp-0'] };
    },
  });
  expect(code).toBe(130);
  expect(out).toContain(
    'stops   at a safe point; once more stops at once. Finishing image talos-v1.13.9-metal-amd64.raw.xz.\n',
  );
  expect(out).toMatch(
    /Stopped after 1 min 5 s: 1 step done, 2 left\.\nLeft: prod-cp-0 \(create\), prod-cp-0 \(start\)\.\nGo on with:\n {4}ichor up -f FOLDER\/prod\.yaml\n$/,
  );
});

test('Ctrl-C twice: everything stops where it is, also when the run breaks', async () => {
  const { out, code } = await plays(up, ['up', '--yes'], {
    play: async ({ tell }, stop): Promise<Outcome> => {
      tell({ kind: 'step-began', at: at(2), step: 'image.ensure', attempt: 1 });
      setImmediate(() => {
        process.emit('SIGINT');
        process.emit('SIGTERM');
      });
      await until(stop.now);
      throw new Error('cut off');
    },
  });
  expect(code).toBe(130);
  expect(out).toContain('Stopped after 1 min 5 s: 0 steps done, 12 left.');
});

test('jsonl: one object for each event, and nothing else', async () => {
  const { out, err, code } = await plays(up, ['up', '--yes', '-o', 'jsonl'], {
    play: ({ tell }) => {
      tell({ kind: 'step-began', at: at(2), step: 'secrets.make', attempt: 1 });
      tell({
        kind: 'step-waits',
        at: at(3),
        step: 'secrets.make',
        for: 'luck',
        because: 'there is none',
        since: at(2),
      });
      tell({ kind: 'step-again', at: at(3), step: 'secrets.make', problem: full, inMs: 500 });
      tell({ kind: 'step-says', at: at(3), step: 'secrets.make', text: 'hello' });
      tell({ kind: 'warned', at: at(3), problem: full });
      tell({ kind: 'step-skipped', at: at(3), step: 'image.ensure', because: 'no' });
      tell({ kind: 'step-failed', at: at(4), step: 'secrets.make', problem: full });
      return Promise.resolve({ kind: 'stuck', problems: [full], changed: 0 });
    },
  });
  expect([code, err]).toEqual([1, '']);
  const events = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { readonly kind: string; readonly plan?: { readonly steps: unknown[] } });
  expect(events[2]?.plan?.steps).toHaveLength(12);
  const text = events
    .map((event) => `${JSON.stringify({ ...event, ...(event.plan === undefined ? {} : { plan: '(the plan)' }) })}\n`)
    .join('');
  await expect(text).toMatchFileSnapshot('../../test/golden/run/events.jsonl');
});

test('what a provider warns of while it runs is told as everything else is', async () => {
  const slow = new Problem('proxmox-warned', 'A task ended with warnings.', { severity: 'warning', remedy: 'Look.' });
  const warned = { play: async () => ({ kind: 'converged', changed: 0 }) as const, warns: slow };
  const lines = await plays(up, ['up', '--yes'], warned);
  expect([lines.err, lines.out]).toEqual(['', expect.stringContaining('warns   A task ended with warnings.\n')]);
  const { out, err } = await plays(up, ['up', '--yes', '-o', 'json'], warned);
  expect([err, JSON.parse(out)]).toMatchObject(['', { warnings: [{ code: 'proxmox-warned' }] }]);
});

test('json: one document at the end', async () => {
  const { out, code } = await plays(up, ['up', '--yes', '-o', 'json'], { play: doAll(small) });
  expect(code).toBe(0);
  const document = JSON.parse(out) as { readonly steps: readonly unknown[]; readonly ms: number };
  expect(document).toMatchObject({
    run: '20260301T120000Z-a1b2c3',
    platform: 'prod',
    intent: 'converge',
    began: '2026-03-01T12:00:00.000Z',
    ended: '2026-03-01T12:01:05.000Z',
    ms: 65_000,
    passes: 1,
    outcome: { kind: 'converged', changed: 12 },
    warnings: [],
  });
  expect(document.steps[0]).toEqual({
    id: 'secrets.make',
    layer: 'identity',
    machine: null,
    phase: 'done',
    attempts: 1,
    began: '2026-03-01T12:00:02.000Z',
    ended: '2026-03-01T12:00:05.000Z',
    ms: 3000,
    problem: null,
    because: null,
  });
});

test('programs are not asked, and problems come in their format, wherever it was said', async () => {
  process.env['ICHOR_OUTPUT'] = 'json';
  const { out, err, code, questions } = await plays(up, ['up'], { answers: ['yes'] });
  expect([code, err, questions]).toEqual([1, '', []]);
  expect(JSON.parse(out)).toMatchObject({
    problems: [{ code: 'not-confirmed', message: 'With --output json nothing is asked, and nobody has said yes.' }],
  });
});

test('plan writes nothing, says what to type, and tells by its exit code', async () => {
  const { out, code } = await plays(planCommand, ['plan']);
  expect(code).toBe(0);
  expect(out).toMatch(/Do it with:\n {4}ichor up -f FOLDER\/prod\.yaml\n$/);
  expect((await plays(planCommand, ['plan', '--detailed-exitcode'])).code).toBe(2);
  expect((await plays(planCommand, ['plan', '--detailed-exitcode'], { plan: aPlan([]) })).code).toBe(0);
  const [ask, doubt] = [
    { code: 'a', message: 'm', remedy: 'r' },
    { about: 'cp-0', because: 'pve1 is silent' },
  ];
  const detailed = async (change: Partial<Plan>) =>
    (await plays(planCommand, ['plan', '--detailed-exitcode'], { plan: { ...small, ...change } })).code;
  expect(await detailed({ asks: [ask] })).toBe(1);
  expect(await detailed({ steps: [], asks: [ask] })).toBe(1);
  expect(await detailed({ steps: [], doubts: [doubt] })).toBe(1);
  expect(await detailed({ doubts: [doubt] })).toBe(2);
  const going = await plays(planCommand, ['plan', '--destroy'], { plan: tearDown(names(1, 1), 'delete') });
  expect(going.requests).toEqual([{ intent: 'destroy' }]);
  expect(going.out).toMatch(/ {4}ichor destroy -f FOLDER\/prod\.yaml\n$/);
  expect(JSON.parse((await plays(planCommand, ['plan', '-o', 'json'])).out)).toMatchObject({
    platform: 'prod',
    totals: { create: 7 },
  });
});

test('a saved plan is for its owner, and is done without another question', async () => {
  const place = folder();
  const file = join(place, 'prod.plan');
  const saved = await playCommand(planCommand, ['plan', '--out', file, '--target', 'machines'], place, { plan: small });
  expect(saved.out).toMatch(
    /Saved to FOLDER\/prod\.plan\. Do exactly this with:\n {4}ichor up -f FOLDER\/prod\.yaml --plan FOLDER\/prod\.plan\n$/,
  );
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const { code, requests, questions } = await playCommand(up, ['up', '--plan', file], place, { plan: small });
  expect([code, questions]).toEqual([0, []]);
  expect(requests).toMatchObject([
    { intent: 'converge', target: 'machines', saved: JSON.parse(JSON.stringify(small)) as unknown },
  ]);
});

test('what is no plan is never written over by one, and nobody is told to do so', async () => {
  const place = folder();
  const notes = join(place, 'notes.json');
  writeFileSync(notes, '{ "kind": "notes" }');
  const { err, code, opened } = await playCommand(planCommand, ['plan', '--out', notes], place, { plan: small });
  expect([code, opened, readFileSync(notes, 'utf8')]).toEqual([1, [], '{ "kind": "notes" }']);
  expect(err).toBe(
    'error: "FOLDER/notes.json" is there and is no plan, so it is not written over.\n  Save the plan under another name:\n    ichor plan -f FOLDER/prod.yaml --out FOLDER/notes.json.plan\n',
  );
  const used = await playCommand(up, ['up', '--plan', notes], place, { plan: small });
  expect(used.err).toBe(
    'error: "FOLDER/notes.json" is not a plan that ichor plan --out wrote.\n  Make one:\n    ichor plan -f FOLDER/prod.yaml --out FOLDER/notes.json.plan\n',
  );
});

test('a part of a destroy is done only by its plan: destroy itself takes everything', async () => {
  const place = folder();
  const part = ['plan', '--destroy', '--target', 'general-0'];
  const { out } = await playCommand(planCommand, part, place, { plan: tearDown(names(1, 1), 'delete') });
  expect(out).toMatch(
    /\nSave it to do only this, for ichor destroy takes everything:\n {4}ichor plan -f FOLDER\/prod\.yaml --destroy --target general-0 --out prod\.plan\n$/,
  );
  const saved = await playCommand(planCommand, [...part, '--out', join(place, 'part.plan')], place, {
    plan: tearDown(names(1, 1), 'delete'),
  });
  expect(saved.out).toMatch(/ {4}ichor up -f FOLDER\/prod\.yaml --plan FOLDER\/part\.plan\n$/);
});

test.each([
  [['plan', '--destroy'], 'ichor destroy -f FOLDER/prod.yaml'],
  [
    ['plan', '--destroy', '--target', 'general-0'],
    'ichor plan -f FOLDER/prod.yaml --destroy --target general-0 --out FOLDER/prod.plan',
  ],
  [['plan', '--target', 'machines'], 'ichor up -f FOLDER/prod.yaml --target machines'],
])('a saved plan that was stopped goes on where it went: %j', async (argv, next) => {
  const place = folder();
  const file = join(place, 'prod.plan');
  const plan = argv.includes('--destroy') ? tearDown(names(1, 1), 'delete') : small;
  await playCommand(planCommand, [...argv, '--out', file], place, { plan });
  const { out, requests } = await playCommand(up, ['up', '--plan', file], place, {
    plan,
    play: ({ tell }) => {
      tell({ kind: 'step-began', at: at(2), step: plan.steps[0]?.id ?? '', attempt: 1 });
      return Promise.resolve({ kind: 'stopped', changed: 1, left: [] });
    },
  });
  expect(out.slice(out.indexOf('Go on with'))).toBe(`Go on with:\n    ${next}\n`);
  expect(requests).toMatchObject([{ runner: { command: `ichor up -f ${place}/prod.yaml --plan ${place}/prod.plan` } }]);
});

test('a saved plan has its target already', async () => {
  const { err, code } = await plays(up, ['up', '--plan', 'prod.plan', '--target', 'machines']);
  expect([code, err]).toEqual([
    1,
    expect.stringContaining("'--plan <file>' cannot be used with option '--target <name>'"),
  ]);
});

test('a target that there is not is no reason to go on with it', async () => {
  const unknown = new Problem('unknown-target', '"nope" is neither a layer nor a machine of "prod".', {
    remedy: 'Did you mean "cp-0"?\n    ichor plan --target cp-0',
  });
  const { err, code } = await plays(up, ['up', '--yes', '--target', 'nope'], {
    play: () => Promise.resolve({ kind: 'stuck', problems: [unknown], changed: 0 }),
  });
  expect(code).toBe(1);
  expect(err).toMatch(/ {4}ichor plan --target cp-0\n\nNothing was changed\.\n$/);
});

test.each([
  [
    'another format',
    (text: string) => text.replace('"format": 1', '"format": 2'),
    'has format 2, and this version of ichor reads format 1.',
  ],
  [
    'edited',
    (text: string) => text.replace('there are none yet', 'because I say so'),
    'is not as it was written: its digest does not match.',
  ],
])('a saved plan that is %s is refused with what to type', async (_, spoil, message) => {
  const place = folder();
  const file = join(place, 'prod.plan');
  await playCommand(planCommand, ['plan', '--out', file], place, { plan: small });
  writeFileSync(file, spoil(readFileSync(file, 'utf8')));
  const { err, code, opened } = await playCommand(up, ['up', '--plan', file], place, { plan: small });
  expect([code, opened]).toEqual([1, []]);
  expect(err).toBe(
    `error: "FOLDER/prod.plan" ${message}\n  Make another one:\n    ichor plan -f FOLDER/prod.yaml --out FOLDER/prod.plan\n`,
  );
});

test('a saved plan of another platform or workspace is refused', async () => {
  const place = folder();
  const file = join(place, 'x.plan');
  await playCommand(planCommand, ['plan', '--out', file], place, { plan: { ...small, platform: 'staging' } });
  const other = await playCommand(up, ['up', '--plan', file], place, { plan: small });
  expect(other.err).toContain('is a plan of "staging", and the file is about "prod".');
  await playCommand(planCommand, ['plan', '--out', file, '--workspace', 'blue'], place, { plan: small });
  const elsewhere = await playCommand(up, ['up', '--plan', file], place, { plan: small });
  expect(elsewhere.err).toContain('is a plan of workspace "blue", and this is workspace "default".');
  const gone = await playCommand(up, ['up', '--plan', join(place, 'no.plan')], place, { plan: small });
  expect(gone.err).toContain('There is no "FOLDER/no.plan".');
});

const going = tearDown(names(1, 1), 'delete');

test('destroy says what goes and what stays, and asks', async () => {
  const { out, code, questions, requests } = await plays(destroy, ['destroy'], { plan: going, answers: ['y'] });
  expect([code, questions]).toEqual([0, ['Destroy prod? [yes/no] ']]);
  expect(out).toContain(
    'goes for ever\n  2 machines with all disks and all data: prod-cp-0, prod-general-0\nstays\n  the secrets of the cluster',
  );
  expect(out).toMatch(/Done: prod is gone\. 5 steps in 1 min 5 s\.\n$/);
  expect(requests).toMatchObject([{ intent: 'destroy', everything: false }]);
});

test('destroy --everything wants the name; yes is not enough', async () => {
  const plan = tearDown(names(1, 1), 'delete', true);
  const everything = (argv: readonly string[], answers?: readonly string[]) =>
    plays(destroy, ['destroy', '--everything', ...argv], { plan, ...(answers === undefined ? {} : { answers }) });
  expect((await everything(['--yes'])).err).toContain(
    'With --everything the platform’s name must be given; --yes is not enough.',
  );
  expect((await everything(['--yes'], ['yes'])).code).toBe(1);
  const typed = await everything([], ['prod']);
  expect([typed.code, typed.questions]).toEqual([0, ['Destroy everything, for ever? Type its name (prod): ']]);
  expect(typed.requests).toMatchObject([{ everything: true }]);
  expect((await everything(['--confirm', 'prod'])).code).toBe(0);
  const wrong = await everything(['--confirm', 'staging']);
  expect([wrong.code, wrong.opened]).toEqual([1, []]);
  expect(wrong.err).toContain('--confirm names "staging", and the platform is "prod".');
});

test('diff exits 0 only when everything was seen and nothing differs', async () => {
  const code = async (change: Partial<Plan>) =>
    (await plays(diff, ['diff'], { plan: { ...aPlan([]), ...change } })).code;
  expect(await code({})).toBe(0);
  expect(await code({ doubts: [{ about: 'cp-0', because: 'pve1 is silent' }] })).toBe(1);
  expect(await code({ steps: small.steps, doubts: [{ about: 'cp-0', because: 'pve1 is silent' }] })).toBe(2);
});
