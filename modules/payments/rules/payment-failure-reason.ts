import {
  cardExpired,
  declinedByIssuer,
  paymentAlreadyProcessed,
  paymentFailed,
  paymentStillChecked,
  unableToProcessPayment,
} from '../../../domain/texts/payment.ts'

interface ProviderResponse {
  responseCode: string
  responseDescription: string
}

/**
 * Returns the reason for a failed payment: 'Credit Card Expired', 'Declined by Issuer', or the provider's text on one
 * line, at most 200 characters; `paymentFailed` if there is no text.
 */
export function failureReason({ responseCode, responseDescription }: ProviderResponse): string {
  const text = responseDescription
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, 200)
  // 054 and 005 stand for the card networks' codes 54, an expired card, and 05, a plain decline (ISO 8583).
  if (responseCode === '054' || /\bcard\b.*\bexpired\b|\bexpired\b.*\bcard\b|^expired$/i.test(text)) {
    return cardExpired
  }
  if (responseCode === '005' || /\bdeclined?\b/i.test(text)) return declinedByIssuer
  return text || paymentFailed
}

/** Returns 'Unable to process the Payment: ' followed by the reason (spec 1 §8). */
export function failureText(response: ProviderResponse): string {
  return `${unableToProcessPayment}${failureReason(response)}`
}

/**
 * Returns the message that a caller of an operation gets about a payment that is not posted.
 * @param result outcome of the order; `message`: why it was refused
 * @param trouble the order's `trouble`, for a captured payment
 */
export function unpostedPaymentMessage(
  result: { state: string; message?: string },
  trouble: string | null | undefined,
): string {
  if (result.message !== undefined) return result.message
  // Money in review was captured, so that the caller must not pay again.
  if (result.state === 'checking' || result.state === 'review') return paymentStillChecked
  return result.state === 'refund' && trouble === 'already_paid' ? paymentAlreadyProcessed : paymentFailed
}
