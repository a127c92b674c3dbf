import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['**/*.test.{ts,tsx}'],
    exclude: ['node_modules/**', 'build/**', 'e2e/**', 'data/**'],
    globalSetup: ['tests/support/postgres.ts', 'tests/support/compile-cache.ts'],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    isolate: false,
  },
})
