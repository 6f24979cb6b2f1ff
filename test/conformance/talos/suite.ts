import { afterAll, beforeAll, describe, test } from 'vitest';
import { type Case, stages } from './case.ts';
import { allCases } from './cases.ts';
import { beforeStage } from './stages.ts';
import { makeWorld, type Target, type World } from './world.ts';

export type Setting = {
  readonly name: string;
  readonly start: () => Promise<Target & AsyncDisposable>;
  readonly startTimeoutMs: number;
};

/** Runs every case, stage by stage, and prints how many held. What only a machine can show is in beyond-containers.ts. */
export function conformance({ name, start, startTimeoutMs }: Setting): void {
  describe(`the Talos API on ${name}`, () => {
    const undo: AsyncDisposable[] = [];
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
      process.stderr.write(`conformance: ${held} of ${allCases.length} held on ${name}\n`);
    }, 300_000);

    const prove = ({ name: sentence, run }: Case): void =>
      test(sentence, async () => {
        await run(world);
        held += 1;
      });

    for (const stage of stages)
      describe(stage, () => {
        beforeAll(() => beforeStage[stage](world), 300_000);
        for (const one of allCases) if (one.stage === stage) prove(one);
      });
  });
}
