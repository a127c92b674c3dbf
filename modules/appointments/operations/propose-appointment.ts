import * as v from 'valibot'
import { EMAIL_MAX, NAME_MAX } from '../../../domain/field-lengths.ts'
import { normalizePhone } from '../../../domain/phone.ts'
import { parseUs } from '../../../domain/plain-date.ts'
import { locationCode, plainLine } from '../../../platform/operations/input-fields.ts'
import { recordNotFound } from '../../../platform/operations/operation.ts'
import { fieldError, RefusalError, refusalError } from '../../../platform/operations/outcome.ts'
import { loadTimeZone } from '../../facilities/facility-facts-for-pricing.ts'
import { appointmentsElsewhere, appointmentTexts } from '../../facilities/texts/setup-and-appointment-errors.ts'
import { officeOperation } from '../../staff/office-operation.ts'
import { addAppointment } from '../create-appointment.ts'
import { appointmentStart, appointmentTime } from '../rules/format-appointment-time.ts'

const clockTime = /^([01]\d|2[0-3]):([0-5]\d)$/

/** Proposes an appointment: mails its link, and schedules a reminder 24 hours before the start if that is still ahead. */
export const ProposeAppointment = officeOperation({
  name: 'ProposeAppointment',
  permission: 'link.send',
  input: v.object({
    location_code: locationCode(),
    name: v.pipe(plainLine, v.trim(), v.minLength(1, appointmentTexts.name), v.maxLength(NAME_MAX)),
    email: v.pipe(plainLine, v.trim(), v.email(appointmentTexts.email), v.maxLength(EMAIL_MAX)),
    phone: v.optional(
      v.pipe(plainLine, v.transform(normalizePhone), v.regex(/^(\d{10})?$/, appointmentTexts.phone)),
      '',
    ),
    day: v.pipe(plainLine, v.transform(parseUs), v.string(appointmentTexts.day)),
    /** Local time at the facility, such as '14:30'. */
    time: v.pipe(plainLine, v.regex(clockTime, appointmentTexts.time)),
  }),
  example: {
    location_code: 'ATL01',
    name: 'Ada Reyes',
    email: 'ada@mail.example',
    phone: '4045550142',
    day: '2026-12-01',
    time: '10:00',
  },
  async work({ tx, services, audit }, { location_code, name, email, phone, day, time }) {
    if (services.propertyManagement.elsewhere) throw refusalError(409, 'elsewhere', appointmentsElsewhere)
    const timeZone = await loadTimeZone(tx, location_code)
    if (timeZone === undefined) throw new RefusalError(recordNotFound)
    const [hour = 0, minute = 0] = time.split(':').map(Number)
    const startsAt = appointmentStart(timeZone, day, hour, minute)
    if (startsAt === null) throw fieldError('time', appointmentTexts.skipped)
    if (startsAt <= services.clock.now()) throw fieldError('day', appointmentTexts.past)
    const request = { locationCode: location_code, name, email, phone, startsAt }
    const { appointmentId } = await addAppointment(tx, services, request)
    await audit({
      kind: 'appointment.proposed',
      details: { at: appointmentTime(timeZone, startsAt) },
      subject: String(appointmentId),
    })
    return { appointment_id: appointmentId }
  },
})
