/** A whole business in an operator's files, bringing it in, and the floor under that: the same rows as bare inserts. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { openDatabase, sqliteFile } from '../database/open.ts'
import { peakMb } from './machine.ts'

const unitsEach = 600
const typesEach = 8

/** Writes the files of a business with so many units, nine of ten of them let. @returns rows over all files */
export async function writeBusiness(folder: string, units: number): Promise<number> {
  mkdirSync(folder, { recursive: true })
  const facilities = Math.ceil(units / unitsEach)
  const codeOf = (facility: number) => `F${String(facility + 1).padStart(5, '0')}`
  let count = 0
  const write = async (name: string, header: string, rows: Iterable<string>) => {
    const file = createWriteStream(join(folder, `${name}.csv`), { highWaterMark: 1 << 20 })
    file.write(`${header}\n`)
    for (const row of rows) {
      count += 1
      if (!file.write(`${row}\n`)) await once(file, 'drain')
    }
    file.end()
    await once(file, 'close')
  }
  function* eachFacility(row: (code: string, facility: number) => string, times = 1): Generator<string> {
    for (let facility = 0; facility < facilities; facility += 1)
      for (let time = 1; time <= times; time += 1) yield row(codeOf(facility), times === 1 ? facility : time)
  }
  /** One row for each unit: its facility's code, its number there from 1 and its number in all from 0. */
  function* eachUnit(row: (code: string, at: number, serial: number) => string | null): Generator<string> {
    for (let serial = 0; serial < units; serial += 1) {
      const text = row(codeOf(Math.floor(serial / unitsEach)), (serial % unitsEach) + 1, serial)
      if (text !== null) yield text
    }
  }
  const isLet = (serial: number) => serial % 10 !== 9

  await write('states', 'short_name,full_name', ['OR,Oregon'])
  await write(
    'facilities',
    'location_code,facility_id,name,address,city,state,zip,phone,lat,lng,time_zone,rent_tax_rate',
    eachFacility(
      (code, at) =>
        `${code},${at + 1},Storage ${code},${at + 1} Bench Road,Portland,OR,97202,(503) 555-0100,45.${at % 1000},-122.5,America/Los_Angeles,8.90`,
    ),
  )
  await write(
    'unit-types',
    'location_code,unit_type_id,unit_type_code,category_name,length,breadth,rent,internet_price',
    eachFacility(
      (code, type) => `${code},${type},T${type},Indoor,10,${type * 5},${100 + type}.00,${90 + type}.00`,
      typesEach,
    ),
  )
  await write(
    'units',
    'location_code,unit_id,unit_number,unit_type_id,status,floor_no,left_coordinate,top_coordinate,length,width,rotate',
    eachUnit(
      (code, at) =>
        `${code},${at},U${at},${(at % typesEach) + 1},free,1,${(at % 40) * 10},${Math.floor(at / 40) * 10},10,10,0`,
    ),
  )
  await write(
    'insurance',
    'location_code,scheme_id,scheme_name,coverage,premium',
    eachFacility((code) => `${code},1,Basic,2000.00,12.00`),
  )
  await write(
    'fees',
    'location_code,fee_id,description,amount,charged',
    eachFacility((code) => `${code},1,24 Hour Access Fee,20.00,on_choice`),
  )
  await write(
    'tenants',
    'location_code,tenant_id,first,last,email,cell_phone,address,city,state,zip,active_military',
    eachUnit((code, at, serial) =>
      isLet(serial)
        ? `${code},${at},Ada${at},Reyes,ada.${serial}@mail.example,503${5_550_000 + (serial % 10_000)},"${at} Oak Street, Unit 4",Portland,OR,97202,${serial % 100 === 0 ? 'yes' : 'no'}`
        : null,
    ),
  )
  await write(
    'leases',
    'location_code,lease_number,tenant_id,unit_number,move_in_date,paid_through,rent,insurance_scheme_id,insurance_premium,recurring_fees,gate_code,combo_code,signed_on',
    eachUnit((code, at, serial) =>
      isLet(serial)
        ? `${code},${at},${at},U${at},06/03/2026,2026-11-29,${100 + (at % 90)}.00,1,12.00,${serial % 5 === 0 ? '1' : ''},${100_000 + ((at * 7919) % 900_000)},4417,06/01/2026`
        : null,
    ),
  )
  await write(
    'balances',
    'location_code,lease_number,amount,posted_on',
    eachUnit((code, at, serial) => (isLet(serial) && serial % 10 === 1 ? `${code},${at},31.50,2026-11-01` : null)),
  )
  return count
}

/** Where a business is. */
export interface Place {
  dataDir: string
  url: string | undefined
}

/**
 * Runs the operator's command, as one would, on an empty business.
 * @returns seconds from its start to its end, its resident memory at the highest in MB, and how many seconds somebody else
 * who wanted to write had to wait at most (SQLite; 0 on PostgreSQL, whose writers do not wait for each other)
 * @throws Error with what the command said where it failed
 */
