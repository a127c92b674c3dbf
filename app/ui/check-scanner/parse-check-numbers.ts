import { isRoutingNumber } from '../../../domain/bank-account-numbers-and-return-reasons.ts'

/** Confidence, 0 to 100, that the reading of a MICR line must exceed. */
export const MIN_CONFIDENCE = 45
/**
 * Share of the way from the darkest ink to the paper's brightness above which a pixel of a check counts as white.
 */
export const WHITE_THRESHOLD = 0.6
/** Minimum number of digits in the whole line (spec 1 §5). */
const MIN_DIGITS = 19

export interface CheckNumbers {
  routingNumber: string
  accountNumber: string
}

/**
 * Reads routing and account number from a line of E-13B characters.
 * @param text digits, ⑆ transit, ⑈ On-Us, ⑉ dash, ⑇ amount, spaces, `?` for unreadable characters
 * @param confidence 0 to 100
 * @returns null unless the routing number between its symbols precedes an account number of 4 to 19 digits and dashes
 *   with its symbol, the check digit is right, the line has at least 19 digits and `confidence` is above `MIN_CONFIDENCE`
 */
export function readCheck(text: string, confidence: number): CheckNumbers | null {
  if (text.replace(/\D/g, '').length < MIN_DIGITS || !(confidence > MIN_CONFIDENCE)) return null
  const fields = /⑆(\d{9})⑆ ?([\d⑉]{4,19})⑈/.exec(text)
  if (!fields?.[1] || !fields[2] || !isRoutingNumber(fields[1])) return null
  return { routingNumber: fields[1], accountNumber: fields[2].replace(/⑉/g, '') }
}
