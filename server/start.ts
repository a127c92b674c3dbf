/** Starts and stops the site; `server/launch.mjs` calls it through the bundle. */
import { join } from 'node:path'
import { createRequestHandler, type ServerBuild } from 'react-router'
import { requestContext } from '../app/request/context.ts'
import { demoAccess } from '../demo/access.ts'
import { seedDemo } from '../demo/seed.ts'
import { brochurePdf } from '../modules/agreements/pdf/brochure-pdf.ts'
import { noticeHandlers, prepareNotices } from '../modules/notices/handlers.ts'
import { lockDataDirectory } from '../platform/database/data-directory-lock.ts'
import { openDatabase } from '../platform/database/open.ts'
import { JobRunner } from '../platform/jobs/runner.ts'
import { StartupError } from './config/config.ts'
import { configFrom } from './config/from-environment.ts'
import { configWarnings } from './config/production-checks.ts'
import { tightenDataDirectory, writeForOwnerOnly } from './data-directory.ts'
import { listen } from './listening.ts'
import { openLog } from './log.ts'
import { openMetrics } from './metrics.ts'
import { startScheduler, yieldToRequests } from './schedule.ts'
import { clockOf, openRuntime } from './services.ts'
import { filesProblem, mailProblem, opening } from './startup-checks.ts'
import { createWebApp } from './web/app.ts'
import { plainPages } from './web/plain-pages.tsx'
import type { Pages } from './web/web-services.ts'

export interface Running {
  url: string
  /** Answers what is under way, finishes running jobs, closes the database. */
  stop(): Promise<void>
}

interface Surroundings {
  /** The project's folder. */
  root: string
  /** Vite in development: serves the sources, reloads this bundle at each edit. */
  vite?: {
    middleware: (request: unknown, response: unknown, next: () => void) => void
    reload(): Promise<{ pages: Pages }>
  }
}

/** Both ways of making a page, from the one build. */
async function makers() {
  // Given the build itself: given a function, React Router would rank all routes for each request. The module exists
  // only under Vite.
  const build = (await import('virtual:react-router/server-build')) as unknown as ServerBuild
  return { hydrated: createRequestHandler(build, import.meta.env.MODE), plain: plainPages(build) }
}
let made: ReturnType<typeof makers> | undefined
const making = () => {
  made ??= makers()
  return made
}

/** React Router's pages; the launcher reaches the newest ones through the bundle in development. */
export const pages: Pages = async (request, context) => {
  const { hydrated, plain } = await making()
  // In development Vite's own scripts are part of every page.
  const isPlain = import.meta.env.PROD && context.get(requestContext).nonce === ''
  return (isPlain ? await plain(request, context) : null) ?? hydrated(request, context)
}

/**
 * Starts the whole site from its environment.
 * @throws StartupError naming the variables that are wrong, or who holds the data directory
 */
export async function start(
  environment: Record<string, string | undefined>,
  surroundings: Surroundings,
): Promise<Running> {
  const parsed = configFrom(environment)
  if (!parsed.ok) throw new StartupError(parsed.problems)
  const { config } = parsed
  const log = openLog(config.logLevel)
  const clock = clockOf(config)
  writeForOwnerOnly()
  for (const why of await opening('folder', config, () => tightenDataDirectory(config.dataDir)))
    log.warn({ why }, 'others may read a file of the data folder')
  const lock = await opening('folder', config, () =>
    lockDataDirectory({ dataDir: config.dataDir, address: config.publicUrl, clock }),
  )
  const db = await opening('database', config, () =>
    openDatabase({
      dataDir: config.dataDir,
      ...(config.databaseUrl ? { url: config.databaseUrl } : {}),
      // The upper pages of the indexes of some millions of units.
      cacheMb: 64,
    }),
  )
  const metrics = openMetrics()
  const runtime = openRuntime({ config, db, log, clock })
  const { services } = runtime
  if (config.demo)
    await seedDemo(db, {
      clock,
      random: services.random,
      hashPassword: services.passwords.hash,
      sealer: services.sealer,
      drawBrochure: async (brochure) =>
        services.files.put(`brochures/${brochure.fileName}`, await brochurePdf(brochure), 'application/pdf'),
    })

  const runner = new JobRunner({
    db,
    clock,
    log,
    yieldBefore: (lateMs) => yieldToRequests(() => app.requestsInFlight(), lateMs),
    handlers: noticeHandlers(services, { mail: runtime.mail, from: config.mail.from }),
    onDead: (job, error) => {
      metrics.jobs.inc({ kind: job.kind, outcome: 'dead' })
      services.errors.report(new Error(`A job was given up: ${error}`), { job: job.jobId, kind: job.kind })
    },
  })

  let stopping = false
  const app = createWebApp({
    services,
    config,
    log,
    metrics,
    pages: surroundings.vite
      ? async (request, context) => (await surroundings.vite!.reload()).pages(request, context)
      : pages,
    clientFolder: surroundings.vite ? null : join(surroundings.root, 'build', 'client'),
    cookieKeys: runtime.keys.cookie,
    ready: async () => {
      if (stopping) return false
      return db.ping().then(
        () => true,
        () => false,
      )
    },
  })

  // The lock on the data directory says that no other server runs on this SQLite file.
  if (db.engine === 'sqlite') await runner.takeOver()
  const { vite } = surroundings
  // Read before anybody is let in: a site that has started serves what it was built with, whatever becomes of the folder.
  if (!vite) await Promise.all([making(), prepareNotices()])
  const server = await opening('socket', config, () =>
    listen({
      fetch: app.fetch,
      first(request, response, next) {
        if (!vite) return app.serveCached(request, response)
        vite.middleware(request, response, next)
        return true
      },
      host: config.host,
      port: config.port,
    }),
  )
  // Nothing is waited for from here on: a signal to stop must be heard as soon as a request is answered.
  runner.start()
  const schedule = startScheduler(services, { runner, log })
  for (const caution of configWarnings(config)) log.warn(caution)
  // Not waited for: all but signing, sending files and mail works without.
  for (const asked of [filesProblem(services.files, config), mailProblem(runtime.mail)])
    void asked.then((problem) => problem && log.error(problem))
  log.info({ url: config.publicUrl, mode: config.mode, engine: db.engine }, 'ready')
  if (config.printLogins) process.stdout.write(demoAccess(config.publicUrl, config.cardProvider.baseUrl))

  return {
    url: config.publicUrl,
    async stop() {
      if (stopping) return
      stopping = true
      log.info('stopping: finishing what is under way')
      await schedule.stop()
      // No new connections; those that idle are closed, those that wait for an answer get it.
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      if ('closeIdleConnections' in server) server.closeIdleConnections()
      await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, 10_000).unref())])
      if ('closeAllConnections' in server) server.closeAllConnections()
      await runner.drain()
      await db.close()
      lock.release()
      log.info('stopped')
    },
  }
}
