import * as v from 'valibot'
import { ownTenantNamed } from '../../../platform/operations/callers.ts'
import { flag } from '../../../platform/operations/input-fields.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import { leaseNotFound } from '../../leases/lease.ts'
import { moveOutCannotBeCancelled } from '../../leases/texts/portal.ts'
import { callerLeaseFields, findCallerLease, savedFields } from '../internal/caller-lease.ts'
import { cancelMoveOut } from '../schedule-and-cancel-move-out.ts'

export const CancelScheduleMoveOut = operation({
  name: 'CancelScheduleMoveOut',
  summary: 'Takes a scheduled move-out back; with restore_autopay 1 autopay is again as it was.',
  access: { tenant: ownTenantNamed },
  input: v.object({ ...callerLeaseFields, restore_autopay: v.optional(flag(), false) }),
  output: v.object({ ...savedFields, autopay: v.string() }),
  writes: true,
  example: {
    input: { location_code: 'AUS01', tenant_id: 1001, lease_number: 10001, restore_autopay: '1' },
    output: { SaveSuccessful: 'True', ErrorMessage: '', autopay: 'False' },
  },
  async run(services, input, callers) {
    const lease = await findCallerLease(services, input, callers)
    if (!lease) return leaseNotFound()
    const result = await cancelMoveOut(
      services,
      { locationCode: lease.location_code, leaseNumber: lease.lease_number },
      { restore: input.restore_autopay, note: 'The scheduled move-out was cancelled.' },
    )
    return result
      ? succeed({ SaveSuccessful: 'True', ErrorMessage: '', autopay: result.autopay === 'off' ? 'False' : 'True' })
      : succeed({ SaveSuccessful: 'False', ErrorMessage: moveOutCannotBeCancelled, autopay: '' })
  },
})
