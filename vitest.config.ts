import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Whole stories take longest, and whoever begins with them does not end by waiting for one. */
const order = [/\/test\/journeys\/up\//, /\/test\/(?:conformance|docs)/, /\/(?:test|scenarios)\//, /./];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => order.findIndex((place) => place.test(moduleId));
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'scenarios/*.test.ts'],
    exclude: ['test/real/**', 'test/recorded/**'],
    isolate: false,
    // Stories mostly wait for machines that boot and answers that come: more of them at a time than there are cores. A further
    // process would load everything once more.
    maxWorkers: availableParallelism() + 1,
    maxConcurrency: 4,
    sequence: { sequencer: LongestFirst },
    // Stories start the command line several times, and machines that run tests are busy; a whole sweep takes minutes.
    testTimeout: process.env['ICHOR_SWEEP'] === 'whole' ? 900_000 : 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
