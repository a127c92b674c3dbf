import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['**/*.test.{ts,tsx}'],
    exclude: ['node_modules/**', 'build/**', 'e2e/**', 'data/**'],
    globalSetup: ['tests/support/postgres.ts', 'tests/support/compile-cache.ts'],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // Two workers on two cores would leave them idle while a test waits for PostgreSQL or a process that it started.
    maxWorkers: 3,
    isolate: false,
  },
})
