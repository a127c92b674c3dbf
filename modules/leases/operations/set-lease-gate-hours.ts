import * as v from 'valibot'
import { ownTenant } from '../../../platform/operations/callers.ts'
import { integer } from '../../../platform/operations/input-fields.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import { setGateHours } from '../../gate/assign-and-activate-gate-codes.ts'
import { fee24HourAccess } from '../../pricing/texts/full-day-access-fee-name.ts'
import { tenantFields } from '../../tenants/tenant-key-input.ts'
import { savedResponse } from '../internal/save-success-and-error-response.ts'
import { isSessionTenant, leaseNotFound, loadLease, mayAccessLease } from '../lease.ts'
import { invalidLeaseNumber } from '../texts/portal.ts'

export const AddGateAccessTimeZone = operation({
  name: 'AddGateAccessTimeZone',
  summary: 'Sets the hours of a lease’s gate code; "24-hour" only where the lease carries the 24 Hour Access Fee.',
  access: { tenant: ownTenant, rental: isSessionTenant },
  input: v.object({
    ...tenantFields,
    lease_number: integer(invalidLeaseNumber),
    time_zone_name: v.picklist(['standard', '24-hour'], 'must be standard or 24-hour'),
  }),
  output: savedResponse,
  writes: true,
  example: {
    input: { location_code: 'ATL01', tenant_id: 1001, lease_number: 10001, time_zone_name: 'standard' },
    output: { SaveSuccessful: 'True', ErrorMessage: '' },
  },
  async run(services, input, callers) {
    const lease = await loadLease(services, input, input.lease_number)
    if (!lease || lease.status === 'Closed' || !mayAccessLease(callers, input, lease.reservation_code))
      return leaseNotFound()
    if (input.time_zone_name === '24-hour') {
      const fee = await services.db.read
        .selectFrom('lease_fees')
        .select('fee_id')
        .where((eb) => eb.and({ location_code: input.location_code, lease_number: lease.lease_number }))
        .where('description', '=', fee24HourAccess)
        .executeTakeFirst()
      if (!fee) {
        return succeed({ SaveSuccessful: 'False', ErrorMessage: `The lease has no ${fee24HourAccess}.` })
      }
    }
    await setGateHours(services.db.write, lease, input.time_zone_name)
    return succeed({ SaveSuccessful: 'True', ErrorMessage: '' })
  },
})
