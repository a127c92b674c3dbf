/** Runs the benchmarks in order and compares each figure with its limit (`npm run bench`). */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { seedPastDays } from '../demo/daily-snapshots.ts'
import { type Database, type Engine, openDatabase, sqliteFile } from '../platform/database/open.ts'
import { passwords } from '../platform/passwords/hash-password.ts'
import { systemRandom } from '../server/system-clock-and-random.ts'
import { openSite, type Site } from '../tests/actors/run-site-process.ts'
import { postgresUnavailableReason, type SyncingPostgres, startSyncingPostgres } from '../tests/support/postgres.ts'
import {
  addBenchFacilities,
  codeOf,
  copyToPostgres,
  demoPage,
  UNITS_PER_FACILITY,
  unitOfEachType,
  warmUp,
} from './bench-data.ts'
import {
  cpuMs,
  lowest,
  median,
  ownCpuMs,
  requestCost,
  residentMb,
  startBareServer,
} from './cpu-and-memory-measurements.ts'
import { connectGate, refreshCost, type SplitCost, unchangedListCost } from './gate-list-costs.ts'
import { officePages, openOfficePage, signInBenchStaff } from './office-pages.ts'
import { type MeasuredSite, operationCosts, operationCostsData } from './operation-costs.ts'
import { createPaymentBuilder, createReservationBuilder, measureTransactionRate } from './raw-transactions.ts'
import { measurePublicScripts, measureRouteScripts } from './script-size.ts'
import { newVisitor, openPage, payOnce, rentOnce, reserveOnce, signIn, tenantPages } from './visitors.ts'

const parts = ['start', 'pages', 'weight', 'reservations', 'rentals', 'payments', 'gate', 'operations'] as const
type Part = (typeof parts)[number]

interface Row {
  figure: string
  measured: string
  /** Limit as printed, an upper or a lower one: '≤ 6 ms CPU', '≥ 30 %'. */
  limit: string
  ok: boolean
}
/** Prints a measured figure with its limit, and records whether the limit is kept. */
type Say = (figure: string, measured: string, limit: string, ok: boolean) => void

interface Stage {
  root: string
  engine: Engine
  site: Site
  dataDir: string
  /** URL of the site's PostgreSQL database. */
  url: string | undefined
  db: Database
  /** CPU time of the server and its database, in milliseconds. */
  cpu(): number
  /** CPU time of the database's own processes, in milliseconds; 0 with SQLite. */
  databaseCpu(): number
}

/** Number of benchmark facilities that have only free units; they are numbered from 1. */
const roomy = 16
/** Number of benchmark facilities where every tenant has a balance due; they follow the roomy ones. */
const owing = 9
/** Facility of the raw transactions of reservations. The site's reservations are made at the facilities before it. */
const rawReservationFacility = 15
const rentalFacility = 16
/** Facility of the raw transactions of payments. The site's payments are made at the other owing facilities. */
const rawPaymentFacility = roomy + owing

const publicPaths = async (db: Database) => ['/', '/search?q=30308', await demoPage(db)]
const round = (value: number, digits = 1) => value.toFixed(digits)
const percent = (share: number) => `${round(share * 100, 0)} %`

/**
 * Runs the benchmarks on each engine that the options select.
 * @param words options, such as ['--engine', 'sqlite', '--only', 'pages,start']
 * @throws Error if --only names an unknown part, or --engine an unknown engine
 */
