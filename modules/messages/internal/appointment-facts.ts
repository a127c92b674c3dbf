import type { Instant } from '../../../domain/time-zone-dates.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { AppointmentJob } from '../../../platform/schema/job-kinds.ts'
import { loadAppointmentMail } from '../../appointments/load-appointment-mail.ts'
import type { MessageBrand } from '../mail-layout.tsx'
import type { MessageFacts } from '../message-definition.ts'
import { loadMessageFacility, noMessage } from './message-facts.ts'
import { formatAddress, formatMoment, type MessageFacility, tableBlock } from './renter-facts-and-mail-tables.ts'

export interface AppointmentFacts {
  brand: MessageBrand
  facility: MessageFacility
  name: string
  startsAt: Instant
  confirmed: boolean
  confirmUrl: string
  otherUrl: string
}

/** Returns the table of time, facility and address that every mail about an appointment has. */
export const appointmentRows = (facts: AppointmentFacts) =>
  tableBlock(
    ['When', formatMoment(facts.facility.timeZone, facts.startsAt)],
    ['Where', facts.facility.name],
    ['Address', formatAddress(facts.facility)],
  )

/**
 * Loads recipient and facts of a mail about an appointment; null where the appointment has begun or was cancelled, or
 * another time was requested, so that no mail is sent.
 */
export async function loadAppointmentFacts(
  services: Services,
  job: AppointmentJob,
): Promise<MessageFacts<AppointmentFacts> | null> {
  const appointmentMail = await loadAppointmentMail(services, job)
  const place = appointmentMail && (await loadMessageFacility(services, appointmentMail.appointment.location_code))
  if (!appointmentMail || !place) return noMessage
  const { appointment, paths } = appointmentMail
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
