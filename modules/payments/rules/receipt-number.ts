/** Numbers of receipts: the card provider's or the order's for online payments, the office's own at the counter. */

/** Returns the number of an online payment's receipt. */
export const receiptNumberOf = (payment: { receipt_id: string | null; order_id: string }): string =>
  payment.receipt_id || payment.order_id

/** Draws the number of a receipt of the office, such as RC7F00A21B44. */
export const drawReceiptNumber = (random: { hex(bytes: number): string }): string => `RC${random.hex(5).toUpperCase()}`
