import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bundled, ended } from '../../../test/children.ts';
import { folder, folderForAll } from '../../../test/folder.ts';
import { sweep } from '../../../test/sweep.ts';
import { Problem } from '../../model/problem.ts';
import { conformance, type StoreWorld } from '../conformance.ts';
import { startOf, thisProcess } from '../process.ts';
import type { Holder, JournalEntry } from '../store.ts';
import { parseJournal } from './journal.ts';
import { thisPlace } from './place.ts';
import { keptFolders, openFileStore } from './store.ts';

const facts = { run: 'run-1', command: 'ichor up', who: 'ada', since: '2026-11-17T10:00:00.000Z' };
const living = async (command = 'ichor up'): Promise<Holder> => ({
  ...facts,
  command,
  host: (await thisPlace()).host,
  ...(await thisProcess()),
});

async function gone(): Promise<Holder> {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  const { pid = 0 } = child;
  const started = (await startOf(pid)) ?? '';
  const end = once(child, 'close');
  child.kill('SIGKILL');
  await end;
  return { ...facts, host: (await thisPlace()).host, pid, started };
}

function worldIn(path: string): StoreWorld {
  const here = async () => ({ ...(await thisPlace()), host: 'elsewhere' });
  return {
    open: (workspace = 'default') => openFileStore({ folder: path, workspace }),
    elsewhere: () => openFileStore({ folder: path, workspace: 'default', here }),
    living,
    gone,
  };
}

describe('conformance', () => {
  test.each(conformance.map(({ name, run }) => [name, run] as const))('%s', (_, run) => run(worldIn(folder())));
});

async function problemOf(action: () => Promise<unknown>): Promise<Problem> {
  const error = await action().catch((thrown: unknown) => thrown);
  if (error instanceof Problem) return error;
  throw new Error('It was not refused.', { cause: error });
}

const mode = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8);

test('files lie where people look for them, for their owner alone', async () => {
  const path = folder();
  for (const [workspace, artifacts] of [
    ['default', 'talos'],
    ['staging', 'talos-staging'],
  ] as const) {
    const store = openFileStore({ folder: path, workspace });
    await store.makeSecrets('secret');
    await store.writeArtifact('kubeconfig', 'config');
    await store.remember({ platform: 'prod', bootstrap: undefined, configured: {}, guarded: undefined });
    await using journal = await store.begin('run-1');
    await journal.write({ at: facts.since, kind: 'ended', outcome: 'converged', changed: 0 });
    await using _lock = await store.lock(await living());
    const kept = join(path, '.ichor', workspace);
    expect((await readdir(kept)).toSorted()).toEqual(['lock', 'memory.json', 'runs']);
    expect((await readdir(join(path, artifacts))).toSorted()).toEqual(['.gitignore', 'kubeconfig', 'secrets.yaml']);
    expect(await mode(join(path, '.ichor'))).toBe('700');
    expect(await mode(kept)).toBe('700');
    for (const file of ['kubeconfig', 'secrets.yaml']) expect(await mode(join(path, artifacts, file))).toBe('600');
    expect(await mode(join(kept, 'runs', 'run-1.jsonl'))).toBe('600');
  }
});

test('Git takes none of it, and a .gitignore that somebody wrote stays', async () => {
  const path = folder();
  const git = (...words: readonly string[]): string =>
    execFileSync('git', ['-C', path, ...words], { encoding: 'utf8' });
  git('init', '-q');
  await writeFile(join(path, 'platform.yaml'), 'a');
  for (const workspace of ['default', 'staging']) {
    const store = openFileStore({ folder: path, workspace });
    await using _lock = await store.lock(await living());
    await store.makeSecrets('secret');
    await store.writeArtifact('kubeconfig', 'config');
    await store.remember({ platform: 'prod', bootstrap: undefined, configured: {}, guarded: undefined });
  }
  git('add', '-A');
  expect(git('diff', '--cached', '--name-only')).toBe('platform.yaml\n');
  expect(await keptFolders(path, 'other')).toEqual(['.ichor', 'talos', 'talos-other', 'talos-staging']);
  await writeFile(join(path, 'talos', '.gitignore'), '');
  await openFileStore({ folder: path, workspace: 'default' }).writeArtifact('kubeconfig', 'new');
  expect(await readFile(join(path, 'talos', '.gitignore'), 'utf8')).toBe('');
});

test('a file that others could read is for its owner alone once it is written again', async () => {
  const path = folder();
  await mkdir(join(path, 'talos'));
  await writeFile(join(path, 'talos', 'kubeconfig'), 'old');
  await chmod(join(path, 'talos', 'kubeconfig'), 0o644);
  await openFileStore({ folder: path, workspace: 'default' }).writeArtifact('kubeconfig', 'new');
  expect(await mode(join(path, 'talos', 'kubeconfig'))).toBe('600');
});

test.each(['', '.', '..', 'a/b', 'A', '-x', 'x-', 'a b', 'x'.repeat(64)])('"%s" is no name of a workspace', (name) => {
  expect(() => openFileStore({ folder: '.', workspace: name })).toThrow(/cannot be the name of a workspace/);
});

