import { formatUs } from '../../domain/plain-date.ts'
import { PREPAY_PERIODS_MAX } from '../../domain/prepaid-period-limits.ts'
import type { PayableLease } from '../../modules/leases/views/rented-units-of-tenant.ts'
import { access24Hour } from '../../modules/move-in/texts/move-in.ts'
import { isNumericUnit } from '../../modules/payments/rules/is-numeric-unit-number.ts'
import { offeredPayment } from '../../modules/payments/rules/offer-dues-or-prepay.ts'

/** Payment choices of a lease as a page shows them: sums in cents, dates as text. */
export type PayOffer = ReturnType<typeof payOffer>

/**
 * Builds the payment choices of a lease.
 * @param periods prepaid periods from the address; anything but 1 to 12 counts as 1
 */
export function payOffer(payable: PayableLease, periods: string | null) {
  const { unit, quotes } = payable
  return {
    pays: offeredPayment(unit.balance),
    blocked: payable.blocked,
    balance: unit.balance,
    quotes: quotes.map((quote) => ({
      periods: quote.prePayPeriods,
      rent: quote.rent,
      insurance: quote.insurance,
      fees: quote.lines.flatMap(({ kind, label, cents }) =>
        kind === 'access' ? [{ label: access24Hour, cents }] : kind === 'fee' ? [{ label, cents }] : [],
      ),
      discount: quote.discount,
      tax: quote.tax,
      total: quote.total,
      from: formatUs(quote.periodStart),
      to: formatUs(quote.periodEnd),
    })),
    periods: periodsOf(periods),
    /** Card fee with its tax, in cents; null when a card payment would have none, as with autopay on. */
    cardFee: payable.cardFee,
    numericUnit: isNumericUnit(unit.unitNumber),
    /** False when autopay is on or a move-out is scheduled. */
    asksAutopay: !unit.autopay && unit.scheduledMoveOut === null,
  }
}

/** Parses a number of periods: 1 to 12, and 1 for anything else. */
export function periodsOf(text: string | null | undefined): number {
  const periods = /^\d{1,2}$/.test(text ?? '') ? Number(text) : 1
  return periods >= 1 && periods <= PREPAY_PERIODS_MAX ? periods : 1
}
