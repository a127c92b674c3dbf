/** What is measured, in which order, and against which target. */
import { cpSync, createReadStream, existsSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { copyAll } from '../database/copy.ts'
import { enqueue } from '../database/jobs.ts'
import { type Database, type Engine, openDatabase, sqliteFile } from '../database/open.ts'
import { addDays } from '../domain/plain-date.ts'
import { writeXml } from '../domain/xml.ts'
import { systemClock } from '../ports/system.ts'
import { configFrom } from '../server/config.ts'
import { openLog } from '../server/log.ts'
import { openServices, passwords } from '../server/services.ts'
import { runBilling } from '../storage-system/billing.ts'
import { billedDay, billingFloor, openFullFacility } from './billing.ts'
import { demoFacility, openFacilities, type Place } from './business.ts'
import { type Floor, paymentTurn, postgresFloor, reservationTurn, sqliteFloor } from './floor.ts'
import { type Place as ImportPlace, importByCommand, importFloor, writeBusiness } from './import.ts'
import { type Found, lighthouseScores } from './lighthouse.ts'
import {
  cpuMs,
  discard,
  type Postgres,
  postgresPrograms,
  requestCost,
  residentMb,
  type Started,
  scratchFolder,
  startBareServer,
  startPostgres,
  startSite,
} from './machine.ts'
import { type Asked, openLargeBusiness, operationCosts, unitsEach as unitsOfLarge } from './operations.ts'
import { openPage, type PageUnderMeasurement, portalPages, signInOnce, smallAndLargeTenant } from './pages.ts'
import { keepFromCompleter, letCompleterBegin, openDues, openPayments, PayingTenant } from './payments.ts'
import { rent, reserve, Visitor } from './visitors.ts'
import { publicWeight, routeWeights } from './weight.ts'

const parts = [
  'reservations',
  'rentals',
  'payments',
  'billing',
  'import',
  'doors',
  'operations',
  'pages',
  'weight',
  'start',
  'lighthouse',
] as const
type Part = (typeof parts)[number]

interface Row {
  what: string
  measured: string
  floor?: string
  ratio?: number
  target: string
  /** null: told for completeness, without a target. */
  ok: boolean | null
}

/** A site with facilities of the bench's own, ready to be used. */
interface Stage {
  engine: Engine
  site: Started
  dataDir: string
  db: Database
  postgres: Postgres | null
  places: Place[]
  /** Process time of the server and its database, ms. */
  cpu(): number
  /** See `rawTransactions`; null until it is asked for. */
  raw: Floor | null
}

const facilities = 16
const unitsEach = 600
/** Numbers visitors through the whole run, so that no two share an address. */
let visitors = 0

const round = (value: number, digits = 1) => value.toFixed(digits)
const percentile = (sorted: number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
const median = (values: number[]) =>
  percentile(
    [...values].sort((a, b) => a - b),
    0.5,
  )
const kilobytes = (bytes: number) => `${round(bytes / 1000)} kB`

/** @param given such as ['--engine', 'sqlite', '--only', 'pages,start'] */
export async function bench(root: string, given: string[]): Promise<void> {
  const option = (name: string) => (given.includes(name) ? given[given.indexOf(name) + 1] : undefined)
  const lighthouse = option('--lighthouse') ?? process.env.LIGHTHOUSE
  const only = option('--only')?.split(',') as Part[] | undefined
  const wanted = (part: Part) => only?.includes(part) ?? (part !== 'lighthouse' || lighthouse !== undefined)
  const programs = postgresPrograms()
  const asked = option('--engine') ?? (programs ? 'both' : 'sqlite')
  const engines: Engine[] = asked === 'both' ? ['sqlite', 'postgres'] : [asked === 'postgres' ? 'postgres' : 'sqlite']
  if (engines.includes('postgres') && !programs) throw new Error('PostgreSQL is not installed; PG_BIN names its folder')

  const began = performance.now()
  const rows: Row[] = []
  const say = (row: Row) => {
    rows.push(row)
    console.log(line(row))
  }
  console.log(
    `${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.versions.node}. Ratios count, not figures.`,
  )
  const [busy = 0] = loadavg()
  if (busy > 0.7 * cpus().length)
    console.log(`The machine is busy (load ${round(busy)}): CPU times come out too high, rates too low.`)
  console.log()
  for (const [index, engine] of engines.entries()) {
    const first = index === 0
    const folder = scratchFolder()
    const postgres = engine === 'postgres' ? startPostgres(programs as string) : null
    let stage: Stage | null = null
    try {
      // The first start seeds the demo; what is timed is the second.
      await (await startSite(root, folder, postgres?.url)).stop()
      stage = await openStage({ root, folder, engine, postgres, times: first && wanted('start') ? 3 : 1, say })
      if (first && wanted('pages')) await measurePages(root, stage, say)
      if (wanted('pages')) await measurePortal(stage, say)
      if (first && wanted('weight')) await measureWeight(root, stage, say)
      if (wanted('reservations')) await measureReservations(stage, say)
      if (wanted('rentals')) await measureRentals(stage, say)
      if (wanted('payments')) await measurePayments(stage, say)
      if (wanted('billing')) await measureBilling(stage, say)
      if (wanted('import')) await measureImport(root, stage, Number(option('--units') ?? 100_000), say)
      if (first && wanted('doors')) await measureDoors(stage, say)
      if (wanted('operations'))
        await measureOperations(
          root,
          stage,
          { units: Number(option('--units') ?? 240_000), data: option('--data') },
          say,
        )
      if (first && wanted('lighthouse')) await measureLighthouse(stage, lighthouse, say)
    } finally {
      await stage?.site.stop()
      await stage?.db.close()
      postgres?.stop()
      discard(folder)
    }
  }
  const missed = rows.filter((row) => row.ok === false)
  console.log(
    `\n${rows.filter((row) => row.ok).length} ok, ${missed.length} missed, in ${round((performance.now() - began) / 1000, 0)} s`,
  )
  for (const row of missed) console.log(`  missed: ${row.what}: ${row.measured} (${row.target})`)
}

function line(row: Row): string {
  const verdict = row.ok === null ? '' : row.ok ? 'ok' : 'MISSED'
  const ratio = row.ratio === undefined ? '' : `${round(row.ratio * 100)} %`
  const cells = [row.what.padEnd(58), row.measured.padEnd(22), (row.floor ?? '').padEnd(18), ratio.padEnd(9)]
  return `${cells.join(' ')} ${row.target.padEnd(26)} ${verdict}`.trimEnd()
}

// ── Start and memory ──────────────────────────────────────────────────────────────────────────────────────────────────

async function openStage(of: {
  root: string
  folder: string
  engine: Engine
  postgres: Postgres | null
  times: number
  say: (row: Row) => void
}): Promise<Stage> {
  const { postgres } = of
  const db = await openDatabase({ dataDir: of.folder, ...(postgres ? { url: postgres.url } : {}) })
  const places = await openFacilities(db, facilities)
  if (postgres) await settleDown(db)
  const starts: number[] = []
  let site = await startSite(of.root, of.folder, postgres?.url)
  starts.push(site.startMs)
  while (starts.length < of.times) {
    await site.stop()
    site = await startSite(of.root, of.folder, postgres?.url)
    starts.push(site.startMs)
  }
  if (of.times > 1) {
    const startMs = median(starts)
    of.say({
      what: 'start, the second time',
      measured: `${round(startMs, 0)} ms`,
      target: '≤ 1000 ms',
      ok: startMs <= 1000,
    })
    await pause(3000)
    const resident = residentMb(site.pid)
    of.say({
      what: 'memory when idle, card sandbox apart',
      measured: `${round(resident, 0)} MB`,
      target: '≤ 150 MB',
      ok: resident <= 150,
    })
  }
  const cpu = () => cpuMs(site.pid) + (postgres ? cpuMs(postgres.pid, true) : 0)
  return { engine: of.engine, site, dataDir: of.folder, db, postgres, places, cpu, raw: null }
}

/** As a PostgreSQL in service is; or what it does of itself after so much was written falls on what is measured next. */
async function settleDown(db: Database): Promise<void> {
  for (const settling of ['vacuum analyze', 'checkpoint']) await sql.raw(settling).execute(db.write)
}

// ── Pages ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

async function measurePages(root: string, stage: Stage, say: (row: Row) => void): Promise<void> {
  const facility = await demoFacility(stage.db)
  const { url } = stage.site
  const bare = await startBareServer(root)
  const floors: number[] = []
  const cached: { path: string; rate: number; microseconds: number }[] = []
  const bareCpu = () => cpuMs(bare.pid)
  try {
    await requestCost(root, bare.url, 1, bareCpu)
    floors.push((await requestCost(root, bare.url, 3, bareCpu)).microseconds)
    for (const path of ['/', '/search?q=30308', facility.path]) {
      await requestCost(root, url + path, 2, stage.cpu)
      cached.push({ path, ...(await requestCost(root, url + path, 3, stage.cpu)) })
    }
    floors.push((await requestCost(root, bare.url, 3, bareCpu)).microseconds)
  } finally {
    await bare.stop()
  }
  const floor = median(floors)
  for (const { path, rate, microseconds } of cached)
    say({
      what: `from the cache: ${path}`,
      measured: `${round(microseconds, 1)} µs CPU (${round(rate, 0)}/s)`,
      floor: `bare ${round(floor, 1)} µs`,
      ratio: floor / microseconds,
      target: '≥ 50 % of a bare route',
      ok: floor / microseconds >= 0.5,
    })

  // An alert is for one visitor, so a page with one is rendered for each request; other addresses vary a known key.
  const alert = 'latchkey_alert=invalidSession'
  const pages: { path: (at: number) => string; cookie?: string; what: string }[] = [
    { what: '/', path: () => '/', cookie: alert },
    { what: '/search', path: (at) => `/search?q=${10_000 + at * 37}` },
    { what: facility.path, path: (at) => `${facility.path}?sort=${at}` },
  ]
  const costs = await costsInTurns(
    stage,
    pages.map((page) => async (at: number) => {
      const visitor = new Visitor(url, visitors++)
      visitor.cookie = page.cookie ?? ''
      visitor.encoding = 'br'
      const answer = await visitor.send('GET', page.path(at))
      if (answer.status !== 200) throw new Error(`${page.path(at)} answers ${answer.status}`)
    }),
    { warmUp: 1500, rounds: 16 },
  )
  for (const [index, page] of pages.entries()) {
    const each = costs[index] ?? 0
    say({
      what: `rendered: ${page.what}`,
      measured: `${round(each, 2)} ms CPU`,
      target: '≤ 1.5 ms CPU',
      ok: each <= 1.5,
    })
  }
}

// ── Pages of tenants ──────────────────────────────────────────────────────────────────────────────────────────────────

/** Each page is opened so many times at a time. */
const opened = 40

/**
 * CPU of server and database for each of these, ms. They take turns, and of the rounds the lower quartile counts: a machine that
 * does other things besides makes CPU times longer, never shorter.
 * @param each given how often it has run
 */
async function costsInTurns(
  stage: Stage,
  each: ((at: number) => Promise<unknown>)[],
  { warmUp = 6 * opened, rounds = 8 } = {},
): Promise<number[]> {
  const spent = each.map(() => [] as number[])
  let at = 0
  // What is compiled late is not what a page costs.
  for (const one of each) for (let time = 0; time < warmUp; time += 1) await one(at++)
  for (let turn = 0; turn < rounds; turn += 1)
    for (const [index, one] of each.entries()) {
      const before = stage.cpu()
      for (let time = 0; time < opened; time += 1) await one(at++)
      spent[index]?.push((stage.cpu() - before) / opened)
    }
  const quartile = (values: number[]) =>
    percentile(
      values.sort((a, b) => a - b),
      0.25,
    )
  return spent.map(quartile)
}

const pageCosts = (stage: Stage, pages: PageUnderMeasurement[]) =>
  costsInTurns(
    stage,
    pages.map((page) => () => openPage(page)),
  )

async function measurePortal(stage: Stage, say: (row: Row) => void): Promise<void> {
  const { engine } = stage
  const { url } = stage.site
  const serial = () => visitors++
  const pages = await portalPages(url, serial)
  const costs = await pageCosts(stage, pages)
  for (const [index, page] of pages.entries()) {
    const each = costs[index] ?? 0
    say({
      what: `rendered: ${page.what} (${engine})`,
      measured: `${round(each, 2)} ms CPU`,
      target: '≤ 4 ms CPU',
      ok: each <= 4,
    })
  }
  for (const { path, one, many } of await smallAndLargeTenant(stage.db, url, serial)) {
    const [small = 0, large = 0] = await pageCosts(stage, [one, many])
    const ratio = large / small
    say({
      what: `40 units, 10 years: ${path} (${engine})`,
      measured: `${round(large, 2)} ms CPU`,
      floor: `one ${round(small, 2)} ms`,
      ratio,
      target: '≤ 150 % of one unit',
      ok: ratio <= 1.5,
    })
  }
  const times = 40
  const ownCpu = () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  }
  await passwords.hash('rolling-door-47')
  const beforeHashes = ownCpu()
  for (let time = 0; time < times; time += 1) await passwords.hash('rolling-door-47')
  const hash = (ownCpu() - beforeHashes) / times
  const names = ['marcus.tilley', 'georgia.hallam', 'owen.strand', 'imogen.sayles'].map((name) => `${name}@example.com`)
  const signIn = (time: number) => signInOnce(url, visitors++, names[time % names.length] as string)
  for (let time = 0; time < 8; time += 1) await signIn(time)
  const before = stage.cpu()
  for (let time = 0; time < times; time += 1) await signIn(time)
  const each = (stage.cpu() - before) / times
  say({
    what: `sign-in (${engine})`,
    measured: `${round(each, 1)} ms CPU`,
    floor: `argon2id ${round(hash, 1)} ms`,
    ratio: each / hash,
    target: '≤ 200 % of the hash',
    ok: each <= 2 * hash,
  })
}

// ── Weight ────────────────────────────────────────────────────────────────────────────────────────────────────────────

async function measureWeight(root: string, stage: Stage, say: (row: Row) => void): Promise<void> {
  const facility = await demoFacility(stage.db)
  for (const path of ['/', '/search?q=30308', facility.path]) {
    const weight = await publicWeight(stage.site.url, path)
    say({
      what: `weight: ${path}`,
      measured: `script ${kilobytes(weight.script)}, all ${kilobytes(weight.all)}`,
      target: 'script 0 kB, all ≤ 50 kB',
      ok: weight.script === 0 && weight.all <= 50_000,
    })
    if (weight.all > 50_000)
      for (const [part, bytes] of Object.entries(weight.parts)) console.log(`    ${part}: ${kilobytes(bytes)}`)
  }
  const routes = routeWeights(root)
  const over = routes.filter((route) => route.script > 135_000)
  const [heaviest] = routes
  if (!heaviest) throw new Error('The build has no journey pages')
  say({
    what: `script of ${routes.length} journey pages, heaviest: ${heaviest.path}`,
    measured: `${kilobytes(heaviest.script)} gzip`,
    target: '≤ 135 kB gzip',
    ok: over.length === 0,
  })
  for (const route of over) console.log(`    ${route.path} ${kilobytes(route.script)}: ${route.heaviest.join(', ')}`)
}

// ── Reservations ──────────────────────────────────────────────────────────────────────────────────────────────────────

const atATime = 16

/** Raw reservations a second on the engine of this stage, measured once: the facility behind it is for that alone. */
async function rawTransactions(stage: Stage): Promise<Floor> {
  const { locationCode } = stage.places[stage.places.length - 1] as Place
  stage.raw ??= await floorOf(stage, reservationTurn(locationCode, unitsEach))
  return stage.raw
}

async function floorOf({ postgres, dataDir }: Stage, turn: ReturnType<typeof reservationTurn>): Promise<Floor> {
  const milliseconds = 3000
  if (!postgres) return sqliteFloor(dataDir, turn, milliseconds)
  return postgresFloor(postgres.url, turn, milliseconds, () => cpuMs(postgres.pid, true))
}

async function measureReservations(stage: Stage, say: (row: Row) => void): Promise<void> {
  const { engine, site, places, db } = stage
  const { perSecond: floor } = await rawTransactions(stage)
  const used = places.slice(0, -2)
  let turn = 0
  const latencies: number[] = []
  const work = async (enough: () => boolean) => {
    await Promise.all(
      Array.from({ length: atATime }, async () => {
        while (!enough()) {
          const at = turn++
          const began = performance.now()
          await reserve(
            new Visitor(site.url, visitors++),
            used[at % used.length] as Place,
            Math.floor(at / used.length),
          )
          latencies.push(performance.now() - began)
        }
      }),
    )
  }
  await work(() => latencies.length >= 400)
  await settled(db)
  latencies.length = 0
  const mailsBefore = await mailCount(db)
  const cpuBefore = stage.cpu()
  const began = performance.now()
  await work(() => performance.now() - began > 8000 || latencies.length >= 5000)
  const seconds = (performance.now() - began) / 1000
  const cpuThen = stage.cpu()
  const mailsThen = await mailCount(db)
  // The confirmation mails go out behind the reservations; what they cost is measured apart and taken off.
  const cpuPerMail = await mailCost(stage, used)
  const count = latencies.length
  const each = (cpuThen - cpuBefore - cpuPerMail * (mailsThen - mailsBefore)) / count
  const rate = count / seconds
  latencies.sort((a, b) => a - b)
  say({
    what: `reservations through the API, 16 at a time (${engine})`,
    measured: `${round(rate, 0)}/s`,
    floor: `raw ${round(floor, 0)}/s`,
    ratio: rate / floor,
    target: '≥ 10 % of raw transactions',
    ok: rate / floor >= 0.1,
  })
  say({
    what: `  each: server and database (${engine})`,
    measured: `${round(each, 2)} ms CPU`,
    target: '≤ 3 ms CPU',
    ok: each <= 3,
  })
  say({
    what: `  latency of the four calls p50, p99; mail behind it (${engine})`,
    measured: `${round(percentile(latencies, 0.5), 0)}, ${round(percentile(latencies, 0.99), 0)} ms; ${round(cpuPerMail, 1)} ms CPU`,
    target: '',
    ok: null,
  })
}

/** CPU of one confirmation mail, ms: some are ordered again, with nothing else going on. */
async function mailCost(stage: Stage, places: Place[]): Promise<number> {
  const { db } = stage
  await settled(db)
  const rows = await db.read
    .selectFrom('reservations')
    .select(['location_code', 'reservation_code'])
    .where(
      'location_code',
      'in',
      places.map((place) => place.locationCode),
    )
    .where('status', '=', 'active')
    .limit(200)
    .execute()
  const mails = await mailCount(db)
  const before = stage.cpu()
  await db.transaction(async (tx) => {
    for (const { location_code: locationCode, reservation_code: reservationCode } of rows)
      await enqueue(tx, {
        kind: 'reservation_confirmed',
        once: `again:${locationCode}:${reservationCode}`,
        payload: { locationCode, reservationCode },
        runAt: Date.now(),
      })
  })
  await settled(db)
  const sent = (await mailCount(db)) - mails
  if (sent === 0) throw new Error('No confirmation mail went out')
  return (stage.cpu() - before) / sent
}

const mailCount = async (db: Database) =>
  Number(
    (
      await db.read
        .selectFrom('mailbox')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
    ).count,
  )

/** Waits until no job is due any more, at most a minute. */
async function settled(db: Database): Promise<void> {
  const until = performance.now() + 60_000
  while (performance.now() < until) {
    const due = await db.read
      .selectFrom('jobs')
      .select('job_id')
      .where('state', 'in', ['waiting', 'running'])
      .where('run_at', '<=', Date.now())
      .executeTakeFirst()
    if (!due) return
    await pause(200)
  }
  throw new Error('Jobs are still due after a minute')
}

// ── Rentals ───────────────────────────────────────────────────────────────────────────────────────────────────────────

async function measureRentals(stage: Stage, say: (row: Row) => void): Promise<void> {
  const place = stage.places[stage.places.length - 2] as Place
  const once = (turn: number) => rent(new Visitor(stage.site.url, visitors++), place, turn)
  for (let turn = 0; turn < 80; turn++) await once(turn)
  await settled(stage.db)
  const count = 120
  const before = stage.cpu()
  const began = performance.now()
  let turn = 80
  await Promise.all(
    Array.from({ length: 2 }, async () => {
      while (turn < 80 + count) await once(turn++)
    }),
  )
  const seconds = (performance.now() - began) / 1000
  const paid = stage.cpu()
  await settled(stage.db)
  const each = (stage.cpu() - before) / count
  say({
    what: `card rental through API and sandbox, signed PDF and mails included (${stage.engine})`,
    measured: `${round(each, 1)} ms CPU`,
    target: '≤ 50 ms CPU',
    ok: each <= 50,
  })
  say({
    what: `  to the lease number, mails apart; two at a time (${stage.engine})`,
    measured: `${round((paid - before) / count, 1)} ms CPU, ${round(count / seconds)}/s`,
    target: '',
    ok: null,
  })
}

// ── Payments ──────────────────────────────────────────────────────────────────────────────────────────────────────────

async function measurePayments(stage: Stage, say: (row: Row) => void): Promise<void> {
  const { engine, db, site } = stage
  // Leases of its own, since what the floor writes would pay the dues of the others.
  const bare = 'RAWPAY'
  await openFullFacility(db, db, bare, unitsEach, billedDay)
  const raw = await floorOf(stage, paymentTurn(bare, unitsEach))
  const reservation = await rawTransactions(stage)
  const stuck = 1000
  // As warm as a site in service is: what is asked seldom is compiled late.
  const [warm, most, together] = [1500, 1500, 32]
  const tenants = await openDues(db, warm + most + stuck)
  if (stage.postgres) await settleDown(db)
  const next = () => {
    const tenant = tenants.pop()
    if (!tenant) throw new Error('Everybody has paid')
    return new PayingTenant(site.url, visitors++, tenant)
  }
  const work = (of: (visitor: PayingTenant) => Promise<unknown>, enough: () => boolean) =>
    Promise.all(
      Array.from({ length: together }, async () => {
        while (!enough()) await of(next())
      }),
    )
  const latencies: number[] = []
  let turns = 0
  const payOnce = async (visitor: PayingTenant) => {
    turns += 1
    const at = performance.now()
    await visitor.pay()
    latencies.push(performance.now() - at)
  }
  await work(payOnce, () => turns >= warm - together)
  await settled(db)
  latencies.length = 0
  turns = 0
  const [cpuBefore, serverBefore] = [stage.cpu(), cpuMs(site.pid)]
  const began = performance.now()
  await work(payOnce, () => turns >= most - together || performance.now() - began > 8000)
  const seconds = (performance.now() - began) / 1000
  await settled(db)
  const each = (stage.cpu() - cpuBefore) / latencies.length
  const ofServer = (cpuMs(site.pid) - serverBefore) / latencies.length
  const rate = latencies.length / seconds
  latencies.sort((a, b) => a - b)
  say({
    what: `tenant's card payment through API and sandbox, receipt mail included (${engine})`,
    measured: stage.postgres ? `${round(ofServer)} + ${round(each - ofServer)} ms CPU` : `${round(each)} ms CPU`,
    target: '≤ 10 ms CPU, each of both',
    ok: ofServer <= 10 && each - ofServer <= 10,
  })
  say({
    what: `  ${together} at a time (${engine})`,
    measured: `${round(rate, 0)}/s`,
    floor: `raw ${round(raw.perSecond, 0)}/s`,
    ratio: rate / raw.perSecond,
    target: '≥ 20 % of raw payments: two transactions of seven statements',
    ok: rate / raw.perSecond >= 0.2,
  })
  say({
    what: `  against reservations' one transaction of six statements (${engine})`,
    measured: `${round(rate, 0)}/s`,
    floor: `raw ${round(reservation.perSecond, 0)}/s`,
    ratio: rate / reservation.perSecond,
    target: '',
    ok: null,
  })
  // The payers and the card sandbox share the cores with the server, so the rate says as much of them as of it.
  say({
    what: `  the same by CPU of server and database, without payers and sandbox (${engine})`,
    measured: `${round(each, 2)} ms`,
    floor: `raw ${round(raw.cpuMs, 2)} ms`,
    ratio: raw.cpuMs / each,
    target: '',
    ok: null,
  })
  say({
    what: `  latency from the dues to the receipt p50, p99 (${engine})`,
    measured: `${round(percentile(latencies, 0.5), 0)}, ${round(percentile(latencies, 0.99), 0)} ms`,
    target: '',
    ok: null,
  })

  turns = 0
  await work(
    async (visitor) => {
      const orderId = await visitor.payAndVanish()
      // The completer would be through with the first before the last are there.
      await keepFromCompleter(db, orderId)
    },
    () => ++turns > stuck,
  )
  const waiting = await openPayments(db)
  if (waiting < stuck) throw new Error(`Only ${waiting} payments are stuck`)
  await letCompleterBegin(db)
  const from = performance.now()
  const cpuFrom = stage.cpu()
  while ((await openPayments(db)) > 0) {
    if (performance.now() - from > 180_000) break
    await pause(250)
  }
  const left = await openPayments(db)
  const took = (performance.now() - from) / 1000
  const perMinute = ((waiting - left) * 60) / took
  say({
    what: `${waiting} paid orders whose payers never came back: none is open after (${engine})`,
    measured: left > 0 ? `${left} left, ${round(took)} s` : `${round(took)} s`,
    floor: `${round((stage.cpu() - cpuFrom) / (waiting - left), 1)} ms CPU each`,
    target: '1000 within 60 s',
    ok: left === 0 && perMinute >= 1000,
  })
  await settled(db)
}

// ── The two notations ─────────────────────────────────────────────────────────────────────────────────────────────────

/** The same calls in XML and in JSON, in turn, so that a busy machine burdens both. */
async function measureDoors(stage: Stage, say: (row: Row) => void): Promise<void> {
  const [place] = stage.places
  if (!place) throw new Error('The bench has no facility')
  const facility = place.locationCode
  const calls = [
    { service: 'GetUnitsList', what: `${unitsEach} units`, body: { location_code: facility }, rounds: 12, each: 10 },
    {
      service: 'GetMoveInCostAll',
      what: 'one price',
      body: { location_code: facility, UnitId: place.unitIds[0], MoveInDate: new Date().toLocaleDateString('en-US') },
      rounds: 12,
      each: 60,
    },
  ]
  for (const { service, what, body, rounds, each } of calls) {
    const notations = {
      json: { type: 'application/json', text: JSON.stringify({ service, body }) },
      xml: { type: 'application/xml', text: writeXml(service, body) },
    }
    const ask = async (notation: keyof typeof notations, count: number) => {
      const before = stage.cpu()
      for (let at = 0; at < count; at++) {
        const answer = await new Visitor(stage.site.url, visitors++).send('POST', '/api/ssm', notations[notation])
        if (answer.status !== 200) throw new Error(`${service}: ${answer.status} ${answer.text.slice(0, 300)}`)
      }
      return stage.cpu() - before
    }
    await ask('json', each * 3)
    await ask('xml', each * 3)
    const spent = { json: 0, xml: 0 }
    for (let round = 0; round < rounds; round++) {
      spent.json += await ask('json', each)
      spent.xml += await ask('xml', each)
    }
    const ratio = spent.xml / spent.json
    say({
      what: `XML door: ${service}, ${what}`,
      measured: `${round(spent.xml / rounds / each, 2)} ms CPU`,
      floor: `JSON ${round(spent.json / rounds / each, 2)} ms`,
      ratio,
      target: '≤ 200 % of the JSON door',
      ok: ratio <= 2,
    })
  }
}

// ── Reading operations ────────────────────────────────────────────────────────────────────────────────────────────────

/** The demo's number of facilities, and as many besides as so many units make; each asked at a site of its own. */
async function measureOperations(
  root: string,
  stage: Stage,
  of: { units: number; data: string | undefined },
  say: (row: Row) => void,
): Promise<void> {
  const { engine, postgres } = stage
  const scratch = scratchFolder()
  const sites: Started[] = []
  const opened: Database[] = []
  try {
    const fill = async (dataDir: string, facilities: number) => {
      // The first start seeds the demo, whose rows are the patterns.
      if (!existsSync(sqliteFile(dataDir))) await (await startSite(root, dataDir)).stop()
      await openLargeBusiness(dataDir, facilities)
      // In the machine's memory, as that of a site in use is: what waits for the disk is charged to whoever asks.
      for await (const _ of createReadStream(sqliteFile(dataDir), { highWaterMark: 1 << 20 }));
    }
    const open = async (dataDir: string, facilities: number, url?: string): Promise<Asked> => {
      const site = await startSite(root, dataDir, url)
      sites.push(site)
      const cpu = () => cpuMs(site.pid) + (postgres ? cpuMs(postgres.pid, true) : 0)
      const db = await openDatabase({ dataDir, ...(url && { url }) })
      opened.push(db)
      return { url: site.url, facilities, cpu, forgive: () => db.write.deleteFrom('limits').execute() }
    }
    const few = 14
    const many = Math.round(of.units / unitsOfLarge)
    const smallDir = join(scratch, 'small')
    await fill(smallDir, few)
    /** The same rows on the stage's PostgreSQL, in a database of their own. */
    const copied = async (dataDir: string, name: string): Promise<string | undefined> => {
      if (!postgres) return undefined
      const place = new URL(postgres.url)
      place.pathname = `/${name}`
      const url = place.href
      await sql`create database ${sql.ref(name)}`.execute(stage.db.write)
      const [from, to] = [await openDatabase({ dataDir }), await openDatabase({ dataDir, url })]
      await copyAll(from, to)
      await sql`vacuum analyze`.execute(to.write)
      await Promise.all([from.close(), to.close()])
      return url
    }
    const url = await copied(smallDir, 'operations')
    const againDir = join(scratch, 'again')
    cpSync(smallDir, againDir, { recursive: true })
    const small = await open(smallDir, few, url)
    const again = await open(againDir, few, url)
    const largeDir = of.data ?? join(scratch, 'large')
    await fill(largeDir, many)
    const large = await open(largeDir, many, await copied(largeDir, 'large_operations'))
    const all = await operationCosts(small, again, large)
    const costs = all.filter((one) => one.reads)
    const byCost = [...all].sort((a, b) => b.small - a.small)
    const worst = byCost.find((one) => one.reads)
    if (!worst) throw new Error('The catalogue has nothing that reads')
    const ms = (value: number | null) => (value === null ? '' : round(value, 2))
    console.log(`    ${'ms CPU of a call'.padEnd(40)} ${few} facilities ${String(many).padStart(6)}   XML   answer`)
    for (const one of byCost.slice(0, 10))
      console.log(
        `    ${one.name.padEnd(40)} ${ms(one.small).padStart(13)} ${ms(one.large).padStart(6)} ${ms(one.xml).padStart(5)}   ${kilobytes(one.bytes)}`,
      )
    for (const one of all.filter((cost) => cost.growth > 1.2))
      console.log(`    ${one.name}: ${ms(one.growth)} × at ${many}, asked again at ${few} ${ms(one.again)} ×`)
    say({
      what: `${costs.length} reading operations through the JSON door, worst: ${worst.name} (${engine})`,
      measured: `${ms(worst.small)} ms CPU`,
      target: '≤ 1 ms CPU each',
      ok: worst.small <= 1,
    })
    say({
      what: `  the one in the middle; look-ups that count guesses (${engine})`,
      measured: `${ms(median(costs.map((one) => one.small)))}; ${ms(median(all.filter((one) => !one.reads).map((one) => one.small)))} ms CPU`,
      target: '',
      ok: null,
    })
    const most = all.reduce((a, b) => (b.growth > a.growth ? b : a))
    say({
      what: `  at ${many} facilities of ${unitsOfLarge} units, worst: ${most.name} (${engine})`,
      measured: `${round(most.growth, 2)} × that of ${few}`,
      target: '≤ 1.3 × each',
      ok: most.growth <= 1.3,
    })
    say({
      what: '  the one in the middle',
      measured: `${round(median(all.map((one) => one.growth)), 2)} ×`,
      target: '',
      ok: null,
    })
    const noise = all.reduce((a, b) => (Math.abs(Math.log(b.again)) > Math.abs(Math.log(a.again)) ? b : a))
    say({
      what: `  the ${few} measured against themselves, worst: ${noise.name} (${engine})`,
      measured: `${round(noise.again, 2)} ×`,
      target: '',
      ok: null,
    })
    const xml = costs.flatMap((one) => (one.xml === null ? [] : [one.xml / one.small]))
    say({
      what: `  XML door, the one in the middle of ${xml.length} (${engine})`,
      measured: `${round(median(xml), 2)} × JSON, worst ${round(Math.max(...xml), 2)}`,
      target: '≤ 2 × JSON',
      ok: median(xml) <= 2,
    })
  } finally {
    for (const db of opened) await db.close()
    for (const site of sites) await site.stop()
    discard(scratch)
  }
}

// ── Billing ───────────────────────────────────────────────────────────────────────────────────────────────────────────

async function measureBilling(stage: Stage, say: (row: Row) => void): Promise<void> {
  const { engine, postgres } = stage
  const leases = 10_000
  const code = 'BILL'
  const dataDir = join(stage.dataDir, 'billing')
  let url: string | undefined
  if (postgres) {
    // The same server, another database.
    const place = new URL(postgres.url)
    place.pathname = '/billing'
    url = place.href
    await sql`create database billing`.execute(stage.db.write)
  }
  const db = await openDatabase({ dataDir, ...(url && { url }) })
  await openFullFacility(stage.db, db, code, leases, billedDay)
  const read = configFrom({ DATA_DIR: dataDir })
  if (!read.ok) throw new Error(read.problems.join('\n'))
  const { house } = openServices({ config: read.config, db, log: openLog('silent'), clock: systemClock })
  let began = performance.now()
  const billed = await runBilling(house, { locationCode: code, date: billedDay })
  const rate = (leases * 1000) / (performance.now() - began)
  if (billed.periods !== leases) throw new Error(`${billed.periods} of ${leases} leases were billed`)
  began = performance.now()
  await runBilling(house, { locationCode: code, date: addDays(billedDay, 1) })
  const idle = (leases * 1000) / (performance.now() - began)
  const each = billed.entries / leases
  const seconds = await billingFloor({ dataDir, url }, code, {
    leases,
    entries: billed.entries,
    toATransaction: Math.round(500 * each),
  })
  await db.close()
  const floor = leases / seconds
  say({
    what: `billing, ${round(each, 0)} charges and a mail each (${engine})`,
    measured: `${round(rate, 0)} leases/s`,
    floor: `inserts ${round(floor, 0)}/s`,
    ratio: rate / floor,
    target: engine === 'sqlite' ? '≥ 3000 leases/s' : '',
    ok: engine === 'sqlite' ? rate >= 3000 : null,
  })
  say({
    what: `  a day on which nothing is due (${engine})`,
    measured: `${round(idle, 0)} leases/s`,
    target: '',
    ok: null,
  })
}

// ── Import ────────────────────────────────────────────────────────────────────────────────────────────────────────────

async function measureImport(root: string, stage: Stage, units: number, say: (row: Row) => void): Promise<void> {
  const { engine, postgres } = stage
  const business = join(stage.dataDir, 'operator-files')
  const rows = await writeBusiness(business, units)
  const place = async (name: string): Promise<ImportPlace> => {
    const dataDir = join(stage.dataDir, name)
    if (!postgres) return { dataDir, url: undefined }
    const url = new URL(postgres.url)
    url.pathname = `/${name}`
    await sql`create database ${sql.ref(name)}`.execute(stage.db.write)
    return { dataDir, url: url.href }
  }
  const [imported, bare] = [await place('imported'), await place('bare')]
  const { seconds, peak, waited } = await importByCommand(root, business, imported)
  const floor = await importFloor(imported, bare)
  say({
    what: `import of ${units} units and their leases, ${rows} rows (${engine})`,
    measured: `${round(units / seconds, 0)} units/s`,
    floor: `inserts ${round(units / floor, 0)}/s`,
    ratio: floor / seconds,
    target: '≥ 30 % of bare inserts',
    ok: floor / seconds >= 0.3,
  })
  say({
    what: `  memory of the command at its highest (${engine})`,
    measured: `${round(peak, 0)} MB`,
    target: '≤ 300 MB',
    ok: peak <= 300,
  })
  if (!postgres)
    say({
      what: `  longest that another writer waits (${engine})`,
      measured: `${round(waited)} s of ${round(seconds)} s`,
      target: '≤ 5 s',
      ok: waited <= 5,
    })
}

// ── Lighthouse ────────────────────────────────────────────────────────────────────────────────────────────────────────

async function measureLighthouse(stage: Stage, folder: string | undefined, say: (row: Row) => void): Promise<void> {
  if (!folder)
    throw new Error(
      'Lighthouse is 185 MB and not among our packages: run `npm install lighthouse` in a folder elsewhere, then `npm run bench -- --lighthouse <that folder>`',
    )
  const facility = await demoFacility(stage.db)
  const visitor = new Visitor(stage.site.url, visitors++)
  await visitor.send('GET', `/rent/${facility.locationCode}/${facility.unitTypeId}`)
  const dated = new Visitor(stage.site.url, visitors++)
  await dated.send('GET', `/rent/${facility.locationCode}/${facility.unitTypeId}`)
  // Within the window wherever the facility lies.
  const tomorrow = new Intl.DateTimeFormat('en-US', {
    timeZone: 'UTC',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).format(Date.now() + 86_400_000)
  await dated.send('POST', '/reservation-date', {
    type: 'application/x-www-form-urlencoded',
    text: new URLSearchParams({ move_in_date: tomorrow }).toString(),
  })
  const renting = new Visitor(stage.site.url, visitors++)
  await reserve(renting, stage.places[0] as Place, 0, true)
  const moved = new Visitor(stage.site.url, visitors++)
  await rent(moved, stage.places[0] as Place, 1)
  const stranger = new Visitor(stage.site.url, visitors++)
  const tenant = ['/my-units', '/unit-lease-details', '/unit-map', '/online-payment-method', '/online-payment-ach']
  const pages = [
    { path: '/', public: true, visitor: stranger },
    { path: '/search?q=30308', public: true, visitor: stranger },
    { path: facility.path, public: true, visitor: stranger },
    { path: '/reservation-date', visitor },
    { path: '/add-contact', visitor: dated },
    { path: '/vehicle', visitor: renting },
    { path: '/rental-completed', visitor: moved },
    ...(await portalPages(stage.site.url, () => visitors++)).filter(({ what }) => ['/login', ...tenant].includes(what)),
  ]
  for (const page of pages) {
    const { cookie, token } = page.visitor
    const open = 'public' in page
    const asked = {
      headers: { ...(cookie && { Cookie: cookie }), ...(token && { Authorization: `Bearer ${token}` }) },
      indexed: open,
    }
    const isEnough = ({ scores, lcpMs }: Found) =>
      open
        ? Object.values(scores).every((one) => one === 100) && lcpMs <= 1200
        : Object.values(scores).every((one) => one >= 95)
    // Whatever else the machine does makes a run worse and none better: the best of up to three is the page's own.
    let found = await lighthouseScores(folder, stage.site.url + page.path, asked)
    for (let run = 2; run <= 3 && !isEnough(found); run += 1) {
      const again = await lighthouseScores(folder, stage.site.url + page.path, asked)
      if ((again.scores.performance ?? 0) >= (found.scores.performance ?? 0)) found = again
    }
    say({
      what: `Lighthouse mobile: ${page.path}`,
      measured: `${Object.values(found.scores).join(' ')}, LCP ${round(found.lcpMs / 1000, 2)} s`,
      target: open ? '100 four times, LCP ≤ 1.2 s' : '≥ 95 each',
      ok: isEnough(found),
    })
    for (const fault of found.faults) console.log(`    ${fault}`)
  }
}
