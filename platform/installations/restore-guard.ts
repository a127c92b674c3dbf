/**
 * Whether this database was put back to an earlier instant, or is a copy of one that goes on: the files name the last mark of
 * the database, which such a one does not have. It then mails, charges and bills nothing until a person resumes.
 */

import type { Instant } from '../../domain/dates.ts'
import type { Clock, Random } from '../../ports/clock.ts'
import type { Files } from '../../ports/files/files.ts'
import type { Database } from '../database/open.ts'
import { operatorCommand } from '../operator-command.ts'

const KEY = 'servers/restore-mark.txt'
/** Between two looks at the database: one that is put back takes longer to come up. */
const ASK_MS = 5000
/** A process that stood still may name an older mark again. */
const KEEP_MS = 86_400_000
/** Clocks of servers may differ by some minutes. */
const AHEAD_MS = 600_000

/** 'unknown': the files have not answered since the start. Only 'open' sends and charges. */
export type RestoreState = 'open' | 'restored' | 'unknown'

export const heldAfterRestore = (): string =>
  `This database was put back to an earlier instant, or another copy of it goes on: nothing is mailed, charged or billed. Decide what the card provider took meanwhile (reconcile --provider), then: ${operatorCommand('resume --after-restore')}`

/** @param last as `lastMark`; a backup from before the first server start is put back with 0 */
export const endOf = (last: Instant | null): string =>
  last
    ? `; it ends soon after ${new Date(last).toISOString()}`
    : '; it does not say when it ends, so go by the instant of the backup'

interface GuardParts {
  db: Database
  files: Files
  clock: Clock
  random: Random
  /** Milliseconds that no setting of the clock moves. */
  monotonic?: () => number
}

export class RestoreGuard {
  readonly #parts: Required<GuardParts>
  #state: RestoreState = 'unknown'
  #seen: string | null = null
  #askedAt = Number.NEGATIVE_INFINITY

  constructor(parts: GuardParts) {
    this.#parts = { monotonic: () => performance.now(), ...parts }
  }

  /** As it was last seen. */
  get state(): RestoreState {
    return this.#state
  }

  /** Compares files and database. @throws Error of the files, with the state as it was; DatabaseUnavailable */
  async look(): Promise<RestoreState> {
    const { db, files, monotonic } = this.#parts
    const found = await files.get(KEY)
    if (found) {
      const mark = Buffer.from(found.content).toString()
      this.#state = (await this.#has(mark)) ? 'open' : 'restored'
      if (this.#state === 'open') this.#seen = mark
    } else if (this.#seen === null) {
      // An old database with new files is one put back; without any mark that was kept it is new.
      const kept = await db.read.selectFrom('restore_marks').select('mark').where('kept_at', 'is not', null).limit(1)
      this.#state = (await kept.executeTakeFirst()) ? 'restored' : 'open'
    }
    this.#askedAt = monotonic()
    return this.#state
  }

  /** Asked before anything leaves the server; looks again where the database may have been exchanged. @throws DatabaseUnavailable */
  async holds(): Promise<boolean> {
    const now = this.#parts.monotonic()
    if (this.#state === 'open' && this.#seen !== null && now - this.#askedAt >= ASK_MS) {
      if (!(await this.#has(this.#seen))) this.#state = 'restored'
      this.#askedAt = now
    }
    return this.#state !== 'open'
  }

  /** Names a new mark in the files, where this database goes on. @throws Error of the files; DatabaseUnavailable */
  async leaveMark(): Promise<void> {
    if ((await this.look()) === 'open') await this.resume()
  }

  /** This database goes on; from its next look on any other copy is held. @throws as `leaveMark` */
  async resume(): Promise<void> {
    const { db, files, clock, random } = this.#parts
    const [mark, now] = [random.uuid(), clock.now()]
    // The database first: what the files name was there, and on the synchronous standby.
    await db.write.insertInto('restore_marks').values({ mark, made_at: now, kept_at: null }).execute()
    await files.put(KEY, Buffer.from(mark), 'text/plain')
    this.#seen = mark
    this.#state = 'open'
    await db.withoutFsync(async (on) => {
      await on.updateTable('restore_marks').set({ kept_at: now }).where('mark', '=', mark).execute()
      const old = on.deleteFrom('restore_marks').where('made_at', '<', now - KEEP_MS)
      await old.where('mark', '!=', mark).execute()
    })
  }

  /** About the instant at which this database was current, or null where it never left a mark. */
  async lastMark(): Promise<Instant | null> {
    const last = this.#parts.db.read
      .selectFrom('restore_marks')
      .select((eb) => eb.fn.max<number | null>('made_at').as('made_at'))
      .where('made_at', '<=', this.#parts.clock.now() + AHEAD_MS)
    return (await last.executeTakeFirst())?.made_at ?? null
  }

  /** The newest mark that a wrong clock dated ahead, which says nothing of when this database was current; or null. */
  async futureMark(): Promise<Instant | null> {
    const last = this.#parts.db.read
      .selectFrom('restore_marks')
      .select((eb) => eb.fn.max<number | null>('made_at').as('made_at'))
      .where('made_at', '>', this.#parts.clock.now() + AHEAD_MS)
    return (await last.executeTakeFirst())?.made_at ?? null
  }

  async #has(mark: string): Promise<boolean> {
    const row = this.#parts.db.read.selectFrom('restore_marks').select('mark').where('mark', '=', mark)
    return (await row.executeTakeFirst()) !== undefined
  }
}
