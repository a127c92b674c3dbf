/** Decides whether this process is ready for requests, and if not, says what to do. */

import { statfs } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import { DAY } from '../domain/durations.ts'
import { OFFICE_FACILITY_ID } from '../modules/facilities/rules/operator-office-facility-id.ts'
import { type Database, sqliteFile } from '../platform/database/open.ts'
import { operatorCommand } from '../platform/operator-command-in-messages.ts'
import { errorMessage } from '../ports/errors/error-code-and-message.ts'
import { MAX_STALE_SETTINGS_MS } from './web/cached-brand-and-notices.ts'

/** Timeout in milliseconds of the readiness check's query and write to the database. */
const PROBE_MS = 4000
export const MIN_FREE_BYTES = 200 * 1024 * 1024
const CHECK_AGAIN_MS = DAY

export interface ReadinessParts {
  db: Database
  dataDir: string
  /**
   * Writes a heartbeat, at most every five seconds, to check that the database accepts writes.
   * @throws DatabaseUnavailable
   */
  beat(): Promise<void>
  /** Returns why the files are not shared with other servers, or null. */
  filesApart(): string | null
  /** Whether the demo operator is seeded at the start; if so, the check does not ask whether there is a facility. */
  demo: boolean
  log: { error(message: string): void }
  freeBytes?: (folder: string) => Promise<number>
  /** Monotonic clock, in milliseconds. */
  monotonic?: () => number
}

export interface Readiness {
  /**
   * Lists why the server is not ready, in sentences that say what to do; empty if it is ready.
   * @param forPages ignores a database outage for one minute: public pages are served from the cache
   */
  problems(forPages?: boolean): Promise<string[]>
  stop(): void
}

/** Returns the free bytes of a folder's disk. */
export const freeDiskBytes = async (folder: string): Promise<number> => {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

const withTimeout = <T>(work: Promise<T>): Promise<T> => {
  const timeout = Promise.withResolvers<never>()
  const timer = setTimeout(() => timeout.reject(new Error('no response in time')), PROBE_MS)
  return Promise.race([work, timeout.promise]).finally(() => clearTimeout(timer))
}

export function createReadinessCheck(parts: ReadinessParts): Readiness {
  const { db, dataDir, beat, demo, log, freeBytes = freeDiskBytes, monotonic = () => performance.now() } = parts
  let damageByCheck: string | null = null
  let hasFacilities = demo
  let lastReport = ''
  let wroteAt = Number.NEGATIVE_INFINITY
  const check = async () => {
    damageByCheck = await findDamage(sqliteFile(dataDir))
  }
  const damage = (): string | null => {
    const message = damageByCheck ?? db.damage()
    return message && damagedFile(sqliteFile(dataDir), message)
  }
  const timer = db.engine === 'sqlite' ? setInterval(() => void check(), CHECK_AGAIN_MS).unref() : undefined
  if (timer) void check()

  const probeDatabase = async () => {
    await db.ping()
    await beat()
    hasFacilities ||= await hasFacility(db)
  }
  const checkDatabase = async (): Promise<{ databaseProblem: string | null; isUnavailable?: true }> => {
    try {
      // Free space is checked for SQLite only: PostgreSQL's disk may be on another machine.
      const free = db.engine === 'sqlite' ? await freeBytes(dataDir) : MIN_FREE_BYTES
      if (free < MIN_FREE_BYTES)
        return {
          databaseProblem: `Less than 200 MB are free in ${dataDir} (${Math.floor(free / 1024 / 1024)} MB): make room, or nothing can be written soon.`,
        }
      await withTimeout(probeDatabase())
      wroteAt = monotonic()
      return { databaseProblem: hasFacilities ? null : emptyDatabase() }
    } catch (error) {
      return {
        databaseProblem: `The database takes no write: ${errorMessage(error)}. Look at its disk and at its log; requests come back by themselves.`,
        isUnavailable: true,
      }
    }
  }
  return {
    async problems(forPages = false) {
      const filesProblem = parts.filesApart()
      const damageMessage = damage()
      const { databaseProblem, isUnavailable = false } =
        damageMessage === null ? await checkDatabase() : { databaseProblem: damageMessage }
      const isWithinStaleTime = isUnavailable && monotonic() - wroteAt < MAX_STALE_SETTINGS_MS
      const problems = [filesProblem, databaseProblem].filter((problem) => problem !== null)
      const report = problems.join(' ')
      if (report !== lastReport && report !== '') log.error(report)
      lastReport = report
      return forPages && isWithinStaleTime ? problems.filter((problem) => problem !== databaseProblem) : problems
    },
    stop: () => clearInterval(timer),
  }
}

/** Returns the message to the operator that the database has no facility. */
export const emptyDatabase = (): string =>
  `There is no facility in this database. A new business is brought in with: ${operatorCommand('import <folder>')}. If it is not new, DATA_DIR or DATABASE_URL leads to an empty database: set it right, or restore a backup.`

/** Returns the message to the operator that the database file is damaged. */
export const damagedFile = (file: string, why: string): string =>
  `The database file ${file} is damaged (${why}). Stop, and put the last backup back: ${operatorCommand('restore <backup>')}; the damaged file stays beside it. Then: ${operatorCommand('reconcile --provider')}`

export async function hasFacility(db: Database): Promise<boolean> {
  const facility = await db.read
    .selectFrom('locations')
    .select('location_code')
    .where('facility_id', '!=', OFFICE_FACILITY_ID)
    .limit(1)
    .executeTakeFirst()
  return facility !== undefined
}

/**
 * Checks the database file in a thread, since a large one takes minutes. The codes 11 and 26 are SQLITE_CORRUPT and
 * SQLITE_NOTADB; other errors say nothing about the file.
 * @returns SQLite's message about the damage, or null
 */
function findDamage(file: string): Promise<string | null> {
  const program = `
    const { parentPort, workerData } = require('node:worker_threads')
    const { DatabaseSync } = require('node:sqlite')
    let checkResult
    try {
      const db = new DatabaseSync(workerData, { readOnly: true, timeout: 5000 })
      checkResult = Object.values(db.prepare('pragma quick_check(1)').get())[0]
      db.close()
    } catch (error) {
      checkResult = [11, 26].includes((error.errcode ?? 0) % 256) ? error.message : 'ok'
    }
    parentPort.postMessage(String(checkResult))`
  return new Promise((resolve) => {
    const worker = new Worker(program, { eval: true, workerData: file })
    worker.unref()
    worker.once('message', (result: string) => resolve(result === 'ok' ? null : result))
    worker.once('error', () => resolve(null))
  })
}
