import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dataCentre } from '../test/data-centre.ts';

const readers = [
  ['plan'],
  ['plan', '--destroy'],
  ['status'],
  ['diff'],
  ['verify'],
  ['doctor'],
  ['hosts'],
  ['machines'],
] as const;

/** Whoever only looks may be handed the data centre of somebody else. */
test('looking changes nothing: not in the data centre, not at the factory, not on disk', async () => {
  await using here = await dataCentre({ small: true });
  const files = (): readonly string[] => readdirSync(here.folder, { recursive: true }).map(String).toSorted();
  const before = files();
  // Whoever tried all the same would be refused, and would say so.
  here.lab.proxmox.fail({ kind: 'read-only' });
  for (const words of [['plan'], ['status'], ['doctor']]) await here.ichor(words);
  expect([here.writes(), files()]).toEqual([[], before]);
  expect(here.lab.factory.requests().filter((each) => !/^(GET|HEAD)/.test(each))).toEqual([]);

  expect((await here.ichor(['plan', '--detailed-exitcode'])).status).toBe(2);
  here.lab.proxmox.heal();

  expect((await here.up()).status).toBe(0);
  here.writes();
  here.lab.proxmox.fail({ kind: 'read-only' });
  const built = files();
  const asked = here.lab.factory.requests().length;
  const changes = here.lab.clusters
    .at(-1)
    ?.twin.api.list('/nodes')
    .map(({ metadata }) => metadata.uid);
  for (const words of readers) await here.ichor(words);
  expect([here.writes(), files()]).toEqual([[], built]);
  expect(
    here.lab.factory
      .requests()
      .slice(asked)
      .filter((each) => !/^(GET|HEAD)/.test(each)),
  ).toEqual([]);
  expect(
    here.lab.clusters
      .at(-1)
      ?.twin.api.list('/nodes')
      .map(({ metadata }) => metadata.uid),
  ).toEqual(changes);

  // A file that may not be written stops nobody who only looks.
  rmSync(join(here.folder, 'talos/kubeconfig'));
  const { status } = await here.ichor(['plan', '--detailed-exitcode']);
  expect([status, files().includes('talos/kubeconfig')]).toEqual([2, false]);
});
