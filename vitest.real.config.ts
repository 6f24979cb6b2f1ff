import { defineConfig } from 'vitest/config';

/** Against programs that we did not write. What is missing fails, with what to install; nothing is skipped. */
export default defineConfig({
  test: {
    include: ['test/real/**/*.test.ts'],
    fileParallelism: false,
    disableConsoleIntercept: true,
    testTimeout: 120_000,
    reporters: ['verbose'],
  },
});
