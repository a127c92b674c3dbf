import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { ServerType } from '@hono/node-server'
import { createRequestHandler } from 'react-router'
import { requestContext } from '../app/request/context.ts'
import { seedPastDays } from '../demo/daily-snapshots.ts'
import { seedDemo } from '../demo/seed.ts'
import type { SeedParts } from '../demo/seed-dependencies.ts'
import { formatWelcomeText } from '../demo/terminal-welcome.ts'
import { brochurePdf } from '../modules/agreements/pdf/brochure-pdf.ts'
import { channels, loadMailRenderer, messageJobHandlers, staleAfter } from '../modules/messages/message-handlers.ts'
import { runAutopay } from '../modules/payments/autopay/charge-autopay.ts'
import { hashAndVerifyAudit } from '../modules/staff/audit-hash-check.ts'
import { ChoreLocks } from '../platform/chores/chore-locks.ts'
import type { ClockGuard } from '../platform/clock-guard.ts'
import { type DataDirectoryLock, lockDataDirectory } from '../platform/database/data-directory-lock.ts'
import { type Database, openDatabase } from '../platform/database/open.ts'
import { JobRunner } from '../platform/jobs/job-runner.ts'
import type { Services } from '../platform/operations/services.ts'
import { checkKeys, WrongKeys } from '../platform/server-registry/key-checks.ts'
import type { Clock } from '../ports/clock-and-random.ts'
import { endTracing, inSpan, openTracing } from '../ports/tracing.ts'
import { startClock, watchClock } from './clock-watch.ts'
import { type Config, configFrom, configWarnings, databaseLocationOf, StartupError } from './config/config.ts'
import { type ListenOptions, listen } from './http-server.ts'
import { type Log, openLog } from './log.ts'
import { type Metrics, openMetrics } from './metrics.ts'
import { startMonitoring } from './metrics-server.ts'
import { createReadinessCheck, type Readiness } from './readiness.ts'
import { readReleaseVersion } from './release-version.ts'
import { tightenDataDirectory, writeForOwnerOnly } from './restrict-data-directory.ts'
import { createBillingProbe, startScheduler, yieldToRequests } from './schedule.ts'
import { joinServers, type ServerMembership } from './server-membership.ts'
import { createClock, openRuntime, type Runtime } from './services.ts'
import { explainOpenErrors, filesProblem, mailProblem } from './startup-problems.ts'
import { openAccessLog } from './web/access-log.ts'
import { createWebApp, type WebApp } from './web/app.ts'
import { allowViteClient } from './web/content-security-policy.ts'
import { createPlainRenderer } from './web/render-without-scripts.tsx'
import { createPatternFinder } from './web/route-patterns.ts'
import type { PageRenderer } from './web/web-app-state-and-request-callers.ts'

export interface Running {
  url: string
  stop(): Promise<void>
}

interface StartOptions {
  root: string
  /** Set in development: Vite serves the sources, and `reload` loads the page renderer from them. */
  vite?: {
    middleware: (request: unknown, response: unknown, next: () => void) => void
    reload(): Promise<{ pages: PageRenderer }>
  }
}

async function createRenderers() {
  // Passes the build, not a function: with a function React Router would rank all routes for each request.
  const build = await import('virtual:react-router/server-build')
  return {
    hydrated: createRequestHandler(build, import.meta.env.MODE),
    plain: createPlainRenderer(build),
    patternOf: createPatternFinder(build.routes),
  }
}
let renderers: ReturnType<typeof createRenderers> | undefined
const loadRenderers = () => {
  renderers ??= createRenderers()
  return renderers
}

/** Renders a page with React Router: plain pages without hydration data if the response needs no scripts. */
export const pages: PageRenderer = async (request, context) => {
  const { hydrated, plain } = await loadRenderers()
  // In development every page contains Vite's scripts.
  const isPlain = import.meta.env.PROD && context.get(requestContext).nonce === ''
  return (isPlain ? await plain(request, context) : null) ?? hydrated(request, context)
}

/**
 * Starts the server with the configuration of the environment.
 * @throws StartupError naming what to change
 */
