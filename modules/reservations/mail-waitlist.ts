import { DAY } from '../../domain/durations.ts'
import { engineOf } from '../../platform/database/open.ts'
import { enqueue } from '../../platform/jobs/enqueue-requeue-and-cancel-jobs.ts'
import type { Services } from '../../platform/operations/services.ts'
import { isAvailable } from '../facilities/availability.ts'

/** Time in milliseconds for which a free unit is offered to one person before the next. */
const TURN_MS = DAY

/** Retention of a waitlist entry after its mail was sent, in milliseconds. */
const RETENTION_MS = 2 * DAY
/** Retention of a waitlist entry from its creation, in milliseconds, if its mail is not sent earlier. */
const MAX_WAIT_MS = 365 * DAY

interface TypeKey {
  location_code: string
  unit_type_id: number
}

/**
 * Mails the longest-waiting person of each unit type on offer that has a free unit not offered to another person within
 * the last day, unless a mail about the type that was enqueued within that day has yet to be sent. Mails one person per
 * type and call.
 * @returns number of mails enqueued
 */
export async function mailWaitlist(services: Services): Promise<number> {
  const now = services.clock.now()
  const waiting = await services.db.read
    .selectFrom('waitlist')
    .innerJoin('unit_types', (join) =>
      join
        .onRef('unit_types.location_code', '=', 'waitlist.location_code')
        .onRef('unit_types.unit_type_id', '=', 'waitlist.unit_type_id'),
    )
    .innerJoin('locations', 'locations.location_code', 'waitlist.location_code')
    .select(['waitlist.location_code', 'waitlist.unit_type_id'])
    .distinct()
    .where('told_at', 'is', null)
    .where('unit_types.retired_on', 'is', null)
    .where('locations.retired_on', 'is', null)
    .where('locations.coming_soon', '=', 0)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('units')
          .select('units.unit_id')
          .whereRef('units.location_code', '=', 'waitlist.location_code')
          .whereRef('units.unit_type_id', '=', 'waitlist.unit_type_id')
          .where(isAvailable(now)),
      ),
    )
    .execute()
  let notified = 0
  for (const type of waiting) notified += await notifyNext(services, type)
  return notified
}

/**
 * Chooses the next entry of a unit type's waitlist and enqueues its mail, in one transaction, so that neither exists
 * without the other.
 */
const notifyNext = (services: Services, { location_code, unit_type_id }: TypeKey): Promise<number> =>
  services.db.transaction(async (tx) => {
    const now = services.clock.now()
    const ofType = tx.selectFrom('waitlist').where((eb) => eb.and({ location_code, unit_type_id }))
    const nextEntry = await ofType
      .select('waitlist_id')
      .where('told_at', 'is', null)
      .orderBy('created_at')
      .orderBy('waitlist_id')
      .limit(1)
      // Waits for a concurrent process; the statements below then see what that process wrote.
      .$if(engineOf(tx) === 'postgres', (query) => query.forUpdate())
      .executeTakeFirst()
    if (!nextEntry) return 0
    const turns = await ofType
      .select(['told_unit', 'mailed_at'])
      .where('told_at', '>', now - TURN_MS)
      .execute()
    // The previous person's mail must be sent first, so that mails go out in order.
    if (turns.some(({ mailed_at }) => mailed_at === null)) return 0
    const offeredUnits = turns.map(({ told_unit }) => told_unit ?? 0)
    const unit = await tx
      .selectFrom('units')
      .select('unit_id')
      .where((eb) => eb.and({ location_code, unit_type_id }))
      .where(isAvailable(now))
      .$if(offeredUnits.length > 0, (query) => query.where('unit_id', 'not in', offeredUnits))
      .orderBy('unit_id')
      .limit(1)
      .executeTakeFirst()
    if (!unit) return 0
    const { waitlist_id } = nextEntry
    const turn = await tx
      .updateTable('waitlist')
      .set({ told_at: now, told_unit: unit.unit_id })
      .where('waitlist_id', '=', waitlist_id)
      .where('told_at', 'is', null)
      .returning('waitlist_id')
      .executeTakeFirst()
    if (!turn) return 0
    await enqueue(tx, { kind: 'unit_free', once: waitlist_id, payload: { waitlistId: waitlist_id }, runAt: now })
    return 1
  })

/** Loads a waitlist entry; undefined where it was deleted or erased. */
export const loadWaitlistEntry = (services: Services, waitlistId: string) =>
  services.db.read
    .selectFrom('waitlist')
    .select(['location_code', 'unit_type_id', 'email', 'created_at'])
    .where('waitlist_id', '=', waitlistId)
    .executeTakeFirst()

/** Marks a waitlist entry's mail as sent; `deleteOldWaitlistEntries` deletes the entry two days later. */
export async function markWaitlistEntryMailed(services: Services, waitlistId: string): Promise<void> {
  await services.db.write
    .updateTable('waitlist')
    .set({ mailed_at: services.clock.now() })
    .where('waitlist_id', '=', waitlistId)
    .execute()
}

/**
 * Deletes waitlist entries two days after their mail was sent, and entries that are a year old.
 * @returns number of deleted entries
 */
export async function deleteOldWaitlistEntries({ db, clock }: Services): Promise<number> {
  const now = clock.now()
  const deleted = await db.write
    .deleteFrom('waitlist')
    .where((eb) => eb.or([eb('mailed_at', '<', now - RETENTION_MS), eb('created_at', '<', now - MAX_WAIT_MS)]))
    .executeTakeFirst()
  return Number(deleted.numDeletedRows)
}
