import { describe, expect, test } from 'vitest';
import { sweep, wholeSweeps } from '../sweep.ts';
import { aSmallPlace, endOf, journalLines, killedAt, stories, type Story } from './stories.ts';

/** Points of a journal to be killed at: all of them, or some that a seed chooses. */
function chosen(story: string, points: number, sample: number): readonly number[] {
  const all = Array.from({ length: points }, (_, index) => index + 1);
  const { numRuns, seed } = sweep(`crash sweep: ${story}`, Math.min(sample, points), points);
  if (wholeSweeps) return all;
  const step = Math.max(1, Math.floor(points / numRuns));
  return all.filter((point) => point % step === seed % step).slice(0, numRuns);
}

async function told(story: Story, at: string): Promise<{ readonly end: unknown; readonly lines: number }> {
  await using here = await aSmallPlace();
  await story.before(here);
  const identity = (end: unknown): unknown => ({ ...(end as object), identity: '' });
  if (at !== '0') await killedAt(here, story.words, at);
  else {
    const { status, stderr } = await here.ichor(story.words);
    expect([status, stderr]).toEqual([0, '']);
  }
  const lines = journalLines(here);
  const again = await here.up();
  expect({ at, status: again.status, stderr: again.stderr }).toEqual({ at, status: 0, stderr: '' });
  const third = await here.up();
  expect([at, third.stdout]).toEqual([at, expect.stringContaining('Nothing to do')]);
  return { end: identity(endOf(here)), lines };
}

const table: string[] = [];
const turn = (): number => Number(process.env['ICHOR_SEED'] ?? Math.floor(Date.now() / 1000));

describe.sequential('killed anywhere, begun again', () => {
  // `make test` tells one of the stories, another one each time.
  const chosenStories = wholeSweeps ? stories : stories.filter((_, index) => index === turn() % stories.length);
  for (const story of chosenStories)
    test(story.name, { timeout: 1_800_000 }, async () => {
      const calm = await told(story, '0');
      // Now right after a line is on disk, now while the step that it announces is under way.
      const places = chosen(story.name, calm.lines, 1).map((point) =>
        point % 2 === 0 ? `${point}+${(point * 37) % 200}` : `${point}`,
      );
      const queue = [...places];
      const worker = async (): Promise<void> => {
        for (let at = queue.shift(); at !== undefined; at = queue.shift())
          expect([at, (await told(story, at)).end]).toEqual([at, calm.end]);
      };
      await Promise.all([worker(), worker()]);
      table.push(
        `${story.name.padEnd(14)} ${String(calm.lines).padStart(4)} lines ${String(places.length).padStart(4)} kills, all with the same end`,
      );
      process.stderr.write(`${table.at(-1)}\n`);
    });
});
