import * as v from 'valibot'
import { cardProcessingFee } from '../../../domain/texts/payment.ts'
import { ownTenant } from '../../../platform/operations/callers.ts'
import { integer, optionalText } from '../../../platform/operations/input-fields.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import {
  fieldComparisons,
  refuseDifferingFields,
} from '../../../platform/operations/refuse-fields-that-differ-from-record.ts'
import { loadFacilityFacts } from '../../facilities/facility-facts-for-pricing.ts'
import { hasCardFee } from '../../ledger/quote-prepay.ts'
import { cardFeeOf, fullDayAccessFeeOf } from '../../pricing/rules/unit-type-fees.ts'
import { fee24HourAccess } from '../../pricing/texts/full-day-access-fee-name.ts'
import { tenantFields } from '../../tenants/tenant-key-input.ts'
import { savedResponse } from '../internal/save-success-and-error-response.ts'
import { isSessionTenant, leaseNotFound, loadLease, mayAccessLease } from '../lease.ts'
import { addLeaseFee } from '../load-and-add-recurring-lease-fees.ts'
import { invalidLeaseNumber } from '../texts/portal.ts'

export const AddFeesToLease = operation({
  name: 'AddFeesToLease',
  summary:
    'Adds the 24 Hour Access Fee to a lease, at the location’s own amount, from the next period on. The Credit Card Processing Fee is charged with its payment: naming it tells whether it was, and charges nothing again.',
  access: { tenant: ownTenant, rental: isSessionTenant },
  input: v.object({
    ...tenantFields,
    lease_number: integer(invalidLeaseNumber),
    fee_id: integer(),
    fee_amount: optionalText(20),
  }),
  output: savedResponse,
  writes: true,
  example: {
    input: { location_code: 'ATL01', tenant_id: 1001, lease_number: 10001, fee_id: 2 },
    output: { SaveSuccessful: 'True', ErrorMessage: '' },
  },
  async run(services, input, callers) {
    const lease = await loadLease(services, input, input.lease_number)
    if (!lease || lease.status === 'Closed' || !mayAccessLease(callers, input, lease.reservation_code))
      return leaseNotFound()
    const facts = (await loadFacilityFacts(services, [input.location_code])).get(input.location_code)
    const failWith = (ErrorMessage: string) => succeed({ SaveSuccessful: 'False', ErrorMessage })
    const fee = [
      facts && fullDayAccessFeeOf(facts, lease.unit_type_id),
      facts && cardFeeOf(facts, lease.unit_type_id),
    ].find((candidate) => candidate?.feeId === input.fee_id)
    // Billing or staff charge other fees, such as the late fee; a caller cannot choose them.
    if (!fee) return failWith('This fee cannot be added to a lease.')
    const refusal = refuseDifferingFields(input, { fee_amount: fieldComparisons.amount(fee.amount) })
    if (refusal) return refusal
    if (facts && fee.feeId === cardFeeOf(facts, lease.unit_type_id)?.feeId) {
      return (await hasCardFee(services, lease))
        ? succeed({ SaveSuccessful: 'True', ErrorMessage: '' })
        : failWith(`No card payment of this lease bears the ${cardProcessingFee}.`)
    }
    await addLeaseFee(services.db.write, {
      location_code: input.location_code,
      lease_number: lease.lease_number,
      fee_id: fee.feeId,
      description: fee24HourAccess,
      amount: fee.amount,
    })
    return succeed({ SaveSuccessful: 'True', ErrorMessage: '' })
  },
})
