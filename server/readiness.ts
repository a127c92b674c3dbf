/** Whether this process should be sent requests, and if not, what to do about it. */

import { statfs } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import { OFFICE_FACILITY_ID } from '../modules/facilities/rules/office-facility.ts'
import { type Database, sqliteFile } from '../platform/database/open.ts'
import { operatorCommand } from '../platform/operator-command.ts'
import { errorMessage } from '../ports/errors/caught-error.ts'
import { OUTLIVED_MS } from './web/site-settings.ts'

/** An answer of the database that takes longer is none. */
const PROBE_MS = 4000
export const LEAST_FREE_BYTES = 200 * 1024 * 1024
const CHECK_AGAIN_MS = 86_400_000

export interface ReadinessParts {
  db: Database
  dataDir: string
  /** A write that every server can make. @throws DatabaseUnavailable */
  beat(): Promise<void>
  filesApart(): string | null
  /** A demo brings its facilities along. */
  demo: boolean
  log: { error(message: string): void }
  freeBytes?: (folder: string) => Promise<number>
  /** Milliseconds that no setting of the clock moves. */
  monotonic?: () => number
}

export interface Readiness {
  /**
   * What keeps requests away, in sentences that say what to do; none where it is ready.
   * @param forPages an outage of the database does not count for a minute: public pages are served from the cache
   */
  problems(forPages?: boolean): Promise<string[]>
  stop(): void
}

export const freeIn = async (folder: string): Promise<number> => {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

const inTime = <T>(work: Promise<T>): Promise<T> => {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error('no answer in time')), PROBE_MS)
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer))
}

export function watchReadiness(parts: ReadinessParts): Readiness {
  const { db, dataDir, beat, demo, log, freeBytes = freeIn, monotonic = () => performance.now() } = parts
  let foundByCheck: string | null = null
  let hasFacilities = demo
  let before = ''
  let wroteAt = Number.NEGATIVE_INFINITY
  const check = async () => {
    foundByCheck = await damageOf(sqliteFile(dataDir))
  }
  const damage = (): string | null => {
    const found = foundByCheck ?? db.damage()
    return found && damagedFile(sqliteFile(dataDir), found)
  }
  const timer = setInterval(() => void check(), CHECK_AGAIN_MS)
  timer.unref()
  if (db.engine === 'sqlite') void check()

  const write = async () => {
    await db.ping()
    await beat()
    hasFacilities ||= await anyFacility(db)
  }
  const database = async (): Promise<{ trouble: string | null; away?: true }> => {
    try {
      // SQLite's only: PostgreSQL's disk is another machine's.
      const free = db.engine === 'sqlite' ? await freeBytes(dataDir) : LEAST_FREE_BYTES
      if (free < LEAST_FREE_BYTES)
        return {
          trouble: `Less than 200 MB are free in ${dataDir} (${Math.floor(free / 1024 / 1024)} MB): make room, or nothing can be written soon.`,
        }
      await inTime(write())
      wroteAt = monotonic()
      return { trouble: hasFacilities ? null : emptyDatabase() }
    } catch (error) {
      return {
        trouble: `The database takes no write: ${errorMessage(error)}. Look at its disk and at its log; requests come back by themselves.`,
        away: true,
      }
    }
  }
  return {
    async problems(forPages = false) {
      const apart = parts.filesApart()
      const damaged = damage()
      const { trouble, away = false } = damaged === null ? await database() : { trouble: damaged }
      const outlived = away && monotonic() - wroteAt < OUTLIVED_MS
      const found = [apart, trouble].filter((one) => one !== null)
      const now = found.join(' ')
      if (now !== before && now !== '') log.error(now)
      before = now
      return forPages && outlived ? found.filter((one) => one !== trouble) : found
    },
    stop: () => clearInterval(timer),
  }
}

export const emptyDatabase = (): string =>
  `There is no facility in this database. A new business is brought in with: ${operatorCommand('import <folder>')}. If it is not new, DATA_DIR or DATABASE_URL leads to an empty database: set it right, or restore a backup.`

export const damagedFile = (file: string, why: string): string =>
  `The database file ${file} is damaged (${why}). Stop, and put the last backup back: ${operatorCommand('restore <backup>')}; the damaged file stays beside it. Then: ${operatorCommand('reconcile --provider')}`

export async function anyFacility(db: Database): Promise<boolean> {
  const one = await db.read
    .selectFrom('locations')
    .select('location_code')
    .where('facility_id', '!=', OFFICE_FACILITY_ID)
    .limit(1)
    .executeTakeFirst()
  return one !== undefined
}

/** In a thread of its own: a large file takes minutes. @returns what is wrong, or null */
function damageOf(file: string): Promise<string | null> {
  const program = `
    const { parentPort, workerData } = require('node:worker_threads')
    const { DatabaseSync } = require('node:sqlite')
    let wrong
    try {
      const db = new DatabaseSync(workerData, { readOnly: true, timeout: 5000 })
      wrong = Object.values(db.prepare('pragma quick_check(1)').get())[0]
      db.close()
    } catch (error) {
      wrong = [11, 26].includes((error.errcode ?? 0) % 256) ? error.message : 'ok'
    }
    parentPort.postMessage(String(wrong))`
  return new Promise((resolve) => {
    const worker = new Worker(program, { eval: true, workerData: file })
    worker.unref()
    worker.once('message', (wrong: string) => resolve(wrong === 'ok' ? null : wrong))
    worker.once('error', () => resolve(null))
  })
}
