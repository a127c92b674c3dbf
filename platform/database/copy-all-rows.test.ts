import { describe, expect, it } from 'vitest'
import { describeOnBothEngines, openerForTests } from '../../tests/support/databases.ts'
import { addLocation, addTenant, addUnits } from '../../tests/support/rows.ts'
import { enqueue } from '../jobs/enqueue-requeue-and-cancel-jobs.ts'
import { copyAll, tablesInOrder } from './copy-all-rows.ts'
import type { Database } from './open.ts'

const everything = async (db: Database) => {
  const all: Record<string, unknown[]> = {}
  for (const table of tablesInOrder) {
    const rows = await db.read.selectFrom(table).selectAll().execute()
    all[table] = rows.map((row) => JSON.stringify(row)).sort()
  }
  return all
}

describeOnBothEngines('The whole business', (open) => {
  const openSqlite = openerForTests()

  it('is copied to an empty database, and to no other', async () => {
    const from = await openSqlite()
    await addLocation(from.write, 'L001', { lat: 33.771_234_567_89 })
    await addUnits(from.write, 'L001', { unitTypeId: 1, numbers: Array.from({ length: 2000 }, (_, n) => `U${n}`) })
    await addTenant(from.write, 'L001', 1, { first: 'Zoë', military: '{"branch":"Navy"}' })
    await enqueue(from.write, { kind: 'receipt', once: 'x', payload: { orderId: 'a' }, runAt: 1_795_000_000_123 })
    const leases = [1, 2].map((lease_number) => ({
      location_code: 'L001',
      lease_number,
      tenant_id: 1,
      unit_id: lease_number,
      unit_number: `U${lease_number}`,
      unit_type_id: 1,
      status: 'Current' as const,
      move_in_date: '2026-01-01',
      paid_through: '2026-01-30',
      rent: 100_00,
      insurance_status: 0 as const,
      insurance_scheme_id: 0,
      insurance_premium: 0,
      insurance_notes: '{}',
      discount_id: 0,
      autopay: 0 as const,
      autopay_method: '' as const,
      autopay_label: '',
      gate_code: '',
      combo_code: '0000',
      auction_prepped: 0 as const,
      terms_required: 0 as const,
      details: '{}',
      created_at: 1_795_000_000_000,
    }))
    await from.write.insertInto('leases').values(leases).execute()
    const loadBalances = async (db: Database) =>
      (await db.read.selectFrom('leases').select('balance').orderBy('lease_number').execute()).map(
        (lease) => lease.balance,
      )
    const charge = (db: Database, lease_number: number, cents: number) =>
      db.write
        .insertInto('ledger_entries')
        .values({
          entry_id: `${lease_number}:${cents}`,
          location_code: 'L001',
          lease_number,
          kind: 'fee',
          cents,
          description: 'Fee',
          once: `${cents}`,
          posted_on: '2026-01-01',
          created_at: 1_795_000_000_000,
        })
        .execute()
    await charge(from, 1, 70_00)
    await charge(from, 1, -20_00)
    await charge(from, 2, 1_25)
    expect(await loadBalances(from)).toEqual([50_00, 1_25])
    const to = await open()
    const progress: string[] = []
    await copyAll(from, to, (table, rows) => progress.push(`${table} ${rows}`))
    expect(progress).toContain('units 2000')
    expect(await everything(to)).toEqual(await everything(from))

    await expect(copyAll(from, to)).rejects.toThrow('in use already')

    const back = await openSqlite()
    await copyAll(to, back)
    expect(await everything(back)).toEqual(await everything(from))
    // Balances were copied, and follow their ledgers in the new database.
    expect(await loadBalances(to)).toEqual([50_00, 1_25])
    await charge(to, 2, 3_00)
    expect(await loadBalances(to)).toEqual([50_00, 4_25])
  })
})

describe('The list of tables', () => {
  const openSqlite = openerForTests()

  it('has every table', async () => {
    const db = await openSqlite()
    const existing = (await db.read.introspection.getTables()).map((table) => table.name)
    expect([...tablesInOrder].sort()).toEqual(existing.sort())
  })
})
