import { validate } from '../../../domain/forms/form-rules.ts'
import { type AppointmentLink, appointmentLink } from '../../reservations/rules/reservation-form.ts'

/** Option of an appointment's link that confirms the appointment. */
export const CONFIRM = 'confirm'

/** Option of an appointment's link that asks for another time. */
export const OTHER_TIME = 'other'

/** Parses the four values of an appointment link; null when one is missing or invalid (spec 2 §5). */
export function readAppointmentLink(query: URLSearchParams): AppointmentLink | null {
  const checked = validate(appointmentLink, Object.fromEntries(query))
  return checked.ok ? checked.value : null
}
