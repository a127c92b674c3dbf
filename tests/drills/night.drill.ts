import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { createServer, request as forward } from 'node:http'
import type { AddressInfo } from 'node:net'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { SMTPServer } from 'smtp-server'
import { addBenchFacilities, copyToPostgres, UNITS_PER_FACILITY } from '../../bench/bench-data.ts'
import { addDays, type IsoDate } from '../../domain/plain-date.ts'
import { autopayContext } from '../../modules/leases/autopay-mandate.ts'
import { type Database, openDatabase, sqliteFile } from '../../platform/database/open.ts'
import { developmentKeys } from '../../platform/encryption/encryption-key-file.ts'
import { Sealer } from '../../platform/encryption/sealer.ts'
import { startSandbox } from '../../sandbox/server.ts'
import { openSite, type Site } from '../actors/run-site-process.ts'
import { addressOf, Visitor } from '../actors/visitor-http-client.ts'
import { startSyncingPostgres } from '../support/postgres.ts'
import type { Drill } from './drill-definition.ts'
import {
  autopaysPerFacility,
  computeCosts,
  extrapolateNight,
  isOnAutopay,
  leasesPerFacility,
  type Part,
  readCpuSeconds,
  recommendedConcurrency,
  type Sample,
} from './extrapolate-night-cost.ts'

/**
 * Maximum seconds from the beginning of billing to the last mail of the simulated night, as docs/running/capacity.md
 * states.
 */
const maxNightSeconds = 40 * 60
/**
 * Maximum 95th percentile of the response time of location pages during the night, in milliseconds. One and a half
 * times the percentile measured before billing applies if that is more.
 */
const maxPageMs = 100

/** A drill of the night in which all leases of a twentieth of 4,000 facilities are due on one day. */
export default {
  about:
    'A night in which every lease of a twentieth of 4,000 facilities falls due, 65 % of them on autopay, is over in 40 minutes while pages stay quick; the night of all 4,000, computed from the measured CPU time, ends before morning.',
  needs: ['initdb'],
  options: {
    facilities: { type: 'string', default: '200' },
    'provider-ms': { type: 'string', default: '1000' },
    'mail-ms': { type: 'string', default: '150' },
  },
  async run(values, log) {
    const facilities = Number(values.facilities)
    const delays = { providerMs: Number(values['provider-ms']), mailMs: Number(values['mail-ms']) }
    const endings: (() => unknown)[] = []
    try {
      const startedAt = performance.now()
      const night = await openNight(facilities, delays, endings, log)
      log(`made in ${((performance.now() - startedAt) / 1000).toFixed(0)} s, on ${availableParallelism()} cores`)
      const quiet = await night.visit(20_000, () => false)
      log(`location page before: p95 ${quiet.p95.toFixed(0)} ms`)
      const { took, cost, pages, faults } = await night.live()
      const { p95 } = pages
      const failed = quiet.failed + pages.failed
      const maxP95 = Math.max(maxPageMs, quiet.p95 * 1.5)
      log(`location page meanwhile: p95 ${p95.toFixed(0)} ms (at most ${maxP95.toFixed(0)})`)
      log(`the night here: ${took.night.toFixed(0)} s (at most ${maxNightSeconds})`)
      return [
        ...faults,
        ...(took.night <= maxNightSeconds ? [] : [`the night takes ${took.night.toFixed(0)} s`]),
        ...(failed === 0 ? [] : [`${failed} requests of location pages failed`]),
        ...(p95 <= maxP95 ? [] : [`p95 of the location page is ${p95.toFixed(0)} ms`]),
        ...extrapolateNight(facilities, delays, took, cost, log),
      ]
    } finally {
      for (const end of endings.toReversed()) await end()
    }
  },
} satisfies Drill

