/** A facility full of leases on the day on which all of them begin a new period, and the floor under billing them. */
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { sql } from 'kysely'
import pg from 'pg'
import { type Database, sqliteFile } from '../database/open.ts'
import { PERIOD_DAYS } from '../domain/charges.ts'
import { addDays } from '../domain/plain-date.ts'

/** The day that is billed; four periods before it have been charged and paid. */
export const billedDay = '2027-03-01'
const paidPeriods = 4

/**
 * Writes a facility with so many leases, four periods of each charged and paid. Where billing is measured, into a database
 * of its own, since a server would send the mails that billing writes.
 * @param demo where the demo operator is, whose facility it is like
 * @param nextPeriod the day after the last period that is paid, YYYY-MM-DD
 */
export async function openFullFacility(
  demo: Database,
  db: Database,
  code: string,
  leases: number,
  nextPeriod: string,
): Promise<void> {
  const earlier = Array.from({ length: paidPeriods }, (_, at) => addDays(nextPeriod, PERIOD_DAYS * (at - paidPeriods)))
  const lastDay = earlier.map((start) => addDays(start, PERIOD_DAYS - 1))
  const source = await demo.read
    .selectFrom('locations')
    .selectAll()
    .where('coming_soon', '=', 0)
    .where('rent_tax_rate', '>', 0)
    .where('facility_id', '!=', 1)
    .orderBy('location_code')
    .executeTakeFirstOrThrow()
  const numbers = sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.lit(leases)})`
  const text = (prefix: string) => sql`${sql.lit(prefix)} || cast(i as text)`
  const at = sql.lit(code)
  await db.transaction(async (tx) => {
    const { last } = await tx
      .selectFrom('locations')
      .select((eb) => eb.fn.max<number>('facility_id').as('last'))
      .executeTakeFirstOrThrow()
    // Several of these may stand in one business.
    const facility_id = Math.max(9900, Number(last) + 1)
    await tx
      .insertInto('locations')
      .values({ ...source, location_code: code, facility_id, name: `Bench ${code}`, slug: `${code}-bench-road` })
      .execute()
    await tx
      .insertInto('unit_types')
      .values({
        ...{
          location_code: code,
          unit_type_id: 1,
          unit_type_code: 'B',
          category_name: 'Indoor',
          length: 10,
          breadth: 10,
        },
        ...{ rent: 100_00, internet_price: 100_00, internet_price_available: 0 },
        ...{ description: '', detailed_description: '', features: '[]' },
      })
      .execute()
    await sql`insert into units (location_code, unit_id, unit_number, unit_type_id, status, floor_no, length, width, rotate)
      ${numbers} select ${at}, i, ${text('U')}, 1, 'rented', 1, 10, 10, 0 from n`.execute(tx)
    const blank = sql.raw(Array(15).fill("''").join(', '))
    await sql`insert into tenants (location_code, tenant_id, first, last, last_key, email, email_key, middle, company,
        cell_phone, home_phone, work_phone, address, city, state, zip, company_address, company_city, company_state,
        company_zip, company_phone, company_email, active_military, military, grant_online_access, created_at)
      ${numbers} select ${at}, i, ${text('T')}, 'Bench', 'bench', ${text('t')}, ${text('t')}, ${blank}, 0, '{}', 0, 0 from n`.execute(
      tx,
    )
    await sql`insert into leases (location_code, lease_number, tenant_id, unit_id, unit_number, unit_type_id, status,
        move_in_date, paid_through, rent, insurance_status, insurance_scheme_id, insurance_premium, insurance_notes,
        discount_id, autopay, autopay_method, autopay_label, gate_code, combo_code, auction_prepped, terms_required, details,
        imported, created_at)
      ${numbers} select ${at}, i, i, i, ${text('U')}, 1, 'Current', ${sql.lit(earlier[0])}, ${sql.lit(lastDay.at(-1))},
        10000 + i % 9000, 1, 1, 1200, '{}', 0, 0, '', '', '', '0000', 0, 0, '{}', '{}', 0 from n`.execute(tx)
    for (const [index, start] of earlier.entries())
      for (const [kind, cents] of [
        ['rent', sql`10000 + i % 9000`],
        ['insurance', sql`1200`],
        ['payment', sql`-11200 - i % 9000`],
      ] as const)
        await sql`insert into ledger_entries (entry_id, location_code, lease_number, kind, cents, description, once, period_start,
            period_end, posted_on, created_at)
          ${numbers} select ${text(`${code}:${start}:${kind}:`)}, ${at}, i, ${sql.lit(kind)}, ${cents}, 'Bench',
            ${sql.lit(`period:${start}:${kind}`)}, ${sql.lit(start)}, ${sql.lit(lastDay[index])}, ${sql.lit(start)}, 0
          from n`.execute(tx)
  })
}

const columns =
  'entry_id, location_code, lease_number, kind, cents, description, once, order_id, period_start, period_end, posted_on, created_at'

const floorRow = (code: string, leases: number, serial: number) => [
  ...[`${code}:floor:${serial}`, code, (serial % leases) + 1, 'fee', 1, 'Floor', `floor:${serial}`],
  ...[null, null, null, billedDay, 0],
]

/** The least that so many entries need of the database: one prepared insert each, so many to a transaction. @returns seconds */
export async function billingFloor(
  of: { dataDir: string; url: string | undefined },
  code: string,
  counts: { leases: number; entries: number; toATransaction: number },
): Promise<number> {
  const marks = Array.from({ length: 12 }, (_, at) => `$${at + 1}`)
  const insert = `insert into ledger_entries (${columns}) values (${marks.join(', ')})`
  const db = of.url ? null : new DatabaseSync(sqliteFile(of.dataDir), { timeout: 5000 })
  const client = of.url ? new pg.Client({ connectionString: of.url }) : null
  try {
    db?.exec(
      'pragma foreign_keys = on; pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -32000',
    )
    const prepared: StatementSync | undefined = db?.prepare(insert.replace(/\$\d+/g, '?'))
    await client?.connect()
    const began = performance.now()
    for (let serial = 0; serial < counts.entries; ) {
      const until = Math.min(serial + counts.toATransaction, counts.entries)
      db?.exec('begin immediate')
      await client?.query('begin')
      for (; serial < until; serial += 1) {
        const values = floorRow(code, counts.leases, serial)
        prepared?.run(...values)
        await client?.query({ name: 'floor', text: insert, values })
      }
      db?.exec('commit')
      await client?.query('commit')
    }
    return (performance.now() - began) / 1000
  } finally {
    db?.close()
    await client?.end()
  }
}
