import { defineConfig } from 'vitest/config'

/** What takes long or wants a quiet machine, and so is no part of `npm test`; each has a command of its own. */
export default defineConfig({
  test: { include: ['tests/*.long.ts'], testTimeout: 600_000, hookTimeout: 60_000, maxWorkers: 1 },
})
