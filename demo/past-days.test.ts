import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { addDays } from '../domain/plain-date.ts'
import { officeCaller, performOrThrow } from '../modules/cash-drawers/testing.ts'
import { findBalanceMismatches } from '../modules/ledger/load-and-repair-lease-balance.ts'
import { chargeKinds } from '../modules/ledger/rules/ledger.ts'
import { computePaidThrough } from '../modules/ledger/rules/paid-through.ts'
import { GetReport } from '../modules/reports/operations/get-report.ts'
import { seededRandom } from '../ports/testing-clock-and-random.ts'
import { openerForTests, temporaryFolder } from '../tests/support/databases.ts'
import { type DemoServices, seedDemoInto, servicesOn } from '../tests/support/seeded-demo-operator.ts'
import { seedPastDays } from './daily-snapshots.ts'

const LOCATION_CODE = 'ATL02'
/** Today by the clock of `tests/support/seeded-demo-operator.ts`. */
const today = '2026-11-20'
const first = addDays(today, -62)

const open = openerForTests()

describe('The past days of the demo', () => {
  let services: DemoServices
  beforeAll(async () => {
    const db = await open()
    await seedDemoInto(db, 11)
    services = servicesOn(db, join(temporaryFolder(), 'files'))
    await Promise.all([seedFacilities(3), seedFacilities(4)])
  })

  /** Adds snapshots to the first `remaining` facilities without any, by location code; ATL01 and ATL02 come first. */
  const seedFacilities = (seed: number, remaining = 2) =>
    seedPastDays(services.db, { clock: services.clock, random: seededRandom(seed), stopping: () => remaining-- <= 0 })

  const entries = () =>
    services.db.read.selectFrom('ledger_entries').selectAll().where('location_code', '=', LOCATION_CODE).execute()
  const days = () =>
    services.db.read
      .selectFrom('daily_figures')
      .selectAll()
      .where('location_code', '=', LOCATION_CODE)
      .orderBy('day')
      .execute()
  const sum = (rows: readonly { cents: number }[]) => rows.reduce((all, { cents }) => all + Number(cents), 0)

  it('agree with the ledger of each day, kind by kind', async () => {
    const ledger = await entries()
    const storedRows = await days()
    expect(storedRows.map(({ day }) => day)).toEqual(Array.from({ length: 62 }, (_, at) => addDays(first, at)))
    const figureOfKind = {
      rent: 'rent_charged',
      discount: 'discounts_given',
      insurance: 'insurance_charged',
      fee: 'fees_charged',
      tax: 'tax_charged',
      payment: 'payments',
      refund: 'refunds',
      reversal: 'reversals',
      credit: 'credits_given',
    } as const
    for (const row of storedRows) {
      const posted = ledger.filter(({ posted_on }) => posted_on === row.day)
      for (const [kind, figure] of Object.entries(figureOfKind))
        expect(row[figure], `${figure} of ${row.day}`).toBe(sum(posted.filter((entry) => entry.kind === kind)))
      expect(row.balances, row.day).toBe(sum(ledger.filter(({ posted_on }) => posted_on <= row.day)))
    }
    expect(storedRows.filter(({ payments }) => payments < 0).length).toBeGreaterThan(50)
  })

  it('count counter receipts as cash, checks or money orders, and imported payments as others', async () => {
    const receipts = await services.db.read.selectFrom('counter_receipts').select(['cents', 'received_on']).execute()
    const yesterdays = receipts.filter(({ received_on }) => received_on < today)
    const storedRows = await days()
    const sumOf = (figure: 'received_card' | 'received_bank' | 'received_other' | 'payments') =>
      storedRows.reduce((all, row) => all + row[figure], 0)
    const counterReceipts = storedRows.reduce(
      (all, row) => all + row.received_cash + row.received_check + row.received_money_order,
      0,
    )
    expect(yesterdays.length).toBeGreaterThan(0)
    expect([sumOf('received_card'), sumOf('received_bank'), counterReceipts]).toEqual([0, 0, sum(yesterdays)])
    expect(sumOf('received_other') + counterReceipts).toBe(-sumOf('payments'))
  })

  it('count the waived charges of the audit, and no others', async () => {
    const storedRows = await services.db.read.selectFrom('daily_exceptions').selectAll().execute()
    const audited = await services.db.read
      .selectFrom('audit_events')
      .select('cents')
      .where('location_code', '=', LOCATION_CODE)
      .where('kind', '=', 'charge.waived')
      .execute()
    const waived = storedRows.filter(
      (exception) => exception.location_code === LOCATION_CODE && exception.kind === 'waived',
    )
    expect([waived.length > 0, sum(waived)]).toEqual([true, sum(audited.map(({ cents }) => ({ cents: cents ?? 0 })))])
  })

  it('lead to the balances and paid-through days that the leases have', async () => {
    expect(await findBalanceMismatches(services.db, LOCATION_CODE)).toEqual([])
    const ledger = Map.groupBy(await entries(), ({ lease_number }) => lease_number)
    const leases = await services.db.read
      .selectFrom('leases')
      .selectAll()
      .where('location_code', '=', LOCATION_CODE)
      .where('status', '!=', 'Closed')
      .execute()
    expect(leases.length).toBeGreaterThan(150)
    for (const lease of leases) {
      const leaseEntries = ledger.get(lease.lease_number) ?? []
      const charges = leaseEntries.filter(({ kind }) => (chargeKinds as readonly string[]).includes(kind))
      const periods = [
        ...Map.groupBy(charges, (entry) => `${entry.period_start ?? entry.posted_on}:${entry.period_end}`),
      ].map(([, [first, ...others]]) => ({
        start: first?.period_start ?? first?.posted_on ?? '',
        end: first?.period_end ?? null,
        cents: sum([...(first ? [first] : []), ...others]),
      }))
      const through = computePaidThrough(periods, sum(leaseEntries))
      expect(through, `lease ${lease.lease_number}`).toBe(lease.paid_through)
      expect(lease.move_in_date <= today, `lease ${lease.lease_number}`).toBe(true)
    }
  })

  it('agree to the cent with the receivables report', async () => {
    const span = { facilities: [LOCATION_CODE], from: first, to: addDays(today, -1) }
    const { view } = await performOrThrow(services, GetReport, { name: 'receivables', ...span }, officeCaller('owner'))
    const ledger = await entries()
    const paid = ledger.filter(({ kind, posted_on }) => kind === 'payment' && posted_on >= first && posted_on < today)
    expect(view.check?.difference).toBe(0)
    expect(view.figures.find(({ label }) => label === 'Paid')?.value).toBe(-sum(paid))
    expect(view.figures.find(({ label }) => label === 'Owed at the end')?.value).toBe(
      sum(ledger.filter(({ posted_on }) => posted_on < today)),
    )
  })

  it('exist once, even if two processes created them', async () => {
    const storedRows = await services.db.read.selectFrom('daily_figures').select('location_code').distinct().execute()
    expect(storedRows.map(({ location_code }) => location_code).sort()).toEqual(['ATL01', LOCATION_CODE])
    const payments = (await entries()).filter(({ once }) => /^imported:.*:payment$/.test(once))
    expect(new Set(payments.map((entry) => `${entry.lease_number} ${entry.period_start}`)).size).toBe(payments.length)
    const before = (await entries()).length
    await seedFacilities(5, 1)
    expect([(await entries()).length, (await days()).length]).toEqual([before, 62])
  })
})
