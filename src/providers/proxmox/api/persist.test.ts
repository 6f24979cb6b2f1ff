import { expect, test } from 'vitest';
import { anApi, patience } from '../../../../test/proxmox/asking.ts';
import { persist } from './persist.ts';
import { ApiProblem, type Fate } from './problem.ts';

const problem = (fate: Fate, passing = false): ApiProblem => new ApiProblem('test', fate, { fate, passing }, {});

/** What is done and looked at, in order, when the first attempts end like this; `find` is what looking finds. */
async function story(failures: readonly ApiProblem[], find: 'nothing' | 'done' = 'nothing') {
  const told: string[] = [];
  const left = [...failures];
  const tools = patience();
  const end = await persist(
    anApi([], { settings: { endpoint: 'https://nowhere:8006' }, tools }),
    {
      act: () => {
        told.push('act');
        const next = left.shift();
        return next === undefined ? Promise.resolve('acted') : Promise.reject(next);
      },
      look: () => {
        told.push('look');
        return Promise.resolve(find === 'done' ? 'found' : undefined);
      },
    },
    AbortSignal.timeout(10_000),
  ).catch((error: Error) => error.message);
  return { end, told: told.join(' '), waitedMs: tools.paused.reduce((total, ms) => total + ms, 0) };
}

test('what was refused is not tried again', async () => {
  expect(await story([problem('refused')])).toEqual({ end: 'refused', told: 'act', waitedMs: 0 });
});

test('what nobody carried out is tried again without looking', async () => {
  expect(await story([problem('not done'), problem('not done')])).toMatchObject({ end: 'acted', told: 'act act act' });
});

test('what may have happened is looked for first, every time', async () => {
  expect(await story([problem('unknown')], 'done')).toMatchObject({ end: 'found', told: 'act look' });
  expect(await story([problem('unknown'), problem('unknown')])).toMatchObject({
    end: 'acted',
    told: 'act look act look act',
  });
});

test('a doubt stays until somebody could look', async () => {
  const told: string[] = [];
  const looks: (ApiProblem | undefined)[] = [problem('not done'), undefined];
  await persist(
    anApi([], { settings: { endpoint: 'https://nowhere:8006' } }),
    {
      act: () => {
        told.push('act');
        return told.length === 1 ? Promise.reject(problem('unknown')) : Promise.resolve(true);
      },
      look: () => {
        told.push('look');
        const failure = looks.shift();
        return failure === undefined ? Promise.resolve(undefined) : Promise.reject(failure);
      },
    },
    AbortSignal.timeout(10_000),
  );
  expect(told).toEqual(['act', 'look', 'look', 'act']);
});

test('a lock is waited for, longer than any host holds one, and not for ever', async () => {
  const { end, waitedMs } = await story(Array.from({ length: 100 }, () => problem('refused', true)));
  expect(end).toBe('refused');
  expect(waitedMs).toBeGreaterThan(40_000);
  expect(waitedMs).toBeLessThan(90_000);
});
