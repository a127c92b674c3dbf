/** Compares the files of an import with the existing records, in the transaction that loads the files. */
import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { sql } from 'kysely'
import { keysOf, recordOf } from '../../domain/typed-keys.ts'
import type { Database, Transaction } from '../../platform/database/open.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { isStatusKept } from './existing-units-that-keep-status.ts'
import type { ImportTable, Values } from './import-file-definition.ts'
import type { Staging } from './staging-tables.ts'

const MAX_EXAMPLES = 3

/** Changes that an import makes to one column of existing rows. */
export interface Change {
  file: string
  column: string
  /** Number of existing rows whose value the file replaces. */
  rows: number
  /** Number of existing values that the file makes blank. */
  blanked: number
  /** Up to three, such as 'PDX01 1: 139.00 → 145.00'; none for tenants, whose data must not be shown. */
  examples: string[]
}

/** Totals of the business before or after an import; those in cents are of open leases, and only active gate codes count. */
export interface BusinessTotals {
  facilities: number
  units: number
  rented_units: number
  tenants: number
  open_leases: number
  gate_codes: number
  rent_cents: number
  owed_cents: number
  credit_cents: number
}

/** Loads the business's totals, such as units and open leases, as they are within the import's transaction. */
export async function loadBusinessTotals(tx: Transaction<Tables>): Promise<BusinessTotals> {
  const { rows } = await sql<Record<keyof BusinessTotals, number | string>>`select
    (select count(*) from locations) as facilities,
    (select count(*) from units) as units,
    (select count(*) from units where status = 'rented') as rented_units,
    (select count(*) from tenants) as tenants,
    (select count(*) from gate_codes where active = 1) as gate_codes,
    count(*) as open_leases,
    coalesce(sum(rent), 0) as rent_cents,
    coalesce(sum(case when balance > 0 then balance else 0 end), 0) as owed_cents,
    coalesce(sum(case when balance < 0 then -balance else 0 end), 0) as credit_cents
    from leases where status <> 'Closed'`.execute(tx)
  const figures = rows[0]!
  return recordOf(keysOf(figures), (name) => Number(figures[name]))
}

/**
 * Counts, by column, the existing rows whose values differ from those of the file, apart from units that keep their
 * status. Leases and balances are not compared, since the files never change existing ones.
 */
export async function loadChanges(
  tx: Transaction<Tables>,
  db: Database,
  staging: Staging,
  { table, file, leftOut }: { table: ImportTable; file: string; leftOut: ReadonlySet<string> },
): Promise<Change[]> {
  if (table.file === 'leases' || table.file === 'balances') return []
  const columns = Object.keys(table.columns).filter((name) => !table.conflict.includes(name) && !leftOut.has(name))
  if (columns.length === 0 || !(await tx.selectFrom(table.table).select(sql`1`.as('one')).limit(1).executeTakeFirst()))
    return []
  const changes = columns.map((column): Change => ({ file, column, rows: 0, blanked: 0, examples: [] }))
  for (const { chunk } of staging.chunks(db, table.table)) {
    const { from, differs, blanks } = comparison(table, chunk)
    const sums = columns.flatMap((column) => [
      sql`coalesce(sum(case when ${differs(column)} then 1 else 0 end), 0) as ${sql.ref(`rows_${column}`)}`,
      sql`coalesce(sum(case when ${blanks(column)} then 1 else 0 end), 0) as ${sql.ref(`blanked_${column}`)}`,
    ])
    const { rows } = await sql<Record<string, number | string>>`select ${sql.join(sums)} from ${from}`.execute(tx)
    for (const change of changes) {
      const changedRows = Number(rows[0]![`rows_${change.column}`])
      change.rows += changedRows
      change.blanked += Number(rows[0]![`blanked_${change.column}`])
      if (changedRows > 0 && change.examples.length === 0 && table.file !== 'tenants')
        change.examples = await loadExamples(tx, table, change.column, chunk)
    }
    await yieldToOthers()
  }
  return changes.filter(({ rows }) => rows > 0)
}

