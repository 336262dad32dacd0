import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // End-to-end runs wait for leases more than they work, so two at a time fit two cores.
    maxWorkers: 2,
    projects: [
      // No test mocks a module or leaves state in one, so all share them: a third of the time was loading.
      { test: { name: 'unit', include: ['test/unit/**/*.test.ts', 'test/golden/**/*.test.ts'], isolate: false } },
      {
        test: {
          name: 'dynamodb',
          include: ['test/contract/**/*.test.ts', 'test/races/**/*.test.ts'],
          globalSetup: ['test/support/dynamodb-local-setup.ts'],
        },
      },
      { test: { name: 'stack', include: ['test/stack/**/*.test.ts'], testTimeout: 60_000, isolate: false } },
      {
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          globalSetup: ['test/support/dynamodb-local-setup.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
