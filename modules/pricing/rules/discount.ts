import { type Cents, taxOn } from '../../../domain/money.ts'
import { firstMonthFree } from '../../reservations/texts/reserve.ts'

export interface Discount {
  id: number
  description: string
  /** Type 1: hundredths of a percent (10000 = 100.00 %). Any other type: the fixed price of the first period in cents. */
  amount: number
  type: number
}

type Flag = boolean | 0 | 1

/** 100.00 percent, or the name: free for the first 30 days, and bound to autopay. */
export function isFirstMonthFree(discount: Discount | null): boolean {
  if (!discount) return false
  if (discount.type === 1 && discount.amount === 10_000) return true
  return discount.description.trim().toLowerCase() === firstMonthFree.toLowerCase()
}

/** What the discount takes off the first period's rent: from 0 to the whole rent, in cents. */
export function discountValue(firstPeriodRent: Cents, discount: Discount | null): Cents {
  if (!discount) return 0
  if (isFirstMonthFree(discount)) return firstPeriodRent
  const value = discount.type === 1 ? taxOn(firstPeriodRent, discount.amount) : firstPeriodRent - discount.amount
  return Math.min(Math.max(value, 0), firstPeriodRent)
}

/** The first record that is displayable, revenue-managed and available; null where none is (GetAllDiscounts). */
export function pickDiscount<Row extends { displayable: Flag; revenue_managed: Flag; available: Flag }>(
  rows: readonly Row[],
): Row | null {
  return rows.find((row) => row.displayable && row.revenue_managed && row.available) ?? null
}

/** Turning autopay off drops First Month Free (null: discount id 0); other discounts stay. */
export function withAutopay(discount: Discount | null, autopay: boolean): Discount | null {
  return !autopay && isFirstMonthFree(discount) ? null : discount
}
