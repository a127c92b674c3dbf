import { CARD_ADDRESS_MAX } from './field-lengths.ts'

export const cardBrandCodes = {
  Visa: 'VI',
  Mastercard: 'MC',
  'American Express': 'AX',
  Discover: 'DC',
} as const

export type CardBrandCode = (typeof cardBrandCodes)[keyof typeof cardBrandCodes]

/**
 * Returns the storage system's code of a card brand; null for an unknown brand.
 * @param brand 'VISA', 'Master Card', 'AMEX' or a code itself
 */
export function cardBrandCode(brand: string): CardBrandCode | null {
  const bare = brand.replace(/[^a-z]/gi, '').toLowerCase()
  if (bare === 'visa' || bare === 'vi') return 'VI'
  if (bare === 'mastercard' || bare === 'mc') return 'MC'
  if (bare === 'americanexpress' || bare === 'amex' || bare === 'ax') return 'AX'
  if (bare === 'discover' || bare === 'dc') return 'DC'
  return null
}

/** Returns the full year, '28' → 2028 (spec 1 §9); null unless two digits. */
export function expiryYear(twoDigits: string): number | null {
  return /^\d{2}$/.test(twoDigits) ? 2000 + Number(twoDigits) : null
}

/** Formats a card's expiration date for the wire, ('6', '28') → '06/2028'; '' when month or year is invalid. */
export function cardExpirationDate(month: string, twoDigitYear: string): string {
  const year = expiryYear(twoDigitYear)
  if (year === null || !/^(0?[1-9]|1[0-2])$/.test(month)) return ''
  return `${month.padStart(2, '0')}/${year}`
}

/** Cuts a card's address to the storage system's 50 characters, without splitting a surrogate pair. */
export function cardAddress(address: string): string {
  return address.slice(0, CARD_ADDRESS_MAX).replace(/[\ud800-\udbff]$/, '')
}

/** Formats a card's label, such as 'VI **** 1111'. */
export function cardLabel(brand: string, maskedNumber: string): string {
  return `${cardBrandCode(brand) ?? 'Card'} **** ${maskedNumber.replace(/\D/g, '').slice(-4)}`
}

/** Replaces a card label within a text: 'Payment by VI **** 1111' → 'Payment by Visa ending 1111'. Bank labels stay. */
export function spellOutCardLabel(label: string): string {
  return label.replace(/(\w+) \*{4} (\d{4})$/, (_, code: string, digits: string) => {
    const [brand = 'Card'] = Object.entries(cardBrandCodes).find(([, one]) => one === code) ?? []
    return `${brand} ending ${digits}`
  })
}

/** Failed attempts after which the retry notice is shown and a payment method must be chosen again. */
export const PAYMENT_RETRY_LIMIT = 2
/** Attempts of a failed call; `CALL_RETRY_MS` is the pause between them. */
export const CALL_ATTEMPTS = 3
export const CALL_RETRY_MS = 3000
/**
 * Seconds within which a repeated payment counts as the one whose response was lost (spec 2 §4, §9), in Cancun time.
 */
export const ALREADY_PROCESSED_SECONDS = 35
export const ACH_ACCOUNT_TYPE = 'Checking'
export const ACH_PROCESSING_DAY = '1'
export const PREPAY_PERIODS_DEFAULT = 1
export const PREPAY_PERIODS_MAX = 12

export function retriesUsedUp(retries: number): boolean {
  return retries >= PAYMENT_RETRY_LIMIT
}

/** Returns whether the card fee applies: the facility charges it, autopay is declined, and the payment is by card. */
export function cardFeeApplies(facts: { ccFee: boolean; autopay: boolean; method: 'CC' | 'ACH' }): boolean {
  return facts.ccFee && !facts.autopay && facts.method === 'CC'
}