export async function start(
  environment: Record<string, string | undefined>,
  { root, vite }: StartOptions,
): Promise<Running> {
  const parsed = configFrom(environment)
  if (!parsed.ok) throw new StartupError(parsed.problems)
  const { config } = parsed
  const log = openLog(config.logLevel)
  const clock = createClock(config)
  const version = readReleaseVersion(root)
  await openTraces(version, log)
  const lock = await openDataDirectory(config, log, clock)
  const db = await explainOpenErrors('database', config, () =>
    // The writing connection's page cache in SQLite is twice the default, so that more of the indexes stay in memory.
    openDatabase({ ...databaseLocationOf(config), cacheMb: 64 }),
  )
  await startClock(db, config, clock)
  const metrics = openMetrics()
  const runtime = openRuntime({ config, db, log, clock, metrics })
  const { services } = runtime
  await refuseWrongKeys(db, runtime, clock)
  const membership = await joinServers(runtime, { config, version, log, metrics })
  if (config.demo) await explainOpenErrors('database', config, () => seedDemo(db, seedPartsOf(services)))
  const choreLocks = createChoreLocks(services, membership.instance)
  const runner = openRunner(runtime, config, { choreLocks, log, metrics, inFlight: () => app.requestsInFlight() })
  const readiness = createReadinessCheck({ ...membership, db, dataDir: config.dataDir, demo: config.demo, log })
  let stopping = false
  const ready = async (forPages?: boolean) => (stopping ? ['This server is stopping.'] : readiness.problems(forPages))
  const clockWatch = watchClock({
    db,
    config,
    clock,
    metrics,
    log,
    errors: services.errors,
    others: membership.caution,
  })
  const app = createWebApp({
    services,
    config,
    log,
    metrics,
    pages: vite ? async (request, context) => (await vite.reload()).pages(request, context) : pages,
    clientFolder: vite ? null : join(root, 'build', 'client'),
    cookieKeys: runtime.keys.cookie,
    ...(await requestLogging(config, log)),
    ready,
    caution: clockWatch.message,
  })
  // The lock on the data directory excludes other servers, so what is still claimed was left by a process that ended.
  if (db.engine === 'sqlite') await Promise.all([runner.takeOver(), choreLocks.releaseAll()])
  const leaveAndThrow = async (error: unknown): Promise<never> => {
    clockWatch.stop()
    await membership.leave()
    throw error
  }
  const monitoring = { config, runtime, metrics, version, ready, caution: clockWatch.message }
  const stopMonitoring = await startMonitoring(monitoring).catch(leaveAndThrow)
  // The renderers are loaded now, since the build folder may change while the server runs.
  const servesPages = config.role !== 'worker'
  const runsWork = config.role !== 'web'
  if (!vite) await Promise.all([servesPages && loadRenderers(), runsWork && loadMailRenderer()])
  const server = await explainOpenErrors('socket', config, () =>
    listen({ ...listeningOf(app, config, vite), closing: () => stopping }),
  ).catch((error: unknown) => {
    stopMonitoring()
    return leaveAndThrow(error)
  })
  // Nothing is awaited from here on, so that the caller can handle signals as soon as the server listens.
  const schedule = runsWork
    ? startWork(runtime, config, { runner, choreLocks, log, metrics, guard: clockWatch.guard })
    : null
  logStart(config, runtime, log)
  const pastDays = config.demo && runsWork ? fillPastDays(services, () => stopping) : undefined
  return {
    url: config.publicUrl,
    async stop() {
      if (stopping) return
      stopping = true
      clockWatch.stop()
      const chores = Promise.all([schedule?.stop(), pastDays])
      await endParts({ config, log, server, stopMonitoring, chores, runner, readiness, membership, db, lock })
    },
  }
}

/**
 * Charges the demo's due autopay, so that there is a payment to refund, fills the reports of past days, and hashes the
 * audit events of past days.
 */
const fillPastDays = (services: Services, stopping: () => boolean): Promise<unknown> =>
  inSpan('chore autopay', { root: true }, () => runAutopay(services, { stopping }))
    .then(() => seedPastDays(services.db, { clock: services.clock, random: services.random, stopping }))
    .then(() => hashAndVerifyAudit(services, stopping, { auditMailTo: null }))
    .catch((error: unknown) => services.errors.report(error))

/** Opens access log and route patterns; the log names only patterns, so that no token in an address is logged. */
async function requestLogging({ role, accessLog }: Config, log: Log) {
  if (role === 'worker') return {}
  const { patternOf } = await loadRenderers()
  return { patternOf, ...(accessLog && { accessLog: openAccessLog(log, patternOf) }) }
}

async function openTraces(version: string, log: Log): Promise<void> {
  const problem = await openTracing(version)
  if (problem !== null) log.warn(problem)
}

