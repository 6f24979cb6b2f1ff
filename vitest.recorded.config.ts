import { defineConfig } from 'vitest/config';

/** Replays what real systems answered; RECORDINGS names the folder that holds it. */
export default defineConfig({
  test: {
    include: ['test/recorded/**/*.test.ts'],
    fileParallelism: false,
    disableConsoleIntercept: true,
    testTimeout: 300_000,
    reporters: ['verbose'],
  },
});
