import type { Selectable } from 'kysely'
import type { Services } from '../../platform/operations/services.ts'
import type { AppointmentJob } from '../../platform/schema/job-kinds.ts'
import type { AppointmentsTable } from '../../platform/schema/tables.ts'
import { appointmentPath, tokenContext } from './appointment-links.ts'
import { OTHER_TIME } from './rules/appointment-link-parameters.ts'

/**
 * Loads the data of an appointment's mails; null when the appointment has begun or is cancelled, or another time was
 * requested.
 */
export async function loadAppointmentMail(
  services: Services,
  job: AppointmentJob,
): Promise<{ appointment: Selectable<AppointmentsTable>; paths: { confirm: string; other: string } } | null> {
  const appointment = await services.db.read
    .selectFrom('appointments')
    .selectAll()
    .where('appointment_id', '=', job.appointmentId)
    .where('state', 'in', ['proposed', 'confirmed'])
    .where('starts_at', '>', services.clock.now())
    .executeTakeFirst()
  if (!appointment) return null
  const token = services.sealer.open(job.link, tokenContext(job.appointmentId))
  return {
    appointment,
    paths: {
      confirm: appointmentPath(job.appointmentId, token),
      other: appointmentPath(job.appointmentId, token, OTHER_TIME),
    },
  }
}
