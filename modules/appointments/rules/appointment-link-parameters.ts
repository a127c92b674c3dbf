import * as v from 'valibot'
import { validate } from '../../../domain/forms/form-rules.ts'
import { plainLine } from '../../../domain/forms/plain-text-schemas.ts'

const plainWord = (max: number) => v.pipe(plainLine, v.nonEmpty(), v.maxLength(max))

/** Query parameters of /confirm_appointment. */
export const appointmentLink = v.object({
  appointment_id: v.pipe(plainLine, v.regex(/^\d{1,15}$/, 'must be a number')),
  confirmation_source: plainWord(100),
  confirmation_token: plainWord(200),
  option: plainWord(100),
})
type AppointmentLink = v.InferOutput<typeof appointmentLink>

/** Option of an appointment's link that confirms the appointment. */
export const CONFIRM = 'confirm'

/** Option of an appointment's link that asks for another time. */
export const OTHER_TIME = 'other'

/** Parses the four values of an appointment link; null when one is missing or invalid (spec 2 §5). */
export function readAppointmentLink(query: URLSearchParams): AppointmentLink | null {
  const checked = validate(appointmentLink, Object.fromEntries(query))
  return checked.ok ? checked.value : null
}
