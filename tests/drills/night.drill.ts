import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { createServer, request as forward } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { SMTPServer } from 'smtp-server'
import { copyToPostgres, openBusiness, unitsEach } from '../../bench/business.ts'
import { addDays, type IsoDate } from '../../domain/plain-date.ts'
import { autopayContext } from '../../modules/leases/autopay-mandate.ts'
import { type Database, openDatabase, sqliteFile } from '../../platform/database/open.ts'
import { developmentKeys } from '../../platform/sealing/keys.ts'
import { Sealer } from '../../platform/sealing/sealer.ts'
import { startSandbox } from '../../sandbox/server.ts'
import { openSite, type Site } from '../actors/site.ts'
import { addressOf, Visitor } from '../actors/visitor.ts'
import { startSyncingPostgres } from '../support/postgres.ts'
import type { Drill } from './drill.ts'

const whole = { facilities: 4000, billing: 600, autopay: 8 * 3600, mails: 12 * 3600 }
/** Of location pages, at the 95th percentile; where the machine is slower before the night, half as much again as then. */
const pageMs = 100
/** 88 % of 600 units are let; 13 leases of 20 are on autopay. */
const leasesEach = 525
const onAutopay = (lease: number) => lease % 20 < 13
/** So many times as long as it may take is waited for its end. */
const patience = 3

/** A twentieth of 4,000 facilities by default, all due on one day. */
export default {
  about:
    'A night in which every lease falls due, 65 % of them on autopay, ends in time at 4,000 facilities as computed from a part of them, and pages stay quick.',
  needs: ['initdb'],
  options: {
    facilities: { type: 'string', default: '200' },
    'provider-ms': { type: 'string', default: '1000' },
    'mail-ms': { type: 'string', default: '150' },
  },
  async run(values, log) {
    const facilities = Number(values.facilities)
    const share = whole.facilities / facilities
    const endings: (() => unknown)[] = []
    try {
      const rates = { providerMs: Number(values['provider-ms']), mailMs: Number(values['mail-ms']) }
      const night = await openNight(facilities, rates, endings, log)
      const quiet = await night.visit(20_000, () => false)
      log(`location page before: p95 ${quiet.toFixed(0)} ms`)
      const { took, p95, faults } = await night.live()
      const lines = (['billing', 'autopay', 'mails'] as const).map((part) => {
        const computed = took[part] * share
        const minutes = `${(computed / 60).toFixed(0)} min at ${whole.facilities} facilities, computed`
        log(`${part}: ${took[part].toFixed(0)} s; ${minutes} (at most ${whole[part] / 60})`)
        return computed <= whole[part] ? [] : [`${part} takes ${minutes}`]
      })
      const most = Math.max(pageMs, quiet * 1.5)
      log(`location page meanwhile: p95 ${p95.toFixed(0)} ms (at most ${most.toFixed(0)})`)
      return [...faults, ...lines.flat(), ...(p95 <= most ? [] : [`p95 of the location page is ${p95.toFixed(0)} ms`])]
    } finally {
      for (const end of endings.toReversed()) await end()
    }
  },
} satisfies Drill

/** Every lease of the bench is paid through the day before, 65 % with a card on file. */
function fallDue(dataDir: string, day: IsoDate): void {
  const sealer = new Sealer({ keys: developmentKeys(dataDir).sealing })
  const db = new DatabaseSync(sqliteFile(dataDir))
  db.exec('pragma synchronous = off; begin')
  db.exec("create temp table ours as select location_code from locations where location_code like 'L_____'")
  const ours = 'location_code in (select location_code from ours)'
  const last = [addDays(day, -30), addDays(day, -1)] as const
  db.prepare(`delete from ledger_entries where ${ours} and lease_number = 1`).run()
  db.prepare(`update ledger_entries set posted_on = ?, period_start = ?, period_end = ? where ${ours}`).run(
    ...[last[0], ...last],
  )
  db.prepare(`update leases set paid_through = ? where ${ours}`).run(last[1])
  const keep = db.prepare(
    `update leases set autopay = 1, autopay_method = 'CC', autopay_sealed = ?, autopay_label = 'VI **** 1111',
       autopay_consent_at = 0, autopay_consent_text = 'I agree' where location_code = ? and lease_number = ?`,
  )
  const leases = db.prepare(`select location_code as code, lease_number as lease from leases where ${ours}`).all()
  for (const { code, lease } of leases as { code: string; lease: number }[]) {
    if (!onAutopay(lease)) continue
    const party = JSON.stringify({ alias: `SAMPLE${code}${lease}` })
    keep.run(sealer.seal(party, autopayContext(code, lease)), code, lease)
  }
  db.exec('commit')
  db.close()
}