/**
 * Counts, once the import has loaded the balances, the leases whose ledger lacks an opening balance of the files and whose
 * balance differs from the sum of their opening balances in the files. Such an opening balance was not applied, because
 * only an empty ledger takes one.
 */
export async function countBalanceDifferences(
  tx: Transaction<Tables>,
  db: Database,
  staging: Staging,
): Promise<number> {
  const filed = new Map<string, { cents: number; balance: number }>()
  for await (const sums of balanceSums(tx, db, staging))
    for (const { key, other, balance } of sums) if (other > 0) filed.set(key, { cents: 0, balance })
  if (filed.size === 0) return 0
  // A lease's rows may lie in several chunks, so its sum is known only after all of them.
  for await (const sums of balanceSums(tx, db, staging))
    for (const { key, cents } of sums) {
      const lease = filed.get(key)
      if (lease) lease.cents += cents
    }
  return [...filed.values()].filter(({ cents, balance }) => cents !== balance).length
}

/**
 * Yields, chunk by chunk, the sum of each lease's opening balances, the number of those that are not in its ledger, and
 * the lease's balance.
 */
async function* balanceSums(tx: Transaction<Tables>, db: Database, staging: Staging) {
  for (const { chunk } of staging.chunks(db, 'ledger_entries')) {
    const { rows } = await sql<Record<'cents' | 'other' | 'balance', number | string> & { key: string }>`
      select s.location_code || ' ' || s.lease_number as key, sum(s.cents) as cents,
        sum(case when e.cents = s.cents then 0 else 1 end) as other, min(leases.balance) as balance
      from ${chunk} as s
        join leases on leases.location_code = s.location_code and leases.lease_number = s.lease_number
        left join ledger_entries as e on e.location_code = s.location_code and e.lease_number = s.lease_number
          and e.once = s.once
      group by s.location_code, s.lease_number`.execute(tx)
    yield rows.map(({ key, cents, other, balance }) => ({
      key,
      cents: Number(cents),
      other: Number(other),
      balance: Number(balance),
    }))
    await yieldToOthers()
  }
}

function comparison(table: ImportTable, chunk: ReturnType<typeof sql>) {
  const keys = table.conflict.map((column) => sql`${sql.ref(`t.${column}`)} = ${sql.ref(`s.${column}`)}`)
  const differs = (column: string) =>
    table.file === 'units' && column === 'status'
      ? // The check of the rows reports the units that keep their status.
        sql`not ${isStatusKept('t')} and t.status <> s.status`
      : sql`${sql.ref(`t.${column}`)} is distinct from ${sql.ref(`s.${column}`)}`
  return {
    from: sql`${chunk} as s join ${sql.table(table.table)} as t on ${sql.join(keys, sql` and `)}`,
    differs,
    blanks(column: string) {
      const { blank } = table.columns[column]!
      // A column with another default, such as a flag, takes that value from a blank cell and does not become blank.
      if (blank !== '' && blank !== null && blank !== '[]' && blank !== '{}') return sql`1 = 0`
      return sql`${differs(column)} and ${sql.ref(`s.${column}`)} is not distinct from ${sql.lit(blank)}`
    },
  }
}

async function loadExamples(
  tx: Transaction<Tables>,
  table: ImportTable,
  column: string,
  chunk: ReturnType<typeof sql>,
): Promise<string[]> {
  const { from, differs } = comparison(table, chunk)
  const keys = table.conflict.map((name) => sql.ref(`s.${name}`))
  const { rows } = await sql<Values>`select ${sql.join(keys)}, ${sql.ref(`t.${column}`)} as was,
    ${sql.ref(`s.${column}`)} as becomes from ${from} where ${differs(column)} limit ${MAX_EXAMPLES}`.execute(tx)
  const { write = String } = table.columns[column]!
  const formatValue = (value: unknown) => {
    const text = value === null ? '' : write(value)
    return text === '' ? '(blank)' : text.length > 40 ? `${text.slice(0, 37)}…` : text
  }
  return rows.map(
    ({ was, becomes, ...key }) => `${Object.values(key).join(' ')}: ${formatValue(was)} → ${formatValue(becomes)}`,
  )
}
