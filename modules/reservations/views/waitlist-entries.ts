import type { Instant } from '../../../domain/time-zone-dates.ts'
import type { Services } from '../../../platform/operations/services.ts'

/** A person on a facility's waitlist. */
export interface WaitlistEntry {
  id: string
  unitTypeId: number
  email: string
  since: Instant
  /** Instant at which the mail was enqueued; null while the person still waits. */
  toldAt: Instant | null
  /** Number of the unit that the mail offered; '' while the person still waits, or if the unit no longer exists. */
  toldUnit: string
}

/** Returns a facility's waitlist entries by unit type, within a type in the order in which mails are sent. */
export async function loadWaitlist(
  { db }: Pick<Services, 'db'>,
  locationCode: string,
  max: number,
): Promise<WaitlistEntry[]> {
  const rows = await db.read
    .selectFrom('waitlist')
    .leftJoin('units', (join) =>
      join
        .onRef('units.location_code', '=', 'waitlist.location_code')
        .onRef('units.unit_id', '=', 'waitlist.told_unit'),
    )
    .select(['waitlist_id', 'waitlist.unit_type_id', 'email', 'created_at', 'told_at', 'unit_number'])
    .where('waitlist.location_code', '=', locationCode)
    .orderBy('waitlist.unit_type_id')
    .orderBy('created_at')
    .orderBy('waitlist_id')
    .limit(max)
    .execute()
  return rows.map((row) => ({
    id: row.waitlist_id,
    unitTypeId: row.unit_type_id,
    email: row.email,
    since: row.created_at,
    toldAt: row.told_at,
    toldUnit: row.unit_number ?? '',
  }))
}
