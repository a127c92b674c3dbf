import * as v from 'valibot'
import { cardProcessingFee } from '../../../domain/texts/payment.ts'
import { ownTenant } from '../../../platform/operations/callers.ts'
import { refusedDiffering, same } from '../../../platform/operations/compare-with-record.ts'
import { integer, optional } from '../../../platform/operations/input-fields.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import { access24Of, cardFeeOf, facilityFacts } from '../../facilities/facts.ts'
import { hasCardFee } from '../../ledger/period-price.ts'
import { fee24HourAccess } from '../../move-in/texts/move-in.ts'
import { saved } from '../internal/lease-answers.ts'
import { leaseRow, noLease, reaches, sessionsTenant, whose } from '../lease.ts'
import { addLeaseFee } from '../lease-fees.ts'
import { invalidLeaseNumber } from '../texts/portal.ts'

export const AddFeesToLease = operation({
  name: 'AddFeesToLease',
  summary:
    'Adds the 24 Hour Access Fee to a lease, at the location’s own amount, from the next period on. The Credit Card Processing Fee is charged with its payment: naming it tells whether it was, and charges nothing again.',
  access: { tenant: ownTenant, rental: sessionsTenant },
  input: v.object({
    ...whose,
    lease_number: integer(invalidLeaseNumber),
    fee_id: integer(),
    fee_amount: optional(20),
  }),
  output: saved,
  writes: true,
  example: {
    input: { location_code: 'ATL01', tenant_id: 1001, lease_number: 10001, fee_id: 2 },
    output: { SaveSuccessful: 'True', ErrorMessage: '' },
  },
  async run(services, input, callers) {
    const lease = await leaseRow(services, input, input.lease_number)
    if (!lease || lease.status === 'Closed' || !reaches(callers, input, lease.reservation_code)) return noLease()
    const facts = (await facilityFacts(services, [input.location_code])).get(input.location_code)
    const refused = (ErrorMessage: string) => succeed({ SaveSuccessful: 'False', ErrorMessage })
    const fee = [facts && access24Of(facts, lease.unit_type_id), facts && cardFeeOf(facts, lease.unit_type_id)].find(
      (one) => one?.feeId === input.fee_id,
    )
    // Other fees are charged with a move-in or payment at their own amount; callers cannot choose them.
    if (!fee) return refused('This fee cannot be added to a lease.')
    const wrong = refusedDiffering(input, { fee_amount: same.amount(fee.amount) })
    if (wrong) return wrong
    if (facts && fee.feeId === cardFeeOf(facts, lease.unit_type_id)?.feeId) {
      return (await hasCardFee(services, lease))
        ? succeed({ SaveSuccessful: 'True', ErrorMessage: '' })
        : refused(`No card payment of this lease bears the ${cardProcessingFee}.`)
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
