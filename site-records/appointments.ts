/** Appointments with the property manager, where this house keeps them itself (spec 2 §2 /confirm_appointment, §9). */
import { createHash } from 'node:crypto'
import type { Database } from '../database/open.ts'
import { formatInstantIn, todayIn } from '../domain/dates.ts'
import { formatLong } from '../domain/plain-date.ts'
import type { Clock } from '../ports/clock.ts'
import type { PropertyManagement } from '../ports/property-management/property-management.ts'

/** An appointment may still be confirmed this long after it began (spec 2 §9). */
export const APPOINTMENT_GRACE_MS = 15 * 60 * 1000

export const appointmentTokenHash = (token: string): string => createHash('sha256').update(token).digest('hex')

/** The property-management host inside this house: the same answers, from the same database. */
export function embeddedPropertyManagement(parts: { db: Database; clock: Clock }): PropertyManagement {
  const { db, clock } = parts
  return {
    async confirm({ appointmentId, confirmationToken, option, confirmationSource }) {
      const row = await db.read
        .selectFrom('appointments')
        .innerJoin('locations', 'locations.location_code', 'appointments.location_code')
        .select(['starts_at', 'time_zone', 'token_hash', 'appointments.state as standing'])
        .where('appointment_id', '=', appointmentId)
        .executeTakeFirst()
      // The same words for a wrong token and for no such appointment.
      if (!row || row.token_hash !== appointmentTokenHash(confirmationToken))
        return { appointmentDatetime: '', error: 'The link is not valid.' }
      if (row.standing === 'cancelled') return { appointmentDatetime: '', error: 'The appointment was cancelled.' }
      const now = clock.now()
      if (row.starts_at + APPOINTMENT_GRACE_MS < now)
        return { appointmentDatetime: '', error: 'The appointment is over.' }
      const state = option === 'other' ? ('other' as const) : ('confirmed' as const)
      await db.write
        .updateTable('appointments')
        .set({ state, option, confirmation_source: confirmationSource, answered_at: now })
        .where('appointment_id', '=', appointmentId)
        .where('state', '!=', 'cancelled')
        .execute()
      const day = formatLong(todayIn(row.time_zone, row.starts_at))
      return {
        appointmentDatetime: state === 'other' ? '' : `${day} at ${formatInstantIn(row.time_zone, row.starts_at)}`,
        error: '',
      }
    },
  }
}