export async function importByCommand(
  root: string,
  folder: string,
  place: Place,
): Promise<{ seconds: number; peak: number; waited: number }> {
  await (await openDatabase({ dataDir: place.dataDir, ...(place.url && { url: place.url }) })).close()
  const writer = place.url ? null : new DatabaseSync(sqliteFile(place.dataDir), { timeout: 0 })
  const began = performance.now()
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: { operator: string } }
  const [, ...command] = scripts.operator.split(' ')
  const child = spawn(process.execPath, [...command, 'import', folder, '--json'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_ENV: 'production', DATA_DIR: place.dataDir, DATABASE_URL: place.url ?? '' },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-10_000)
    })
  const ended = once(child, 'exit')
  let [peak, waited, asked] = [0, 0, performance.now()]
  try {
    while (child.exitCode === null && child.signalCode === null) {
      peak = Math.max(peak, peakMb(child.pid as number))
      const free = writer === null || mayWrite(writer)
      waited = Math.max(waited, performance.now() - asked)
      if (free) asked = performance.now()
      await Promise.race([ended, pause(25)])
      if (free) asked = performance.now()
    }
  } finally {
    writer?.close()
  }
  const seconds = (performance.now() - began) / 1000
  if (child.exitCode !== 0) throw new Error(`The import ended (${child.exitCode}):\n${said}`)
  return { seconds, peak, waited: waited / 1000 }
}

function mayWrite(writer: DatabaseSync): boolean {
  try {
    writer.exec('begin immediate; rollback')
    return true
  } catch {
    return false
  }
}

const filled = [
  ...['states', 'locations', 'unit_types', 'units', 'insurance_schemes', 'fees', 'tenants'],
  ...['leases', 'lease_fees', 'gate_codes', 'ledger_entries', 'counters'],
]
const rowsAtATime = 500

/**
 * The least that the same rows need of the database: each table's as they stand after the import, in one transaction, by a
 * prepared insert for each row (SQLite) or for so many rows (PostgreSQL).
 * @param from a business that was imported
 * @param to an empty one of the same engine
 * @returns seconds, without those for reading the rows
 */
export async function importFloor(from: Place, to: Place): Promise<number> {
  await (await openDatabase({ dataDir: to.dataDir, ...(to.url && { url: to.url }) })).close()
  return from.url && to.url ? postgresFloor(from.url, to.url) : sqliteFloor(from.dataDir, to.dataDir)
}

function sqliteFloor(from: string, to: string): number {
  const source = new DatabaseSync(sqliteFile(from), { readOnly: true })
  const target = new DatabaseSync(sqliteFile(to), { timeout: 5000 })
  let spent = 0
  const timed = (work: () => void) => {
    const began = performance.now()
    work()
    spent += performance.now() - began
  }
  try {
    target.exec(
      'pragma foreign_keys = on; pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -32000',
    )
    for (const table of filled) {
      const select = source.prepare(`select * from ${table}`)
      const marks = select.columns().map(() => '?')
      const insert = target.prepare(`insert into ${table} values (${marks.join(', ')})`)
      select.setReturnArrays(true)
      timed(() => target.exec('begin immediate'))
      let batch: SQLInputValue[][] = []
      const write = () =>
        timed(() => {
          for (const row of batch) insert.run(...row)
          batch = []
        })
      for (const row of select.iterate() as unknown as Iterable<SQLInputValue[]>)
        if (batch.push(row) === rowsAtATime) write()
      write()
      timed(() => target.exec('commit'))
    }
    return spent / 1000
  } finally {
    source.close()
    target.close()
  }
}

async function postgresFloor(from: string, to: string): Promise<number> {
  const source = new pg.Client({ connectionString: from })
  const target = new pg.Client({ connectionString: to })
  let spent = 0
  const timed = async (ask: () => Promise<unknown>) => {
    const began = performance.now()
    await ask()
    spent += performance.now() - began
  }
  try {
    await Promise.all([source.connect(), target.connect()])
    await source.query('begin')
    for (const table of filled) {
      await source.query(`declare every_row no scroll cursor for select * from ${table}`)
      await timed(() => target.query('begin'))
      for (;;) {
        const { rows, fields } = await source.query({ text: `fetch ${rowsAtATime} from every_row`, rowMode: 'array' })
        if (rows.length === 0) break
        let mark = 0
        const tuples = rows.map(() => `(${fields.map(() => `$${++mark}`).join(', ')})`)
        const text = `insert into ${table} values ${tuples.join(', ')}`
        // All statements but a table's last are one and the same, and prepared.
        const name = `${table}_${rows.length}`
        await timed(() => target.query({ name, text, values: rows.flat() }))
      }
      await timed(() => target.query('commit'))
      await source.query('close every_row')
    }
    return spent / 1000
  } finally {
    await source.end()
    await target.end()
  }
}
