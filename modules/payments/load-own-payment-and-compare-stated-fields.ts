import { fromWire, toWire } from '../../domain/money.ts'
import { invalidPaymentSession } from '../../domain/texts/payment.ts'
import type { Callers } from '../../platform/operations/callers.ts'
import { optionalText } from '../../platform/operations/input-fields.ts'
import { type Refusal, refusalError, refuse } from '../../platform/operations/outcome.ts'
import type { Services } from '../../platform/operations/services.ts'
import { capturedCents, loadPayment, type Payment, paymentAliasContext } from './payment.ts'
import { cardBrandCode, cardExpirationDate } from './rules/card-brand-and-expiry.ts'
import { isOwnPayment } from './rules/payment-visibility.ts'

/**
 * Loads the caller's own payment.
 * @throws RefusalError, the same for unknown orders and orders of other callers; the attempt is recorded as a security
 *   event
 */
export async function loadOwnPayment(services: Services, callers: Callers, orderId: string): Promise<Payment> {
  const payment = await loadPayment(services, orderId)
  if (payment && isOwnPayment(callers, payment)) return payment
  services.security.record('order.foreign', { account: callers.tenant?.accountId, order: payment?.order_id })
  throw refusalError(403, 'forbidden', invalidPaymentSession)
}

/**
 * Returns the refusal of a request whose fields differ from our payment, and records it as a security event.
 * @param orderId order id of the caller's own payment
 */
export function refuseContradiction(services: Services, orderId: string, fields: string[]): Refusal {
  services.security.record('order.contradicted', { order: orderId, why: fields.join(' ') })
  return refuse(409, 'differs', 'This is not what was paid.', {
    fields: Object.fromEntries(fields.map((name) => [name, 'differs from our payment'])),
  })
}

/** Fields of a payment that a caller may state (spec 2 §3 "Card payment record"); they are compared, never trusted. */
export const paymentFields = {
  amount: optionalText(20),
  payment_method: optionalText(4),
  cc_type: optionalText(20),
  cc_no: optionalText(30),
  cc_expiration_date: optionalText(10),
  cc_address: optionalText(50),
  cc_postal_code: optionalText(10),
  cc_name: optionalText(100),
  transaction_id: optionalText(64),
  cc_response_code: optionalText(8),
  autopay_bit: optionalText(1),
  token: optionalText(100),
}

/**
 * Returns the names of the fields in which the caller's description of a payment differs from our record of it.
 * @param stated what the caller states; omitted and empty fields are skipped
 * @param more our values of further fields
 */
export function contradictedFields(
  services: Services,
  payment: Payment,
  stated: Record<string, unknown>,
  more: Record<string, string> = {},
): string[] {
  const alias = payment.alias_sealed
    ? services.sealer.open(payment.alias_sealed, paymentAliasContext(payment.order_id))
    : ''
  const ours: Record<string, string> = {
    amount: toWire(capturedCents(payment)),
    payment_method: payment.method,
    transaction_id: payment.transaction_id ?? '',
    cc_response_code: payment.response_code ?? '',
    cc_type: cardBrandCode(payment.card_brand ?? '') ?? '',
    cc_no: payment.masked_card ?? '',
    cc_expiration_date: cardExpirationDate(payment.exp_month ?? '', payment.exp_year ?? ''),
    cc_name: payment.card_name ?? '',
    cc_address: payment.card_address ?? '',
    cc_postal_code: payment.card_zip ?? '',
    token: alias,
    autopay_bit: String(payment.autopay),
    ...more,
  }
  const normalize = (name: string, value: string) => (name === 'amount' ? (fromWire(value) ?? value) : value.trim())
  return Object.keys(ours).filter(
    (name) =>
      stated[name] !== undefined &&
      stated[name] !== '' &&
      normalize(name, String(stated[name])) !== normalize(name, ours[name] ?? ''),
  )
}