export async function bench(root: string, words: string[]): Promise<void> {
  const option = (name: string) => (words.includes(name) ? words[words.indexOf(name) + 1] : undefined)
  const only = option('--only')?.split(',') as Part[] | undefined
  const unknown = only?.find((part) => !parts.includes(part))
  if (unknown) throw new Error(`There is no part '${unknown}': ${parts.join(', ')}`)
  const isIncluded = (part: Part) => only?.includes(part) ?? true
  const engineOption = option('--engine') ?? (postgresUnavailableReason() ? 'sqlite' : 'both')
  const engines = enginesOf(engineOption)
  const began = performance.now()
  const [load = 0] = loadavg()
  console.log(`${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.versions.node}, load ${round(load)}`)
  const rows: Row[] = []
  const say: Say = (figure, measured, limit, ok) => {
    rows.push({ figure, measured, limit, ok })
    console.log(`${figure.padEnd(66)} ${measured.padEnd(26)} ${limit.padEnd(22)} ${ok ? 'ok' : 'MISSED'}`)
  }
  console.log(`\n${'figure'.padEnd(66)} ${'measured'.padEnd(26)} ${'ceiling'.padEnd(22)} ok`)
  for (const [index, engine] of engines.entries()) {
    const cluster = engine === 'postgres' ? startSyncingPostgres() : null
    const folder = mkdtempSync(join(tmpdir(), 'latchkey-bench-'))
    let stage: Stage | null = null
    try {
      stage = await openStage(root, folder, cluster)
      if (index === 0 && isIncluded('start')) await measureStart(stage, say)
      if (index === 0 && isIncluded('weight')) await measureWeight(stage, say)
      if (index === 0 && isIncluded('pages')) await measureCache(stage, say)
      if (isIncluded('pages')) await measurePages(stage, say)
      if (isIncluded('reservations')) await measureReservations(stage, say)
      if (isIncluded('rentals')) await measureRentals(stage, say)
      if (isIncluded('payments')) await measurePayments(stage, say)
      if (isIncluded('gate')) await measureGate(stage, say)
      await closeStage(stage)
      stage = null
      const units = Number(option('--units') ?? 240_000)
      if (isIncluded('operations')) await measureOperations(folder, cluster, { units, data: option('--data') }, say)
    } finally {
      if (stage) await closeStage(stage)
      cluster?.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  }
  const missed = rows.filter(({ ok }) => !ok).length
  console.log(`\n${rows.length - missed} ok, ${missed} missed, in ${round((performance.now() - began) / 1000, 0)} s`)
}

function enginesOf(option: string): Engine[] {
  if (option === 'both') return ['sqlite', 'postgres']
  if (option === 'sqlite' || option === 'postgres') return [option]
  throw new Error(`There is no engine '${option}': sqlite, postgres, both`)
}

const startSite = (dataDir: string, databaseUrl?: string): Promise<Site> =>
  openSite({ dataDir, databaseUrl }).then((site) => site.start().then(() => site))

/**
 * Seeds the demo, whose rows are copied, and its past days, which a server would otherwise fill during the measurement.
 * Does nothing if the database exists.
 */
async function seed(dataDir: string): Promise<void> {
  if (existsSync(sqliteFile(dataDir))) return
  await (await startSite(dataDir)).end('SIGTERM')
  const db = await openDatabase({ dataDir })
  await seedPastDays(db, { clock: Date, random: systemRandom }).finally(() => db.close())
}

async function openStage(root: string, dataDir: string, cluster: SyncingPostgres | null): Promise<Stage> {
  await seed(dataDir)
  addBenchFacilities(dataDir, [
    { facilities: roomy, free: UNITS_PER_FACILITY },
    { facilities: owing, free: 0, due: true },
  ])
  const url = await cluster?.create('bench')
  if (url) await copyToPostgres(dataDir, url)
  const site = await startSite(dataDir, url)
  const db = await openDatabase({ dataDir, ...(url && { url }) })
  const databaseCpu = () => (cluster ? cpuMs(cluster.pid, true) : 0)
  const cpu = () => cpuMs(site.pid) + databaseCpu()
  return { root, engine: cluster ? 'postgres' : 'sqlite', site, dataDir, url, db, cpu, databaseCpu }
}

async function closeStage({ site, db }: Stage): Promise<void> {
  await site.end('SIGTERM')
  await db.close()
}

async function measureStart({ site }: Stage, say: Say): Promise<void> {
  const starts: number[] = []
  for (let time = 0; time < 5; time += 1) {
    await site.end('SIGTERM')
    await site.start()
    starts.push(site.startMs)
  }
  say('start', `${round(lowest(starts), 0)} ms`, '≤ 1000 ms', lowest(starts) <= 1000)
  await pause(3000)
  const resident = residentMb(site.pid)
  say('memory when idle', `${round(resident, 0)} MB`, '≤ 150 MB', resident <= 150)
}

async function measureWeight({ root, site, db }: Stage, say: Say): Promise<void> {
  const scripts = await Promise.all((await publicPaths(db)).map((path) => measurePublicScripts(site.url, path)))
  const most = Math.max(...scripts)
  say('framework scripts of public pages', `${round(most / 1000)} kB`, '0 kB', most === 0)
  const [heaviest] = measureRouteScripts(root)
  if (!heaviest) throw new Error('The build has no journey pages')
  const kilobytes = heaviest.script / 1000
  const figure = `script of the heaviest journey page, ${heaviest.path}`
  say(figure, `${round(kilobytes)} kB`, '≤ 135 kB gzip', kilobytes <= 135)
}

async function measureCache(stage: Stage, say: Say): Promise<void> {
  const paths = await publicPaths(stage.db)
  const bare = await startBareServer()
  try {
    for (const url of [bare.url, ...paths.map((path) => stage.site.url + path)]) await requestCost(url, 5, stage.cpu)
    const floors: number[] = []
    const costs = paths.map(() => [] as number[])
    for (let turn = 0; turn < 5; turn += 1) {
      floors.push(await requestCost(bare.url, 2, () => cpuMs(bare.pid)))
      for (const [index, path] of paths.entries())
        costs[index]?.push(await requestCost(stage.site.url + path, 2, stage.cpu))
    }
    for (const [index, path] of paths.entries()) {
      const share = lowest(floors) / lowest(costs[index] ?? [])
      say(`${path} from the cache, of a bare route`, percent(share), '≥ 30 %', share >= 0.3)
    }
  } finally {
    await bare.stop()
  }
}

const RUNS_PER_TURN = 40

/**
 * Measures the CPU time of server and database for several actions in alternating turns.
 * @param actions called with the serial number of the run
 * @param warm runs of each action before the measurement
 * @param rounds number of turns of each action
 * @returns lowest milliseconds per run of a turn, for each action
 */
async function costsInTurns(
  stage: { cpu(): number },
  actions: ((run: number) => Promise<unknown>)[],
  warm: number,
  rounds: number,
) {
  const spent = actions.map(() => [] as number[])
  let run = 0
  // Late compilation must not count as a page's cost.
  for (const action of actions) for (let time = 0; time < warm; time += 1) await action(run++)
  for (let turn = 0; turn < rounds; turn += 1)
    for (const [index, action] of actions.entries()) {
      const before = stage.cpu()
      for (let time = 0; time < RUNS_PER_TURN; time += 1) await action(run++)
      spent[index]?.push((stage.cpu() - before) / RUNS_PER_TURN)
    }
  return spent.map(lowest)
}

async function measurePages(stage: Stage, say: Say): Promise<void> {
  const { engine, site, db } = stage
  const location = await demoPage(db)
  // Avoids the cache: a page with an alert is rendered for each request; other pages vary a known query key.
  const rendered = [
    { title: '/', path: () => '/', cookie: 'latchkey_alert=invalidSession' },
    { title: '/search', path: (run: number) => `/search?q=${10_000 + run * 37}`, cookie: '' },
    { title: location, path: (run: number) => `${location}?sort=${run}`, cookie: '' },
  ]
  const opening = rendered.map(({ path, cookie }) => async (run: number) => {
    const visitor = newVisitor(site.url, 'br')
    visitor.cookie = cookie
    await openPage(visitor, path(run))
  })
  for (const [index, cost] of (await costsInTurns(stage, opening, 1500, 16)).entries())
    say(`${rendered[index]?.title} rendered (${engine})`, `${round(cost, 2)} ms`, '≤ 3 ms CPU', cost <= 3)
  const pages = await tenantPages(site.url)
  const costs = await costsInTurns(
    stage,
    pages.map(({ open }) => open),
    6 * RUNS_PER_TURN,
    8,
  )
  for (const [index, cost] of costs.entries())
    say(`${pages[index]?.title} (${engine})`, `${round(cost, 2)} ms`, '≤ 6 ms CPU', cost <= 6)

  const hashes = await costOf(ownCpuMs, () => passwords.hash('rolling-door-47'))
  const names = ['marcus.tilley', 'georgia.hallam', 'owen.strand', 'imogen.sayles']
  const logIns = await costOf(stage.cpu, (time) => signIn(site.url, names[time % names.length] as string))
  const ratio = logIns / hashes
  say(`log-in to its hash (${engine})`, `${round(ratio, 2)} × of ${round(hashes)} ms`, '≤ 2 ×', ratio <= 2)
}

/** Measures the CPU time of one run of `once` in milliseconds: the mean of 40 runs, after 8 runs to warm up. */
async function costOf(cpu: () => number, once: (time: number) => Promise<unknown>): Promise<number> {
  for (let time = 0; time < 8; time += 1) await once(time)
  const before = cpu()
  for (let time = 0; time < 40; time += 1) await once(time)
  return (cpu() - before) / 40
}

/**
 * Runs an action repeatedly, in `concurrency` loops.
 * @returns the number of completed actions and the seconds taken
 */
async function runConcurrently(
  concurrency: number,
  once: () => Promise<unknown>,
  isEnough: (done: number, ms: number) => boolean,
) {
  const began = performance.now()
  let done = 0
  const worker = async () => {
    while (!isEnough(done, performance.now() - began)) {
      await once()
      done += 1
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  return { done, seconds: (performance.now() - began) / 1000 }
}

/** Number of reservations or payments before measuring, so that late compilation does not distort the result. */
const warmUpRequests = 1500

/** Waits until no job is due. @throws Error after a minute */
async function waitForDueJobs(db: Database): Promise<void> {
  for (const until = performance.now() + 60_000; performance.now() < until; await pause(200)) {
    const due = db.read.selectFrom('jobs').select('job_id').where('state', 'in', ['waiting', 'running'])
    if (!(await due.where('run_at', '<=', Date.now()).executeTakeFirst())) return
  }
  throw new Error('Jobs are still due after a minute')
}

async function countMails(db: Database): Promise<number> {
  const counted = db.read.selectFrom('mailbox').select((eb) => eb.fn.countAll<number>().as('count'))
  return Number((await counted.executeTakeFirstOrThrow()).count)
}

const sayShare = (say: Say, figure: string, rate: number, raw: number) =>
  say(figure, `${percent(rate / raw)} (${round(rate, 0)} of ${round(raw, 0)}/s)`, '≥ 10 %', rate / raw >= 0.1)

async function measureReservations(stage: Stage, say: Say): Promise<void> {
  const { engine, site, db, dataDir, url } = stage
  const raw = await measureTransactionRate(
    dataDir,
    url,
    await createReservationBuilder(db, codeOf(rawReservationFacility), UNITS_PER_FACILITY),
  )
  const types = await unitOfEachType(db, 1)
  let turn = 0
  const once = () => {
    const index = turn++
    const unit = types[Math.floor(index / (rawReservationFacility - 1)) % types.length] as (typeof types)[number]
    return reserveOnce(site.url, 1 + (index % (rawReservationFacility - 1)), unit)
  }
  await runConcurrently(16, once, (done) => done >= warmUpRequests)
  await waitForDueJobs(db)
  const cpuBefore = stage.cpu()
  const mailsBefore = await countMails(db)
  const { done, seconds } = await runConcurrently(16, once, (count, ms) => ms > 8000 || count >= 5000)
  const cpuThen = stage.cpu()
  const mailsThen = await countMails(db)
  await waitForDueJobs(db)
  // Confirmation mails are not part of this figure; their cost is measured afterwards.
  const perMail = (stage.cpu() - cpuThen) / Math.max(1, (await countMails(db)) - mailsThen)
  const each = (cpuThen - cpuBefore - perMail * (mailsThen - mailsBefore)) / done
  say(`reservation (${engine})`, `${round(each, 2)} ms`, '≤ 6 ms CPU', each <= 6)
  sayShare(say, `reservations, 16 at a time, of raw transactions (${engine})`, done / seconds, raw)
}

async function measureRentals(stage: Stage, say: Say): Promise<void> {
  const types = await unitOfEachType(stage.db, rentalFacility)
  let turn = 0
  const once = () => rentOnce(stage.site.url, rentalFacility, types[turn++ % types.length]?.type as number)
  await runConcurrently(2, once, (done) => done >= 300)
  await waitForDueJobs(stage.db)
  const before = stage.cpu()
  const { done } = await runConcurrently(2, once, (count) => count >= 120)
  await waitForDueJobs(stage.db)
  const each = (stage.cpu() - before) / done
  say(`rental by card, signed PDF and mails included (${stage.engine})`, `${round(each)} ms`, '≤ 60 ms CPU', each <= 60)
}

async function measurePayments(stage: Stage, say: Say): Promise<void> {
  const { engine, db, site, dataDir, url } = stage
  const raw = await measureTransactionRate(
    dataDir,
    url,
    createPaymentBuilder(codeOf(rawPaymentFacility), UNITS_PER_FACILITY),
  )
  let turn = 0
  const once = () => {
    const index = turn++
    return payOnce(site.url, roomy + 1 + Math.floor(index / UNITS_PER_FACILITY), 1 + (index % UNITS_PER_FACILITY))
  }
  // No tenant pays twice: eight facilities' 4,800 suffice for the warm-up, this measurement and the one of gates.
  await runConcurrently(32, once, (done) => done >= warmUpRequests)
  await waitForDueJobs(db)
  const server = cpuMs(site.pid)
  const database = stage.databaseCpu()
  const { done, seconds } = await runConcurrently(32, once, (count, ms) => count >= 1500 || ms > 8000)
  await waitForDueJobs(db)
  const serverMs = (cpuMs(site.pid) - server) / done
  const databaseMs = (stage.databaseCpu() - database) / done
  const ok = serverMs <= 10 && databaseMs <= 10
  say(
    `tenant's payment by card, receipt included: server + database (${engine})`,
    `${round(serverMs)} + ${round(databaseMs)} ms`,
    '≤ 10 ms CPU a side',
    ok,
  )
  sayShare(say, `tenants' payments, 32 at a time, of raw transactions (${engine})`, done / seconds, raw)
  await measureGateMarks(stage, say, once)
}

/**
 * Measures payments with and without connected gates, whose code lists each payment marks for an update, in alternating
 * rounds, so that a burst of other work affects only one round of many.
 */
async function measureGateMarks({ engine, db, cpu }: Stage, say: Say, payNext: () => Promise<unknown>): Promise<void> {
  const costWith = async (kind: 'none' | 'pull') => {
    for (let index = 1; index <= owing; index += 1) await connectGate(db, codeOf(roomy + index), kind)
    await waitForDueJobs(db)
    const before = cpu()
    const { done } = await runConcurrently(8, payNext, (count) => count >= 40)
    await waitForDueJobs(db)
    return (cpu() - before) / done
  }
  const ratios: number[] = []
  for (let turn = 0; turn < 11; turn += 1) {
    const first = turn % 2 === 0 ? await costWith('none') : 0
    const connected = await costWith('pull')
    ratios.push(connected / (first || (await costWith('none'))))
  }
  const more = median(ratios) - 1
  say(
    `tenant's payment with a connected gate (${engine})`,
    `${round(more * 100)} % more`,
    '≤ 5 % CPU more',
    more <= 0.05,
  )
}

async function measureGate({ engine, site, db, databaseCpu }: Stage, say: Say): Promise<void> {
  const full = codeOf(roomy + 1)
  await connectGate(db, full, 'pull')
  await waitForDueJobs(db)
  const sayCost = (figure: string, { server, database }: SplitCost, most: number) =>
    say(
      `${figure}: server + database (${engine})`,
      `${round(server, 2)} + ${round(database, 2)} ms`,
      `≤ ${most} ms CPU a side`,
      Math.max(server, database) <= most,
    )
  const clocks = { server: () => cpuMs(site.pid), database: databaseCpu }
  sayCost("gate's request for an unchanged list", await unchangedListCost(site.url, full, clocks), 0.5)
  sayCost('refresh of 1,000 gate codes', await refreshCost(db, full, databaseCpu), 8)
}

/**
 * Measures the cost of operations at a benchmark site of 14 facilities and at one with `size.units` units, to compare
 * them, and that of office pages at the larger one.
 * @param scratch folder for the sites' data
 * @param size.data folder for the larger site's data, which is kept for the next run; otherwise a folder in `scratch`
 */
async function measureOperations(
  scratch: string,
  cluster: SyncingPostgres | null,
  size: { units: number; data: string | undefined },
  say: Say,
): Promise<void> {
  const engine = cluster ? 'postgres' : 'sqlite'
  const open: { site: Site; db: Database }[] = []
  const openMeasuredSite = async (dataDir: string, facilities: number, name: string): Promise<MeasuredSite> => {
    await seed(dataDir)
    addBenchFacilities(dataDir, operationCostsData(facilities))
    await warmUp(dataDir)
    const url = await cluster?.create(name)
    if (url) await copyToPostgres(dataDir, url)
    const site = await startSite(dataDir, url)
    const db = await openDatabase({ dataDir, ...(url && { url }) })
    open.push({ site, db })
    const cpu = () => cpuMs(site.pid) + (cluster ? cpuMs(cluster.pid, true) : 0)
    return { url: site.url, facilities, cpu, resetLimits: () => db.write.deleteFrom('limits').execute() }
  }
  try {
    const count = Math.round(size.units / UNITS_PER_FACILITY)
    const small = await openMeasuredSite(join(scratch, 'small'), 14, 'small')
    const large = await openMeasuredSite(size.data ?? join(scratch, 'large'), count, 'large')
    const costs = await operationCosts(small, large)
    const worst = costs.reduce((a, b) => (b.small > a.small ? b : a))
    const cost = `${costs.length} operations, worst: ${worst.name} (${engine})`
    say(cost, `${round(worst.small, 2)} ms`, '≤ 2 ms CPU', worst.small <= 2)
    const most = costs.reduce((a, b) => (b.growth > a.growth ? b : a))
    const growth = `  at ${count} facilities to 14, worst: ${most.name} (${engine})`
    say(growth, `${round(most.growth, 2)} ×`, '≤ 1.3 ×', most.growth <= 1.3)
    await signInBenchStaff((open[1] as (typeof open)[number]).db)
    const opening = officePages.map((page) => (run: number) => openOfficePage(large, page, run))
    for (const [index, pageCost] of (await costsInTurns(large, opening, 80, 8)).entries()) {
      const [title, most] = officePages[index] as (typeof officePages)[number]
      say(`office: ${title} (${engine})`, `${round(pageCost, 2)} ms`, `≤ ${most} ms CPU`, pageCost <= most)
    }
  } finally {
    for (const { site, db } of open) {
      await site.end('SIGTERM')
      await db.close()
    }
  }
}
