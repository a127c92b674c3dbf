import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addDays } from '../../domain/plain-date.ts'
import type { Database } from '../../platform/database/open.ts'
import { advanceSequence } from '../../platform/database/sequences.ts'
import type { LedgerEntriesTable } from '../../platform/schema/tables.ts'
import { folderFiles } from '../../ports/files/folder.ts'
import { seededRandom } from '../../ports/testing-clock-and-random.ts'
import { type SimulatedBank, simulatedBank } from '../actors/bank.ts'
import { recordPaymentStateChanges } from '../actors/invariants.ts'
import { type SimulatedCardProvider, simulatedCardProvider } from '../actors/unreliable-simulated-card-provider.ts'
import { unit } from '../support/rows.ts'
import { lease, openTestServices, type TestServices, tenant, today } from '../support/small-operator.ts'

/** Number of leases. The first `MULTI_UNIT_LEASES` are of tenants with several, the others of tenants with one. */
const LEASES = 40
const FIRST_TENANT = 5001
const FIRST_LEASE = 50_001
const FIRST_UNIT = 5001
/** Number of leases of tenants who have `UNITS_PER_TENANT` units each and pay for some of them at once. */
const MULTI_UNIT_LEASES = 24
const UNITS_PER_TENANT = 3
/** Number of free units for renters. */
const FREE_UNITS = 400

/** Services of a simulated business, with provider, bank and tenants. */
export interface World {
  services: TestServices
  provider: SimulatedCardProvider
  bank: SimulatedBank
  /** Errors that the services reported. */
  reported: unknown[]
  /** Tenants with one of their leases each; a tenant of several units has several entries. */
  tenants: { tenantId: number; leaseNumber: number; unitNumber: string }[]
}

/** Opens a simulated business with tenants and free units. */
export async function openWorld(db: Database, seed: number): Promise<World> {
  const services = await openTestServices(db)
  const random = seededRandom(seed)
  const provider = simulatedCardProvider(random)
  const bank = simulatedBank(random, services.clock)
  const reported: unknown[] = []
  Object.assign(services, {
    random,
    cardProvider: provider,
    bank,
    files: folderFiles(mkdtempSync(join(tmpdir(), 'simulation-'))),
    errors: { report: (error: unknown) => void reported.push(error) },
  })
  const tenants = Array.from({ length: LEASES }, (_, index) => ({
    tenantId: FIRST_TENANT + (index < MULTI_UNIT_LEASES ? index - (index % UNITS_PER_TENANT) : index),
    leaseNumber: FIRST_LEASE + index,
    unitNumber: `S${FIRST_UNIT + index}`,
  }))
  const period = { start: addDays(today, -12), end: addDays(today, 17) }
  const entry = (leaseNumber: number, ageMs: number, cents: number, kind: 'rent' | 'tax'): LedgerEntriesTable => ({
    entry_id: services.random.uuid(),
    location_code: 'GA1',
    lease_number: leaseNumber,
    kind,
    cents,
    order_id: null,
    billing_run: null,
    description: kind,
    once: `period:${period.start}:${kind}`,
    period_start: period.start,
    period_end: period.end,
    posted_on: period.start,
    created_at: services.clock.now() - ageMs,
  })
  await db.transaction(async (tx) => {
    await advanceSequence(tx, 'GA1', 'lease', FIRST_LEASE + LEASES)
    await advanceSequence(tx, 'GA1', 'tenant', FIRST_TENANT + LEASES)
    await tx
      .insertInto('units')
      .values([
        ...tenants.map(({ unitNumber }, index) => ({
          ...unit('GA1', FIRST_UNIT + index, 1, unitNumber),
          status: 'rented' as const,
        })),
        ...Array.from({ length: FREE_UNITS }, (_, index) => unit('GA1', 9000 + index, 1, `F${index}`)),
      ])
      .execute()
    await tx
      .insertInto('tenants')
      .values(
        [...new Set(tenants.map(({ tenantId }) => tenantId))].map((tenantId) =>
          tenant({ tenant_id: tenantId, first: `T${tenantId}`, last: 'Sim' }),
        ),
      )
      .execute()
    await tx
      .insertInto('leases')
      .values(
        tenants.map(({ tenantId, leaseNumber, unitNumber }, index) =>
          lease({
            tenant_id: tenantId,
            lease_number: leaseNumber,
            unit_id: FIRST_UNIT + index,
            unit_number: unitNumber,
            gate_code: String(700_100 + index),
            status: 'Past Due',
            paid_through: addDays(period.start, -1),
          }),
        ),
      )
      .execute()
    await tx
      .insertInto('ledger_entries')
      .values(
        tenants.flatMap(({ leaseNumber }, index) => [
          entry(leaseNumber, index, 139_00, 'rent'),
          entry(leaseNumber, index, 12_37, 'tax'),
        ]),
      )
      .execute()
  })
  // Invariant I6 (tests/actors/invariants.ts) is about the state changes that the database records from here on.
  await recordPaymentStateChanges(db)
  return { services, provider, bank, reported, tenants }
}
