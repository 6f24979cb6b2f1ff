import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: ['test/real/**'],
    isolate: false,
    // Stories start the command line several times, and machines that run tests are busy.
    testTimeout: 30_000,
  },
});
