/** Posts one payment of a tenant for several leases in one transaction. If a lease rejects its part, none is posted. */
import { lockLeaseRow } from '../../../leases/lock-lease-row.ts'
import { loadLedgerTotals } from '../../../ledger/lease-ledger-totals.ts'
import { decryptPlan } from '../../order-terms-encryption.ts'
import { isContinuing, type LeasePayment, type LeasePlan, postOnLease } from '../../payers/post-lease-payment.ts'
import { capturedCents, type Payer, PostingRejected } from '../../payment.ts'
import { agreedParts, allocateCaptured, type PlanParts, setShares } from '../../payment-shares-by-lease.ts'
import type { LeasePart } from '../../rules/checkout-terms.ts'

/** Agreed terms of a payment for several units, stored encrypted with the order. The sum of its parts is the price. */
export type UnitsPlan = LeasePlan & PlanParts

/** Returns the plan with the card fee and prepaid period of one lease; its lines and total are still those of all. */
const planOf = (plan: UnitsPlan, { leaseNumber, ahead }: LeasePart): LeasePlan => ({
  ...plan,
  price: {
    ...plan.price,
    cardFee: plan.price.cardFee?.leaseNumber === leaseNumber ? plan.price.cardFee : null,
    ahead: ahead?.cents ?? 0,
    period: ahead?.period ?? null,
  },
})

export const unitsPayer: Payer = {
  kind: 'units',
  async post(tx, services, payment, facts) {
    if (!facts) throw new PostingRejected('unknown')
    const plan = decryptPlan<UnitsPlan>(services, payment)
    const { location_code, order_id: orderId } = payment
    const captured = capturedCents(payment)
    const agreed = agreedParts(plan)
    const parts = allocateCaptured(agreed, captured)
    if (captured !== payment.amount) await setShares(tx, orderId, parts)
    const leasePayments: LeasePayment[] = []
    for (const [index, part] of parts.entries()) {
      const { leaseNumber: lease_number, cents } = part
      const lease = await lockLeaseRow(tx, { location_code, lease_number })
      if (!lease || lease.tenant_id !== payment.tenant_id) throw new PostingRejected('unknown')
      // Less was captured than agreed, and no money is left for this lease.
      if (cents === 0 && agreed[index]?.cents !== 0) continue
      leasePayments.push({
        tx,
        services,
        payment: { ...payment, lease_number, amount: cents, approved_amount: cents },
        facts,
        locked: { lease, totals: await loadLedgerTotals(tx, lease) },
        plan: planOf(plan, part),
      })
    }
    // An order of 0.00 cannot be refunded. If one of its leases has ended or moves out, autopay is turned on for none.
    if (captured === 0 && !leasePayments.every(isContinuing)) return { leaseNumber: null }
    for (const leasePayment of leasePayments) await postOnLease(leasePayment)
    return { leaseNumber: null }
  },
}
