import { timingSafeEqual } from 'node:crypto'
import type { Database } from '../../platform/database/open.ts'
import type { AppointmentConfirmed, PropertyManagement } from '../../ports/appointment-host/appointment-host.ts'
import type { Clock } from '../../ports/clock-and-random.ts'
import { appointmentTokenHash } from './appointment-links.ts'
import { CONFIRM, OTHER_TIME } from './rules/appointment-link-parameters.ts'
import { appointmentTime } from './rules/format-appointment-time.ts'
import { APPOINTMENT_GRACE_MS } from './rules/reminder-and-grace-times.ts'

const isSameHash = (hash: string, expected: string) =>
  hash.length === expected.length && timingSafeEqual(Buffer.from(hash), Buffer.from(expected))

/** Creates a property-management adapter backed by this program's own database. */
export function embeddedPropertyManagement(parts: { db: Database; clock: Clock }): PropertyManagement {
  const { db, clock } = parts
  const refusal = (error: string): AppointmentConfirmed => ({ appointmentDatetime: '', error })
  return {
    async confirm({ appointmentId, confirmationToken, option, confirmationSource }) {
      const row = await db.read
        .selectFrom('appointments')
        .innerJoin('locations', 'locations.location_code', 'appointments.location_code')
        .select(['starts_at', 'time_zone', 'token_hash'])
        .where('appointment_id', '=', appointmentId)
        .executeTakeFirst()
      // A wrong token and an unknown appointment get the same refusal.
      if (!row || !isSameHash(row.token_hash, appointmentTokenHash(confirmationToken)))
        return refusal('The link is not valid.')
      if (option !== CONFIRM && option !== OTHER_TIME) return refusal('The link is not valid.')
      const now = clock.now()
      if (row.starts_at + APPOINTMENT_GRACE_MS < now) return refusal('The appointment is over.')
      const state = option === OTHER_TIME ? ('other' as const) : ('confirmed' as const)
      const updated = await db.write
        .updateTable('appointments')
        .set({ state, option, confirmation_source: confirmationSource, answered_at: now })
        .where('appointment_id', '=', appointmentId)
        .where('state', '!=', 'cancelled')
        .returning('appointment_id')
        .executeTakeFirst()
      if (!updated) return refusal('The appointment was cancelled.')
      return {
        appointmentDatetime: state === 'other' ? '' : appointmentTime(row.time_zone, row.starts_at),
        error: '',
      }
    },
  }
}
