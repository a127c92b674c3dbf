/**
 * What each reading operation of the catalogue costs, in a business as small as the demo's and in one of thousands of
 * facilities: sites side by side, asked in turn, so that a busy machine burdens all.
 */
import { createHash } from 'node:crypto'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { openDatabase, sqliteFile } from '../database/open.ts'
import { nameKey } from '../domain/phone.ts'
import { writeXml } from '../domain/xml.ts'
import { type AnyOperation, operations, resources } from '../storage-system/catalogue.ts'
import { Visitor } from './visitors.ts'

export const unitsEach = 600
/** Of a facility's units, from the end: free, and reserved. */
const free = 50
const reserved = 10
/** Periods that the tenant who asks has paid; everybody else one. */
const periods = 12
const now = () => Date.now()

const codeOf = (facility: number) => `L${String(facility).padStart(5, '0')}`
const tokenOf = (facility: number) => createHash('sha256').update(`operations ${facility}`).digest('hex')
/** Of a facility's prospect, auction winner and settlement alike. */
const uuidOf = (facility: number) => `6f1d2a80-4c1b-4e0e-9d57-${String(facility).padStart(12, '0')}`

const lastOf = (tenant: number) => `Bench${tenant % 200}`
const phoneOf = (facility: number, tenant: number) => String(3_000_000_000 + facility * unitsEach + tenant)

type Row = Record<string, SQLInputValue>

/**
 * Adds facilities of 600 units to the demo operator's SQLite database by prepared inserts: nine of ten units let, each
 * tenant with an account, a gate code and a paid period, the first of each facility signed in and a year paid. Nothing is
 * due, and today is billed, so that a site started on it is idle. A database that has them already is left as it is.
 */
export async function openLargeBusiness(dataDir: string, facilities: number): Promise<void> {
  await (await openDatabase({ dataDir })).close()
  const db = new DatabaseSync(sqliteFile(dataDir), { timeout: 5000 })
  try {
    db.exec(
      'pragma foreign_keys = off; pragma synchronous = off; pragma cache_size = -400000; pragma temp_store = memory',
    )
    const there = db.prepare("select count(*) as count from locations where location_code like 'L_____'").get() as {
      count: number
    }
    if (there.count !== 0 && there.count !== facilities)
      throw new Error(`${dataDir} holds ${there.count} facilities of the bench, not ${facilities}`)
    if (there.count === 0) {
      const write = writerOf(db)
      for (let facility = 1; facility <= facilities; facility++) {
        db.exec('begin')
        write(facility)
        db.exec('commit')
      }
    }
    const midnight = now() - (now() % 86_400_000)
    const billed = db.prepare(
      `insert or ignore into billing_runs (location_code, run_date, done_through, leases, entries, state, started_at, finished_at)
       select location_code, ?, 0, 0, 0, 'done', 0, 0 from locations`,
    )
    for (const days of [-1, 0, 1]) billed.run(new Date(midnight + days * 86_400_000).toISOString().slice(0, 10))
    db.exec('pragma wal_checkpoint(truncate)')
  } finally {
    db.close()
  }
}

