import { daysBetween, type IsoDate } from '../../../domain/plain-date.ts'
import { auctionPrepped, over70Days } from '../../../domain/texts/payment.ts'

/** Days after the paid-through date beyond which a lease cannot be paid online. */
export const DELINQUENCY_DAYS = 70

export type PaymentBlock = 'auction_prepped' | 'over_70_days'

/**
 * Returns why a lease cannot be paid online; null if it can.
 * @param lease paidThrough: last day paid for
 */
export function paymentBlock(
  lease: { auctionPrepped: boolean; paidThrough: IsoDate },
  today: IsoDate,
): PaymentBlock | null {
  if (lease.auctionPrepped) return 'auction_prepped'
  return daysBetween(lease.paidThrough, today) > DELINQUENCY_DAYS ? 'over_70_days' : null
}

/**
 * Returns the specified sentence for a lease that cannot be paid online.
 * @param phone formatted number to call
 */
export function paymentBlockText(block: PaymentBlock, phone: string): string {
  return block === 'auction_prepped' ? auctionPrepped(phone) : over70Days(phone)
}