/** In front of the sandbox: each answer takes so long. */
async function slowProvider(url: string, ms: number) {
  const server = createServer((asked, answer) => {
    const { method, headers } = asked
    const on = forward(url + asked.url, { method, headers }, (answered) =>
      setTimeout(() => {
        answer.writeHead(answered.statusCode ?? 500, answered.headers)
        answered.pipe(answer)
      }, ms),
    )
    on.on('error', () => answer.destroy())
    asked.pipe(on)
  })
  return { url: `http://127.0.0.1:${await listening(server)}`, close: () => server.close() }
}

const listening = (server: Pick<SMTPServer, 'listen'> | ReturnType<typeof createServer>): Promise<number> =>
  new Promise((resolve) => {
    const bound = server.listen(0, '127.0.0.1', () => resolve((bound.address() as AddressInfo).port))
  })

/** Takes each mail after so long. */
async function slowMail(ms: number) {
  const times = new Map<string, number>()
  const server = new SMTPServer({
    ...{ authOptional: true, disabledCommands: ['STARTTLS', 'AUTH'], maxClients: 1000 },
    onData(stream, { envelope }, done) {
      const to = envelope.rcptTo[0]?.address ?? ''
      stream.resume().on('end', () => {
        times.set(to, (times.get(to) ?? 0) + 1)
        setTimeout(done, ms)
      })
    },
  })
  server.on('error', () => {})
  return { port: await listening(server), times, close: () => new Promise<void>((done) => server.close(() => done())) }
}

/** @param endings filled with what ends each part, the first last */
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
  const provider = await slowProvider(sandbox.url, providerMs)
  const mail = await slowMail(mailMs)
  endings.push(sandbox.close, provider.close, mail.close)
  const seeding = await openSite({ dataDir: folder })
  endings.push(() => seeding.end('SIGKILL'))
  await seeding.start()
  await seeding.end('SIGTERM')
  openBusiness(folder, [{ facilities, free: unitsEach - leasesEach }])
  // The first day that is not billed yet; it begins at 7:00 in UTC, and is billed at 7:01.
  const day = addDays(new Date().toISOString().slice(0, 10), 2)
  fallDue(folder, day)
  const databaseUrl = await cluster.create('night')
  await copyToPostgres(folder, databaseUrl)
  log(`${facilities} facilities, ${facilities * leasesEach} leases due on ${day}`)
  const db = await openDatabase({ dataDir: folder, url: databaseUrl })
  endings.push(() => db.close())
  const each = { databaseUrl, provider: provider.url, mailPort: mail.port }
  const sites = await Promise.all(['web', 'worker', 'worker'].map((role, at) => openOne(folder, at, { ...each, role })))
  endings.push(() => Promise.all(sites.map((site) => site.end('SIGKILL'))))
  const clock = Date.parse(`${day}T07:00:20Z`)
  await Promise.all(sites.map((site) => site.start(clock)))
  const [web] = sites as [Site, ...Site[]]
  return {
    visit: (ms: number, over: () => boolean) => visit(web.url, facilities, ms, over),
    live: () => live({ db, day, facilities, url: web.url, times: mail.times, log }),
  }
}

/** A process with a data folder of its own, the keys of all, and the rates that capacity.md names. */
function openOne(
  folder: string,
  at: number,
  of: { databaseUrl: string; provider: string; role: string; mailPort: number },
): Promise<Site> {
  const dataDir = join(folder, `process-${at}`)
  mkdirSync(dataDir)
  cpSync(join(folder, 'keys.json'), join(dataDir, 'keys.json'))
  symlinkSync(join(folder, 'files'), join(dataDir, 'files'))
  const environment = {
    ...{ ROLE: of.role, AUTOPAY_AT_A_TIME: '64', MAIL_CONNECTIONS: '40', DATABASE_CONNECTIONS: '20' },
    ...{ SMTP_URL: `smtp://127.0.0.1:${of.mailPort}`, MAILBOX: 'off' },
  }
  return openSite({ dataDir, databaseUrl: of.databaseUrl, sandboxUrl: of.provider, environment })
}

