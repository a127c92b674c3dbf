import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkTransferInvariants } from '../../transfers/rules/testing-transfer-invariants.ts'
import { unpaidByPeriod } from './ledger.ts'
import { creditEntries } from './staff-period-credit-entries.ts'
import type { StoredEntry } from './stored-and-new-ledger-entries.ts'
import { check, entriesSoFar } from './testing/invariants.ts'
import { step } from './testing/random-ledger-steps.ts'
import { terms } from './testing/simulated-lease.ts'
import { History } from './testing/simulated-tenant-history.ts'
import { waiverEntries } from './waiver.ts'

/** Number of random histories, set by `npm run ledger -- --histories N`. */
const histories = Number(process.env.LEDGER_HISTORIES ?? 2000)
const seed = process.env.LEDGER_SEED ? { seed: Number(process.env.LEDGER_SEED) } : {}

describe('Manual entries over random histories', () => {
  test('keep all invariants: sums, money, periods, waivers, refunds, moved balances, rents, transfers, lien cases, standing', () => {
    fc.assert(
      fc.property(
        terms,
        fc.array(step, { minLength: 1, maxLength: 25 }),
        fc.integer({ min: -5, max: 40 }),
        (leaseTerms, steps, ahead) => {
          const history = new History(leaseTerms)
          for (const nextStep of steps) {
            const before = entriesSoFar(history)
            history.do(nextStep)
            check(history, before)
          }
          const { lease, today } = history
          if (!lease.closed) checkTransferInvariants(lease.ledger.entries, today, ahead)
        },
      ),
      { numRuns: histories, ...seed },
    )
  }, 36_000_000)

  test('a waiver of a fee leaves the unpaid rent owed', () => {
    const storedEntry = (kind: 'rent' | 'fee', cents: number, days: Partial<StoredEntry> = {}): StoredEntry => ({
      id: kind,
      once: `${kind}:x`,
      description: kind,
      kind,
      cents,
      periodStart: null,
      periodEnd: null,
      postedOn: '2026-12-11',
      ...days,
    })
    const rent = storedEntry('rent', 100_00, { periodStart: '2026-12-01', periodEnd: '2026-12-30' })
    const fee = storedEntry('fee', 20_00)
    const [waiver] = waiverEntries(fee, undefined)
    const entry = { ...storedEntry('fee', waiver?.cents ?? 0), periodStart: '2026-12-11', postedOn: '2027-01-05' }
    expect(unpaidByPeriod([rent, fee, entry]).filter(({ owed }) => owed !== 0)).toMatchObject([
      { start: '2026-12-01', owed: 100_00 },
    ])
  })

  test('credits of one period take its whole tax with the last cent, however they are divided', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 500_00 }),
        fc.integer({ min: 0, max: 60_00 }),
        fc.array(fc.integer({ min: 1, max: 99 }), { maxLength: 8 }),
        (amount, tax, cuts) => {
          const period = { start: '2026-12-01', end: '2026-12-30', remaining: amount, tax }
          for (const cut of [...cuts, 100]) {
            const cents = Math.min(period.remaining, Math.max(1, Math.round((period.remaining * cut) / 100)))
            if (cents === 0) continue
            const [, taxEntry] = creditEntries(period, cents, 'x')
            period.remaining -= cents
            period.tax += taxEntry?.cents ?? 0
            expect(period.tax).toBeGreaterThanOrEqual(0)
          }
          expect(period).toMatchObject({ remaining: 0, tax: 0 })
        },
      ),
      { numRuns: Math.min(histories, 5000), ...seed },
    )
  })
})
