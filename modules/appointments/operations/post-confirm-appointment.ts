import * as v from 'valibot'
import { operation } from '../../../platform/operations/operation.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'
import { PropertyManagementUnavailable } from '../../../ports/appointment-host/appointment-host.ts'
import { appointmentLink } from '../rules/appointment-link-parameters.ts'

const { appointment_id, confirmation_token, option, confirmation_source } = appointmentLink.entries

export const postConfirmAppointment = operation({
  name: 'POST /api/appointments/{id}/confirm',
  summary: 'Confirms the appointment of a mailed link; with option “other”, requests another time instead.',
  access: 'anyone',
  input: v.object({
    id: v.pipe(v.unknown(), v.transform(String), appointment_id),
    confirmation_token,
    option,
    confirmation_source,
  }),
  output: v.object({
    /** Appointment time at the facility, written out; '' when another time was requested or confirming failed. */
    appointment_datetime: v.string(),
    /** Error message; '' on success. */
    error: v.string(),
  }),
  limit: { points: 30, perSeconds: 900 },
  writes: true,
  example: {
    input: {
      id: 1001,
      confirmation_token: '3f1a7c90b2d84e56a1c07f5e9b2d4c68',
      option: 'confirm',
      confirmation_source: 'email',
    },
    output: { appointment_datetime: 'Monday, November 23, 2026 at 10:00 AM', error: '' },
  },
  async run(services, input) {
    try {
      const answer = await services.propertyManagement.confirm({
        appointmentId: Number(input.id),
        confirmationToken: input.confirmation_token,
        option: input.option,
        confirmationSource: input.confirmation_source,
      })
      return succeed({ appointment_datetime: answer.appointmentDatetime, error: answer.error })
    } catch (error) {
      if (!(error instanceof PropertyManagementUnavailable)) throw error
      services.errors.report(error, { step: 'confirm appointment' })
      return refuse(503, 'unavailable', 'We cannot reach the appointment book. Please try again in a minute.', {
        retryAfter: 60,
      })
    }
  },
})
