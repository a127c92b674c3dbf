import type { Cents } from '../../../domain/money.ts'
import { paymentAlreadyProcessed } from '../../../domain/texts/payment.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { loadFacilityPhone } from '../../facilities/views/facility-contact.ts'
import { refundReason } from '../../refunds/texts/payer-refund-reasons.ts'
import { capturedCents, loadPayment, type Payment } from '../payment.ts'

/** Explanation to a payer why a payment that could not be posted is refunded. */
export interface RefundNotice {
  trouble: string
  title: string
  why: string
}

/** An order whose payment is being checked, under review or refunded. */
export interface OrderOutcome {
  orderId: string
  amount: Cents
  /** Phone number to call about the facility, formatted; '' when none is known. */
  phone: string
  refundNotice: RefundNotice | null
  /** Whether the order's card form can be opened again; the order is still charged once. */
  hasForm: boolean
}

type OutcomeFields = Pick<
  Payment,
  'order_id' | 'payer' | 'method' | 'state' | 'amount' | 'approved_amount' | 'trouble' | 'location_code'
>

/**
 * Loads the outcome of an order that is not posted yet, or cannot be.
 * @param originalOrder the order as it was before settling; its current row is read again
 */
export async function loadOrderOutcome(
  services: Services,
  originalOrder: OutcomeFields,
  state: 'checking' | 'review' | 'refund',
): Promise<OrderOutcome> {
  const payment: OutcomeFields = (await loadPayment(services, originalOrder.order_id)) ?? originalOrder
  return {
    orderId: payment.order_id,
    amount: capturedCents(payment),
    phone: await loadFacilityPhone(services, payment.location_code),
    refundNotice: state === 'refund' ? refundNotice(payment) : null,
    hasForm: payment.state === 'presented' && payment.method === 'CC',
  }
}

function refundNotice({ payer, ...payment }: OutcomeFields): RefundNotice {
  const trouble = payment.trouble ?? ''
  const isAlreadyPaid = trouble === 'already_paid' && payer !== 'units'
  const title = isAlreadyPaid ? paymentAlreadyProcessed : 'This payment could not be counted'
  return { trouble, title, why: refundReason(trouble, payer) }
}
