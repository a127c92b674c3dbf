import * as v from 'valibot'
import { date, requiredText } from '../../../platform/operations/input-fields.ts'
import { operation } from '../../../platform/operations/operation.ts'
import {
  fieldComparisons,
  refuseDifferingFields,
} from '../../../platform/operations/refuse-fields-that-differ-from-record.ts'
import { loadProspectResponse, prospectExample, prospectSchema } from '../prospect-record-of-reservation.ts'

export const putProspect = operation({
  name: 'PUT /api/prospects/{reservationCode}',
  summary:
    'Marks the prospect record completed, once the move-in is; until then it stays as it is and says so. Another day than the lease’s is 409.',
  access: { rental: (caller, input) => caller.reservationCode === input.reservationCode },
  input: v.object({
    reservationCode: requiredText(40),
    res_status: v.literal('completed', 'must be completed'),
    move_in_date: v.optional(date()),
  }),
  output: prospectSchema,
  writes: true,
  example: {
    input: { reservationCode: 'K7M2XQ9TRD', res_status: 'completed', move_in_date: '11/20/2026' },
    output: { ...prospectExample, res_status: 'completed', lease_status: 'Current', move_in_date: '11/20/2026' },
  },
  async run(services, { reservationCode, move_in_date }, callers) {
    const locationCode = callers.rental?.locationCode ?? ''
    const lease = await services.db.read
      .selectFrom('leases')
      .select('move_in_date')
      .where('location_code', '=', locationCode)
      .where('reservation_code', '=', reservationCode)
      .executeTakeFirst()
    // The status and day come from the lease, never from the caller.
    if (lease) {
      const refusal = refuseDifferingFields(
        { move_in_date },
        { move_in_date: fieldComparisons.day(lease.move_in_date) },
      )
      if (refusal) return refusal
      await services.db.write
        .updateTable('prospects')
        .set({ res_status: 'completed', move_in_date: lease.move_in_date })
        .where('res_code', '=', reservationCode)
        .where('location_code', '=', locationCode)
        .where('res_status', '!=', 'completed')
        .execute()
    }
    return loadProspectResponse(services, locationCode, reservationCode, callers)
  },
})
