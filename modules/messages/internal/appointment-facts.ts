import type { Instant } from '../../../domain/dates.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { AppointmentJob } from '../../../platform/schema/job-kinds.ts'
import { appointmentLetter } from '../../appointments/appointments.ts'
import type { NoticeBrand } from '../letter.tsx'
import type { Found } from '../mail.ts'
import { nothing, placeOf } from './facts.ts'
import { addressOf, filled, moment, type NoticePlace } from './letter-parts.ts'

export interface AppointmentFacts {
  brand: NoticeBrand
  facility: NoticePlace
  name: string
  startsAt: Instant
  confirmed: boolean
  confirmUrl: string
  otherUrl: string
}

export const appointmentRows = (facts: AppointmentFacts) =>
  filled(
    ['When', moment(facts.facility.timeZone, facts.startsAt)],
    ['Where', facts.facility.name],
    ['Address', addressOf(facts.facility)],
  )

export async function appointmentFacts(
  services: Services,
  job: AppointmentJob,
): Promise<Found<AppointmentFacts> | null> {
  const letter = await appointmentLetter(services, job)
  const place = letter && (await placeOf(services, letter.appointment.location_code))
  if (!letter || !place) return nothing
  const { appointment, paths } = letter
  return {
    to: appointment.email,
    facts: {
      brand: place.brand,
      facility: place.facility,
      name: appointment.name,
      startsAt: appointment.starts_at,
      confirmed: appointment.state === 'confirmed',
      confirmUrl: `${services.publicUrl}${paths.confirm}`,
      otherUrl: `${services.publicUrl}${paths.other}`,
    },
  }
}
