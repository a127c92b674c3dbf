/** The last instant at which the installation's clock was known to be right; compared with the clock at each start. */

import type { Instant } from '../domain/dates.ts'
import { HOUR } from '../domain/durations.ts'
import type { Clock } from '../ports/clock.ts'
import type { Database } from './database/open.ts'
import { operatorCommand } from './operator-command.ts'
import { LONGEST_JUMP_MS } from './steady-clock.ts'

/** Name of the row in the table of chores that stores the time. */
const CHORE = 'know the time'
/** Tolerated difference, in milliseconds, if the clock is behind the known time. */
const BEHIND_MS = HOUR

/** Returns the last known time, in epoch milliseconds; null in a database without history. */
export async function lastKnownTime(db: Database): Promise<Instant | null> {
  const row = db.read.selectFrom('chores').select('succeeded_at').where('chore', '=', CHORE)
  return (await row.executeTakeFirst())?.succeeded_at ?? newestRow(db)
}

/** Returns the newest time in a database of an earlier release, which did not store the known time. */
async function newestRow(db: Database): Promise<Instant | null> {
  const newest = [
    db.read.selectFrom('audit_events').select((eb) => eb.fn.max<number | null>('at').as('at')),
    db.read.selectFrom('ledger_entries').select((eb) => eb.fn.max<number | null>('created_at').as('at')),
    // Waiting jobs may have due times in the future.
    db.read.selectFrom('jobs').select((eb) => eb.fn.max<number | null>('done_at').as('at')),
  ]
  const found = await Promise.all(newest.map((query) => query.executeTakeFirst()))
  const instants = found.map((row) => row?.at ?? null).filter((instant) => instant !== null)
  return instants.length === 0 ? null : Math.max(...instants.map(Number))
}

/**
 * Returns why billing cannot trust the clock: it is far from the last known time. The sentence names the operator
 * command that confirms a correct clock. Returns null if the clock can be trusted.
 */
export function clockProblem(lastKnown: Instant | null, now: Instant): string | null {
  if (lastKnown === null || (now - lastKnown <= LONGEST_JUMP_MS && lastKnown - now <= BEHIND_MS)) return null
  return `The clock says ${new Date(now).toISOString()}, and this installation last knew ${new Date(lastKnown).toISOString()}: nothing is billed. Set the clock right; or, if it is right: ${operatorCommand('clock --confirm')}`
}

/** Stores the current time as the last known time, an earlier one only if the operator has confirmed the clock. */
export async function saveKnownTime(db: Database, clock: Clock, confirmed = false): Promise<void> {
  const now = clock.now()
  await db.write
    .insertInto('chores')
    .values({
      chore: CHORE,
      holder: null,
      claimed_until: null,
      due_at: now,
      begun_at: now,
      succeeded_at: now,
      took_ms: null,
    })
    .onConflict((row) => {
      const moved = row.column('chore').doUpdateSet({ due_at: now, begun_at: now, succeeded_at: now })
      return confirmed ? moved : moved.where('chores.succeeded_at', '<', now)
    })
    .execute()
}
