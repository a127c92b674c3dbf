/** Posts one payment of a tenant for several leases: the dues of all of them, or nothing. */
import { lockLease } from '../../leases/lock-lease.ts'
import { postPayment } from '../../standing/post-entries.ts'
import { type Payer, PostingRejected, paymentMethodLabel } from '../payment.ts'
import { allocateCaptured, type LeasePart, setShares } from '../payment-shares.ts'
import { decryptPlan } from '../stored-payment-details.ts'
import { agreedCardFeeLines, type LeasePlan } from './lease-payer.ts'

/** Agreed terms of a payment for several units, stored encrypted with the order. */
export interface UnitsPlan extends LeasePlan {
  /** Parts by lease number; their sum is the price. */
  parts: LeasePart[]
}

export const unitsPayer: Payer = {
  kind: 'units',
  async post(tx, services, payment, facts) {
    if (!facts) throw new PostingRejected('unknown')
    const plan = decryptPlan<UnitsPlan>(services, payment)
    const { location_code: locationCode, order_id: orderId } = payment
    const captured = payment.approved_amount ?? payment.amount
    const parts = allocateCaptured(plan.parts, captured)
    if (captured !== payment.amount) await setShares(tx, orderId, parts)
    for (const { leaseNumber, cents } of parts) {
      const lease = await lockLease(tx, { location_code: locationCode, lease_number: leaseNumber })
      if (!lease || lease.tenant_id !== payment.tenant_id) throw new PostingRejected('unknown')
      // One lease was paid in another way meanwhile, so the whole payment is refunded.
      if (lease.balance <= 0) throw new PostingRejected('already_paid')
      const bearsCardFee = plan.price.cardFee?.leaseNumber === leaseNumber
      const charges = bearsCardFee ? agreedCardFeeLines({ payment, facts, plan }) : []
      const description = `Payment by ${paymentMethodLabel(payment)}`
      if (cents > 0)
        await postPayment(tx, services, {
          locationCode,
          leaseNumber,
          cents,
          orderId,
          charges,
          today: facts.today,
          description,
        })
    }
    return { leaseNumber: null }
  },
}
