/**
 * Detects that the database was restored from a backup or is a copy, since it then lacks the last mark that the file
 * store names. Such a database sends, charges and bills nothing until the operator resumes it.
 */

import { DAY } from '../../domain/durations.ts'
import type { Instant } from '../../domain/time-zone-dates.ts'
import type { Clock, Random } from '../../ports/clock-and-random.ts'
import type { Files } from '../../ports/files/files.ts'
import type { Database } from '../database/open.ts'
import { operatorCommand } from '../operator-command-in-messages.ts'

const KEY = 'servers/restore-mark.txt'
/** Minimum time in milliseconds between a check and the next one by `mustWait`. */
const CHECK_INTERVAL_MS = 5000
/**
 * Retention of old restore marks in the database, in milliseconds. A suspended process may still write an older mark to
 * the file store when it continues.
 */
const RETENTION_MS = DAY
/** Tolerated difference between servers' clocks, in milliseconds. */
const MAX_CLOCK_SKEW_MS = 600_000

/**
 * State of the check whether the database is a restored copy. 'unknown': no check has succeeded since the start. Only
 * 'open' allows charges and mails.
 */
export type RestoreState = 'open' | 'restored' | 'unknown'

/** Returns the message to the operator that the database was restored and what to do. */
export const restoredMessage = (): string =>
  `This database was put back to an earlier instant, or another copy of it goes on: nothing is mailed, charged or billed. Decide what the card provider took meanwhile (reconcile --provider), then: ${operatorCommand('resume --after-restore')}`

/**
 * Describes the instant up to which a restored database reaches.
 * @param last result of `loadLastMark`; null if the backup has no mark
 */
export const restoredUntil = (last: Instant | null): string =>
  last
    ? `; it ends soon after ${new Date(last).toISOString()}`
    : '; it does not say when it ends, so go by the instant of the backup'

interface GuardParts {
  db: Database
  files: Files
  clock: Clock
  random: Random
  /** Monotonic clock, in milliseconds. */
  monotonic?: () => number
}

/**
 * Compares the mark in the file store with the marks in the database, and tells callers whether payments and mails must
 * wait.
 */
export class RestoreGuard {
  readonly #parts: Required<GuardParts>
  #state: RestoreState = 'unknown'
  #confirmedMark: string | null = null
  #checkedAt = Number.NEGATIVE_INFINITY

  constructor(parts: GuardParts) {
    this.#parts = { monotonic: () => performance.now(), ...parts }
  }

  /** The state at the last check. */
  get state(): RestoreState {
    return this.#state
  }

  /**
   * Compares the file store's restore mark with the database.
   * @throws Error of the file store, leaving the state unchanged; DatabaseUnavailable
   */
  async checkState(): Promise<RestoreState> {
    const { db, files, monotonic } = this.#parts
    const storedMark = await files.get(KEY)
    if (storedMark) {
      const mark = Buffer.from(storedMark.content).toString()
      this.#state = (await this.#has(mark)) ? 'open' : 'restored'
      if (this.#state === 'open') this.#confirmedMark = mark
      // A guard that has confirmed a mark keeps its state: the file store was emptied, and `leaveMark` fills it.
    } else if (this.#confirmedMark === null) {
      // `kept_at` shows that a mark once reached the file store. If the file store has none now, this database was
      // restored (or its file store replaced); without such a mark it is new.
      const query = await db.read.selectFrom('restore_marks').select('mark').where('kept_at', 'is not', null).limit(1)
      this.#state = (await query.executeTakeFirst()) ? 'restored' : 'open'
    }
    this.#checkedAt = monotonic()
    return this.#state
  }

  /**
   * Returns whether outgoing work must wait. Checks whether the database was replaced, at most every few seconds.
   * @throws DatabaseUnavailable
   */
  async mustWait(): Promise<boolean> {
    const now = this.#parts.monotonic()
    if (this.#state === 'open' && this.#confirmedMark !== null && now - this.#checkedAt >= CHECK_INTERVAL_MS) {
      if (!(await this.#has(this.#confirmedMark))) this.#state = 'restored'
      this.#checkedAt = now
    }
    return this.#state !== 'open'
  }

  /**
   * Writes a new mark to the database and the file store if the check finds that this database is not a restored copy.
   * @throws Error of the file store; DatabaseUnavailable
   */
  async leaveMark(): Promise<void> {
    if ((await this.checkState()) === 'open') await this.resume()
  }

  /**
   * Declares this database the valid one. Copies of it stop payments and mails from their next `checkState`.
   * @throws Error of the file store; DatabaseUnavailable
   */
  async resume(): Promise<void> {
    const { db, files, clock, random } = this.#parts
    const mark = random.uuid()
    const now = clock.now()
    // Writes the database first, so that every mark in the file store also exists in the database and on its
    // synchronous standby.
    await db.write.insertInto('restore_marks').values({ mark, made_at: now, kept_at: null }).execute()
    await files.put(KEY, Buffer.from(mark), 'text/plain')
    this.#confirmedMark = mark
    this.#state = 'open'
    await db.withoutFsync(async (connection) => {
      await connection.updateTable('restore_marks').set({ kept_at: now }).where('mark', '=', mark).execute()
      const deleteOld = connection.deleteFrom('restore_marks').where('made_at', '<', now - RETENTION_MS)
      await deleteOld.where('mark', '!=', mark).execute()
    })
  }

  /**
   * Returns the instant of the newest mark that is not dated more than `MAX_CLOCK_SKEW_MS` after now, roughly when this
   * database was last current; null without one.
   */
  async loadLastMark(): Promise<Instant | null> {
    const query = this.#parts.db.read
      .selectFrom('restore_marks')
      .select((eb) => eb.fn.max<number | null>('made_at').as('made_at'))
      .where('made_at', '<=', this.#parts.clock.now() + MAX_CLOCK_SKEW_MS)
    return (await query.executeTakeFirst())?.made_at ?? null
  }

  /**
   * Returns the instant of the newest mark dated more than `MAX_CLOCK_SKEW_MS` after now; null without one. A wrong
   * clock wrote that mark, so it does not show when the database was current.
   */
  async loadFutureMark(): Promise<Instant | null> {
    const query = this.#parts.db.read
      .selectFrom('restore_marks')
      .select((eb) => eb.fn.max<number | null>('made_at').as('made_at'))
      .where('made_at', '>', this.#parts.clock.now() + MAX_CLOCK_SKEW_MS)
    return (await query.executeTakeFirst())?.made_at ?? null
  }

  async #has(mark: string): Promise<boolean> {
    const query = this.#parts.db.read.selectFrom('restore_marks').select('mark').where('mark', '=', mark)
    return (await query.executeTakeFirst()) !== undefined
  }
}
