/** Removes spaces and dashes from a typed bank number. Other characters stay and are refused later. */
export function stripSeparators(text: string): string {
  return text.replace(/[\s-]/g, '')
}

/** Returns whether the digits are an ABA routing number: nine digits with an assigned prefix and the 3-7-1 checksum. */
export function isRoutingNumber(digits: string): boolean {
  if (!/^\d{9}$/.test(digits) || digits === '000000000') return false
  const district = Number(digits.slice(0, 2))
  const hasAssignedPrefix =
    district <= 12 || (district >= 21 && district <= 32) || (district >= 61 && district <= 72) || district === 80
  const weights = [3, 7, 1, 3, 7, 1, 3, 7, 1]
  const sum = weights.reduce((total, weight, at) => total + weight * Number(digits[at]), 0)
  return hasAssignedPrefix && sum % 10 === 0
}

/** Returns whether the digits can be an account number: at least 4, and at most 17 as in the field of an ACH entry. */
export function isAccountNumber(digits: string): boolean {
  return /^\d{4,17}$/.test(digits)
}

/** Masks an account number: '123456789' → '****6789'. */
export function maskAccountNumber(digits: string): string {
  return `****${digits.slice(-4)}`
}

const returnReasons: Record<string, { short: string; what: string }> = {
  R01: { short: 'insufficient funds', what: 'There was not enough money in the account.' },
  R02: { short: 'account closed', what: 'The account is closed.' },
  R03: { short: 'no such account', what: 'The bank found no such account.' },
  R04: { short: 'account number not valid', what: 'The account number is not valid at that bank.' },
  R05: { short: 'not authorized', what: 'The bank was told that the payment was not authorized.' },
  R07: { short: 'authorization revoked', what: 'The authorization was taken back at the bank.' },
  R08: { short: 'payment stopped', what: 'The payment was stopped at the bank.' },
  R09: { short: 'uncollected funds', what: 'The money in the account was not available yet.' },
  R10: { short: 'not authorized', what: 'The bank was told that the payment was not authorized.' },
  R16: { short: 'account frozen', what: 'The account is frozen.' },
  R20: { short: 'not a transaction account', what: 'Payments cannot be taken from an account of that kind.' },
  R29: { short: 'not authorized', what: 'The company that owns the account does not allow such payments.' },
}

/** Returns a bank return code's meaning: a short text such as 'insufficient funds', and a sentence for the payer. */
export function returnReason(code: string): { short: string; what: string } {
  return returnReasons[code] ?? { short: 'returned', what: 'The bank gave no reason that we can name.' }
}
