/**
 * Numbers of receipts: the card provider's or the order's for online payments, the office's own at the counter. They
 * are stored as generated. The office's numbers and order ids are shown in groups of an alphabet without I, L, O
 * and U (Crockford's base 32).
 */

/** Returns the number of an online payment's receipt. */
export const receiptNumberOf = (payment: { receipt_id: string | null; order_id: string }): string =>
  payment.receipt_id || payment.order_id

/** Generates the number of a receipt of the office, such as RC7F00A21B44. */
export const generateReceiptNumber = (random: { hex(bytes: number): string }): string =>
  `RC${random.hex(5).toUpperCase()}`

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

const groupByFour = (text: string, separator: string): string => text.replace(/(.{4})(?=.)/g, `$1${separator}`)

/**
 * Returns a receipt number as it is shown: 'RC-FW0A-46T4' for RC7F00A21B44, 'LK-04HM-ASW9' for a whole order id that
 * begins with LK0123456789, and '2026 1120 07' for 7 or more digits. Other numbers stay unchanged.
 */
export function shownReceipt(number: string): string {
  const [, kind, hex] = /^(RC(?=.{10}$)|LK(?=.{24}(?:-|$)))([0-9A-F]{10})/.exec(number) ?? []
  if (kind && hex) {
    const bits = Number.parseInt(hex, 16)
    const symbols = Array.from({ length: 8 }, (_, index) => alphabet[Math.floor(bits / 32 ** (7 - index)) % 32])
    return `${kind}-${groupByFour(symbols.join(''), '-')}`
  }
  return /^\d{7,}$/.test(number) ? groupByFour(number, ' ') : number
}

/**
 * Returns whether a result of `typedReceipt` is the first 12 characters of an order id, which are all that a shown
 * receipt number has of it.
 */
export const isOrderStart = (number: string): boolean => /^LK[0-9A-F]{10}$/.test(number)

/**
 * Returns the stored number of a receipt, or the first 12 characters of an order id, from a typed receipt number. Any
 * other input is returned trimmed.
 */
export function typedReceipt(input: string): string {
  const normalized = input.replace(/[\s-]/g, '').toUpperCase()
  const [, kind, symbolText] = /^(RC|LK)([0-9A-Z]{8})$/.exec(normalized) ?? []
  if (!kind || !symbolText) return /^\d+$/.test(normalized) ? normalized : input.trim()
  const symbols = [...symbolText.replace(/O/g, '0').replace(/[IL]/g, '1')].map((symbol) => alphabet.indexOf(symbol))
  if (symbols.includes(-1)) return input.trim()
  const bits = symbols.reduce((sum, symbol) => sum * 32 + symbol, 0)
  return kind + bits.toString(16).toUpperCase().padStart(10, '0')
}
