import { defineConfig } from 'vitest/config'

/**
 * Vitest configuration of tests that take long or need a quiet machine. They are not part of `npm test`; each has its
 * own command.
 */
export default defineConfig({
  test: { include: ['tests/*.long.ts'], testTimeout: 600_000, hookTimeout: 60_000, maxWorkers: 1 },
})