/** Makes every lease of the benchmark due on a day: paid through the previous day, 65 % of them on autopay by card. */
function makeLeasesDue(dataDir: string, day: IsoDate): void {
  const sealer = new Sealer({ keys: developmentKeys(dataDir).sealing })
  const db = new DatabaseSync(sqliteFile(dataDir))
  db.exec('pragma synchronous = off; begin')
  db.exec("create temp table bench_locations as select location_code from locations where location_code like 'L_____'")
  const inBenchmark = 'location_code in (select location_code from bench_locations)'
  const lastPeriod = [addDays(day, -30), addDays(day, -1)] as const
  // Lease 1 of each benchmark facility has entries of twelve periods, which would repeat each other in one period.
  db.prepare(`delete from ledger_entries where ${inBenchmark} and lease_number = 1`).run()
  db.prepare(`update ledger_entries set posted_on = ?, period_start = ?, period_end = ? where ${inBenchmark}`).run(
    lastPeriod[0],
    ...lastPeriod,
  )
  db.prepare(`update leases set paid_through = ? where ${inBenchmark}`).run(lastPeriod[1])
  const setAutopay = db.prepare(
    `update leases set autopay = 1, autopay_method = 'CC', autopay_sealed = ?, autopay_label = 'VI **** 1111',
       autopay_consent_at = 0, autopay_consent_text = 'I agree' where location_code = ? and lease_number = ?`,
  )
  const leases = db
    .prepare(`select location_code as code, lease_number as lease from leases where ${inBenchmark}`)
    .all()
  for (const { code, lease } of leases as { code: string; lease: number }[]) {
    if (!isOnAutopay(lease)) continue
    const party = JSON.stringify({ alias: `SAMPLE${code}${lease}` })
    setAutopay.run(sealer.seal(party, autopayContext(code, lease)), code, lease)
  }
  db.exec('commit')
  db.close()
}

/** Starts a proxy in front of the sandbox that delays each response. */
async function startSlowProvider(url: string, ms: number) {
  const server = createServer((incoming, answer) => {
    const { method, headers } = incoming
    const outgoing = forward(url + incoming.url, { method, headers }, (response) =>
      setTimeout(() => {
        answer.writeHead(response.statusCode ?? 500, response.headers)
        response.pipe(answer)
      }, ms),
    )
    outgoing.on('error', () => answer.destroy())
    incoming.pipe(outgoing)
  })
  return { url: `http://127.0.0.1:${await listen(server)}`, close: () => server.close() }
}

/** Listens on a free port and returns that port. */
const listen = (server: Pick<SMTPServer, 'listen'> | ReturnType<typeof createServer>): Promise<number> =>
  new Promise((resolve) => {
    const bound = server.listen(0, '127.0.0.1', () => resolve((bound.address() as AddressInfo).port))
  })

/** Starts a mail server that accepts each mail after a delay. `mailsByAddress` counts the mails. */
async function startSlowMail(ms: number) {
  const mailsByAddress = new Map<string, number>()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    maxClients: 1000,
    onData(stream, { envelope }, done) {
      const to = envelope.rcptTo[0]?.address ?? ''
      stream.resume().on('end', () => {
        mailsByAddress.set(to, (mailsByAddress.get(to) ?? 0) + 1)
        setTimeout(done, ms)
      })
    },
  })
  // A client that was killed must not end the server.
  server.on('error', () => {})
  return {
    port: await listen(server),
    mailsByAddress,
    close: () => new Promise<void>((done) => server.close(() => done())),
  }
}

/**
 * Starts the processes of the night drill: PostgreSQL, the sandbox, a slow card provider and mail server, and three
 * site processes shortly before billing.
 * @param endings receives functions that end each part, to be called last to first
 */
async function openNight(
  facilities: number,
  { providerMs, mailMs }: { providerMs: number; mailMs: number },
  endings: (() => unknown)[],
  log: (line: string) => void,
) {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-night-'))
  endings.push(() => rmSync(folder, { recursive: true, force: true }))
  const cluster = startSyncingPostgres()
  endings.push(() => cluster.stop())
  const sandbox = await startSandbox({ port: 0, dataDir: folder })
  const provider = await startSlowProvider(sandbox.url, providerMs)
  const mail = await startSlowMail(mailMs)
  endings.push(sandbox.close, provider.close, mail.close)
  const seeding = await openSite({ dataDir: folder })
  endings.push(() => seeding.end('SIGKILL'))
  await seeding.start()
  await seeding.end('SIGTERM')
  addBenchFacilities(folder, [{ facilities, free: UNITS_PER_FACILITY - leasesPerFacility }])
  // A day that is not billed yet. It begins at 6:00 or 7:00 UTC in Denver, and the hourly chore bills it at 7:01.
  const day = addDays(new Date().toISOString().slice(0, 10), 2)
  makeLeasesDue(folder, day)
  const databaseUrl = await cluster.create('night')
  await copyToPostgres(folder, databaseUrl)
  log(`${facilities} facilities, ${facilities * leasesPerFacility} leases due on ${day}`)
  const db = await openDatabase({ dataDir: folder, url: databaseUrl })
  endings.push(() => db.close())
  const shared = { databaseUrl, provider: provider.url, mailPort: mail.port }
  const sites = await Promise.all(
    ['web', 'worker', 'worker'].map((role, index) => openProcess(folder, index, { ...shared, role })),
  )
  endings.push(() => Promise.all(sites.map((site) => site.end('SIGKILL'))))
  const clock = Date.parse(`${day}T07:00:05Z`)
  await Promise.all(sites.map((site) => site.start(clock)))
  const [web, ...workers] = sites as [Site, ...Site[]]
  return {
    visit: (ms: number, over: () => boolean) => visit(web.url, facilities, ms, over),
    live: () =>
      runNight({
        db,
        day,
        facilities,
        url: web.url,
        mailsByAddress: mail.mailsByAddress,
        log,
        cpu: () =>
          readCpuSeconds(
            web.pid,
            workers.map(({ pid }) => pid),
            cluster.pid,
          ),
      }),
  }
}