/** Stops the parts of a server, each before the parts that it needs. */
async function endParts(parts: {
  config: Config
  log: Log
  server: ServerType
  stopMonitoring: () => void
  chores: Promise<unknown>
  runner: JobRunner
  readiness: Readiness
  membership: ServerMembership
  db: Database
  lock: DataDirectoryLock
}): Promise<void> {
  parts.log.info('stopping: finishing what is under way')
  parts.readiness.stop()
  // Until its next health check the proxy still sends requests to this server.
  const draining = pause(parts.config.drainMs)
  await Promise.race([parts.chores, pause(CHORES_MS, undefined, { ref: false })])
  await draining
  await closeServer(parts.server)
  parts.stopMonitoring()
  await parts.runner.drain()
  await parts.membership.leave()
  await parts.db.close()
  parts.lock.release()
  await endTracing()
  parts.log.info('stopped')
}

const createChoreLocks = ({ db, clock, errors }: Services, holder: string) =>
  new ChoreLocks({ db, clock, holder, onError: (error) => errors.report(error, { chore: 'leases' }) })

/** Starts the job runner and the chores, which servers with the role `web` do not run. */
function startWork(
  { services, restoreGuard }: Runtime,
  config: Config,
  parts: { runner: JobRunner; choreLocks: ChoreLocks; log: Log; metrics: Metrics; guard: ClockGuard | null },
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

/** Compares the encryption keys with the database's. @throws StartupError if they are wrong */
async function refuseWrongKeys(db: Database, { keys }: Runtime, clock: Clock): Promise<void> {
  await checkKeys(db, keys.sealing, clock.now()).catch((error: unknown) => {
    throw error instanceof WrongKeys ? new StartupError([error.message]) : error
  })
}

async function openDataDirectory(config: Config, log: Log, clock: Clock): Promise<DataDirectoryLock> {
  const { dataDir, publicUrl } = config
  writeForOwnerOnly()
  for (const why of await explainOpenErrors('folder', config, () => tightenDataDirectory(dataDir)))
    log.warn({ why }, 'others may read a file of the data folder')
  return explainOpenErrors('folder', config, () => lockDataDirectory({ dataDir, address: publicUrl, clock }))
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
  {
    choreLocks,
    log,
    metrics,
    inFlight,
  }: { choreLocks: ChoreLocks; log: Log; metrics: Metrics; inFlight: () => number },
): JobRunner => {
  const billing = createBillingProbe(choreLocks)
  return new JobRunner({
    db: services.db,
    clock: services.clock,
    log,
    isPaused: () => restoreGuard.mustWait(),
    yieldAfterJob: (lateMs) => yieldToRequests(inFlight, lateMs, billing),
    handlers: messageJobHandlers(services, { mail, from: config.mail.from }),
    channels,
    staleAfter,
    // There are at least two lanes more than mail connections, so that other jobs can run beside mails.
    lanes: Math.max(4, config.rates.mailConnections + 2),
    onDone({ jobId, kind, attempts }, ms) {
      metrics.jobsDone.inc({ kind, outcome: 'done' })
      log[config.accessLog ? 'info' : 'debug']({ job: jobId, kind, attempts, ms }, 'job done')
    },
    onDead: (job, error) => {
      metrics.jobsDone.inc({ kind: job.kind, outcome: 'dead' })
      services.errors.report(new Error(`A job is dead: ${error}`), { job: job.jobId, kind: job.kind })
    },
  })
}

const listeningOf = (app: WebApp, { host, port }: Config, vite: StartOptions['vite']): ListenOptions => ({
  fetch: vite ? allowViteClient(app.fetch) : app.fetch,
  first(request, response, next) {
    if (!vite) return app.serveCached(request, response)
    vite.middleware(request, response, next)
    return true
  },
  host,
  port,
})

function logStart(config: Config, { services, mail }: Runtime, log: Log): void {
  for (const caution of configWarnings(config)) log.warn(caution)
  // The checks are not awaited, since most of the site works without files and mail.
  for (const check of [filesProblem(services.files, config), mailProblem(mail)])
    void check.then((problem) => problem && log.error(problem))
  log.info({ url: config.publicUrl, mode: config.mode, role: config.role, engine: services.db.engine }, 'ready')
  if (config.printLogins) process.stdout.write(formatWelcomeText(config.publicUrl, config.cardProvider.baseUrl))
}

/** Time in milliseconds in which running chores may finish; longer ones are interrupted, which every chore tolerates. */
const CHORES_MS = 5000

/** Closes the server. Waits at most ten seconds for requests in progress, then cuts their connections. */
async function closeServer(server: ServerType): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  if ('closeIdleConnections' in server) server.closeIdleConnections()
  await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, 10_000).unref())])
  if ('closeAllConnections' in server) server.closeAllConnections()
}
