import * as v from 'valibot'
import { formatUs } from '../../../domain/plain-date.ts'
import { date, locationCode, optionalText, requiredText } from '../../../platform/operations/input-fields.ts'
import { operation } from '../../../platform/operations/operation.ts'
import {
  fieldComparisons,
  refuseDifferingFields,
} from '../../../platform/operations/refuse-fields-that-differ-from-record.ts'
import { loadProspectResponse, prospectExample, prospectSchema } from '../prospect-record-of-reservation.ts'
import { ensureProspect } from '../save-prospect-and-bind-draft.ts'

export const postProspects = operation({
  name: 'POST /api/prospects',
  summary:
    'The prospect record of this session’s own reservation. Its content comes from the reservation; what is said of it is compared, a difference is 409, and asking again changes nothing.',
  access: {
    rental: (caller, input) => caller.reservationCode === input.res_code && caller.locationCode === input.location_code,
  },
  input: v.object({
    location_code: locationCode(),
    res_code: requiredText(40),
    tenant_id: optionalText(16),
    site_name: optionalText(200),
    email_address: optionalText(254),
    cell_phone: optionalText(20),
    res_status: optionalText(20),
    lease_status: optionalText(20),
    reservation_date: v.optional(date()),
    required_date: v.optional(date()),
    move_in_date: v.optional(date()),
    extra_data: v.optional(
      v.object({
        firstName: optionalText(60),
        lastName: optionalText(60),
        unitNumber: optionalText(20),
        unitRent: optionalText(20),
        unitTypeId: optionalText(9),
      }),
    ),
  }),
  output: prospectSchema,
  writes: true,
  example: { input: { location_code: 'ATL01', res_code: 'K7M2XQ9TRD' }, output: prospectExample },
  async run(services, { location_code, res_code, ...sent }, callers) {
    const load = () => loadProspectResponse(services, location_code, res_code, callers)
    let response = await load()
    if (!response.ok && (await ensureProspect(services, location_code, res_code))) response = await load()
    if (!response.ok) return response
    const stored = response.value
    const extraRefusal = refuseDifferingFields(sent.extra_data ?? {}, {
      firstName: fieldComparisons.name(stored.extra_data.firstName),
      lastName: fieldComparisons.name(stored.extra_data.lastName),
      unitNumber: fieldComparisons.text(stored.extra_data.unitNumber),
      unitRent: (rent) => rent === stored.extra_data.unitRent,
      unitTypeId: fieldComparisons.text(stored.extra_data.unitTypeId),
    })
    const refusal = refuseDifferingFields(
      { ...sent, extra_data: extraRefusal ? 'differs' : '' },
      {
        tenant_id: fieldComparisons.text(stored.tenant_id),
        site_name: fieldComparisons.text(stored.site_name),
        email_address: fieldComparisons.email(stored.email_address),
        cell_phone: fieldComparisons.phone(stored.cell_phone),
        res_status: fieldComparisons.text(stored.res_status),
        lease_status: fieldComparisons.text(stored.lease_status),
        reservation_date: (day) => formatUs(day) === stored.reservation_date,
        required_date: (day) => formatUs(day) === stored.required_date,
        // Before the move-in, the required date stands in for the move-in date.
        move_in_date: (day) => formatUs(day) === (stored.move_in_date || stored.required_date),
        extra_data: () => extraRefusal === null,
      },
    )
    return refusal ?? response
  },
})
