/** The business with which a simulated month begins: facilities, and tenants in the middle of their billing periods. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Insertable } from 'kysely'
import { addDays, type IsoDate } from '../../domain/plain-date.ts'
import { taxOn } from '../../domain/sales-tax.ts'
import { setAutopay } from '../../modules/leases/autopay-mandate.ts'
import { hashRules } from '../../modules/liens/lien-rules-by-state.ts'
import { fictionalRules } from '../../modules/liens/testing-lien-rules.ts'
import type { Database } from '../../platform/database/open.ts'
import { advanceSequence } from '../../platform/database/sequences.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import type { Random } from '../../ports/clock-and-random.ts'
import { folderFiles } from '../../ports/files/folder.ts'
import { seededRandom } from '../../ports/testing-clock-and-random.ts'
import { simulatedBank } from '../actors/bank.ts'
import { recordPaymentStateChanges } from '../actors/invariants.ts'
import { type SimulatedCardProvider, simulatedCardProvider } from '../actors/unreliable-simulated-card-provider.ts'
import { lease, location, tenant, unit } from '../support/rows.ts'
import { openTestServices, type TestServices, today } from '../support/small-operator.ts'
import { withApprovals } from '../support/staff.ts'

/** Services, simulated partners and facilities of a simulated month. */
export interface MonthWorld {
  services: TestServices & { allowsAnyFactor: true; reported: unknown[] }
  provider: SimulatedCardProvider
  bank: ReturnType<typeof simulatedBank>
  random: Random
  /** Location codes of the simulated month's facilities. */
  codes: string[]
  /** Day of the start data, before the month's first day. */
  dayBefore: IsoDate
}

interface Size {
  facilities: number
  leases: number
  freeUnits: number
}

const FEES = [
  { fee_id: 1, description: 'Administration Fee', amount: 29_00, charged: 'move_in' as const },
  { fee_id: 2, description: 'Late Fee', amount: 20_00, charged: 'late' as const },
  { fee_id: 3, description: 'Returned Payment Fee', amount: 30_00, charged: 'returned' as const },
  { fee_id: 4, description: 'Lock Cut Fee', amount: 45_00, charged: 'on_choice' as const },
]

const write = async <Name extends keyof Tables>(db: Database, table: Name, rows: Insertable<Tables[Name]>[]) => {
  for (let from = 0; from < rows.length; from += 200)
    await db.write
      .insertInto(table as 'leases')
      .values(rows.slice(from, from + 200) as never)
      .execute()
}

