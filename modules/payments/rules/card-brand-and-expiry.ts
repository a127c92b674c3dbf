import { CARD_ADDRESS_MAX } from '../../../domain/field-lengths.ts'

const cardBrandCodes = {
  Visa: 'VI',
  Mastercard: 'MC',
  'American Express': 'AX',
  Discover: 'DC',
} as const

export type CardBrandCode = (typeof cardBrandCodes)[keyof typeof cardBrandCodes]

/**
 * Returns the code of a card brand for the API and for card labels; null for an unknown brand.
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

/** Formats a card's expiration date for the API, ('6', '28') → '06/2028'; '' when month or year is invalid. */
export function cardExpirationDate(month: string, twoDigitYear: string): string {
  const year = expiryYear(twoDigitYear)
  if (year === null || !/^(0?[1-9]|1[0-2])$/.test(month)) return ''
  return `${month.padStart(2, '0')}/${year}`
}

/** Cuts a card's address to the 50 characters that are stored, without splitting a surrogate pair. */
export function cardAddress(address: string): string {
  return address.slice(0, CARD_ADDRESS_MAX).replace(/[\ud800-\udbff]$/, '')
}

/** Formats a card's label, such as 'VI **** 1111'. */
export function cardLabel(brand: string, maskedNumber: string): string {
  return `${cardBrandCode(brand) ?? 'Card'} **** ${maskedNumber.replace(/\D/g, '').slice(-4)}`
}

/** Spells out a card label at a text's end: 'Payment by VI **** 1111' → 'Payment by Visa ending 1111'. */
export function spellOutCardLabel(label: string): string {
  return label.replace(/(\w+) \*{4} (\d{4})$/, (_, code: string, digits: string) => {
    const [brand = 'Card'] = Object.entries(cardBrandCodes).find(([, brandCode]) => brandCode === code) ?? []
    return `${brand} ending ${digits}`
  })
}
