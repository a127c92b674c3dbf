import { cardExpired, declinedByIssuer, paymentFailed, unableToProcessPayment } from './texts/payment.ts'

export const paymentStates = [
  'created',
  'presented',
  'captured',
  'posted',
  'declined',
  'cancelled',
  'expired',
  'refund_due',
  'refunded',
  'returned',
  'review',
] as const

/**
 * captured: not posted yet. review: the amount differs, a person decides. refund_due: captured, cannot be posted.
 * returned: posted, then returned by the bank (R01 and others).
 */
export type PaymentState = (typeof paymentStates)[number]

/** Cancelled and expired orders may still turn out captured or declined: the provider's answer wins. A decline is final. */
export const paymentMoves: Readonly<Record<PaymentState, readonly PaymentState[]>> = {
  created: ['presented', 'captured', 'declined', 'cancelled', 'expired', 'review'],
  presented: ['captured', 'declined', 'cancelled', 'expired', 'review'],
  cancelled: ['captured', 'declined', 'review'],
  expired: ['captured', 'declined', 'review'],
  captured: ['posted', 'refund_due', 'review'],
  review: ['posted', 'refund_due'],
  refund_due: ['refunded'],
  posted: ['returned'],
  declined: [],
  refunded: [],
  returned: [],
}

export function mayMove(from: PaymentState, to: PaymentState): boolean {
  return paymentMoves[from].includes(to)
}

/** Every state from which `to` may be reached: the WHERE of a guarded update. */
export function statesBefore(to: PaymentState): PaymentState[] {
  return paymentStates.filter((from) => mayMove(from, to))
}

interface ProviderAnswer {
  responseCode: string
  responseDescription: string
}

/** Why the provider refused: 'Credit Card Expired', 'Declined by Issuer', else the provider's own text, on one line. */
export function failureReason({ responseCode, responseDescription }: ProviderAnswer): string {
  const text = responseDescription
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, 200)
  // 054 and 005 are the bank network's own codes for an expired card and a plain refusal.
  if (responseCode === '054' || /\bcard\b.*\bexpired\b|\bexpired\b.*\bcard\b|^expired$/i.test(text)) {
    return cardExpired
  }
  if (responseCode === '005' || /\bdeclined?\b/i.test(text)) return declinedByIssuer
  return text || paymentFailed
}

/** 'Unable to process the Payment: ' and the reason (spec 1 §8). */
export function failureText(answer: ProviderAnswer): string {
  return `${unableToProcessPayment}${failureReason(answer)}`
}

/** Why captured money goes back, by the payment's trouble: its page and its mail say the same. */
const refundReasons: Record<string, string> = {
  unit_lost: 'The unit was taken while your payment was on its way, and no other of its type was left.',
  already_rented: 'The unit had been paid for already.',
  lease_void: 'The lease was signed again after this payment had begun.',
  reservation_cancelled: 'The reservation had been given up for another one.',
  already_paid: 'What it was for had been paid already.',
  moving_out: 'A move-out had been scheduled by the time your payment arrived, so there was nothing to pay ahead.',
  lease_closed: 'The lease had ended when your payment arrived.',
  link_withdrawn: 'The link that you paid by had been withdrawn by the time your payment arrived.',
  review_refused: 'What was charged was not what you agreed to.',
}

/** Paid meanwhile was one of several units: the others may still be due. */
const oneOfThemPaid =
  'One of the units had been paid for meanwhile, and a payment for several counts for all of them or for none. What is still due stands on My Units.'

export function refundReason(trouble: string | null, payer?: string): string {
  if (payer === 'units' && trouble === 'already_paid') return oneOfThemPaid
  return refundReasons[trouble ?? ''] ?? 'It could not be counted for what it was meant for.'
}

export const cardBrandCodes = {
  Visa: 'VI',
  Mastercard: 'MC',
  'American Express': 'AX',
  Discover: 'DC',
} as const

export type CardBrandCode = (typeof cardBrandCodes)[keyof typeof cardBrandCodes]

/** 'VISA', 'Master Card', 'AMEX' or a code itself → the storage system's code; null for a brand it does not know. */
export function cardBrandCode(brand: string): CardBrandCode | null {
  const bare = brand.replace(/[^a-z]/gi, '').toLowerCase()
  if (bare === 'visa' || bare === 'vi') return 'VI'
  if (bare === 'mastercard' || bare === 'mc') return 'MC'
  if (bare === 'americanexpress' || bare === 'amex' || bare === 'ax') return 'AX'
  if (bare === 'discover' || bare === 'dc') return 'DC'
  return null
}

/** '28' → 2028 (spec 1 §9). null unless two digits. */
export function expiryYear(twoDigits: string): number | null {
  return /^\d{2}$/.test(twoDigits) ? 2000 + Number(twoDigits) : null
}

/** ('6', '28') → '06/2028', the card's expiration date on the wire; '' unless month and year make sense. */
export function cardExpirationDate(month: string, twoDigitYear: string): string {
  const year = expiryYear(twoDigitYear)
  if (year === null || !/^(0?[1-9]|1[0-2])$/.test(month)) return ''
  return `${month.padStart(2, '0')}/${year}`
}

/** The card's address as the storage system takes it: at most 50 characters, no half of a surrogate pair at the cut. */
export function cardAddress(address: string): string {
  return address.slice(0, CARD_ADDRESS_MAX).replace(/[\ud800-\udbff]$/, '')
}

/** 'VI **** 1111'. */
export function cardLabel(brand: string, maskedNumber: string): string {
  return `${cardBrandCode(brand) ?? 'Card'} **** ${maskedNumber.replace(/\D/g, '').slice(-4)}`
}

/** 'Payment by VI **** 1111' → 'Payment by Visa ending 1111'; 'Checking ****6789' stays. */
export function labelInWords(label: string): string {
  return label.replace(/(\w+) \*{4} (\d{4})$/, (_, code: string, digits: string) => {
    const [brand = 'Card'] = Object.entries(cardBrandCodes).find(([, one]) => one === code) ?? []
    return `${brand} ending ${digits}`
  })
}

export const CARD_ADDRESS_MAX = 50
/** Failed tries after which the retry notice is shown and the payment method chosen again. */
export const PAYMENT_RETRY_LIMIT = 2
export const REFUND_TRIES = 12
/** Tries of a failed call, and the milliseconds between them. */
export const CALL_ATTEMPTS = 3
export const CALL_RETRY_MS = 3000
/** Seconds within which the same payment is the one whose answer was lost (spec 2 §4, §9); stated in Cancun time. */
export const ALREADY_PROCESSED_SECONDS = 35
export const ACH_ACCOUNT_TYPE = 'Checking'
export const ACH_PROCESSING_DAY = '1'
export const PREPAY_PERIODS_DEFAULT = 1
export const PREPAY_PERIODS_MAX = 12

export function retriesUsedUp(retries: number): boolean {
  return retries >= PAYMENT_RETRY_LIMIT
}

/** Whether the card fee is added: the location charges it, autopay is declined, and it is a card that pays. */
export function cardFeeApplies(facts: { ccFee: boolean; autopay: boolean; method: 'CC' | 'ACH' }): boolean {
  return facts.ccFee && !facts.autopay && facts.method === 'CC'
}
