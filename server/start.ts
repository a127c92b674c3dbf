import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { ServerType } from '@hono/node-server'
import { createRequestHandler, type ServerBuild } from 'react-router'
import { requestContext } from '../app/request/context.ts'
import { demoAccess } from '../demo/access.ts'
import type { SeedParts } from '../demo/parts.ts'
import { seedPastDays } from '../demo/past-days.ts'
import { seedDemo } from '../demo/seed.ts'
import { brochurePdf } from '../modules/agreements/pdf/brochure-pdf.ts'
import { channels, noticeHandlers, prepareNotices, staleAfter } from '../modules/messages/handlers.ts'
import { runAutopay } from '../modules/payments/autopay/charge.ts'
import { keepAudit } from '../modules/staff/audit-check.ts'
import { ChoreLeases } from '../platform/chores/leases.ts'
import type { ClockGuard } from '../platform/clock-guard.ts'
import { type HolderLock, lockDataDirectory } from '../platform/database/data-directory-lock.ts'
import { type Database, openDatabase } from '../platform/database/open.ts'
import { checkKeys, WrongKeys } from '../platform/installations/key-checks.ts'
import { JobRunner } from '../platform/jobs/runner.ts'
import type { Services } from '../platform/operations/services.ts'
import type { Clock } from '../ports/clock.ts'
import { endTracing, inSpan, openTracing } from '../ports/tracing.ts'
import { startClock, watchClock } from './clock-watch.ts'
import { type Config, configFrom, configWarnings, placeOf, StartupError } from './config/config.ts'
import { tightenDataDirectory, writeForOwnerOnly } from './data-directory.ts'
import { openInstalled } from './installed.ts'
import { type Joined, join as joinServers } from './joining.ts'
import { type Listening, listen } from './listening.ts'
import { type Log, openLog } from './log.ts'
import { type Metrics, openMetrics } from './metrics.ts'
import { type Readiness, watchReadiness } from './readiness.ts'
import { billingUnderWay, startScheduler, yieldToRequests } from './schedule.ts'
import { startSeeing } from './seeing.ts'
import { clockOf, openRuntime, type Runtime } from './services.ts'
import { filesProblem, mailProblem, opening } from './startup-checks.ts'
import { openAccessLog } from './web/access-log.ts'
import { createWebApp, type WebApp } from './web/app.ts'
import { plainPages } from './web/plain-pages.tsx'
import { patternsOf } from './web/route-patterns.ts'
import type { Pages } from './web/web-services.ts'

export interface Running {
  url: string
  stop(): Promise<void>
}

interface Surroundings {
  root: string
  /** In development: serves the sources and reloads this bundle. */
  vite?: {
    middleware: (request: unknown, response: unknown, next: () => void) => void
    reload(): Promise<{ pages: Pages }>
  }
}

async function makers() {
  // The build itself: given a function, React Router would rank all routes for each request.
  const build = (await import('virtual:react-router/server-build')) as unknown as ServerBuild
  return {
    hydrated: createRequestHandler(build, import.meta.env.MODE),
    plain: plainPages(build),
    patternOf: patternsOf(build.routes),
  }
}
let made: ReturnType<typeof makers> | undefined
const making = () => {
  made ??= makers()
  return made
}

export const pages: Pages = async (request, context) => {
  const { hydrated, plain } = await making()
  // In development Vite's scripts are part of every page.
  const isPlain = import.meta.env.PROD && context.get(requestContext).nonce === ''
  return (isPlain ? await plain(request, context) : null) ?? hydrated(request, context)
}