/**
 * Prepares a server process with its own data folder, the shared keys, and the concurrency that capacity.md recommends.
 */
function openProcess(
  folder: string,
  index: number,
  options: { databaseUrl: string; provider: string; role: string; mailPort: number },
): Promise<Site> {
  const dataDir = join(folder, `process-${index}`)
  mkdirSync(dataDir)
  cpSync(join(folder, 'keys.json'), join(dataDir, 'keys.json'))
  symlinkSync(join(folder, 'files'), join(dataDir, 'files'))
  const environment = {
    ROLE: options.role,
    DATABASE_CONNECTIONS: '20',
    AUTOPAY_AT_A_TIME: String(recommendedConcurrency.autopayAtATime),
    MAIL_CONNECTIONS: String(recommendedConcurrency.mailConnections),
    SMTP_URL: `smtp://127.0.0.1:${options.mailPort}`,
    MAILBOX: 'off',
  }
  return openSite({ dataDir, databaseUrl: options.databaseUrl, sandboxUrl: options.provider, environment })
}

interface PageTimes {
  /** 95th percentile of the response times, in milliseconds. */
  p95: number
  /** Number of requests without a response or with a status other than 200, which count as infinitely late. */
  failed: number
}

/**
 * Requests ten location pages a second, of one facility after another, for a time or until `over` returns true. Never
 * throws, since it goes on while the rest of the drill may fail.
 * @param ms maximum time
 */