/** @returns what writes a facility by its number */
function writerOf(db: DatabaseSync): (facility: number) => void {
  const rowsOf = (table: string, where: string, ...values: SQLInputValue[]) =>
    db.prepare(`select * from ${table} where ${where}`).all(...values) as Row[]
  const one = (table: string, where: string): Row => {
    const [row] = rowsOf(table, `${where} limit 1`)
    if (!row) throw new Error(`The demo has no such row of ${table}: ${where}`)
    return row
  }
  const statements = new Map<string, (row: Row) => void>()
  /** Inserts rows that are like one another but for what is given. */
  const insert = (table: string, like: Row, given: Row) => {
    let run = statements.get(table)
    if (!run) {
      const names = Object.keys(like)
      const columns = names.map((name) => `"${name}"`).join(', ')
      const statement = db.prepare(`insert into ${table} (${columns}) values (${names.map(() => '?').join(', ')})`)
      run = (row) => void statement.run(...names.map((name) => row[name] as SQLInputValue))
      statements.set(table, run)
    }
    run({ ...like, ...given })
  }
  const source = one(
    'locations',
    'sboa = 1 and cc_fee = 1 and coming_soon = 0 and facility_id <> 1 order by location_code',
  )
  const copied = ['location_contents', 'unit_types', 'discounts', 'insurance_schemes', 'fees', 'map_fixtures'].map(
    (table) => ({ table, rows: rowsOf(table, 'location_code = ?', source.location_code as string) }),
  )
  const types = copied.find(({ table }) => table === 'unit_types')?.rows.map((row) => row.unit_type_id) ?? []
  const like = {
    unit: one('units', "status = 'free'"),
    account: one('accounts', '1 = 1'),
    tenant: one('tenants', 'account_id is not null'),
    lease: one('leases', "status = 'Current' and autopay = 0"),
    code: one('gate_codes', 'active = 1'),
    entry: one('ledger_entries', "kind = 'rent'"),
    reservation: one('reservations', "status = 'active'"),
    prospect: one('prospects', '1 = 1'),
    winner: one('auction_winners', '1 = 1'),
    settlement: one('settlements', '1 = 1'),
  }
  const signIn = { kind: 'tenant', location_code: null, tenant_id: null, agent: 'bench', address: '127.0.0.1' }
  const [dayPaid, far] = ['2026-11-01', now() + 3650 * 86_400_000]
  return (facility) => {
    const location_code = codeOf(facility)
    insert('locations', source, {
      ...{
        location_code,
        facility_id: 20_000 + facility,
        name: `Bench ${location_code}`,
        slug: `${facility}-bench-road`,
      },
      ...{ address: `${facility} Bench Road`, city: 'Cheyenne', city_slug: 'cheyenne', state: 'WY', zip: '82001' },
      ...{ lat: 41 + (facility % 100) / 50, lng: -105 + Math.floor(facility / 100) / 50, facility_map_enabled: 1 },
    })
    for (const { table, rows } of copied) for (const row of rows) insert(table, row, { location_code })
    for (let at = 1; at <= unitsEach; at++) {
      const let_ = at <= unitsEach - free - reserved
      const held = !let_ && at > unitsEach - reserved
      const number = `U${at}`
      const key = `${location_code}-${at}`
      const email = `tenant.${key.toLowerCase()}@example.com`
      const type = types[at % types.length] as SQLInputValue
      insert('units', like.unit, {
        ...{ location_code, unit_id: at, unit_number: number, unit_type_id: type },
        ...{
          status: let_ ? 'rented' : held ? 'held' : 'free',
          held_by: held ? key : null,
          held_until: held ? far : null,
        },
        ...{ floor_no: 1, left_coordinate: (at % 40) * 10, top_coordinate: Math.floor(at / 40) * 12 },
      })
      if (!let_ && !held) continue
      if (let_) insert('accounts', like.account, { account_id: key, username: email, email, created_at: 0 })
      insert('tenants', like.tenant, {
        ...{
          location_code,
          tenant_id: at,
          account_id: let_ ? key : null,
          email,
          email_key: email,
          identity_sealed: null,
        },
        ...{ last: lastOf(at), last_key: nameKey(lastOf(at)), grant_online_access: let_ ? 1 : 0 },
        ...{ cell_phone: phoneOf(facility, at), home_phone: '', work_phone: '' },
      })
      if (held) {
        insert('reservations', like.reservation, {
          ...{
            location_code,
            reservation_code: key,
            unit_id: at,
            unit_number: number,
            unit_type_id: type,
            tenant_id: at,
          },
          ...{ status: 'active', hold_until: far, lease_number: null },
        })
        if (at === unitsEach)
          insert('prospects', like.prospect, { uuid: uuidOf(facility), res_code: key, location_code, tenant_id: at })
        continue
      }
      insert('leases', like.lease, {
        ...{ location_code, lease_number: at, tenant_id: at, unit_id: at, unit_number: number, unit_type_id: type },
        ...{ reservation_code: null, paid_through: '2046-01-01', document_id: null, order_id: null },
        ...{ gate_code: String(100_000 + at), terms_required: 0, scheduled_move_out: null },
      })
      insert('gate_codes', like.code, {
        ...{ location_code, gate_code: String(100_000 + at), tenant_id: at, lease_number: at },
      })
      for (let period = 1; period <= (at === 1 ? periods : 1); period++)
        for (const [kind, cents] of [
          ['rent', 11_200],
          ['payment', -11_200],
        ] as const)
          insert('ledger_entries', like.entry, {
            ...{ entry_id: `${key}:${period}:${kind}`, location_code, lease_number: at, kind, cents, order_id: null },
            ...{ once: `period:${period}:${kind}`, posted_on: dayPaid },
          })
    }
    const token_hash = createHash('sha256').update(tokenOf(facility)).digest('hex')
    insert(
      'sign_ins',
      { ...signIn, token_hash, account_id: '', created_at: 0, expires_at: far, ended_at: null },
      { account_id: `${location_code}-1` },
    )
    const link = { uuid: uuidOf(facility), location_code, state: 'open', order_id: null, paid_at: null }
    insert('auction_winners', like.winner, { ...link, auction_winner_id: 1_000_000 + facility, lease_number: 2 })
    insert('settlements', like.settlement, { ...link, tenant_id: 3, lease_number: 3 })
  }
}

