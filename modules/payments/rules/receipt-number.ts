/**
 * Numbers of receipts: the card provider's or the order's for online payments, the office's own at the counter. They are
 * stored as they were made, and shown in groups of an alphabet without I, L, O and U (Crockford's base 32).
 */

/** Returns the number of an online payment's receipt. */
export const receiptNumberOf = (payment: { receipt_id: string | null; order_id: string }): string =>
  payment.receipt_id || payment.order_id

/** Draws the number of a receipt of the office, such as RC7F00A21B44. */
export const generateReceiptNumber = (random: { hex(bytes: number): string }): string =>
  `RC${random.hex(5).toUpperCase()}`

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

const inFours = (text: string, between: string): string => text.replace(/(.{4})(?=.)/g, `$1${between}`)

/**
 * Returns a receipt's number to read and to say: 'RC-FW0A-46T4' for RC7F00A21B44, likewise the beginning of an order's
 * number, and '2026 1120 07' for digits. Other numbers stay as they are.
 */
export function shownReceipt(number: string): string {
  const [, kind, hex] = /^(RC(?=.{10}$)|LK(?=.{24}(?:-|$)))([0-9A-F]{10})/.exec(number) ?? []
  if (kind && hex) {
    const bits = Number.parseInt(hex, 16)
    const symbols = Array.from({ length: 8 }, (_, at) => alphabet[Math.floor(bits / 32 ** (7 - at)) % 32])
    return `${kind}-${inFours(symbols.join(''), '-')}`
  }
  return /^\d{7,}$/.test(number) ? inFours(number, ' ') : number
}

/** Returns whether a number is the beginning of an order's that `shownReceipt` shows. */
export const isOrderStart = (number: string): boolean => /^LK[0-9A-F]{10}$/.test(number)

/** Returns the stored number, or its beginning, of a number that a person typed from a receipt. */
export function typedReceipt(typed: string): string {
  const bare = typed.replace(/[\s-]/g, '').toUpperCase()
  const [, kind, rest] = /^(RC|LK)([0-9A-Z]{8})$/.exec(bare) ?? []
  if (!kind || !rest) return /^\d+$/.test(bare) ? bare : typed.trim()
  const symbols = [...rest.replace(/O/g, '0').replace(/[IL]/g, '1')].map((symbol) => alphabet.indexOf(symbol))
  if (symbols.includes(-1)) return typed.trim()
  const bits = symbols.reduce((sum, symbol) => sum * 32 + symbol, 0)
  return kind + bits.toString(16).toUpperCase().padStart(10, '0')
}