export async function start(
  environment: Record<string, string | undefined>,
  { root, vite }: Surroundings,
): Promise<Running> {
  const parsed = configFrom(environment)
  if (!parsed.ok) throw new StartupError(parsed.problems)
  const { config } = parsed
  const log = openLog(config.logLevel)
  const clock = clockOf(config)
  const version = openInstalled(root)
  await openTraces(version, log)
  const lock = await openDataDirectory(config, log, clock)
  const db = await opening('database', config, () =>
    // The upper index pages of some millions of units.
    openDatabase({ ...placeOf(config), cacheMb: 64 }),
  )
  await startClock(db, config, clock)
  const metrics = openMetrics()
  const runtime = openRuntime({ config, db, log, clock, metrics })
  const { services } = runtime
  await refuseWrongKeys(db, runtime, clock)
  const joined = await joinServers(runtime, { config, version, log, metrics })
  if (config.demo) await opening('database', config, () => seedDemo(db, seedPartsOf(services)))
  const leases = leasesOf(services, joined.instance)
  const runner = openRunner(runtime, config, { leases, log, metrics, inFlight: () => app.requestsInFlight() })
  const readiness = watchReadiness({ ...joined, db, dataDir: config.dataDir, demo: config.demo, log })
  let stopping = false
  const ready = async (forPages?: boolean) => (stopping ? ['This server is stopping.'] : readiness.problems(forPages))
  const watch = watchClock({ db, config, clock, metrics, log, errors: services.errors, others: joined.caution })
  const app = createWebApp({
    services,
    config,
    log,
    metrics,
    pages: vite ? async (request, context) => (await vite.reload()).pages(request, context) : pages,
    clientFolder: vite ? null : join(root, 'build', 'client'),
    cookieKeys: runtime.keys.cookie,
    ...(await requestsSeen(config, log)),
    ready,
    caution: watch.says,
  })
  // The data directory's lock excludes another server.
  if (db.engine === 'sqlite') await Promise.all([runner.takeOver(), leases.freeAll()])
  const leaving = async (error: unknown): Promise<never> => {
    watch.stop()
    await joined.leave()
    throw error
  }
  const seen = { config, runtime, metrics, version, ready, caution: watch.says }
  const unsee = await startSeeing(seen).catch(leaving)
  // Loaded before the first request, whatever becomes of the build folder.
  const [serves, works] = [config.role !== 'worker', config.role !== 'web']
  if (!vite) await Promise.all([serves && making(), works && prepareNotices()])
  const server = await opening('socket', config, () =>
    listen({ ...listeningOf(app, config, vite), closing: () => stopping }),
  ).catch((error: unknown) => {
    unsee()
    return leaving(error)
  })
  // Nothing is awaited from here on: a signal to stop must be heard.
  const schedule = works ? startWork(runtime, config, { runner, leases, log, metrics, guard: watch.guard }) : null
  report(config, runtime, log)
  const filling = config.demo && works ? fillPastDays(services, () => stopping) : undefined
  return {
    url: config.publicUrl,
    async stop() {
      if (stopping) return
      stopping = true
      watch.stop()
      const chores = Promise.all([schedule?.stop(), filling])
      await endParts({ config, log, server, unsee, chores, runner, readiness, joined, db, lock })
    },
  }
}

/** Charges what the demo has due, so that a payment is there to refund. Its reports and its audit are of days before it began. */
const fillPastDays = (services: Services, stopping: () => boolean): Promise<unknown> =>
  inSpan('chore autopay', { root: true }, () => runAutopay(services, { stopping }))
    .then(() => seedPastDays(services.db, { clock: services.clock, random: services.random, stopping }))
    .then(() => keepAudit(services, stopping, { auditMailTo: null }))
    .catch((error: unknown) => services.errors.report(error))

/** What tells of requests, by the pattern of their address: tokens in it reach no log. */
async function requestsSeen({ role, accessLog }: Config, log: Log) {
  if (role === 'worker') return {}
  const { patternOf } = await making()
  return { patternOf, ...(accessLog && { accessLog: openAccessLog(log, patternOf) }) }
}

async function openTraces(version: string, log: Log): Promise<void> {
  const problem = await openTracing(version)
  if (problem !== null) log.warn(problem)
}

/** Ends the parts of a server, each before what it needs. */
async function endParts(of: {
  config: Config
  log: Log
  server: ServerType
  unsee: () => void
  chores: Promise<unknown>
  runner: JobRunner
  readiness: Readiness
  joined: Joined
  db: Database
  lock: HolderLock
}): Promise<void> {
  of.log.info('stopping: finishing what is under way')
  of.readiness.stop()
  // The proxy needs its next look to send requests elsewhere; until then they are answered.
  const answering = pause(of.config.drainMs)
  await Promise.race([of.chores, pause(CHORES_MS, undefined, { ref: false })])
  await answering
  await closeServer(of.server)
  of.unsee()
  await of.runner.drain()
  await of.joined.leave()
  await of.db.close()
  of.lock.release()
  await endTracing()
  of.log.info('stopped')
}

