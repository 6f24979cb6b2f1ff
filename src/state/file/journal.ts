import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '../../model/problem.ts';
import type { Journal, JournalEntry, PastRun } from '../store.ts';
import { codeOf, flushFolder, makeFolder, orProblem, textOf } from './files.ts';

type Waiting = { readonly line: string; readonly done: () => void; readonly failed: (error: unknown) => void };

/** A new file for each run. After a write that failed nothing more is written: the line may be half there. */
export async function beginJournal(folder: string, run: string): Promise<Journal> {
  const path = pathOf(folder, run);
  await makeFolder(folder);
  const file = await orProblem(path, () => open(path, 'ax', 0o600));
  await flushFolder(folder);
  const waiting: Waiting[] = [];
  let flushing: Promise<void> | undefined;
  let lost: unknown;

  const flush = async (): Promise<void> => {
    while (waiting.length > 0) {
      const together = waiting.splice(0);
      try {
        if (lost !== undefined) throw lost;
        await orProblem(path, async () => {
          await file.appendFile(together.map(({ line }) => line).join(''));
          await file.datasync();
        });
        for (const { done } of together) done();
      } catch (error) {
        lost = error;
        for (const { failed } of together) failed(error);
      }
    }
    flushing = undefined;
  };

  return {
    write: (entry) =>
      new Promise((done, failed) => {
        waiting.push({ line: `${JSON.stringify(entry)}\n`, done, failed });
        flushing ??= flush();
      }),
    [Symbol.asyncDispose]: async () => {
      await flushing;
      await file.close();
    },
  };
}

/** Newest first; runs of which not even the beginning was written changed nothing, and are left out. */
export async function pastRuns(folder: string): Promise<readonly PastRun[]> {
  const names = (await namesIn(folder)).filter((name) => name.endsWith('.jsonl'));
  const runs = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      return { id: name.slice(0, -'.jsonl'.length), entries: parseJournal((await textOf(path)) ?? '', path) };
    }),
  );
  return runs.filter(({ entries }) => entries.length > 0).toSorted((one, other) => compare(key(other), key(one)));
}

const key = ({ id, entries }: PastRun): string => `${entries[0]?.at} ${id}`;
const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

function pathOf(folder: string, run: string): string {
  if (!/^[\w.-]+$/.test(run)) throw new Error(`"${run}" is no name for a run.`);
  return join(folder, `${run}.jsonl`);
}

/** What each kind of line must have, by the type of its value. */
const fields: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  began: { run: 'object' },
  planned: { pass: 'number', steps: 'number', digest: 'string' },
  intent: { step: 'string', attempt: 'number', because: 'string' },
  done: { step: 'string', ms: 'number' },
  failed: { step: 'string', code: 'string', message: 'string' },
  ended: { outcome: 'string', changed: 'number' },
} satisfies Record<JournalEntry['kind'], unknown>;

/**
 * A last line that does not end was being written when its writer was killed: it does not count, and what it announced was not
 * begun. Lines of a kind that nobody knows come from a newer ichor, and are passed over.
 */
export function parseJournal(text: string, file: string): readonly JournalEntry[] {
  const lines = text.split('\n');
  // Behind the last line break: nothing, or what is torn.
  lines.pop();
  return lines.flatMap((line, index) => {
    const entry = entryOf(line);
    if (entry === 'broken') throw broken(file, index + 1);
    return entry === 'unknown' ? [] : [entry];
  });
}

function entryOf(line: string): JournalEntry | 'broken' | 'unknown' {
  let read: Record<string, unknown> | null;
  try {
    read = JSON.parse(line) as Record<string, unknown> | null;
  } catch {
    return 'broken';
  }
  if (typeof read !== 'object' || read === null || typeof read['at'] !== 'string') return 'broken';
  const wanted = typeof read['kind'] === 'string' ? fields[read['kind']] : {};
  if (wanted === undefined) return 'unknown';
  const whole =
    typeof read['kind'] === 'string' &&
    Object.entries(wanted).every(([name, type]) => typeof read[name] === type && read[name] !== null);
  return whole ? (read as JournalEntry) : 'broken';
}

const broken = (file: string, line: number): Problem =>
  new Problem('journal-broken', `"${file}" has a line that is no entry of a journal (line ${line}).`, {
    at: { file, line, column: 1, length: 1 },
    remedy: `Somebody changed it. Nothing depends on it but ichor history; move it away:\n    mv '${file}' '${file}.broken'`,
  });
