import { describe, expect, it } from 'vitest'
import { createPostgresDatabase, dropPostgresDatabase, postgresIsAtHand } from '../support/postgres.ts'
import { runServerFaults } from './servers.ts'

/** A sample of `npm run faults -- --servers 3`. */
describe('three identical processes on one PostgreSQL', () => {
  it.skipIf(!postgresIsAtHand())(
    'are one business: last unit, one order, sign-ins, limits and jobs, with one of them killed',
    async () => {
      const name = `latchkey_servers_${process.pid}`
      const databaseUrl = await createPostgresDatabase(name)
      try {
        const report = await runServerFaults({ servers: 3, runs: 1, seed: 3, kiosks: 3, payers: 2, databaseUrl })
        expect(report.violations).toEqual([])
        expect(report).toMatchObject({ kills: 1, lastUnits: 1 })
        expect(report.movedIn + report.duesPaid).toBeGreaterThan(0)
      } finally {
        await dropPostgresDatabase(name)
      }
    },
    180_000,
  )
})