async function visit(url: string, facilities: number, ms: number, over: () => boolean): Promise<PageTimes> {
  const times: number[] = []
  const requests: Promise<void>[] = []
  const until = performance.now() + ms
  for (let index = 0; performance.now() < until && !over(); index += 1) {
    const visitor = new Visitor(url, addressOf(5_000_000 + index), { pool: true, encodings: 'br' })
    const sent = performance.now()
    const page = visitor.send('GET', `/storage-units/wy/cheyenne/${1 + (index % facilities)}-bench-road`)
    const record = (isShown: boolean) => void times.push(isShown ? performance.now() - sent : Number.POSITIVE_INFINITY)
    requests.push(
      page.then(
        ({ status }) => record(status === 200),
        () => record(false),
      ),
    )
    await pause(100)
  }
  await Promise.all(requests)
  return {
    p95: times.sort((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? Number.POSITIVE_INFINITY,
    failed: times.filter((time) => time === Number.POSITIVE_INFINITY).length,
  }
}

/** Milliseconds between two measurements. */
const SAMPLE_MS = 5000

/**
 * Runs one night of billing, autopay and mails for all facilities while visitors load pages.
 * @returns seconds of each part by the site's clock, CPU of each lease, charge and mail, the pages' times,
 * and descriptions of missing or doubled charges and mails
 */
async function runNight({ db, day, facilities, url, mailsByAddress, cpu, log }: NightOptions) {
  const leases = facilities * leasesPerFacility
  const autopays = facilities * autopaysPerFacility
  let ended = false
  const visits = visit(url, facilities, maxNightSeconds * 1000, () => ended)
  const until = performance.now() + maxNightSeconds * 1000
  let mails: number[] = []
  const measure = async (): Promise<Sample> => {
    mails = [...mailsByAddress].filter(([to]) => to.startsWith('tenant.l')).map(([, count]) => count)
    return {
      seconds: performance.now() / 1000,
      ...cpu(),
      ...(await loadProgress({ db, day, facilities })),
      posted: (await loadAutopay(db)).posted,
      mails: mails.length,
    }
  }
  const samples: Sample[] = []
  const over = ({ posted, mails }: Sample) => posted >= autopays && mails >= leases
  try {
    samples.push(await measure())
    for (let index = 1; performance.now() < until && !over(samples.at(-1)!); index += 1) {
      await pause(SAMPLE_MS)
      const now = await measure()
      samples.push(now)
      if (now.leases === 0 && index * SAMPLE_MS > 240_000)
        throw new Error('Billing has not begun: the sites started too late for 7:01')
      if (index % (10_000 / SAMPLE_MS) === 0)
        log(`${now.leases} of ${leases} billed, ${now.posted} of ${autopays} charged, ${now.mails} of ${leases} mails`)
    }
  } finally {
    ended = true
  }
  const { posted, first, last } = await loadAutopay(db)
  const { begun_at = 0, took_ms = 0 } = (await loadBilling({ db, day })) ?? {}
  const sent = await db.read
    .selectFrom('jobs')
    .select((eb) => eb.fn.max('done_at').as('last'))
    .where('kind', 'in', ['payment_due', 'receipt'])
    .executeTakeFirstOrThrow()
  const { charged } = await db.read
    .selectFrom('ledger_entries')
    .select((eb) => eb.fn.countAll<number>().as('charged'))
    .where('kind', '=', 'rent')
    .where('period_start', '=', day)
    .where('location_code', 'like', 'L_____')
    .executeTakeFirstOrThrow()
  const billing = Number(took_ms) / 1000
  const night = (Math.max(Number(sent.last), last) - Number(begun_at)) / 1000
  // Mailing time leaves out the gap between the end of billing and the first autopay charge.
  const mailing = night - Math.max(0, (first - Number(begun_at)) / 1000 - billing)
  const took: Record<Part, number> = { billing, autopay: (last - first) / 1000, mails: mailing, night }
  const faults = [
    ...(Number(charged) === leases ? [] : [`${charged} of ${leases} leases were charged`]),
    ...(posted === autopays ? [] : [`${posted} of ${autopays} autopays were posted`]),
    ...(mails.length === leases ? [] : [`${mails.length} of ${leases} tenants got a mail`]),
    ...(mails.every((count) => count === 1) ? [] : ['a mail went out twice']),
  ]
  const cost = computeCosts(samples, leases - autopays)
  const start = samples[0]!
  const end = samples.at(-1)!
  const spent = (['web', 'worker', 'postgres'] as const).map(
    (resource) => `${resource} ${(end[resource] - start[resource]).toFixed(0)} s`,
  )
  log(`CPU of the night: ${spent.join(', ')}`)
  return { took, cost, pages: await visits, faults }
}

/** Loads the start and duration of the night's billing, which first stores each facility's daily snapshot. */
const loadBilling = ({ db, day }: Pick<NightOptions, 'db' | 'day'>) =>
  db.read
    .selectFrom('chores')
    .select(['begun_at', 'took_ms'])
    .where('chore', '=', 'bill')
    .where('begun_at', '>', Date.parse(`${day}T07:00:00Z`))
    .executeTakeFirst()

async function loadProgress(night: Pick<NightOptions, 'db' | 'day' | 'facilities'>) {
  const chore = await loadBilling(night)
  const runs = await night.db.read
    .selectFrom('billing_runs')
    .select(['leases', 'state'])
    .where('run_date', '=', night.day)
    .where('location_code', 'like', 'L_____')
    .execute()
  const billed = runs.length === night.facilities && runs.every(({ state }) => state === 'done')
  return { begun: chore !== undefined, billed, leases: runs.reduce((sum, { leases }) => sum + leases, 0) }
}

interface NightOptions {
  db: Database
  day: IsoDate
  facilities: number
  url: string
  /** Number of mails, by address. */
  mailsByAddress: ReadonlyMap<string, number>
  cpu(): Pick<Sample, 'web' | 'worker' | 'postgres'>
  log: (line: string) => void
}

async function loadAutopay(db: Database): Promise<{ posted: number; first: number; last: number }> {
  const { posted, first, last } = await db.read
    .selectFrom('payments')
    .select((eb) => [eb.fn.countAll<number>().as('posted'), eb.fn.min('created_at').as('first')])
    .select((eb) => eb.fn.max('updated_at').as('last'))
    .where('payer', '=', 'autopay')
    .where('state', '=', 'posted')
    .where('location_code', 'like', 'L_____')
    .executeTakeFirstOrThrow()
  return { posted: Number(posted), first: Number(first), last: Number(last) }
}
