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
  return { hydrated: createRequestHandler(build, import.meta.env.MODE), plain: plainPages(build) }
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

/** Starts the site. @throws StartupError naming the variables that are wrong, or who holds the data directory */
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
      // The upper index pages of some millions of units.
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

  // The data directory's lock excludes another server.
  if (db.engine === 'sqlite') await runner.takeOver()
  const { vite } = surroundings
  // Loaded before the first request, whatever becomes of the build folder.
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
  // Nothing is awaited from here on: a signal to stop must be heard.
  runner.start()
  const schedule = startScheduler(services, { runner, log })
  for (const caution of configWarnings(config)) log.warn(caution)
  // Not awaited: most of the site works without.
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
      // Requests under way are answered.
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
