import * as v from 'valibot'
import { EMAIL_MAX, NAME_MAX } from '../../../domain/field-lengths.ts'
import { normalizePhone } from '../../../domain/phone.ts'
import { type IsoDate, parseUs } from '../../../domain/plain-date.ts'
import { staffActor, writeAuditEvent } from '../../../platform/audit/audit.ts'
import { locationCode, plainLine } from '../../../platform/operations/input-fields.ts'
import { internalOperation, recordNotFound } from '../../../platform/operations/operation.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'
import { mayAtFacility } from '../../../platform/operations/staff-scope.ts'
import { appointmentsElsewhere, appointmentTexts } from '../../facilities/texts/setup.ts'
import { appointmentStart, appointmentTime, createAppointment } from '../appointments.ts'

const clockTime = /^([01]\d|2[0-3]):([0-5]\d)$/

/** Proposes an appointment at a facility: mails its link, and a reminder the day before. */
export const ProposeAppointment = internalOperation({
  name: 'ProposeAppointment',
  access: { staff: mayAtFacility('link.send') },
  input: v.object({
    location_code: locationCode(),
    name: v.pipe(plainLine, v.trim(), v.minLength(1, appointmentTexts.name), v.maxLength(NAME_MAX)),
    email: v.pipe(plainLine, v.trim(), v.email(appointmentTexts.email), v.maxLength(EMAIL_MAX)),
    phone: v.optional(
      v.pipe(plainLine, v.transform(normalizePhone), v.regex(/^(\d{10})?$/, appointmentTexts.phone)),
      '',
    ),
    day: v.pipe(
      plainLine,
      v.transform(parseUs),
      v.check((day) => day !== null, appointmentTexts.day),
      v.transform((day) => day as IsoDate),
    ),
    /** Local time at the facility, such as '14:30'. */
    time: v.pipe(plainLine, v.regex(clockTime, appointmentTexts.time)),
  }),
  example: {
    input: {
      location_code: 'ATL01',
      name: 'Ada Reyes',
      email: 'ada@mail.example',
      phone: '4045550142',
      day: '2026-12-01',
      time: '10:00',
    },
  },
  async run(services, { location_code, name, email, phone, day, time }, callers) {
    if (services.propertyManagement.elsewhere) return refuse(409, 'elsewhere', appointmentsElsewhere)
    const facility = await services.db.read
      .selectFrom('locations')
      .select('time_zone')
      .where('location_code', '=', location_code)
      .executeTakeFirst()
    if (!facility) return recordNotFound
    const [hour = 0, minute = 0] = time.split(':').map(Number)
    const startsAt = appointmentStart(facility.time_zone, day, hour, minute)
    const refuseField = (field: 'day' | 'time', message: string) =>
      refuse(400, 'invalid_input', message, { fields: { [field]: message } })
    if (startsAt === null) return refuseField('time', appointmentTexts.skipped)
    if (startsAt <= services.clock.now()) return refuseField('day', appointmentTexts.past)
    const at = appointmentTime(facility.time_zone, startsAt)
    const request = { locationCode: location_code, name, email, phone, startsAt }
    const created = await createAppointment(services, request, (tx, appointmentId) =>
      writeAuditEvent(tx, services, staffActor(callers), {
        kind: 'appointment.proposed',
        details: { at },
        permission: 'link.send',
        locationCode: location_code,
        subject: String(appointmentId),
      }),
    )
    return created.ok ? succeed({ appointment_id: created.appointmentId }) : refuse(409, 'not_made', created.why)
  },
})
