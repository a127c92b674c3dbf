/** The last instant that this installation knows of, which a process with a wrong clock does not move. */
import type { Instant } from '../domain/dates.ts'
import type { Clock } from '../ports/clock.ts'
import type { Database } from './database/open.ts'
import { operatorCommand } from './operator-command.ts'
import { LONGEST_JUMP_MS } from './steady-clock.ts'

/** Its row among the chores: their times are the whole installation's. */
const CHORE = 'know the time'
/** A clock behind what was known has been set back since, or was ahead then. */
const BEHIND_MS = 3_600_000

/** @returns null in a database without history */
export async function knownTime(db: Database): Promise<Instant | null> {
  const row = db.read.selectFrom('chores').select('succeeded_at').where('chore', '=', CHORE)
  return (await row.executeTakeFirst())?.succeeded_at ?? newestRow(db)
}

/** Of a database that an earlier release used. */
async function newestRow(db: Database): Promise<Instant | null> {
  const newest = [
    db.read.selectFrom('audit_events').select((eb) => eb.fn.max<number | null>('at').as('at')),
    db.read.selectFrom('ledger_entries').select((eb) => eb.fn.max<number | null>('created_at').as('at')),
    // A waiting job may be dated by the day it is due.
    db.read.selectFrom('jobs').select((eb) => eb.fn.max<number | null>('done_at').as('at')),
  ]
  const found = await Promise.all(newest.map((query) => query.executeTakeFirst()))
  const instants = found.map((row) => row?.at ?? null).filter((at) => at !== null)
  return instants.length === 0 ? null : Math.max(...instants.map(Number))
}

/** Why a clock is not to be believed, in a sentence that says what to type; null where it is. */
export function clockProblem(known: Instant | null, now: Instant): string | null {
  if (known === null || (now - known <= LONGEST_JUMP_MS && known - now <= BEHIND_MS)) return null
  return `The clock says ${new Date(now).toISOString()}, and this installation last knew ${new Date(known).toISOString()}: nothing is billed. Set the clock right; or, if it is right: ${operatorCommand('clock --confirm')}`
}

/** Moves what is known on; never back, unless a person has confirmed the clock. */
export async function learnTime(db: Database, clock: Clock, confirmed = false): Promise<void> {
  const at = clock.now()
  await db.write
    .insertInto('chores')
    .values({
      chore: CHORE,
      holder: null,
      claimed_until: null,
      due_at: at,
      begun_at: at,
      succeeded_at: at,
      took_ms: null,
    })
    .onConflict((row) => {
      const moved = row.column('chore').doUpdateSet({ due_at: at, begun_at: at, succeeded_at: at })
      return confirmed ? moved : moved.where('chores.succeeded_at', '<', at)
    })
    .execute()
}
