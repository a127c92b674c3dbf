import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Starts files in the folders with the longest tests before all others, so that no such file runs alone at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => /\/(demo|tests\/(faults|simulation|drills))\//.test(moduleId)
    const sorted = await super.sort(files)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

export default defineConfig({
  test: {
    include: ['**/*.test.{ts,tsx}'],
    exclude: ['node_modules/**', 'build/**', 'e2e/**', 'data/**'],
    globalSetup: ['tests/support/postgres.ts', 'tests/support/compile-cache.ts'],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // On a machine with two cores, a third worker runs while a test waits for PostgreSQL or a process that it started.
    maxWorkers: 3,
    isolate: false,
    sequence: { sequencer: LongestFirst },
  },
})
