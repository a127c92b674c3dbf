/** Bank account numbers as typed or read from a cheque. */

/** The digits of a number typed with spaces or dashes; other characters stay, to be refused. */
export function bareNumber(text: string): string {
  return text.replace(/[\s-]/g, '')
}

/**
 * Whether nine digits are an ABA routing number: the weighted sum 3-7-1 is a multiple of ten, and the first two digits
 * are of a range that is given out (government 00, Federal Reserve 01–12, thrift 21–32, electronic 61–72, cheques 80).
 */
export function isRoutingNumber(digits: string): boolean {
  if (!/^\d{9}$/.test(digits) || digits === '000000000') return false
  const district = Number(digits.slice(0, 2))
  const given =
    district <= 12 || (district >= 21 && district <= 32) || (district >= 61 && district <= 72) || district === 80
  const weights = [3, 7, 1, 3, 7, 1, 3, 7, 1]
  const sum = weights.reduce((total, weight, at) => total + weight * Number(digits[at]), 0)
  return given && sum % 10 === 0
}

/** Account numbers have 4 to 17 digits (the field of an ACH entry holds 17). */
export function isAccountNumber(digits: string): boolean {
  return /^\d{4,17}$/.test(digits)
}

/** '****6789' */
export function maskAccountNumber(digits: string): string {
  return `****${digits.slice(-4)}`
}
