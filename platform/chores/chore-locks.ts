/**
 * Locks that let only one process of the installation run a scheduled chore. A lock is a row with its holder and an
 * expiry.
 */
import type { ExpressionBuilder, Updateable } from 'kysely'
import type { Instant } from '../../domain/time-zone-dates.ts'
import type { Clock } from '../../ports/clock-and-random.ts'
import type { Database } from '../database/open.ts'
import type { Tables } from '../schema/tables.ts'

/**
 * Lifetime of a lock, in milliseconds. With a check every `POLL_MS`, the chore of a killed process is taken over within
 * a minute.
 */
const LOCK_MS = 40_000
const RENEW_MS = 10_000
/** Name of the row in which the backup command, which is no server chore, records its runs. */
export const BACKUP = 'backup'
/** Interval of the search for abandoned chores, in milliseconds. */
export const POLL_MS = 10_000
/**
 * Tolerance for clocks that differ, in milliseconds: a chore's lock or due time further ahead was written by a wrong
 * clock and is ignored.
 */
const CLOCKS_APART_MS = 120_000

/** A held lock on a chore. */
export interface ChoreLock {
  /** Returns whether another process has taken the chore over; long work checks it between steps. */
  isLost(): boolean
  /** Releases the lock. 'handed back': the chore is unfinished, and a process may take it over. */
  end(how: 'done' | 'failed' | 'handed back'): Promise<void>
}

/** Acquires and releases the locks of one process. */
export class ChoreLocks {
  readonly #db: Database
  readonly #clock: Clock
  readonly #holder: string
  readonly #onError: (error: unknown) => void

  /**
   * @param parts.holder unique name of this process
   * @param parts.onError called when a renewal fails; the work continues
   */
  constructor(parts: { db: Database; clock: Clock; holder: string; onError?: (error: unknown) => void }) {
    this.#db = parts.db
    this.#clock = parts.clock
    this.#holder = parts.holder
    this.#onError = parts.onError ?? (() => {})
  }

  /** Locks a chore for its run at `due`; null if the lock is held, or that run or a later one has already begun. */
  async claim(chore: string, due: Instant): Promise<ChoreLock | null> {
    const now = this.#clock.now()
    const run = { holder: this.#holder, claimed_until: now + LOCK_MS, begun_at: now, due_at: due }
    const claimed = await this.#db.withoutFsync((db) =>
      db
        .insertInto('chores')
        .values({ chore, ...run, succeeded_at: null, took_ms: null })
        .onConflict((conflict) =>
          conflict
            .column('chore')
            .doUpdateSet(run)
            .where((eb) =>
              eb.or([
                eb('chores.holder', 'is', null),
                eb('chores.claimed_until', '<=', now),
                eb('chores.claimed_until', '>', now + CLOCKS_APART_MS),
              ]),
            )
            .where((eb) => eb.or([eb('chores.due_at', '<', due), eb('chores.due_at', '>', now + CLOCKS_APART_MS)])),
        )
        .returning('chore')
        .executeTakeFirst(),
    )
    return claimed ? this.#hold(chore, now) : null
  }

  /** Lists chores that a process, perhaps this one, began, did not finish, and no longer holds. */
  async listAbandoned(): Promise<string[]> {
    const rows = await this.#db.read
      .selectFrom('chores')
      .select('chore')
      .where('holder', 'is not', null)
      .where(this.#isOver(this.#clock.now()))
      .execute()
    return rows.map(({ chore }) => chore)
  }

  /** Returns whether any process holds the lock of a scheduled chore. */
  async isHeld(chore: string): Promise<boolean> {
    const row = await this.#db.read
      .selectFrom('chores')
      .select('holder')
      .where('chore', '=', chore)
      .where('holder', 'is not', null)
      .where((eb) => eb.not(this.#isOver(this.#clock.now())(eb)))
      .executeTakeFirst()
    return row !== undefined
  }

  /** Takes over an abandoned chore; null if another process was faster. */
  async takeOver(chore: string): Promise<ChoreLock | null> {
    const now = this.#clock.now()
    const updated = await this.#db.withoutFsync((db) =>
      db
        .updateTable('chores')
        .set({ holder: this.#holder, claimed_until: now + LOCK_MS, begun_at: now })
        .where('chore', '=', chore)
        .where('holder', 'is not', null)
        .where(this.#isOver(now))
        .returning('chore')
        .executeTakeFirst(),
    )
    return updated ? this.#hold(chore, now) : null
  }

  /**
   * Releases all locks after a crash, and lets runs that have begun, even finished ones, be claimed again; only for the
   * single server of a data directory.
   */
  async releaseAll(): Promise<void> {
    await this.#db.write.updateTable('chores').set({ claimed_until: 0, due_at: 0 }).execute()
  }

  #isOver(now: Instant) {
    return (eb: ExpressionBuilder<Tables, 'chores'>) =>
      eb.or([eb('chores.claimed_until', '<=', now), eb('chores.claimed_until', '>', now + CLOCKS_APART_MS)])
  }

  #hold(chore: string, begun: Instant): ChoreLock {
    let lost = false
    const updateOwnRow = (change: Updateable<Tables['chores']>) =>
      this.#db.withoutFsync((db) =>
        db
          .updateTable('chores')
          .set(change)
          .where('chore', '=', chore)
          .where('holder', '=', this.#holder)
          .executeTakeFirst(),
      )
    const renew = async () => {
      const renewed = await updateOwnRow({ claimed_until: this.#clock.now() + LOCK_MS })
      lost ||= renewed.numUpdatedRows === 0n
    }
    const timer = setInterval(() => void renew().catch(this.#onError), RENEW_MS)
    timer.unref()
    return {
      isLost: () => lost,
      end: async (how) => {
        clearInterval(timer)
        const now = this.#clock.now()
        if (how === 'handed back') await updateOwnRow({ claimed_until: now })
        else
          await updateOwnRow({
            holder: null,
            claimed_until: null,
            ...(how === 'done' && { succeeded_at: now, took_ms: Math.max(0, now - begun) }),
          })
      },
    }
  }
}
