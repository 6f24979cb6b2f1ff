import { afterAll, beforeAll, describe, test } from 'vitest';
import { type Case, stages } from './case.ts';
import { allCases } from './cases.ts';
import { beforeStage } from './stages.ts';
import { makeWorld, type Target, type World } from './world.ts';

export type Setting = {
  readonly name: string;
  readonly start: () => Promise<Target & AsyncDisposable>;
  /** Cases that this place cannot show, by name, with the reason. */
  readonly cannotShow: ReadonlyMap<string, string>;
  readonly startTimeoutMs: number;
};

/** Runs every case that the place can show, stage by stage, and prints how many held. */
export function conformance({ name, start, cannotShow, startTimeoutMs }: Setting): void {
  describe(`the Talos API on ${name}`, () => {
    const undo: AsyncDisposable[] = [];
    const shown = allCases.filter((one) => !cannotShow.has(one.name));
    let world: World;
    let held = 0;

    beforeAll(async () => {
      const target = await start();
      undo.unshift(target);
      world = await makeWorld(target);
      undo.unshift(world);
    }, startTimeoutMs);

    afterAll(async () => {
      for (const thing of undo) await thing[Symbol.asyncDispose]();
      const left = allCases.length - shown.length;
      const why = left === 0 ? '' : `; ${left} cannot be shown there`;
      process.stderr.write(`conformance: ${held} of ${shown.length} held on ${name}${why}\n`);
    }, 300_000);

    const prove = ({ name: sentence, run }: Case): void =>
      test(sentence, async () => {
        await run(world);
        held += 1;
      });

    for (const stage of stages)
      describe(stage, () => {
        beforeAll(() => beforeStage[stage](world), 300_000);
        for (const one of shown) if (one.stage === stage) prove(one);
      });
  });
}