async function writeFacility(services: TestServices, random: Random, code: string, facility: number, size: Size) {
  const { db } = services
  await write(db, 'locations', [
    location({
      location_code: code,
      facility_id: 500 + facility,
      slug: `${code.toLowerCase()}-road`,
      cc_fee: 0,
      auction_after_days: 25,
    }),
  ])
  for (const table of ['location_contents', 'unit_types', 'discounts', 'insurance_schemes'] as const) {
    const rows = await db.read.selectFrom(table).selectAll().where('location_code', '=', 'GA1').execute()
    await write(db, table, rows.map((row) => ({ ...row, location_code: code })) as never)
  }
  await write(
    db,
    'fees',
    FEES.map((fee) => ({ ...fee, location_code: code, unit_type_id: null })),
  )
  const lots = Array.from({ length: size.leases }, (_, index) => index + 1)
  await write(db, 'units', [
    ...lots.map((lot) => ({ ...unit(code, lot, 1, `A${lot}`), status: 'rented' as const })),
    ...Array.from({ length: size.freeUnits }, (_, index) => unit(code, 5000 + index, 1, `F${index}`)),
  ])
  // Every tenth unit belongs to the tenant of the unit before it, so that some tenants have two units.
  const tenantOf = (lot: number) => (lot % 10 === 0 ? 1000 + lot - 1 : 1000 + lot)
  await write(
    db,
    'tenants',
    lots
      .filter((lot) => tenantOf(lot) === 1000 + lot)
      .map((lot) => tenant({ location_code: code, tenant_id: 1000 + lot, first: `T${lot}`, last: `Of ${code}` })),
  )
  // A former tenant without payments, whose erasure nothing prevents.
  const formerTenant = { location_code: code, tenant_id: 9001 }
  await write(db, 'tenants', [tenant({ ...formerTenant, first: 'Gus', last: 'Gone' })])
  const closing = { status: 'Closed' as const, closed_on: addDays(today, -200), paid_through: addDays(today, -200) }
  await write(db, 'leases', [
    lease({ ...formerTenant, ...closing, lease_number: 9001, unit_id: 5000, unit_number: 'F0' }),
  ])
  const { rent_tax_rate } = location({ location_code: code, facility_id: 1, slug: '' })
  const leases = lots.map((lot) => {
    const rent = random.integer(60, 280) * 100
    const began = addDays(today, -random.integer(0, 29))
    // The first four leases of the first facility have been unpaid long enough for a lien case.
    const isLong = facility === 1 && lot <= 4
    const [started, paid] = isLong ? [addDays(today, -29), false] : [began, random.integer(0, 9) > 0]
    return { lot, rent, started, paid, tax: taxOn(rent, rent_tax_rate as never) }
  })
  await write(
    db,
    'leases',
    leases.map(({ lot, rent, started, paid }) =>
      lease({
        location_code: code,
        lease_number: lot,
        tenant_id: tenantOf(lot),
        unit_id: lot,
        unit_number: `A${lot}`,
        rent,
        move_in_date: addDays(started, -30 * random.integer(1, 40)),
        status: paid ? 'Current' : 'Past Due',
        paid_through: addDays(started, paid ? 29 : -1),
        gate_code: String(100_000 + facility * 1000 + lot),
      }),
    ),
  )
  await write(
    db,
    'ledger_entries',
    leases.flatMap(({ lot, rent, started, paid, tax }) => {
      const entry = (kind: 'rent' | 'tax' | 'payment', cents: number) => ({
        entry_id: `${code}:${lot}:${kind}`,
        location_code: code,
        lease_number: lot,
        kind,
        cents,
        description: kind,
        once: `period:${started}:${kind}`,
        order_id: null,
        billing_run: null,
        posted_on: started,
        created_at: Date.parse(`${started}T12:00:00Z`),
        period_start: kind === 'payment' ? null : started,
        period_end: kind === 'payment' ? null : addDays(started, 29),
      })
      return [
        entry('rent', rent),
        ...(tax > 0 ? [entry('tax', tax)] : []),
        ...(paid ? [entry('payment', -rent - tax)] : []),
      ]
    }),
  )
  await db.transaction(async (tx) => {
    await advanceSequence(tx, code, 'lease', size.leases)
    await advanceSequence(tx, code, 'tenant', 1000 + size.leases)
    for (const { lot, paid } of leases)
      if (paid && random.integer(0, 99) < 35)
        await setAutopay(
          tx,
          services,
          { location_code: code, lease_number: lot },
          {
            method: 'CC',
            label: 'VI **** 1111',
            party: { alias: `ALIAS-${code}-${lot}` },
            consentText: 'I agree.',
            consentAt: services.clock.now(),
          },
        )
  })
}

/** Signs off lien rules for the facilities' state, and lets erasures happen without waiting for disputes. */
async function signOffRules(services: TestServices): Promise<void> {
  const rules = { ...fictionalRules, state: 'GA' }
  services.lienRules = [rules]
  const signed = JSON.stringify({ digest: hashRules(rules), by: 'Owner', at: 0 })
  await write(services.db, 'settings', [
    { name: `lien_sign_off:${rules.version}`, value: signed, updated_at: 0 },
    { name: 'privacy', value: JSON.stringify({ disputeDays: 0 }), updated_at: 0 },
  ])
}

/**
 * Creates the test services and facilities of a simulated month.
 * @param size number of facilities, and of leases and free units of each facility
 */
export async function openMonth(db: Database, seed: number, size: Size): Promise<MonthWorld> {
  const random = seededRandom(seed)
  const testServices = await openTestServices(db)
  const provider = simulatedCardProvider(random)
  const bank = simulatedBank(random, testServices.clock)
  const reported: unknown[] = []
  const services = withApprovals(
    Object.assign(testServices, {
      random: seededRandom(seed + 1),
      cardProvider: provider,
      bank,
      allowsAnyFactor: true as const,
      reported,
      files: folderFiles(mkdtempSync(join(tmpdir(), 'month-'))),
      errors: { report: (error: unknown) => void reported.push(error) },
    }),
  )
  const codes = Array.from({ length: size.facilities }, (_, index) => `M${String(index + 1).padStart(2, '0')}`)
  for (const [index, code] of codes.entries()) await writeFacility(services, random, code, index + 1, size)
  await signOffRules(services)
  await recordPaymentStateChanges(db)
  return { services, provider, bank, random, codes, dayBefore: today }
}
