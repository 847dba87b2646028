import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['**/*.test.ts'],
    exclude: ['**/node_modules/**', 'dist/**', '.roost/**'],
    globalSetup: ['test/support/global-setup.ts'],
    // Real processes, so that a test may kill what it likes and a crash is seen as one.
    pool: 'forks',
    // Most of a test is waiting for processes and for the database: two at once fit two cores well.
    maxWorkers: 2,
    // They only end what would never end: a slow machine is no failure.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
