/**
 * The floors under what visitors do: the least that each needs of the database, in prepared statements with nothing above the
 * driver. A reservation is one transaction of six statements (take the unit, write tenant, reservation, prospect, session and
 * job). A payment is two, since between them somebody is at the card page: the order is written before that page opens; then it
 * is marked, money and fee go into the ledger, the lease follows and a receipt is asked for.
 */
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { sqliteFile } from '../database/open.ts'
import type { Tables } from '../platform/schema/tables.ts'

type Values = (string | number | null)[]

interface Statement {
  text: string
  values: Values
}

/** The transactions of one turn, each its statements: of every serial the same texts. */
type Turn = (serial: number) => Statement[][]

const inserted = <Name extends keyof Tables>(table: Name, row: Partial<Tables[Name]>): Statement => {
  const names = Object.keys(row)
  const marks = names.map((_, index) => `$${index + 1}`).join(', ')
  const text = `insert into ${table} (${names.map((name) => `"${name}"`).join(', ')}) values (${marks})`
  return { text, values: Object.values(row) as Values }
}

const floorJob = (code: string, now: number) =>
  inserted('jobs', {
    ...{ job_id: code, kind: 'floor', once: code, payload: '{}', state: 'done', run_at: now, claimed_until: null },
    ...{ attempts: 1, last_error: null, created_at: now, done_at: now },
  })

/** @param units that the facility has, numbered from 1 */
export const reservationTurn = (locationCode: string, units: number): Turn => {
  return (serial) => {
    const code = `FLOOR${String(serial).padStart(8, '0')}`
    const now = 1_800_000_000_000 + serial
    const unit = (serial % units) + 1
    const tenant = 5_000_000 + serial
    const who = { email: `floor-${serial}@example.com`, cell_phone: '3075550100' }
    return [
      [
        {
          text: 'update units set held_by = $1, held_until = $2 where location_code = $3 and unit_id = $4 returning unit_number',
          values: [code, now, locationCode, unit],
        },
        inserted('tenants', {
          ...{ location_code: locationCode, tenant_id: tenant, account_id: null, ...who, email_key: who.email },
          ...{
            first: 'Flora',
            middle: '',
            last: 'Floor',
            last_key: 'floor',
            company: '',
            home_phone: '',
            work_phone: '',
          },
          ...{ address: '1 Bench Road', city: 'Cheyenne', state: 'WY', zip: '82001' },
          ...{ company_address: '', company_city: '', company_state: '', company_zip: '', company_phone: '' },
          ...{ company_email: '', active_military: 0, military: '{}', identity_sealed: null, grant_online_access: 0 },
          created_at: now,
        }),
        inserted('reservations', {
          ...{ location_code: locationCode, reservation_code: code, unit_id: unit, unit_number: String(unit) },
          // Not active, so that a unit can serve again and again.
          ...{
            unit_type_id: 1,
            tenant_id: tenant,
            status: 'cancelled',
            discount_id: 0,
            agreed_discount: null,
            street_rent: 1,
            rent: 1,
          },
          ...{ reservation_date: '2026-01-01', required_date: '2026-01-01', hold_until: now, hold_extended: 0 },
          ...{ lease_number: null, created_at: now },
        }),
        inserted('prospects', {
          ...{ uuid: code, res_code: code, location_code: locationCode, tenant_id: tenant, site_name: 'Floor' },
          ...{ email_address: who.email, cell_phone: who.cell_phone, res_status: 'expired', lease_status: '' },
          ...{ reservation_date: '2026-01-01', required_date: '2026-01-01', move_in_date: null, extra_data: '{}' },
          created_at: now,
        }),
        inserted('rental_drafts', {
          ...{
            draft_id: code,
            location_code: locationCode,
            unit_type_id: 1,
            tenant_id: tenant,
            reservation_code: code,
          },
          ...{ existing_tenant: 0, rent_now: 0, answers: '{}', sealed_answers: null, version: 1 },
          ...{ created_at: now, touched_at: now },
          left_at: null,
        }),
        floorJob(code, now),
      ],
    ]
  }
}

