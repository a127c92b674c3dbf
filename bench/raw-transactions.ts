/**
 * Measures raw transactions, the lower bound of the cost of a reservation or payment: prepared statements without any
 * code above the driver. A reservation is one transaction of six statements; a payment is two, since the order is
 * written before the card page opens.
 */
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { type Database, sqliteFile } from '../platform/database/open.ts'

type Values = (string | number | null)[]
interface Statement {
  text: string
  values: Values
}
/**
 * Returns the SQL statements of one reservation or payment, one list per transaction; their texts are the same for
 * every serial.
 */
export type StatementBuilder = (serial: number) => Statement[][]

const insert = (table: string, row: Record<string, unknown>): Statement => {
  const names = Object.keys(row)
  const marks = names.map((_, index) => `$${index + 1}`).join(', ')
  const text = `insert into ${table} (${names.map((name) => `"${name}"`).join(', ')}) values (${marks})`
  return { text, values: Object.values(row) as Values }
}

const job = (code: string, now: number) =>
  insert('jobs', {
    job_id: code,
    kind: 'floor',
    once: code,
    payload: '{}',
    state: 'done',
    run_at: now,
    claimed_until: null,
    attempts: 1,
    last_error: null,
    created_at: now,
    done_at: now,
  })

/**
 * Returns a function that creates the SQL statements of one reservation, to measure raw transactions, at a facility
 * that nothing else uses. Tenant, reservation and prospect are copied from existing rows.
 * @param units number of units, numbered from 1, that are reserved in turn
 */
export async function createReservationBuilder(
  db: Database,
  location_code: string,
  units: number,
): Promise<StatementBuilder> {
  const loadTemplate = async (table: 'tenants' | 'reservations' | 'prospects') =>
    (await db.read.selectFrom(table).selectAll().executeTakeFirstOrThrow()) as Record<string, unknown>
  const tenant = await loadTemplate('tenants')
  const reservation = await loadTemplate('reservations')
  const prospect = await loadTemplate('prospects')
  return (serial) => {
    const code = `FLOOR${String(serial).padStart(8, '0')}`
    const now = 1_800_000_000_000 + serial
    const unit_id = (serial % units) + 1
    const tenant_id = 5_000_000 + serial
    const email = `floor-${serial}@example.com`
    return [
      [
        {
          text: 'update units set held_by = $1, held_until = $2 where location_code = $3 and unit_id = $4 returning unit_number',
          values: [code, now, location_code, unit_id],
        },
        insert('tenants', { ...tenant, location_code, tenant_id, account_id: null, email, email_key: email }),
        // The reservation is not active, so that a unit can be reserved repeatedly.
        insert('reservations', {
          ...reservation,
          location_code,
          reservation_code: code,
          unit_id,
          tenant_id,
          status: 'cancelled',
          hold_until: now,
          lease_number: null,
        }),
        insert('prospects', {
          ...prospect,
          uuid: code,
          res_code: code,
          location_code,
          tenant_id,
          res_status: 'expired',
        }),
        insert('rental_drafts', {
          draft_id: code,
          location_code,
          unit_type_id: 1,
          tenant_id,
          reservation_code: code,
          existing_tenant: 0,
          rent_now: 0,
          answers: '{}',
          sealed_answers: null,
          version: 1,
          created_at: now,
          touched_at: now,
          left_at: null,
        }),
        job(code, now),
      ],
    ]
  }
}

/**
 * Returns a function that creates the SQL statements of one payment, to measure raw transactions.
 * @param leases number of leases, numbered from 1; the tenant of each has the same number
 */
export function createPaymentBuilder(location_code: string, leases: number): StatementBuilder {
  return (serial) => {
    const code = `PAYFLOOR${String(serial).padStart(8, '0')}`
    const now = 1_800_000_000_000 + serial
    const lease_number = (serial % leases) + 1
    const entry = (kind: string, cents: number) =>
      insert('ledger_entries', {
        entry_id: `${code}:${kind}`,
        location_code,
        lease_number,
        kind,
        cents,
        description: 'Bench',
        once: `${code}:${kind}`,
        order_id: code,
        period_start: null,
        period_end: null,
        posted_on: '2026-01-01',
        created_at: now,
      })
    return [
      [
        insert('payments', {
          order_id: code,
          location_code,
          payer: 'tenant',
          tenant_id: lease_number,
          lease_number,
          state: 'created',
          amount: 12_450,
          quote_id: code,
          plan: 'p'.repeat(700),
          autopay: 0,
          method: 'CC',
          created_at: now,
          updated_at: now,
        }),
      ],
      [
        {
          text: `update payments set state = $1, transaction_id = $2, response_code = $3, approved_amount = $4, card_brand = $5,
            masked_card = $6, receipt_id = $7, captured_at = $8, posted_at = $9, updated_at = $10 where order_id = $11`,
          values: ['posted', code, '000', 12_450, 'VI', '************1111', code, now, now, now, code],
        },
        entry('fee', 250),
        entry('payment', -12_450),
        {
          text: 'update leases set paid_through = $1, status = $2 where location_code = $3 and lease_number = $4',
          values: [`2026-01-${10 + (serial % 20)}`, 'Current', location_code, lease_number],
        },
        job(code, now),
      ],
    ]
  }
}

const measuredMs = 3000
const warmUpCount = 200

/**
 * Measures how many reservations or payments run per second as raw transactions: one after the other on SQLite, sixteen
 * concurrently over ten connections on PostgreSQL.
 */
export const measureTransactionRate = (
  dataDir: string,
  url: string | undefined,
  build: StatementBuilder,
): Promise<number> => (url ? onPostgres(url, build) : Promise.resolve(onSqlite(dataDir, build)))

function onSqlite(dataDir: string, build: StatementBuilder): number {
  const db = new DatabaseSync(sqliteFile(dataDir), { timeout: 5000 })
  try {
    db.exec(
      'pragma foreign_keys = on; pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -32000',
    )
    const prepared = build(0).map((all) => all.map(({ text }) => db.prepare(text.replace(/\$\d+/g, '?'))))
    let serial = 0
    const once = () => {
      for (const [index, transaction] of build(serial++).entries()) {
        db.exec('begin immediate')
        for (const [position, { values }] of transaction.entries()) prepared[index]?.[position]?.all(...values)
        db.exec('commit')
      }
    }
    while (serial < warmUpCount) once()
    const began = performance.now()
    while (performance.now() - began < measuredMs) once()
    return ((serial - warmUpCount) * 1000) / (performance.now() - began)
  } finally {
    db.close()
  }
}

async function onPostgres(url: string, build: StatementBuilder): Promise<number> {
  const pool = new pg.Pool({ connectionString: url, max: 10 })
  let serial = 0
  let done = 0
  const once = async () => {
    for (const [index, transaction] of build(serial++).entries()) {
      const client = await pool.connect()
      try {
        await client.query('begin')
        for (const [position, { text, values }] of transaction.entries())
          await client.query({ name: `floor-${index}-${position}`, text, values })
        await client.query('commit')
      } finally {
        client.release()
      }
    }
    done += 1
  }
  const until = (isEnough: () => boolean) =>
    Promise.all(
      Array.from({ length: 16 }, async () => {
        while (!isEnough()) await once()
      }),
    )
  try {
    await until(() => done >= warmUpCount)
    const began = performance.now()
    const before = done
    await until(() => performance.now() - began > measuredMs)
    return ((done - before) * 1000) / (performance.now() - began)
  } finally {
    await pool.end()
  }
}
