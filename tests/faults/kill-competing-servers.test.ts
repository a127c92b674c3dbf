import { describe, expect, it } from 'vitest'
import { canUsePostgres, onNewPostgres } from '../support/postgres.ts'
import { runServerFaults } from './kill-competing-servers.ts'

/** A sample of `npm run faults -- --servers 3`. */
describe('three identical processes on one PostgreSQL', () => {
  it.skipIf(!canUsePostgres())(
    'are one business: last unit, one order, sign-ins, limits and jobs, with one of them killed',
    () =>
      onNewPostgres('servers', async (databaseUrl) => {
        const report = await runServerFaults({ servers: 3, runs: 1, seed: 3, kiosks: 3, payers: 2, databaseUrl })
        expect(report.violations).toEqual([])
        expect(report).toMatchObject({ kills: 1, lastUnits: 1 })
        expect(report.movedIn + report.duesPaid).toBeGreaterThan(0)
      }),
    180_000,
  )
})
