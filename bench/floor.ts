/**
 * The floor under a reservation: the least that one needs of the database, six prepared statements in a transaction
 * (take the unit, write tenant, reservation, prospect, session and job), with nothing above the driver.
 */
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { sqliteFile } from '../database/open.ts'
import type { Tables } from '../database/tables.ts'

type Values = (string | number | null)[]

function statements(serial: number, locationCode: string, units: number): { text: string; values: Values }[] {
  const code = `FLOOR${String(serial).padStart(8, '0')}`
  const now = 1_800_000_000_000 + serial
  const unit = (serial % units) + 1
  const insert = <Name extends keyof Tables>(table: Name, row: Tables[Name]) => {
    const names = Object.keys(row)
    const marks = names.map((_, index) => `$${index + 1}`).join(', ')
    const text = `insert into ${table} (${names.map((name) => `"${name}"`).join(', ')}) values (${marks})`
    return { text, values: Object.values(row) as Values }
  }
  const tenant = 5_000_000 + serial
  const who = { email: `floor-${serial}@example.com`, cell_phone: '3075550100' }
  return [
    {
      text: 'update units set held_by = $1, held_until = $2 where location_code = $3 and unit_id = $4 returning unit_number',
      values: [code, now, locationCode, unit],
    },
    insert('tenants', {
      ...{ location_code: locationCode, tenant_id: tenant, account_id: null, ...who, email_key: who.email },
      ...{ first: 'Flora', middle: '', last: 'Floor', last_key: 'floor', company: '', home_phone: '', work_phone: '' },
      ...{ address: '1 Bench Road', city: 'Cheyenne', state: 'WY', zip: '82001' },
      ...{ company_address: '', company_city: '', company_state: '', company_zip: '', company_phone: '' },
      ...{ company_email: '', active_military: 0, military: '{}', identity_sealed: null, grant_online_access: 0 },
      created_at: now,
    }),
    insert('reservations', {
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
    insert('prospects', {
      ...{ uuid: code, res_code: code, location_code: locationCode, tenant_id: tenant, site_name: 'Floor' },
      ...{ email_address: who.email, cell_phone: who.cell_phone, res_status: 'expired', lease_status: '' },
      ...{ reservation_date: '2026-01-01', required_date: '2026-01-01', move_in_date: null, extra_data: '{}' },
      created_at: now,
    }),
    insert('rental_drafts', {
      ...{ draft_id: code, location_code: locationCode, unit_type_id: 1, tenant_id: tenant, reservation_code: code },
      ...{ existing_tenant: 0, rent_now: 0, answers: '{}', sealed_answers: null, payment_retries: 0, version: 1 },
      ...{ created_at: now, touched_at: now },
      left_at: null,
    }),
    insert('jobs', {
      ...{ job_id: code, kind: 'floor', once: code, payload: '{}', state: 'done', run_at: now, claimed_until: null },
      ...{ attempts: 1, last_error: null, created_at: now, done_at: now },
    }),
  ]
}

export interface FloorParts {
  locationCode: string
  /** Units that the facility has, numbered from 1. */
  units: number
  milliseconds: number
}

/** What six-statement transactions come to. */
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
export function sqliteFloor(dataDir: string, parts: FloorParts): Floor {
  const db = new DatabaseSync(sqliteFile(dataDir), { timeout: 5000 })
  try {
    db.exec(
      'pragma foreign_keys = on; pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -32000',
    )
    const numbered = (text: string) => text.replace(/\$\d+/g, '?')
    const prepared = statements(0, parts.locationCode, parts.units).map(({ text }) => db.prepare(numbered(text)))
    let serial = 0
    const once = () => {
      db.exec('begin immediate')
      statements(serial++, parts.locationCode, parts.units).forEach(({ values }, at) => {
        if (at === 0) prepared[at]?.get(...values)
        else prepared[at]?.run(...values)
      })
      db.exec('commit')
    }
    while (serial < 200) once()
    const [began, cpu] = [performance.now(), ownCpuMs()]
    while (performance.now() - began < parts.milliseconds) once()
    const done = serial - 200
    return { perSecond: (done * 1000) / (performance.now() - began), cpuMs: (ownCpuMs() - cpu) / done }
  } finally {
    db.close()
  }
}

/** The same on PostgreSQL, sixteen at a time over ten connections. @param databaseCpu of PostgreSQL so far, in milliseconds */
export async function postgresFloor(url: string, parts: FloorParts, databaseCpu: () => number): Promise<Floor> {
  const pool = new pg.Pool({ connectionString: url, max: 10 })
  try {
    let serial = 0
    let done = 0
    const once = async () => {
      const client = await pool.connect()
      try {
        await client.query('begin')
        let at = 0
        for (const { text, values } of statements(serial++, parts.locationCode, parts.units))
          await client.query({ name: `floor-${at++}`, text, values })
        await client.query('commit')
        done += 1
      } finally {
        client.release()
      }
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
    await until(() => performance.now() - began > parts.milliseconds)
    const made = done - before
    return { perSecond: (made * 1000) / (performance.now() - began), cpuMs: (cpu() - cpuBefore) / made }
  } finally {
    await pool.end()
  }
}
