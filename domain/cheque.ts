/** The rule by which a photographed cheque fills the bank fields (spec 1 §5, spec 2 §9). */

/** Recognition confidence, 0 to 100, must exceed this. */
export const CHEQUE_CONFIDENCE = 45
/** Share of full brightness above which a pixel counts as white. */
export const CHEQUE_THRESHOLD = 0.6
/** The only characters the recogniser may read. */
export const CHEQUE_CHARACTERS = '0123456789'
const fewestDigits = 19

/**
 * The first 9 digits are the routing number, the next 9 the account number; null while fewer than 19 digits were read or
 * the recogniser was not sure enough. @param confidence 0 to 100
 */
export function readCheque(text: string, confidence: number): { routingNumber: string; accountNumber: string } | null {
  const digits = text.replace(/\D/g, '')
  if (digits.length < fewestDigits || !(confidence > CHEQUE_CONFIDENCE)) return null
  return { routingNumber: digits.slice(0, 9), accountNumber: digits.slice(9, 18) }
}
