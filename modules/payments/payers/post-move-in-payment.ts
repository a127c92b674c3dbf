import type { Services } from '../../../platform/operations/services.ts'
import { LeaseNotStarted, type MoveIn, startLease } from '../../lease-start/start-lease.ts'
import type { Charges } from '../../pricing/rules/charges.ts'
import { decryptPlan } from '../order-terms-encryption.ts'
import {
  capturedCents,
  type Payer,
  type Payment,
  PostingRejected,
  parseStoredAuthorization,
  paymentMethodLabel,
  savedMethod,
} from '../payment.ts'

/** Agreed terms of a move-in, stored encrypted with its payment; enough to complete it without the browser. */
export interface MoveInPlan {
  locationCode: string
  reservationCode: string
  charges: Charges
  /** The fields of `MoveIn` that are neither in this plan itself nor set from the payment. */
  lease: Omit<MoveIn, 'locationCode' | 'reservationCode' | 'charges' | 'orderId' | 'autopay' | 'paid'>
  autopay: boolean
}

function toMoveIn(services: Services, payment: Payment): MoveIn {
  const { locationCode, reservationCode, charges, lease, autopay } = decryptPlan<MoveInPlan>(services, payment)
  const method = savedMethod(services, payment)
  return {
    locationCode,
    reservationCode,
    charges,
    ...lease,
    orderId: payment.order_id,
    // The signature included consent to autopay. Without a saved card or account there is nothing to charge.
    autopay:
      autopay && method
        ? {
            method: payment.method,
            party: method,
            label: paymentMethodLabel(payment),
            consentAt: payment.created_at,
            ...(payment.authorisation && {
              consentText: parseStoredAuthorization(payment.authorisation).text,
            }),
          }
        : null,
    paid: {
      cents: capturedCents(payment),
      description: `Payment by ${paymentMethodLabel(payment)}`,
    },
  }
}

export const moveInPayer: Payer = {
  kind: 'move_in',
  async post(tx, services, payment, facts) {
    if (!facts) throw new PostingRejected('unknown')
    try {
      const { time_zone } = facts.location
      const { leaseNumber } = await startLease(tx, services, toMoveIn(services, payment), time_zone)
      return { leaseNumber }
    } catch (error) {
      if (error instanceof LeaseNotStarted) throw new PostingRejected(error.why)
      throw error
    }
  },
}
