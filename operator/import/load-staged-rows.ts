import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import { stateName } from '../../domain/states.ts'
import type { Database, Transaction } from '../../platform/database/open.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { constantColumns, openingDescription } from './computed-staging-columns.ts'
import { isStatusKept } from './existing-units-that-keep-status.ts'
import type { FileName, ImportTable } from './import-file-definition.ts'
import type { Staging } from './staging-tables.ts'

/** Columns that are not compared with existing rows. Of these `upsert` updates only updated_at and changed_at. */
const uncomparedColumns: Partial<Record<FileName, readonly string[]>> = {
  settings: ['updated_at'],
  facilities: ['changed_at'],
  units: ['held_by', 'held_until'],
  tenants: ['account_id', 'identity_sealed', 'grant_online_access', 'created_at'],
}

/**
 * Loads a file's staged rows into its table.
 * @returns number of rows written
 */
export async function loadTable(
  tx: Transaction<Tables>,
  db: Database,
  staging: Staging,
  table: ImportTable,
  { now, leftOut, progress }: { now: number; leftOut: ReadonlySet<string>; progress: (rows: number) => void },
): Promise<number> {
  let written = 0
  const changedFacilities = new Set<string>()
  const staged = staging.columnsOf(table.table)
  const constants = Object.entries(constantColumns(table.file, now))
  const columns = [...staged, ...constants.map(([name]) => name)]
  const selected = sql.join([
    ...staged.map((column) => sql.ref(`s.${column}`)),
    ...constants.map(([, value]) => sql.lit(value)),
  ])
  for (const { chunk, upTo } of staging.chunks(db, table.table)) {
    const statement = insertOf(table, columns, selected, chunk, { now, leftOut })
    const { numAffectedRows, rows } = await statement.execute(tx)
    written += filesShownOnPage.has(table.file) ? rows.length : Number(numAffectedRows ?? 0)
    if (filesShownOnPage.has(table.file))
      for (const row of rows as { location_code: string }[]) changedFacilities.add(row.location_code)
    progress(upTo)
    await yieldToOthers()
  }
  await markChanged(tx, changedFacilities, now)
  if (table.file === 'leases')
    for (const { chunk } of staging.chunks(db, 'lease_fees')) {
      await sql`insert into lease_fees (location_code, lease_number, fee_id, description, amount)
        select s.location_code, s.lease_number, s.fee_id, fees.description, coalesce(s.amount, fees.amount)
        from ${chunk} as s join fees on fees.location_code = s.location_code and fees.fee_id = s.fee_id`.execute(tx)
      await yieldToOthers()
    }
  return written
}

export const columnListSql = (columns: string[]) => sql.join(columns.map((column) => sql.ref(column)))

/**
 * Inserts new rows and updates changed ones. An unchanged row is not even locked: PostgreSQL locks each row in conflict,
 * and locked facilities would block the site's inserts that refer to them, up to a deadlock.
 */
function upsert(
  table: ImportTable,
  columns: string[],
  leftOut: ReadonlySet<string>,
  selected: RawBuilder<unknown>,
  chunk: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const name = table.table
  const unchanged = [...table.conflict, ...(uncomparedColumns[table.file] ?? []), ...leftOut]
  if (leftOut.has('email')) unchanged.push('email_key')
  const changing = columns.filter((column) => !unchanged.includes(column))
  const incoming = (column: string, source: 's' | 'excluded') => {
    const imported = sql.ref(`${source}.${column}`)
    if (name === 'units' && column === 'status') return unitStatus(imported)
    return name === 'tenants' ? tenantValue(column, imported) : imported
  }
  const isChanged = (source: 's' | 'excluded') =>
    sql`${name === 'tenants' ? sql`tenants.erased_at is null and ` : sql``}(${sql.join(
      changing.map((column) => sql`${sql.ref(`${name}.${column}`)} is distinct from ${incoming(column, source)}`),
      sql` or `,
    )})`
  if (changing.length === 0)
    return sql`insert into ${sql.table(name)} (${columnListSql(columns)}) select ${selected} from ${chunk} as s where true
      on conflict (${columnListSql(table.conflict)}) do nothing`
  const sets = changing.map((column) => sql`${sql.ref(column)} = ${incoming(column, 'excluded')}`)
  if (name === 'settings') sets.push(sql`updated_at = excluded.updated_at`)
  if (name === 'locations') sets.push(sql`changed_at = excluded.changed_at`)
  const isSameRow = sql.join(
    table.conflict.map((column) => sql`${sql.ref(`${name}.${column}`)} = ${sql.ref(`s.${column}`)}`),
    sql` and `,
  )
  return sql`insert into ${sql.table(name)} (${columnListSql(columns)}) select ${selected} from ${chunk} as s
    where not exists (select 1 from ${sql.table(name)} where ${isSameRow} and not (${isChanged('s')}))
    on conflict (${columnListSql(table.conflict)}) do update set ${sql.join(sets)}
    where ${isChanged('excluded')}${filesShownOnPage.has(table.file) ? sql` returning ${sql.ref(`${name}.location_code`)}` : sql``}`
}

