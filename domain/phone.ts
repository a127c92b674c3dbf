/**
 * Removes punctuation and the country code +1: '(404) 555-0114', '+1 404-555-0114' → '4045550114'. Other characters
 * stay and are refused later.
 */
export function normalizePhone(text: string): string {
  return (
    text
      // Some keyboards type full-width digits and signs.
      .normalize('NFKC')
      .trim()
      .replace(/^\+1/, '')
      .replace(/[\s().\-\u2010-\u2014]/g, '')
  )
}

/** Formats ten digits: '4045550114' → '(404) 555-0114'. Other texts are returned unchanged. */
export function formatPhone(digits: string): string {
  return digits.replace(/^(\d{3})(\d{3})(\d{4})$/, '($1) $2-$3')
}

/** Returns the last four digits of a phone number; '' if it has fewer. */
export function lastFour(phone: string): string {
  const digits = phone.replace(/\D/g, '')
  return digits.length < 4 ? '' : digits.slice(-4)
}
