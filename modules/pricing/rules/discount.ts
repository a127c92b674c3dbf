import type { Cents } from '../../../domain/money.ts'
import { taxOn } from '../../../domain/sales-tax.ts'
import { firstMonthFree } from '../texts/first-month-free.ts'

/** A discount of the first period's rent. */
export interface Discount {
  id: number
  description: string
  /**
   * Amount of the discount: for type 1 hundredths of a percent (10000 = 100.00 %), otherwise the fixed price of the
   * first period in cents.
   */
  amount: number
  type: number
}

type Flag = boolean | 0 | 1

/** Returns whether the discount is First Month Free, which requires autopay: 100.00 percent, or that name. */
export function isFirstMonthFree(discount: Discount | null): boolean {
  if (!discount) return false
  if (discount.type === 1 && discount.amount === 10_000) return true
  return discount.description.trim().toLowerCase() === firstMonthFree.toLowerCase()
}

/** Returns the reduction of the first period's rent, in cents, between 0 and the whole rent. */
export function discountValue(firstPeriodRent: Cents, discount: Discount | null): Cents {
  if (!discount) return 0
  if (isFirstMonthFree(discount)) return firstPeriodRent
  // A percentage has the unit of a tax rate, so `taxOn` calculates and rounds it.
  const value = discount.type === 1 ? taxOn(firstPeriodRent, discount.amount) : firstPeriodRent - discount.amount
  return Math.min(Math.max(value, 0), firstPeriodRent)
}

/**
 * Returns the first discount that is displayable, revenue-managed and available; null when none is (GetAllDiscounts).
 */
export function pickDiscount<Row extends { displayable: Flag; revenue_managed: Flag; available: Flag }>(
  rows: readonly Row[],
): Row | null {
  return rows.find((row) => row.displayable && row.revenue_managed && row.available) ?? null
}

/**
 * Returns the discount that applies: null for First Month Free while autopay is off, otherwise `discount`. On the wire,
 * null is discount id 0.
 */
export function discountWithAutopay(discount: Discount | null, autopay: boolean): Discount | null {
  return !autopay && isFirstMonthFree(discount) ? null : discount
}