describe('memory that cannot be understood is refused with its line, and stays as it is', () => {
  const good = { version: 1, platform: 'prod', configured: {} };
  test.each<[name: string, text: string, line: number, code: string, says: string]>([
    ['empty', '', 1, 'memory-broken', 'it is no JSON'],
    ['cut off', '{\n  "version": 1,\n  "plat', 3, 'memory-broken', 'it is no JSON'],
    ['no object', '[]', 1, 'memory-broken', 'it is no object'],
    ['a newer one', JSON.stringify({ ...good, version: 2 }, null, 2), 2, 'memory-newer', 'a newer ichor (version 2'],
    ['no version', JSON.stringify({ platform: 'prod' }), 1, 'memory-broken', 'its version is undefined'],
    ['no platform', JSON.stringify({ ...good, platform: 3 }, null, 2), 3, 'memory-broken', '"platform" is no name'],
    ['a stranger', JSON.stringify({ ...good, extra: 1 }, null, 2), 5, 'memory-broken', 'about "extra"'],
    [
      'half a choice',
      JSON.stringify({ ...good, bootstrap: { machine: 'a' } }, null, 2),
      5,
      'memory-broken',
      '"bootstrap.chosenAt" is no time',
    ],
    [
      'members that are none',
      JSON.stringify({ ...good, bootstrap: { machine: 'a', chosenAt: 'b', members: 1 } }, null, 2),
      8,
      'memory-broken',
      '"bootstrap.members" are no names',
    ],
    [
      'an unknown role',
      JSON.stringify({ ...good, configured: { a: { address: '10.0.0.1', role: 'king' } } }, null, 2),
      5,
      'memory-broken',
      '"configured.a.role" is no role',
    ],
  ])('%s', async (_, text, line, code, says) => {
    const path = folder();
    const file = join(path, '.ichor', 'default', 'memory.json');
    await mkdir(join(path, '.ichor', 'default'), { recursive: true });
    await writeFile(file, text);
    const store = openFileStore({ folder: path, workspace: 'default' });
    for (const action of [
      () => store.memory('prod'),
      () => store.remember({ platform: 'prod', bootstrap: undefined, configured: {}, guarded: undefined }),
    ]) {
      const problem = await problemOf(action);
      expect([problem.code, problem.at?.file, problem.at?.line]).toEqual([code, file, line]);
      expect(problem.message).toContain(says);
    }
    expect(await readFile(file, 'utf8')).toBe(text);
  });
});

describe('a lock', () => {
  test.each<[name: string, other: object, alive: 'no' | 'unknown']>([
    ['of a machine of the same name is never broken', { machine: 'other' }, 'unknown'],
    ['of another namespace of processes is never broken', { namespace: 'pid:[1]' }, 'unknown'],
    ['from before the machine booted again is nobody’s', { boot: 'other' }, 'no'],
    ['from another boot of a machine that nobody can name is never broken', { boot: 'other', machine: '' }, 'unknown'],
  ])('%s', async (_, other, alive) => {
    const path = folder();
    const machine = 'machine' in other && other.machine === '' ? '' : 'this one';
    const here = async () => ({ ...(await thisPlace()), machine });
    const there = async () => ({ ...(await here()), ...other });
    await openFileStore({ folder: path, workspace: 'default', here: there }).lock(await living());
    expect((await openFileStore({ folder: path, workspace: 'default', here }).holder())?.alive).toBe(alive);
  });

  test('that was damaged is held by somebody until a person says otherwise', async () => {
    const path = folder();
    const store = openFileStore({ folder: path, workspace: 'default' });
    await mkdir(join(path, '.ichor', 'default'), { recursive: true });
    await writeFile(join(path, '.ichor', 'default', 'lock'), '{');
    expect((await problemOf(async () => store.lock(await living()))).code).toBe('locked');
    expect((await store.holder())?.alive).toBe('unknown');
    await store.unlock();
    await using _lock = await store.lock(await living());
  });

  test('whose heirs were killed too still has one next holder', async () => {
    const path = folder();
    const store = openFileStore({ folder: path, workspace: 'default' });
    await store.lock(await gone());
    const lock = join(path, '.ichor', 'default', 'lock');
    const first = JSON.parse(await readFile(lock, 'utf8')) as { token: string };
    await writeFile(`${lock}.after-${first.token}`, JSON.stringify({ ...first, token: 'heir' }));
    const next = await living();
    {
      await using _lock = await store.lock(next);
      expect((await store.holder())?.holder).toEqual(next);
    }
    expect(await readdir(join(path, '.ichor', 'default'))).toEqual([]);
  });
});

