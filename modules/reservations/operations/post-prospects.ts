import * as v from 'valibot'
import { formatUs } from '../../../domain/plain-date.ts'
import { refusedDiffering, same } from '../../../platform/operations/compare-with-record.ts'
import { date, locationCode, optional, required } from '../../../platform/operations/input-fields.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { ensureProspect } from '../prospect-record.ts'
import { prospect, prospectAnswer, prospectExample } from '../prospects.ts'

export const postProspects = operation({
  name: 'POST /api/prospects',
  summary:
    'The prospect record of this session’s own reservation. Its content comes from the reservation; what is said of it is compared, a difference is 409, and asking again changes nothing.',
  access: {
    rental: (caller, input) => caller.reservationCode === input.res_code && caller.locationCode === input.location_code,
  },
  input: v.object({
    location_code: locationCode(),
    res_code: required(40),
    tenant_id: optional(16),
    site_name: optional(200),
    email_address: optional(254),
    cell_phone: optional(20),
    res_status: optional(20),
    lease_status: optional(20),
    reservation_date: v.optional(date()),
    required_date: v.optional(date()),
    move_in_date: v.optional(date()),
    extra_data: v.optional(
      v.object({
        firstName: optional(60),
        lastName: optional(60),
        unitNumber: optional(20),
        unitRent: optional(20),
        unitTypeId: optional(9),
      }),
    ),
  }),
  output: prospect,
  writes: true,
  example: { input: { location_code: 'ATL01', res_code: 'K7M2XQ9TRD' }, output: prospectExample },
  async run(services, { location_code, res_code, ...said }, callers) {
    const answer = () => prospectAnswer(services, location_code, res_code, callers)
    let known = await answer()
    if (!known.ok && (await ensureProspect(services, location_code, res_code))) known = await answer()
    if (!known.ok) return known
    const ours = known.value
    const extra = refusedDiffering(said.extra_data ?? {}, {
      firstName: same.name(ours.extra_data.firstName),
      lastName: same.name(ours.extra_data.lastName),
      unitNumber: same.text(ours.extra_data.unitNumber),
      unitRent: (rent) => rent === ours.extra_data.unitRent,
      unitTypeId: same.text(ours.extra_data.unitTypeId),
    })
    const wrong = refusedDiffering(
      { ...said, extra_data: extra ? 'differs' : '' },
      {
        tenant_id: same.text(ours.tenant_id),
        site_name: same.text(ours.site_name),
        email_address: same.email(ours.email_address),
        cell_phone: same.phone(ours.cell_phone),
        res_status: same.text(ours.res_status),
        lease_status: same.text(ours.lease_status),
        reservation_date: (day) => formatUs(day) === ours.reservation_date,
        required_date: (day) => formatUs(day) === ours.required_date,
        // Before the move-in, the required date stands in for the move-in date.
        move_in_date: (day) => formatUs(day) === (ours.move_in_date || ours.required_date),
        extra_data: () => extra === null,
      },
    )
    return wrong ?? known
  },
})
