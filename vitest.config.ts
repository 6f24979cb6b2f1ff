import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: ['test/real/**', 'test/recorded/**'],
    isolate: false,
    maxWorkers: '100%',
    // Stories start the command line several times, and machines that run tests are busy; a whole sweep takes minutes.
    testTimeout: process.env['ICHOR_SWEEP'] === 'whole' ? 900_000 : 120_000,
  },
});
