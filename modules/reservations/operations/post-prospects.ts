import * as v from 'valibot'
import { formatUs } from '../../../domain/plain-date.ts'
import { fieldComparisons, refuseDifferingFields } from '../../../platform/operations/compare-with-record.ts'
import { date, locationCode, optionalText, requiredText } from '../../../platform/operations/input-fields.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { ensureProspect } from '../prospect-record.ts'
import { loadProspectResponse, prospectExample, prospectSchema } from '../prospects.ts'

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
    const ours = response.value
    const extra = refuseDifferingFields(sent.extra_data ?? {}, {
      firstName: fieldComparisons.name(ours.extra_data.firstName),
      lastName: fieldComparisons.name(ours.extra_data.lastName),
      unitNumber: fieldComparisons.text(ours.extra_data.unitNumber),
      unitRent: (rent) => rent === ours.extra_data.unitRent,
      unitTypeId: fieldComparisons.text(ours.extra_data.unitTypeId),
    })
    const wrong = refuseDifferingFields(
      { ...sent, extra_data: extra ? 'differs' : '' },
      {
        tenant_id: fieldComparisons.text(ours.tenant_id),
        site_name: fieldComparisons.text(ours.site_name),
        email_address: fieldComparisons.email(ours.email_address),
        cell_phone: fieldComparisons.phone(ours.cell_phone),
        res_status: fieldComparisons.text(ours.res_status),
        lease_status: fieldComparisons.text(ours.lease_status),
        reservation_date: (day) => formatUs(day) === ours.reservation_date,
        required_date: (day) => formatUs(day) === ours.required_date,
        // Before the move-in, the required date stands in for the move-in date.
        move_in_date: (day) => formatUs(day) === (ours.move_in_date || ours.required_date),
        extra_data: () => extra === null,
      },
    )
    return wrong ?? response
  },
})