// ── Asking ────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** A site that is asked, how many facilities the bench gave it, and what it and its database have used so far in ms. */
export interface Asked {
  url: string
  facilities: number
  cpu(): number
  /** Forgets the guesses that were counted, of which the bench makes more than anybody may: a write from outside. */
  forgive(): Promise<unknown>
}

export interface Cost {
  name: string
  /** Declared to read; else one of the look-ups. */
  reads: boolean
  /** ms CPU of a call; null: the XML door does not take it. */
  small: number
  large: number
  xml: number | null
  /** Large to small, and small to small asked again. */
  growth: number
  again: number
  /** Bytes of the answer as JSON. */
  bytes: number
}

/** Everything that reads, and neither hashes a password nor makes a document; and the look-ups. */
const measured = (): AnyOperation[] =>
  [...operations.values(), ...resources.values()].filter((one) => !one.writes || lookUps.includes(one.name))

/**
 * What looks somebody up, and is declared to write because it counts guesses and opens sessions: searches through the whole
 * business, which must not grow with it.
 */
const lookUps = ['GetActiveReservation', 'tenant_lookup', 'find-email', 'POST /api/gate_code/search']

/** The example's input, of a facility of the bench and of the tenant of it who is signed in. */
function inputFor(declared: AnyOperation, facility: number): Record<string, unknown> {
  const location_code = codeOf(facility)
  // Guesses at one address are limited wherever they come from.
  const somebody = 1 + (turn % (unitsEach - free - reserved))
  const types: Record<string, unknown> = {
    ...{
      location_code,
      code: location_code,
      tenant_id: 1,
      lease_number: 1,
      lease_no: 1,
      unit_number: 'U1',
      UnitId: 541,
    },
    ...{
      email: `tenant.${location_code.toLowerCase()}-${somebody}@example.com`,
      uuid: uuidOf(facility),
      unit_type_id: 1,
    },
    ...{
      unit_number: declared.name === 'tenant_lookup' ? `U${somebody}` : 'U1',
      contact: `nobody.${turn}@example.com`,
    },
    ...whoIs(declared.name === 'GetActiveReservation' ? unitsEach - (turn % reserved) : somebody, facility),
    MoveInDate: new Intl.DateTimeFormat('en-US', { month: '2-digit', day: '2-digit', year: 'numeric' }).format(now()),
  }
  const { input } = declared.example
  return Object.fromEntries(Object.entries(input).map(([name, value]) => [name, types[name] ?? value]))
}

/** How a tenant is named at the look-ups, by number. */
function whoIs(at: number, facility: number) {
  const digits = phoneOf(facility, at).slice(-4)
  return { last_name: lastOf(at), phone_last_four: digits, last_4_digits_of_phone_number: digits }
}

/** Numbers visitors apart from those of other parts: no two calls come from one address, for the limits count by it. */
let visitors = 4_000_000
let turn = 0

async function askOnce(site: Asked, declared: AnyOperation, notation: 'json' | 'xml'): Promise<number> {
  // Facilities in an order of which no cache can make a habit.
  const facility = 1 + ((turn++ * 7919) % site.facilities)
  const visitor = new Visitor(site.url, visitors++)
  visitor.token = tokenOf(facility)
  const input = inputFor(declared, facility)
  const [method, template] = declared.name.split(' ')
  let answer: Awaited<ReturnType<Visitor['send']>>
  if (template) {
    const rest = { ...input }
    const path = template.replace(/\{(\w+)\}/g, (_, name) => {
      delete rest[name]
      return encodeURIComponent(String(input[name]))
    })
    const query = new URLSearchParams(Object.entries(rest).map(([name, value]) => [name, String(value)]))
    answer =
      method === 'POST'
        ? await visitor.send('POST', path, { type: 'application/json', text: JSON.stringify(rest) })
        : await visitor.send('GET', `${path}?${query}`)
  } else if (notation === 'xml')
    answer = await visitor.send('POST', '/api/ssm', { type: 'application/xml', text: writeXml(declared.name, input) })
  else {
    const body = { type: 'application/json', text: JSON.stringify({ service: declared.name, body: input }) }
    answer = await visitor.send('POST', '/api/ssm', body)
  }
  if (answer.status !== 200)
    throw new Error(`${declared.name} ${JSON.stringify(input)}: ${answer.status} ${answer.text.slice(0, 300)}`)
  return answer.text.length
}

