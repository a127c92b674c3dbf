/**
 * The latest time at which a server had no doubt about its clock. Servers compare their clock with it at the start and
 * about every ten seconds, and let work that depends on dates, such as billing, wait if it differs too much.
 */

import { HOUR } from '../domain/durations.ts'
import type { Instant } from '../domain/time-zone-dates.ts'
import type { Clock } from '../ports/clock-and-random.ts'
import { LONGEST_JUMP_MS } from './clock-ignoring-jumps.ts'
import type { Database } from './database/open.ts'
import { operatorCommand } from './operator-command-in-messages.ts'

/** Key of the row in `chores` whose `succeeded_at` is the last known time. */
const CHORE = 'know the time'
/** Milliseconds by which the clock may be behind the last known time. */
const MAX_BEHIND_MS = HOUR

/** Returns the last known time, in epoch milliseconds; null in a new database. */
export async function loadLastKnownTime(db: Database): Promise<Instant | null> {
  const query = db.read.selectFrom('chores').select('succeeded_at').where('chore', '=', CHORE)
  return (await query.executeTakeFirst())?.succeeded_at ?? loadNewestRecordedTime(db)
}

/** Returns the newest recorded time, for a database last used by a release that did not store the last known time. */
async function loadNewestRecordedTime(db: Database): Promise<Instant | null> {
  const queries = [
    db.read.selectFrom('audit_events').select((eb) => eb.fn.max<number | null>('at').as('at')),
    db.read.selectFrom('ledger_entries').select((eb) => eb.fn.max<number | null>('created_at').as('at')),
    // `run_at` is no evidence, since it is in the future for waiting jobs.
    db.read.selectFrom('jobs').select((eb) => eb.fn.max<number | null>('done_at').as('at')),
  ]
  const rows = await Promise.all(queries.map((query) => query.executeTakeFirst()))
  const instants = rows.map((row) => row?.at ?? null).filter((instant) => instant !== null)
  return instants.length === 0 ? null : Math.max(...instants.map(Number))
}

/**
 * Returns why billing cannot trust the clock: it is far from the last known time. The sentence names the operator
 * command that confirms a correct clock. Returns null if the clock can be trusted.
 */
export function clockProblem(lastKnown: Instant | null, now: Instant): string | null {
  if (lastKnown === null || (now - lastKnown <= LONGEST_JUMP_MS && lastKnown - now <= MAX_BEHIND_MS)) return null
  return `The clock says ${new Date(now).toISOString()}, and this installation last knew ${new Date(lastKnown).toISOString()}: nothing is billed. Set the clock right; or, if it is right: ${operatorCommand('clock --confirm')}`
}

/** Stores the current time as the last known time; moves it back only if the operator has `confirmed` the clock. */
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
    .onConflict((conflict) => {
      const update = conflict.column('chore').doUpdateSet({ due_at: now, begun_at: now, succeeded_at: now })
      return confirmed ? update : update.where('chores.succeeded_at', '<', now)
    })
    .execute()
}
