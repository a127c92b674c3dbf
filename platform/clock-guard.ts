/** Work that goes by dates waits while the clock is in doubt: a wrong one would charge rents of months to come. */
import { type Kysely, sql } from 'kysely'
import type { Clock } from '../ports/clock.ts'
import { engineOf } from './database/engine.ts'
import type { Tables } from './schema/tables.ts'

const DATABASE_APART_MS = 60_000
const JUMP_MS = 30_000
const PAUSE_MS = 600_000

/** 'jump': the wall clock moved against the monotonic one; 'database': it is not the database's. */
export type ClockDoubt = 'jump' | 'database'

/** @returns milliseconds; 0 on SQLite, which has no clock of its own */
export async function aheadOfDatabase(db: Kysely<Tables>, clock: Clock): Promise<number> {
  if (engineOf(db) === 'sqlite') return 0
  const asked = clock.now()
  const { rows } = await sql<{
    at: number | string
  }>`select extract(epoch from clock_timestamp()) * 1000 as at`.execute(db)
  return (asked + clock.now()) / 2 - Number(rows[0]!.at)
}

export class ClockGuard {
  readonly #db: Kysely<Tables>
  readonly #clock: Clock
  readonly #monotonic: () => number
  #offset: number
  #pausedUntil = Number.NEGATIVE_INFINITY

  /** @param monotonic milliseconds that no setting of the clock moves */
  constructor(parts: { db: Kysely<Tables>; clock: Clock; monotonic?: () => number }) {
    this.#db = parts.db
    this.#clock = parts.clock
    this.#monotonic = parts.monotonic ?? (() => performance.now())
    this.#offset = this.#clock.now() - this.#monotonic()
  }

  /** Whether the clock has jumped in the last ten minutes; asked again within long work. */
  jumped(): boolean {
    const now = this.#monotonic()
    const offset = this.#clock.now() - now
    if (Math.abs(offset - this.#offset) > JUMP_MS) this.#pausedUntil = now + PAUSE_MS
    this.#offset = offset
    return now < this.#pausedUntil
  }

  /** @throws DatabaseUnavailable */
  async doubt(): Promise<ClockDoubt | null> {
    if (this.jumped()) return 'jump'
    return Math.abs(await aheadOfDatabase(this.#db, this.#clock)) > DATABASE_APART_MS ? 'database' : null
  }
}