const together = 8

async function ask(site: Asked, declared: AnyOperation, notation: 'json' | 'xml', count: number): Promise<number> {
  // Only what counts guesses is forgiven them: a write from outside empties the cache of what reads on SQLite.
  if (declared.writes) await site.forgive()
  const before = site.cpu()
  let left = count
  await Promise.all(
    Array.from({ length: together }, async () => {
      while (left-- > 0) await askOnce(site, declared, notation)
    }),
  )
  return (site.cpu() - before) / count
}

const sorted = (values: number[]) => [...values].sort((a, b) => a - b)

/** Of several rounds the lower quartile: a machine that does other things besides makes CPU times longer, never shorter. */
const quartile = (values: number[]) => sorted(values)[Math.floor(values.length / 4)] as number

/** Of what was asked in turns: round by round, and of these ratios the middle one, so that what comes and goes meets both. */
const ratio = (of: number[], to: number[]) =>
  sorted(of.map((value, round) => value / (to[round] as number)))[Math.floor(of.length / 2)] as number

const hasXml = (declared: AnyOperation) => !declared.name.includes(' ')

/**
 * CPU of each reading operation. Sites and doors take turns, now in this order and now in the other, and every operation is
 * asked once in each round: a burst of other work then falls on one round of many and not on all there is of one operation.
 * @param again another site on the same rows as `small`: what it differs by is what the measure is worth. It is asked by the XML
 *   door too, so that small and large have compiled as much as each other
 */
export async function operationCosts(small: Asked, again: Asked, large: Asked): Promise<Cost[]> {
  const all = measured()
  const sites = [small, again, large]
  // Programs, statements and what is kept of every facility are as warm as they are at a site that is in use.
  for (const site of sites)
    for (const declared of all)
      for (const notation of site === again && hasXml(declared) ? (['json', 'xml'] as const) : (['json'] as const))
        await ask(site, declared, notation, 96)
  const kept = ['GetInsuranceSchemes', 'GetLocationUnitTypes', 'GetUnitsList', 'GET /api/location_units']
  for (const site of sites)
    for (const one of all.filter(({ name }) => kept.includes(name))) await ask(site, one, 'json', site.facilities)
  type Spent = { small: number[]; again: number[]; large: number[]; xml: number[] }
  const spent = new Map<AnyOperation, Spent>()
  const [rounds, each] = [16, 24]
  const measure = async (some: readonly AnyOperation[], times: number) => {
    for (const declared of some) spent.set(declared, { small: [], again: [], large: [], xml: [] })
    for (let round = 0; round < times; round++)
      for (const declared of some) {
        const of = spent.get(declared) as Spent
        const turns: [keyof Spent, Asked, 'json' | 'xml'][] = [
          ['small', small, 'json'],
          ['again', again, 'json'],
          ['large', large, 'json'],
        ]
        if (hasXml(declared)) turns.push(['xml', again, 'xml'])
        for (const [name, site, notation] of round % 2 === 0 ? turns : turns.reverse())
          of[name].push(await ask(site, declared, notation, each))
      }
  }
  await measure(all, rounds)
  const growth = (declared: AnyOperation) => {
    const { small: base, large: of } = spent.get(declared) as Spent
    return ratio(of, base)
  }
  // Of so many the worst is the unluckiest as well: those that come near the mark are measured anew, and longer.
  const near = all.filter((declared) => growth(declared) > 1.2)
  if (near.length > 0) await measure(near, 3 * rounds)
  const costs: Cost[] = []
  for (const declared of all) {
    const of = spent.get(declared) as Spent
    costs.push({
      name: declared.name,
      reads: !declared.writes,
      small: quartile(of.small),
      large: quartile(of.large),
      growth: growth(declared),
      again: ratio(of.again, of.small),
      xml: of.xml.length > 0 ? quartile(of.small) * ratio(of.xml, of.again) : null,
      bytes: await askOnce(small, declared, 'json'),
    })
  }
  return costs
}
