/** One run of a chore at a time in the whole installation: its row names the holder until a time that the holder moves on. */
import type { ExpressionBuilder, Updateable } from 'kysely'
import type { Instant } from '../../domain/dates.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Database } from '../database/open.ts'
import type { Tables } from '../schema/tables.ts'

/** With a look each `LOOK_MS`, what a killed process left is taken over within a minute. */
const LEASE_MS = 40_000
const RENEW_MS = 10_000
/** No chore of a server: the command notes it here. */
export const BACKUP = 'backup'
/** How often what others left is looked for. */
export const LOOK_MS = 10_000
/** Times further ahead were written by a clock that was wrong: they bind no process. */
const CLOCKS_APART_MS = 120_000

export interface ChoreLease {
  /** Whether another process has the chore now: asked between the steps of long work. */
  lost(): boolean
  /** `handed back`: it is not finished, and any process may go on at once. */
  end(how: 'done' | 'failed' | 'handed back'): Promise<void>
}

export class ChoreLeases {
  readonly #db: Database
  readonly #clock: Clock
  readonly #holder: string
  readonly #onError: (error: unknown) => void

  /** @param parts.holder of this process alone. @param parts.onError of a renewal: the work goes on */
  constructor(parts: { db: Database; clock: Clock; holder: string; onError?: (error: unknown) => void }) {
    this.#db = parts.db
    this.#clock = parts.clock
    this.#holder = parts.holder
    this.#onError = parts.onError ?? (() => {})
  }

  /** @returns null where another process has it, or has had it for that time */
  async claim(chore: string, due: Instant): Promise<ChoreLease | null> {
    const now = this.#clock.now()
    const run = { holder: this.#holder, claimed_until: now + LEASE_MS, begun_at: now, due_at: due }
    const claimed = await this.#db.withoutFsync((db) =>
      db
        .insertInto('chores')
        .values({ chore, ...run, succeeded_at: null, took_ms: null })
        .onConflict((known) =>
          known
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

  /** Chores that another process began and neither finished nor keeps. */
  async abandoned(): Promise<string[]> {
    const rows = await this.#db.read
      .selectFrom('chores')
      .select('chore')
      .where('holder', '!=', this.#holder)
      .where(this.#isOver(this.#clock.now()))
      .execute()
    return rows.map(({ chore }) => chore)
  }

  /** Whether any process has it now. */
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

  /** @returns null where another process was first */
  async takeOver(chore: string): Promise<ChoreLease | null> {
    const now = this.#clock.now()
    const taken = await this.#db.withoutFsync((db) =>
      db
        .updateTable('chores')
        .set({ holder: this.#holder, claimed_until: now + LEASE_MS, begun_at: now })
        .where('chore', '=', chore)
        .where('holder', 'is not', null)
        .where(this.#isOver(now))
        .returning('chore')
        .executeTakeFirst(),
    )
    return taken ? this.#hold(chore, now) : null
  }

  /** Frees what a killed process held; only for the one server of a data directory. */
  async freeAll(): Promise<void> {
    await this.#db.write.updateTable('chores').set({ claimed_until: 0, due_at: 0 }).execute()
  }

  #isOver(now: Instant) {
    return (eb: ExpressionBuilder<Tables, 'chores'>) =>
      eb.or([eb('chores.claimed_until', '<=', now), eb('chores.claimed_until', '>', now + CLOCKS_APART_MS)])
  }

  #hold(chore: string, begun: Instant): ChoreLease {
    let lost = false
    const mine = (change: Updateable<Tables['chores']>) =>
      this.#db.withoutFsync((db) =>
        db
          .updateTable('chores')
          .set(change)
          .where('chore', '=', chore)
          .where('holder', '=', this.#holder)
          .executeTakeFirst(),
      )
    const renew = async () => {
      const kept = await mine({ claimed_until: this.#clock.now() + LEASE_MS })
      lost ||= kept.numUpdatedRows === 0n
    }
    const timer = setInterval(() => void renew().catch(this.#onError), RENEW_MS)
    timer.unref()
    return {
      lost: () => lost,
      end: async (how) => {
        clearInterval(timer)
        const now = this.#clock.now()
        if (how === 'handed back') await mine({ claimed_until: now })
        else
          await mine({
            holder: null,
            claimed_until: null,
            ...(how === 'done' && { succeeded_at: now, took_ms: Math.max(0, now - begun) }),
          })
      },
    }
  }
}
