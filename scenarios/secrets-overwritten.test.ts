import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dataCentre } from '../test/data-centre.ts';

test('secrets are made once: not by a second run, not by two at once, not when they were lost', async () => {
  await using here = await dataCentre({ small: true, fresh: true });
  const path = join(here.folder, 'talos/secrets.yaml');
  const both = await Promise.all([here.up(), here.up()]);
  expect(both.map(({ status }) => status)).toEqual(expect.arrayContaining([0, 1]));
  const secrets = readFileSync(path, 'utf8');
  expect((await here.up()).status).toBe(0);
  expect((await here.ichor(['talos', 'gen', '-f', 'platform.yaml', '--out', 'talos'])).status).toBe(0);
  expect(readFileSync(path, 'utf8')).toBe(secrets);
  rmSync(path);
  here.writes();
  const lost = await here.up();
  expect([lost.status, lost.stderr]).toEqual([1, expect.stringContaining('secrets.yaml')]);
  expect(here.writes()).toEqual([]);
});