/** @param leases that the facility has, numbered from 1, each its tenant's of the same number */
export const paymentTurn = (locationCode: string, leases: number): Turn => {
  return (serial) => {
    const code = `PAYFLOOR${String(serial).padStart(8, '0')}`
    const now = 1_800_000_000_000 + serial
    const lease = (serial % leases) + 1
    const entry = (kind: 'fee' | 'payment', cents: number) =>
      inserted('ledger_entries', {
        ...{ entry_id: `${code}:${kind}`, location_code: locationCode, lease_number: lease, kind, cents },
        ...{ description: 'Bench', once: `${code}:${kind}`, order_id: code, period_start: null, period_end: null },
        ...{ posted_on: '2026-01-01', created_at: now },
      })
    return [
      [
        inserted('payments', {
          ...{ order_id: code, location_code: locationCode, payer: 'tenant', tenant_id: lease, lease_number: lease },
          ...{ state: 'created', amount: 12_450, quote_id: code, plan: 'p'.repeat(700), autopay: 0, method: 'CC' },
          ...{ created_at: now, updated_at: now },
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
          values: [`2026-01-${10 + (serial % 20)}`, 'Current', locationCode, lease],
        },
        floorJob(code, now),
      ],
    ]
  }
}

/** What turns of a floor come to. */
export interface Floor {
  perSecond: number
  /** CPU of each in milliseconds: of whoever asks, and of the database where it is a process of its own. */
  cpuMs: number
}

/** CPU of this process so far, in milliseconds. */
function ownCpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** On the SQLite file of a data folder, one after the other. */
export function sqliteFloor(dataDir: string, turn: Turn, milliseconds: number): Floor {
  const db = new DatabaseSync(sqliteFile(dataDir), { timeout: 5000 })
  try {
    db.exec(
      'pragma foreign_keys = on; pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -32000',
    )
    const numbered = (text: string) => text.replace(/\$\d+/g, '?')
    const prepared = turn(0).map((transaction) => transaction.map(({ text }) => db.prepare(numbered(text))))
    let serial = 0
    const once = () => {
      for (const [at, transaction] of turn(serial++).entries()) {
        db.exec('begin immediate')
        for (const [which, { text, values }] of transaction.entries()) {
          const statement = prepared[at]?.[which]
          if (text.includes('returning')) statement?.get(...values)
          else statement?.run(...values)
        }
        db.exec('commit')
      }
    }
    while (serial < 200) once()
    const [began, cpu] = [performance.now(), ownCpuMs()]
    while (performance.now() - began < milliseconds) once()
    const done = serial - 200
    return { perSecond: (done * 1000) / (performance.now() - began), cpuMs: (ownCpuMs() - cpu) / done }
  } finally {
    db.close()
  }
}

/** The same on PostgreSQL, sixteen at a time over ten connections. @param databaseCpu of PostgreSQL so far, in milliseconds */
export async function postgresFloor(
  url: string,
  turn: Turn,
  milliseconds: number,
  databaseCpu: () => number,
): Promise<Floor> {
  const pool = new pg.Pool({ connectionString: url, max: 10 })
  try {
    let serial = 0
    let done = 0
    const once = async () => {
      for (const [at, transaction] of turn(serial++).entries()) {
        const client = await pool.connect()
        try {
          await client.query('begin')
          for (const [which, { text, values }] of transaction.entries())
            await client.query({ name: `floor-${at}-${which}`, text, values })
          await client.query('commit')
        } finally {
          client.release()
        }
      }
      done += 1
    }
    const until = async (enough: () => boolean) => {
      await Promise.all(
        Array.from({ length: 16 }, async () => {
          while (!enough()) await once()
        }),
      )
    }
    await until(() => done >= 200)
    const cpu = () => ownCpuMs() + databaseCpu()
    const [began, before, cpuBefore] = [performance.now(), done, cpu()]
    await until(() => performance.now() - began > milliseconds)
    const made = done - before
    return { perSecond: (made * 1000) / (performance.now() - began), cpuMs: (cpu() - cpuBefore) / made }
  } finally {
    await pool.end()
  }
}
