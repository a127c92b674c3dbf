import type { Selectable } from 'kysely'
import type { Services } from '../../../platform/operations/services.ts'
import type { AppointmentsTable } from '../../../platform/schema/tables.ts'
import { APPOINTMENT_GRACE_MS } from '../rules/reminder-and-grace-times.ts'

/**
 * Loads up to 50 appointments of these facilities, next first: those that are not cancelled and whose grace time after
 * the start has not passed.
 */
export const loadUpcomingAppointments = (
  services: Pick<Services, 'db' | 'clock'>,
  codes: string[],
): Promise<Selectable<AppointmentsTable>[]> =>
  services.db.read
    .selectFrom('appointments')
    .selectAll()
    .where('state', 'in', ['proposed', 'confirmed', 'other'])
    .where('starts_at', '>', services.clock.now() - APPOINTMENT_GRACE_MS)
    .where('location_code', 'in', codes)
    .orderBy('starts_at')
    .limit(50)
    .execute()