describe('a journal', () => {
  const entry: fc.Arbitrary<JournalEntry> = fc.oneof(
    fc.record({ at: fc.constant(facts.since), kind: fc.constant('done' as const), step: fc.string(), ms: fc.nat() }),
    fc.record({
      at: fc.constant(facts.since),
      kind: fc.constant('failed' as const),
      step: fc.string(),
      code: fc.string(),
      message: fc.string({ unit: 'grapheme' }),
    }),
    fc.record({
      at: fc.constant(facts.since),
      kind: fc.constant('planned' as const),
      pass: fc.nat(),
      steps: fc.nat(),
      digest: fc.string(),
    }),
  );

  test('that was torn anywhere gives the entries that were whole', () => {
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 8 }), fc.nat(), (entries, cut) => {
        const bytes = Buffer.from(entries.map((each) => `${JSON.stringify(each)}\n`).join(''));
        const torn = bytes.subarray(0, cut % (bytes.length + 1));
        const whole = torn.filter((byte) => byte === 10).length;
        expect(parseJournal(torn.toString('utf8'), 'run.jsonl')).toEqual(entries.slice(0, whole));
      }),
      sweep('torn journals', 200, 20_000),
    );
  });

  test('with a line in its middle that is no entry is refused with its line', () => {
    const line = JSON.stringify({ at: facts.since, kind: 'done', step: 'a', ms: 1 });
    for (const wrong of ['{"at":', '[]', 'null', '{"at":"x"}', '{"at":"x","kind":"done","step":"a"}'])
      expect(() => parseJournal(`${line}\n${wrong}\n${line}\n`, 'run.jsonl')).toThrow(/\(line 2\)/);
  });

  test('of a newer ichor is read as far as it is understood', () => {
    const line = JSON.stringify({ at: facts.since, kind: 'done', step: 'a', ms: 1 });
    expect(parseJournal(`{"at":"x","kind":"dreamt"}\n${line}\n`, 'run.jsonl')).toEqual([JSON.parse(line)]);
  });

  test('shares a flush between entries that come together', async () => {
    const path = folder();
    await using journal = await openFileStore({ folder: path, workspace: 'default' }).begin('run-1');
    const file = join(path, '.ichor', 'default', 'runs', 'run-1.jsonl');
    const lines = async () => (await readFile(file, 'utf8')).split('\n').length - 1;
    const done = (step: string): JournalEntry => ({ at: facts.since, kind: 'done', step, ms: 0 });
    const first = journal.write(done('first'));
    const others = Array.from({ length: 500 }, (_, index) => journal.write(done(`${index}`)));
    await first;
    // All others wait for one flush: when the second is durable, so is the last.
    await others[0];
    expect(await lines()).toBe(501);
    await Promise.all(others);
  });

  test('is never continued by another run of the same name', async () => {
    const store = openFileStore({ folder: folder(), workspace: 'default' });
    await using _journal = await store.begin('run-1');
    expect((await problemOf(() => store.begin('run-1'))).message).toContain('EEXIST');
    await expect(store.begin('../x')).rejects.toThrow(/no name for a run/);
  });
});

describe('processes', () => {
  const scripts = folderForAll();
  const writer = bundled('state/writer', scripts);
  const taker = bundled('state/taker', scripts);

  test.each(['memory', 'secrets', 'artifact', 'delete', 'lock', 'journal'])(
    'one that is killed at any point of writing: %s',
    async (kind) => {
      for (let point = 1; ; point++) {
        const path = folder();
        const store = openFileStore({ folder: path, workspace: 'default' });
        const old = { platform: 'prod', bootstrap: undefined, configured: {}, guarded: 'old' } as const;
        await store.remember(old);
        await store.writeArtifact('kubeconfig', 'before');
        if (kind === 'lock') await store.lock(await gone());
        const { signal, lines } = await ended(await writer, [path, kind, String(point)]);
        const whole = lines.includes('whole');
        expect(signal).toBe(whole ? null : 'SIGKILL');

        expect([old, { ...old, guarded: 'new' }]).toContainEqual(await store.memory('prod'));
        expect([undefined, 'x'.repeat(10_000)]).toContain(await store.secrets());
        expect(['before', 'y'.repeat(10_000), undefined]).toContain(await store.artifact('kubeconfig'));
        const steps = ((await store.runs())[0]?.entries ?? []).map((each) => ('step' in each ? each.step : ''));
        expect(steps).toEqual(['step 0', 'step 1', 'step 2'].slice(0, steps.length));
        expect(steps.length).toBeGreaterThanOrEqual(lines.filter((line) => line.startsWith('step')).length);
        {
          await using _lock = await store.lock(await living());
          const left = await readdir(path, { recursive: true });
          expect(left.filter((name) => /(?<!\.lock\..*)\.ichor-tmp$/.test(name))).toEqual([]);
        }
        expect(await store.holder()).toBeUndefined();
        if (whole) {
          expect(point).toBeGreaterThan(2);
          return;
        }
      }
    },
  );

  test('of several that take the lock of one that is gone, one at a time holds it', async () => {
    const path = folder();
    const store = openFileStore({ folder: path, workspace: 'default' });
    await store.lock(await gone());
    const answers = await Promise.all(Array.from({ length: 4 }, async () => ended(await taker, [path, '25'])));
    const held = answers.flatMap(({ lines }) => lines.filter((line) => line.startsWith('held')));
    expect(held).toHaveLength(4 * 25);
    expect(answers.flatMap(({ lines }) => lines.filter((line) => line === 'not alone'))).toEqual([]);
  });
});