/** Ten location pages a second, each of another facility. @returns the 95th percentile, ms */
async function visit(url: string, facilities: number, ms: number, over: () => boolean): Promise<number> {
  const took: number[] = []
  const asked: Promise<void>[] = []
  const until = performance.now() + ms
  for (let at = 0; performance.now() < until && !over(); at += 1) {
    const visitor = new Visitor(url, addressOf(5_000_000 + at), { pool: true, encodings: 'br' })
    const sent = performance.now()
    const page = visitor.send('GET', `/storage-units/wy/cheyenne/${1 + (at % facilities)}-bench-road`)
    asked.push(
      page.then(({ status }) => {
        took.push(status === 200 ? performance.now() - sent : Number.POSITIVE_INFINITY)
      }),
    )
    await pause(100)
  }
  await Promise.all(asked)
  return took.sort((a, b) => a - b)[Math.floor(took.length * 0.95)] ?? Number.POSITIVE_INFINITY
}

type Part = 'billing' | 'autopay' | 'mails'

/** Through the night. @returns seconds of each part, from its own beginning by the site's clock */
async function live({ db, day, facilities, url, times, log }: Night) {
  const leases = facilities * leasesEach
  const autopays = facilities * Array.from({ length: leasesEach }, (_, at) => at + 1).filter(onAutopay).length
  const most = (patience * whole.mails * 1000 * facilities) / whole.facilities + 600_000
  let ended = false
  const visits = visit(url, facilities, most, () => ended)
  const until = performance.now() + most
  let mails: number[] = []
  for (let posted = 0; performance.now() < until && (posted < autopays || mails.length < leases); await pause(10_000)) {
    posted = (await autopayOf(db)).posted
    mails = [...times].filter(([to]) => to.startsWith('tenant.l')).map(([, count]) => count)
    log(`${posted} of ${autopays} charged, ${mails.length} of ${leases} mails`)
  }
  ended = true
  const { posted, first, last } = await autopayOf(db)
  const runs = await db.read
    .selectFrom('billing_runs')
    .select((eb) => [eb.fn.min('started_at').as('first'), eb.fn.max('finished_at').as('last')])
    .where('run_date', '=', day)
    .where('location_code', 'like', 'L_____')
    .executeTakeFirstOrThrow()
  const sent = await db.read
    .selectFrom('jobs')
    .select((eb) => ['kind', eb.fn.max('done_at').as('last')])
    .where('kind', 'in', ['payment_due', 'receipt'])
    .groupBy('kind')
    .execute()
  const { charged } = await db.read
    .selectFrom('ledger_entries')
    .select((eb) => eb.fn.countAll<number>().as('charged'))
    .where('kind', '=', 'rent')
    .where('period_start', '=', day)
    .where('location_code', 'like', 'L_____')
    .executeTakeFirstOrThrow()
  const lastOf = (kind: string) => Number(sent.find((one) => one.kind === kind)?.last)
  const took: Record<Part, number> = {
    billing: (Number(runs.last) - Number(runs.first)) / 1000,
    autopay: (last - first) / 1000,
    mails: Math.max(lastOf('payment_due') - Number(runs.first), lastOf('receipt') - first) / 1000,
  }
  const faults = [
    ...(Number(charged) === leases ? [] : [`${charged} of ${leases} leases were charged`]),
    ...(posted === autopays ? [] : [`${posted} of ${autopays} autopays were posted`]),
    ...(mails.length === leases ? [] : [`${mails.length} of ${leases} tenants got a mail`]),
    ...(mails.every((count) => count === 1) ? [] : ['a mail went out twice']),
  ]
  return { took, p95: await visits, faults }
}

interface Night {
  db: Database
  day: IsoDate
  facilities: number
  url: string
  /** Mails by their address. */
  times: ReadonlyMap<string, number>
  log: (line: string) => void
}

async function autopayOf(db: Database): Promise<{ posted: number; first: number; last: number }> {
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
