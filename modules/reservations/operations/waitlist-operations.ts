/** The waitlist as the office sees it. */
import * as v from 'valibot'
import type { Instant } from '../../../domain/dates.ts'
import { audit, staffActor } from '../../../platform/audit/audit.ts'
import { may } from '../../../platform/operations/callers.ts'
import { locationCode, required } from '../../../platform/operations/input-fields.ts'
import { internalOperation, notOnFile } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'

export interface Wait {
  id: string
  unitTypeId: number
  email: string
  since: Instant
  /** When the mail was written; null for who still waits. */
  toldAt: Instant | null
  /** The unit that the mail was about. */
  toldUnit: string
}

/** Who waits at a facility, by type and then in the order in which they get their mail. */
export async function waitsAt({ db }: Pick<Services, 'db'>, locationCode: string, most: number): Promise<Wait[]> {
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
    .limit(most)
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

/** A person who needs no unit any more gets no mail. The audit keeps no address: that is forgotten with the wait. */
export const EndWait = internalOperation({
  name: 'EndWait',
  access: { staff: may('move-in.desk') },
  input: v.object({ location_code: locationCode(), waitlist_id: required(40) }),
  example: { input: { location_code: 'ATL01', waitlist_id: '019aa0f2-5c00-7d3a-8f55-0a39f5b8f0c2' } },
  run: (services, { location_code, waitlist_id }, callers) =>
    services.db.transaction(async (tx) => {
      const gone = await tx
        .deleteFrom('waitlist')
        .where((eb) => eb.and({ location_code, waitlist_id }))
        .returning('unit_type_id')
        .executeTakeFirst()
      if (!gone) return notOnFile
      await audit(tx, services, staffActor(callers), {
        kind: 'wait.ended',
        details: { type: gone.unit_type_id },
        subject: waitlist_id,
        locationCode: location_code,
        permission: 'move-in.desk',
      })
      return succeed({ ended: true })
    }),
})