const leasesOf = ({ db, clock, errors }: Services, holder: string) =>
  new ChoreLeases({ db, clock, holder, onError: (error) => errors.report(error, { chore: 'leases' }) })

/** The outbox and the chores, which servers of role `web` leave to others. */
function startWork(
  { services, restoreGuard }: Runtime,
  config: Config,
  parts: { runner: JobRunner; leases: ChoreLeases; log: Log; metrics: Metrics; guard: ClockGuard | null },
): { stop(): Promise<void> } {
  parts.runner.start()
  return startScheduler(services, {
    ...parts,
    restoreGuard,
    autopayAtATime: config.rates.autopayAtATime,
    auditMailTo: config.auditMailTo,
    standbyRequired: config.standbyRequired,
    catchesUp: config.mode === 'demo',
  })
}

/** @throws StartupError */
async function refuseWrongKeys(db: Database, { keys }: Runtime, clock: Clock): Promise<void> {
  await checkKeys(db, keys.sealing, clock.now()).catch((error: unknown) => {
    throw error instanceof WrongKeys ? new StartupError([error.message]) : error
  })
}

async function openDataDirectory(config: Config, log: Log, clock: Clock): Promise<HolderLock> {
  const { dataDir, publicUrl } = config
  writeForOwnerOnly()
  for (const why of await opening('folder', config, () => tightenDataDirectory(dataDir)))
    log.warn({ why }, 'others may read a file of the data folder')
  return opening('folder', config, () => lockDataDirectory({ dataDir, address: publicUrl, clock }))
}

const seedPartsOf = ({ clock, random, passwords, sealer, files }: Services): SeedParts => ({
  clock,
  random,
  hashPassword: passwords.hash,
  sealer,
  drawBrochure: async (brochure) =>
    files.put(`brochures/${brochure.fileName}`, await brochurePdf(brochure), 'application/pdf'),
  putFile: (key, content, contentType) => files.put(key, content, contentType),
})

const openRunner = (
  { services, mail, restoreGuard }: Runtime,
  config: Config,
  { leases, log, metrics, inFlight }: { leases: ChoreLeases; log: Log; metrics: Metrics; inFlight: () => number },
): JobRunner => {
  const billing = billingUnderWay(leases)
  return new JobRunner({
    db: services.db,
    clock: services.clock,
    log,
    held: () => restoreGuard.holds(),
    yieldBefore: (lateMs) => yieldToRequests(inFlight, lateMs, billing),
    handlers: noticeHandlers(services, { mail, from: config.mail.from }),
    // Two more, that a text message or a refund does not wait for mails.
    channels,
    staleAfter,
    lanes: Math.max(4, config.rates.mailConnections + 2),
    onDone({ jobId, kind, attempts }, ms) {
      metrics.jobsDone.inc({ kind, outcome: 'done' })
      log[config.accessLog ? 'info' : 'debug']({ job: jobId, kind, attempts, ms }, 'job done')
    },
    onDead: (job, error) => {
      metrics.jobsDone.inc({ kind: job.kind, outcome: 'dead' })
      services.errors.report(new Error(`A job was given up: ${error}`), { job: job.jobId, kind: job.kind })
    },
  })
}

const listeningOf = (app: WebApp, { host, port }: Config, vite: Surroundings['vite']): Listening => ({
  fetch: app.fetch,
  first(request, response, next) {
    if (!vite) return app.serveCached(request, response)
    vite.middleware(request, response, next)
    return true
  },
  host,
  port,
})

function report(config: Config, { services, mail }: Runtime, log: Log): void {
  for (const caution of configWarnings(config)) log.warn(caution)
  // Not awaited: most of the site works without.
  for (const asked of [filesProblem(services.files, config), mailProblem(mail)])
    void asked.then((problem) => problem && log.error(problem))
  log.info({ url: config.publicUrl, mode: config.mode, role: config.role, engine: services.db.engine }, 'ready')
  if (config.printLogins) process.stdout.write(demoAccess(config.publicUrl, config.cardProvider.baseUrl))
}

/** A chore that takes longer goes on with the next start. */
const CHORES_MS = 5000

/** Requests under way are answered, for ten seconds. */
async function closeServer(server: ServerType): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  if ('closeIdleConnections' in server) server.closeIdleConnections()
  await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, 10_000).unref())])
  if ('closeAllConnections' in server) server.closeAllConnections()
}
