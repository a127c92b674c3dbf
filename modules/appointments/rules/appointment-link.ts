import { validate } from '../../../domain/forms/form-rules.ts'
import { type AppointmentLink, appointmentLink } from '../../reservations/rules/reservation-form.ts'

/** Options of an appointment's link: 'confirm' confirms the appointment, 'other' asks for another time. */
export const CONFIRM = 'confirm'

export const OTHER_TIME = 'other'

/** Parses the four values of an appointment link; null when one is missing or the id is not a number (spec 2 §5). */
export function readAppointmentLink(query: URLSearchParams): AppointmentLink | null {
  const checked = validate(appointmentLink, Object.fromEntries(query))
  return checked.ok ? checked.value : null
}
