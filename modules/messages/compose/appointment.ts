import type { Services } from '../../../platform/operations/services.ts'
import type { AppointmentJob } from '../../../platform/schema/job-kinds.ts'
import { appointmentLetter } from '../../appointments/appointments.ts'
import { type Composed, type Composers, loadLetters, nothing, placeOf } from './facts.ts'

async function appointmentNotice(
  services: Services,
  job: AppointmentJob,
  which: 'appointmentProposed' | 'appointmentReminder',
): Promise<Composed> {
  const letter = await appointmentLetter(services, job)
  const place = letter && (await placeOf(services, letter.appointment.location_code))
  if (!letter || !place) return nothing
  const { appointment, paths } = letter
  return {
    to: appointment.email,
    notice: (await loadLetters())[which]({
      brand: place.brand,
      facility: place.facility,
      name: appointment.name,
      startsAt: appointment.starts_at,
      confirmed: appointment.state === 'confirmed',
      confirmUrl: `${services.publicUrl}${paths.confirm}`,
      otherUrl: `${services.publicUrl}${paths.other}`,
    }),
  }
}

export const appointmentNotices: Composers<'appointment_proposed' | 'appointment_reminder'> = {
  appointment_proposed: (services, job) => appointmentNotice(services, job, 'appointmentProposed'),
  appointment_reminder: (services, job) => appointmentNotice(services, job, 'appointmentReminder'),
}