/** Files, besides `facilities`, whose changes count as changes of the facility (`changed_at`). */
const filesShownOnPage: ReadonlySet<FileName> = new Set(['unit-types', 'discounts', 'insurance', 'fees'])

async function markChanged(tx: Transaction<Tables>, codes: ReadonlySet<string>, now: number): Promise<void> {
  const all = [...codes]
  for (let at = 0; at < all.length; at += 500)
    await tx
      .updateTable('locations')
      .set({ changed_at: now })
      .where('location_code', 'in', all.slice(at, at + 500))
      .execute()
}

const unitStatus = (imported: RawBuilder<unknown>) =>
  sql`case when ${isStatusKept('units')} then units.status else ${imported} end`

// The file fills only blank values of a tenant with an account, who may have set the others on the site.
function tenantValue(column: string, imported: RawBuilder<unknown>): RawBuilder<unknown> {
  const current = sql.ref(`tenants.${column}`)
  const none = column === 'active_military' ? sql.lit(0) : sql.lit(column === 'military' ? '{}' : '')
  return sql`case when tenants.account_id is not null and ${current} <> ${none} then ${current} else ${imported} end`
}

function insertOf(
  table: ImportTable,
  columns: string[],
  selected: RawBuilder<unknown>,
  chunk: RawBuilder<unknown>,
  { now, leftOut }: { now: number; leftOut: ReadonlySet<string> },
): RawBuilder<unknown> {
  if (table.file === 'leases') return insertLeases(columns, selected, chunk)
  if (table.file === 'balances') return insertBalances(columns, selected, chunk, now)
  return upsert(table, columns, leftOut, selected, chunk)
}

/**
 * Inserts opening balances, only for leases with an empty ledger: others would owe the balance twice. Entries that this
 * import wrote do not count, since a lease may have several rows.
 */
const insertBalances = (
  columns: string[],
  selected: RawBuilder<unknown>,
  chunk: RawBuilder<unknown>,
  now: number,
): RawBuilder<unknown> =>
  sql`insert into ledger_entries (${columnListSql(columns)}) select ${selected} from ${chunk} as s
    where not exists (select 1 from ledger_entries as there where there.location_code = s.location_code
      and there.lease_number = s.lease_number
      and not (there.created_at = cast(${now} as bigint) and there.description = ${openingDescription}))
    on conflict (location_code, lease_number, once) do nothing`

/** Inserts new leases; a lease that was added meanwhile causes a unique violation. */
const insertLeases = (columns: string[], selected: RawBuilder<unknown>, chunk: RawBuilder<unknown>) =>
  sql`insert into leases (${columnListSql(columns)}, unit_id, unit_type_id)
    select ${selected}, units.unit_id, units.unit_type_id
    from ${chunk} as s join units on units.location_code = s.location_code and units.unit_number = s.unit_number`

/** Inserts the states of facilities that the table of states lacks. */
export async function insertMissingStates(tx: Transaction<Tables>): Promise<void> {
  const missing = await tx
    .selectFrom('locations')
    .select('state')
    .distinct()
    .where('state', 'not in', (eb) => eb.selectFrom('states').select('short_name'))
    .orderBy('state')
    .execute()
  if (missing.length === 0) return
  const rows = missing.map(({ state }) => ({
    short_name: state,
    full_name: stateName(state),
    map_img: '',
    general_contact_number: '',
  }))
  await tx
    .insertInto('states')
    .values(rows)
    .onConflict((conflict) => conflict.column('short_name').doNothing())
    .execute()
}
