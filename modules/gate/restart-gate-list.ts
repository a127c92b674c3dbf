/** Begins epochs of gates. In a new epoch, a gate gets its whole list again. */
import { type Kysely, sql } from 'kysely'
import type { Instant } from '../../domain/time-zone-dates.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import type { Gate } from './load-and-lock-facility-gate.ts'
import { acknowledgedHours } from './rules/hours-acknowledged-by-gate.ts'

/**
 * Returns the name of a gate's next epoch, made from the second of `now`. If the present epoch began in the same
 * second, the name is the present one with an 'x' appended, so that the two names differ.
 */
export const nextEpoch = (now: Instant, present = ''): string => {
  const epoch = `e${Math.floor(now / 1000).toString(36)}`
  return present.startsWith(epoch) ? `${present}x` : epoch
}

/** Returns the columns of a gate that begin a new epoch, in which it has acknowledged nothing. */
export const epochColumns = ({ epoch }: Pick<Gate, 'epoch'>, now: Instant) => ({
  epoch: nextEpoch(now, epoch),
  epoch_at: now,
  applied_version: 0,
  applied_at: null,
})

/** Begins a new epoch at all gates, since their acknowledgements from before a restore no longer hold. */
export async function startGateEpochs(db: Kysely<Tables>, now: Instant): Promise<void> {
  for (const gate of await db.selectFrom('gates').selectAll().execute()) await beginEpoch(db, gate, now)
}

/**
 * Starts a new epoch of a gate's code list, in which the controller gets the whole list again and has acknowledged
 * nothing. Codes that it had acknowledged as open stay recorded as open at the gate, since the controller keeps using
 * its old list until it has the new one.
 */
export async function beginEpoch(db: Kysely<Tables>, gate: Gate, now: Instant): Promise<void> {
  await db
    .updateTable('gate_wanted')
    .set({
      // A closed code may have been opened after the backup, so what the gate does with it is not known.
      applied_opens: sql<1 | null>`case
        when opens = 1 and version <= ${gate.applied_version} then 1
        when applied_opens = 1 and version > ${gate.applied_version} then 1
        else null end`,
    })
    .where('location_code', '=', gate.location_code)
    .execute()
  await db
    .updateTable('gates')
    .set(epochColumns(gate, now))
    .set(acknowledgedHours(gate))
    .where('location_code', '=', gate.location_code)
    .execute()
}
