import type { Cents } from '../../../domain/money.ts'
import { daysBetween, type IsoDate } from '../../../domain/plain-date.ts'
import { auctionPrepped, over70Days } from '../../../domain/texts/payment.ts'

/** A paid-through date older than this many days blocks paying online. */
export const DELINQUENCY_DAYS = 70

export type PaymentBlock = 'auction_prepped' | 'over_70_days'

/** Why a unit cannot be paid for online; null where it can. @param lease paidThrough is the last day paid for */
export function paymentBlock(
  lease: { auctionPrepped: boolean; paidThrough: IsoDate },
  today: IsoDate,
): PaymentBlock | null {
  if (lease.auctionPrepped) return 'auction_prepped'
  return daysBetween(lease.paidThrough, today) > DELINQUENCY_DAYS ? 'over_70_days' : null
}

export function paymentBlockText(block: PaymentBlock, phone: string): string {
  return block === 'auction_prepped' ? auctionPrepped(phone) : over70Days(phone)
}

/** A balance of zero or less is offered the next month's rent; above it the current dues are paid. */
export function prepayOrDues(balance: Cents): 'prepay' | 'dues' {
  return balance <= 0 ? 'prepay' : 'dues'
}

/** The overlock's combination is shown when there is one (not blank, not 0000) and the lease is Current or Pre-Paid. */
export function showsComboCode(lease: { comboCode: string; status: string }): boolean {
  const code = lease.comboCode.trim()
  return code !== '' && code !== '0000' && (lease.status === 'Current' || lease.status === 'Pre-Paid')
}

/** Digits only: a normal unit. Others (parking bays and the like) get the prompt titled 'Enable Autopay?'. */
export function isNumericUnit(unitNumber: string): boolean {
  return /^\d+$/.test(unitNumber)
}
