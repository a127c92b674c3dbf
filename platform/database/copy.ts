import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { sql, type Transaction } from 'kysely'
import { keepBalances, leaveBalances } from '../schema/kept-balances.ts'
import type { Tables } from '../schema/tables.ts'
import type { Database, Engine } from './open.ts'

export const tablesInOrder = [
  'settings',
  'states',
  'locations',
  'location_contents',
  'unit_types',
  'units',
  'map_fixtures',
  'discounts',
  'insurance_schemes',
  'fees',
  'accounts',
  'tenants',
  'tenant_keys',
  'tenant_notes',
  'sign_ins',
  'rental_drafts',
  'resumed_rentals',
  'reservations',
  'prospects',
  'quotes',
  'leases',
  'lease_fees',
  'gate_codes',
  'lease_documents',
  'ledger_entries',
  'payments',
  'refund_tasks',
  'jobs',
  'mailbox',
  'limits',
  'counters',
  'content_version',
  'idempotency',
  'reset_codes',
  'email_changes',
  'account_undos',
  'passkeys',
  'passkey_challenges',
  'auction_winners',
  'auction_acknowledgements',
  'settlements',
  'appointments',
  'insurance_proofs',
  'move_outs',
  'bank_accounts',
  'billing_runs',
  'staff',
  'staff_roles',
  'staff_factors',
  'staff_sign_ins',
  'staff_unlocks',
  'kept_forms',
  'audit_events',
  'audit_days',
  'audit_seals',
  'audit_reseals',
  'tasks',
  'approvals',
  'tenant_flags',
  'entry_reasons',
  'gate_overrides',
  'locks_seen',
  'units_out_of_service',
  'facility_photos',
  'unit_photos',
  'cash_batches',
  'counter_receipts',
  'rent_changes',
  'call_attempts',
  'payment_promises',
  'lien_cases',
  'lien_steps',
  'refunds',
  'payment_shares',
  'transfers',
  'waitlist',
  'key_checks',
  'installations',
  'chores',
  'circuits',
  'database_readers',
  'restore_marks',
  'text_choices',
  'erasures',
  'daily_figures',
  'daily_rolls',
  'daily_exceptions',
] as const satisfies (keyof Tables)[]

/** Bound values per statement; the limit is 65,535 on PostgreSQL and 32,766 on SQLite. */
const MAX_VALUES = 20_000

/**
 * Copies all rows to an empty database in one transaction, without files and keys.
 * @throws Error if `to` holds facilities; DatabaseUnavailable
 */
export async function copyAll(
  from: Database,
  to: Database,
  progress: (table: keyof Tables, rows: number) => void = () => {},
): Promise<void> {
  await from.transaction(async (source) => {
    if (from.engine === 'postgres') await sql`set transaction isolation level repeatable read`.execute(source)
    await to.transaction(async (target) => {
      if (await target.selectFrom('locations').select('location_code').limit(1).executeTakeFirst()) {
        throw new Error('The database to copy to is in use already: it holds facilities')
      }
      // A new database already has a content version.
      await target.deleteFrom('content_version').execute()
      await leaveBalances(target)
      for (const table of tablesInOrder) {
        let count = 0
        for await (const rows of batches(source, from.engine, table)) {
          await target
            .insertInto(table)
            .values(rows as never)
            .execute()
          count += rows.length
          await yieldToOthers()
        }
        progress(table, count)
      }
      await keepBalances(target)
    })
  })
}

/** Reads a table in batches. SQLite streams rows; PostgreSQL's driver returns the whole result. */
async function* batches(source: Transaction<Tables>, engine: Engine, table: keyof Tables): AsyncGenerator<object[]> {
  const query = source.selectFrom(table).selectAll()
  const rows: AsyncIterable<object> | Iterable<object> = engine === 'sqlite' ? query.stream() : await query.execute()
  let batch: object[] = []
  for await (const row of rows) {
    batch.push(row)
    if (batch.length * Object.keys(row).length >= MAX_VALUES) {
      yield batch
      batch = []
    }
  }
  if (batch.length > 0) yield batch
}
