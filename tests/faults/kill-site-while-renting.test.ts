import { describe, expect, it } from 'vitest'
import { canUsePostgres, onNewPostgres } from '../support/postgres.ts'
import { runFaults } from './kill-site-while-renting.ts'

/** A sample of `npm run faults`, which kills the site 40 times. */
describe('A site that is killed while units are rented, and restarted', () => {
  it('finishes each rental with one charge, one lease and one mail (SQLite)', async () => {
    const report = await runFaults({ runs: 2, seed: 5, kiosks: 5 })
    expect(report.violations).toEqual([])
    expect(report.kills).toBe(2)
    expect(report.movedIn).toBeGreaterThan(0)
  }, 180_000)

  it('stops under load after answering the requests in progress, and loses none of them', async () => {
    const report = await runFaults({ runs: 2, seed: 7, kiosks: 8, signal: 'SIGTERM' })
    expect(report.violations).toEqual([])
    expect(report.movedIn).toBeGreaterThan(0)
  }, 180_000)

  it.skipIf(!canUsePostgres())(
    'finishes what was begun: one charge, one lease, one mail each (PostgreSQL)',
    () =>
      onNewPostgres('faults', async (url) => {
        const report = await runFaults({ runs: 2, seed: 6, kiosks: 5, postgres: { url } })
        expect(report.violations).toEqual([])
        expect(report.movedIn).toBeGreaterThan(0)
      }),
    180_000,
  )
})
