/**
 * Calculates the prices of move-ins and billing periods (spec 1 §9). The rent after its discount, the insurance and each
 * fee are taxed separately, with half cents rounded up.
 */

import { type Cents, format } from '../../../domain/money.ts'
import { addDays, daysBetween, formatUs, type IsoDate } from '../../../domain/plain-date.ts'
import { PREPAY_PERIODS_MAX } from '../../../domain/prepaid-period-limits.ts'
import { requireValue } from '../../../domain/require-value.ts'
import { formatRate, type TaxRate, taxOn } from '../../../domain/sales-tax.ts'
import { cardProcessingFee } from '../../../domain/texts/payment.ts'
import { fee24HourAccess } from '../texts/full-day-access-fee-name.ts'
import { type Discount, discountValue, isFirstMonthFree } from './discount.ts'
import { PERIOD_DAYS } from './fixed-billing-period-length.ts'

/** A line of a price, in cents; negative for a discount. */
export interface ChargeLine {
  kind: 'rent' | 'discount' | 'insurance' | 'fee' | 'access' | 'card_fee' | 'tax'
  taxOf?: 'rent' | 'insurance' | 'fee'
  feeId?: number
  label: string
  explain: string
  cents: Cents
}

/** A fee with its amount in cents, before tax. */
export interface Fee {
  feeId: number
  description: string
  amount: Cents
}

/** Chosen insurance scheme, with its premium in cents for a period. */
export interface Coverage {
  schemeId: number
  name: string
  premium: Cents
}

/** A facility's tax rates. */
export interface TaxRates {
  rent: TaxRate
  insurance: TaxRate
  fee: TaxRate
}

/** A scheduled rent, which applies to each period that begins on `from` or later. */
export interface ScheduledRent {
  rent: Cents
  from: IsoDate
}

/** Facts from which the charges of a lease's period are calculated. */
export interface PeriodInput {
  rent: Cents
  /** Scheduled rent change, if any. */
  coming?: ScheduledRent | null
  insurance: Coverage | null
  /** Recurring fees, without the 24-hour access fee. */
  periodFees: readonly Fee[]
  access24: { feeId: number; amount: Cents } | null
  /** Card fee of one card payment without autopay; null when none applies. */
  cardFee: { feeId: number; amount: Cents } | null
  taxRates: TaxRates
  periodStart: IsoDate
}

/** Facts from which the price of a move-in is calculated. */
export interface ChargeInput extends Omit<PeriodInput, 'periodStart' | 'coming'> {
  streetRent: Cents
  discount: Discount | null
  moveInFees: readonly Fee[]
  moveInDate: IsoDate
}

interface Totals {
  insurance: { amount: Cents; tax: Cents }
  /** Sum of all fees, including 24-hour access and card fee. Descriptions are joined by ', '. */
  fees: { amount: Cents; tax: Cents; description: string }
}

/** Price of a period without discount and move-in fees. Amounts in cents. */
export interface PeriodCharges extends Totals {
  lines: ChargeLine[]
  total: Cents
  rent: { amount: Cents; tax: Cents }
  periodStart: IsoDate
  /** Last day of the period, 29 days after its start. */
  periodEnd: IsoDate
}

/** Price of a move-in: the amount due today, and of each later period. Amounts in cents. */
export interface Charges extends Totals {
  lines: ChargeLine[]
  dueToday: Cents
  /** Rent with `tax` on the amount less discount. */
  rent: { amount: Cents; tax: Cents; discount: Cents }
  discountDescription: string
  periodStart: IsoDate
  periodEnd: IsoDate
  nextBilling: IsoDate
  /** Lines of each later period, billed every 30 days. */
  thenLines: ChargeLine[]
  thenPerPeriod: Cents
  /**
   * Card fee with its tax, included in `dueToday` and `thenPerPeriod`; 0 for none. It is charged with each card payment
   * rather than by billing.
   */
  cardFeeEach: Cents
}

const feeLine = (
  kind: ChargeLine['kind'],
  { feeId, amount }: Pick<Fee, 'feeId' | 'amount'>,
  label: string,
  explain: string,
): ChargeLine => ({ kind, feeId, label, explain, cents: amount })

function feeLines(
  { periodFees, access24, cardFee }: Pick<PeriodInput, 'periodFees' | 'access24' | 'cardFee'>,
  moveInFees: readonly Fee[],
): ChargeLine[] {
  const opensAlways = 'Your gate code works day and night. Charged every 30 days.'
  const eachCardPayment = 'For each card payment made without autopay.'
  return [
    ...moveInFees.map((fee) => feeLine('fee', fee, fee.description, 'Charged once, when you move in.')),
    ...periodFees.map((fee) => feeLine('fee', fee, fee.description, 'Charged every 30 days.')),
    ...(access24 ? [feeLine('access', access24, fee24HourAccess, opensAlways)] : []),
    ...(cardFee ? [feeLine('card_fee', cardFee, cardProcessingFee, eachCardPayment)] : []),
  ]
}

function taxLine(taxOf: NonNullable<ChargeLine['taxOf']>, rate: TaxRate, cents: Cents): ChargeLine[] {
  if (cents === 0) return []
  const taxed = taxOf === 'fee' ? 'fees' : taxOf
  return [{ kind: 'tax', taxOf, label: `Tax on ${taxed}`, explain: `${formatRate(rate)} on ${taxed}.`, cents }]
}

function sum(lines: readonly ChargeLine[]): Cents {
  return lines.reduce((total, line) => total + line.cents, 0)
}

/**
 * Returns the price lines and sums of one period, with its taxes.
 * @param discounts discount lines, with negative amounts
 */
function itemize(input: PeriodInput, moveInFees: readonly Fee[], discounts: ChargeLine[], rentExplain: string) {
  const { taxRates, insurance } = input
  const discount = -sum(discounts)
  for (const cents of [input.rent, input.rent - discount]) {
    if (!Number.isSafeInteger(cents) || cents < 0) throw new RangeError(`Not a rent: ${cents}`)
  }
  const fees = feeLines(input, moveInFees)
  const rentTax = taxOn(input.rent - discount, taxRates.rent)
  const insuranceTax = insurance ? taxOn(insurance.premium, taxRates.insurance) : 0
  const feeTax = fees.reduce((tax, fee) => tax + taxOn(fee.cents, taxRates.fee), 0)
  const lines: ChargeLine[] = [{ kind: 'rent', label: 'Rent', explain: rentExplain, cents: input.rent }, ...discounts]
  if (insurance) {
    lines.push({
      kind: 'insurance',
      label: insurance.name,
      explain: 'Insurance for what you store. Charged every 30 days.',
      cents: insurance.premium,
    })
  }
  lines.push(
    ...fees,
    ...taxLine('rent', taxRates.rent, rentTax),
    ...taxLine('insurance', taxRates.insurance, insuranceTax),
    ...taxLine('fee', taxRates.fee, feeTax),
  )
  return {
    lines,
    total: sum(lines),
    rentTax,
    insurance: { amount: insurance?.premium ?? 0, tax: insuranceTax },
    fees: { amount: sum(fees), tax: feeTax, description: fees.map((fee) => fee.label).join(', ') },
  }
}

/** Describes the period that begins on `start`: '30 days, 11/20/2026 to 12/19/2026'. */
function describePeriod(start: IsoDate): string {
  return `30 days, ${formatUs(start)} to ${formatUs(addDays(start, PERIOD_DAYS - 1))}`
}

/** Returns the rent of the period that begins on `periodStart`. */
const rentOfPeriod = ({ rent, coming, periodStart }: Pick<PeriodInput, 'rent' | 'coming' | 'periodStart'>): Cents =>
  coming && periodStart >= coming.from ? coming.rent : rent

/** Returns how many periods, of which the first starts at `periodStart`, begin before `day`. */
export const periodsBefore = (periodStart: IsoDate, day: IsoDate): number =>
  Math.max(0, Math.ceil(daysBetween(periodStart, day) / PERIOD_DAYS))

/** Returns the parts of the amount due today that are not 0: rent less discount, all fees, insurance, all taxes. */
export function dueTodayParts({ lines }: Pick<Charges, 'lines'>): { name: string; cents: Cents }[] {
  const linesOf = (...kinds: ChargeLine['kind'][]) => lines.filter(({ kind }) => kinds.includes(kind))
  const fees = linesOf('fee', 'access', 'card_fee')
  return [
    { name: 'rent', cents: sum(linesOf('rent', 'discount')) },
    { name: fees.length === 1 ? 'fee' : 'fees', cents: sum(fees) },
    { name: 'insurance', cents: sum(linesOf('insurance')) },
    { name: 'tax', cents: sum(linesOf('tax')) },
  ].filter(({ cents }) => cents !== 0)
}

/**
 * Returns the charges of one later period, without discount and move-in fees.
 * @throws RangeError for an amount that is negative or not whole cents
 */
export function periodCharges(input: PeriodInput): PeriodCharges {
  const rent = rentOfPeriod(input)
  const { lines, total, rentTax, insurance, fees } = itemize(
    { ...input, rent },
    [],
    [],
    `${describePeriod(input.periodStart)}.`,
  )
  return {
    lines,
    total,
    rent: { amount: rent, tax: rentTax },
    insurance,
    fees,
    periodStart: input.periodStart,
    periodEnd: addDays(input.periodStart, PERIOD_DAYS - 1),
  }
}

/**
 * Returns the charges of a move-in: the first period and each later one (spec 1 §3, §9).
 * @throws RangeError for an amount that is negative or not whole cents
 */
export function moveInCharges(input: ChargeInput): Charges {
  const start = input.moveInDate
  const discount = discountValue(input.rent, input.discount)
  const description = discount > 0 && input.discount ? input.discount.description : ''
  const discountLines: ChargeLine[] =
    discount > 0
      ? [
          {
            kind: 'discount',
            label: description || 'Discount',
            explain: isFirstMonthFree(input.discount)
              ? 'Your first 30 days of rent, with autopay on.'
              : 'Off the rent of your first 30 days.',
            cents: -discount,
          },
        ]
      : []
  const webRateNote = input.streetRent > input.rent ? ` Web rate; the street rate is ${format(input.streetRent)}.` : ''
  const { lines, total, rentTax, insurance, fees } = itemize(
    { ...input, periodStart: start },
    input.moveInFees,
    discountLines,
    `${describePeriod(start)}.${webRateNote}`,
  )
  const nextBilling = addDays(start, PERIOD_DAYS)
  const laterPeriod = periodCharges({ ...input, periodStart: nextBilling })
  return {
    lines,
    dueToday: total,
    rent: { amount: input.rent, tax: rentTax, discount },
    insurance,
    fees,
    discountDescription: description,
    periodStart: start,
    periodEnd: addDays(start, PERIOD_DAYS - 1),
    nextBilling,
    thenLines: laterPeriod.lines,
    thenPerPeriod: laterPeriod.total,
    cardFeeEach: input.cardFee ? input.cardFee.amount + taxOn(input.cardFee.amount, input.taxRates.fee) : 0,
  }
}

/** Price of paying periods ahead (spec 2 §3 "Prepay quote"): total = rent + insurance + fee − discount + tax. */
export interface PrepayQuote {
  prePayPeriods: number
  rent: Cents
  insurance: Cents
  fee: Cents
  discount: 0
  tax: Cents
  total: Cents
  lines: ChargeLine[]
  periodStart: IsoDate
  periodEnd: IsoDate
}

/**
 * Returns the price of paying 1 to `PREPAY_PERIODS_MAX` periods ahead. A card fee is charged once.
 * @throws RangeError for another number of periods, and for an amount that is negative or not whole cents
 */
export function prepayQuote(input: PeriodInput, periods = 1): PrepayQuote {
  if (!Number.isInteger(periods) || periods < 1 || periods > PREPAY_PERIODS_MAX)
    throw new RangeError(`Not 1 to ${PREPAY_PERIODS_MAX} periods: ${periods}`)
  const period = periodCharges({ ...input, cardFee: null })
  const { coming } = input
  // Number of periods before the scheduled new rent.
  const earlierCount = coming ? Math.min(periodsBefore(input.periodStart, coming.from), periods) : periods
  // Period at the scheduled new rent; null if no period or every period has the new rent.
  const later = earlierCount > 0 && earlierCount < periods ? chargesAfterPeriods(input, earlierCount) : null
  const sumOverPeriods = (firstCents: Cents, laterCents: Cents | undefined) =>
    later ? firstCents * earlierCount + (laterCents ?? 0) * (periods - earlierCount) : firstCents * periods
  const rent = sumOverPeriods(period.rent.amount, later?.rent.amount)
  const rentTax = sumOverPeriods(period.rent.tax, later?.rent.tax)
  const cardFee = input.cardFee?.amount ?? 0
  const cardTax = taxOn(cardFee, input.taxRates.fee)
  const lines = period.lines.map((line) => ({ ...line, cents: line.cents * periods }))
  if (later) splitRentLine(lines, { period, later, earlierCount, periods, rentTax })
  if (input.cardFee) {
    const taxAt = lines.findIndex((line) => line.kind === 'tax')
    lines.splice(taxAt < 0 ? lines.length : taxAt, 0, ...feeLines({ ...input, periodFees: [], access24: null }, []))
    const feeTax = lines.find((line) => line.taxOf === 'fee')
    if (feeTax) feeTax.cents += cardTax
    else lines.push(...taxLine('fee', input.taxRates.fee, cardTax))
  }
  return {
    prePayPeriods: periods,
    rent,
    insurance: period.insurance.amount * periods,
    fee: period.fees.amount * periods + cardFee,
    discount: 0,
    tax: rentTax + (period.insurance.tax + period.fees.tax) * periods + cardTax,
    total: sum(lines),
    lines,
    periodStart: input.periodStart,
    periodEnd: addDays(input.periodStart, periods * PERIOD_DAYS - 1),
  }
}

const chargesAfterPeriods = (input: PeriodInput, earlierCount: number): PeriodCharges =>
  periodCharges({ ...input, cardFee: null, periodStart: addDays(input.periodStart, earlierCount * PERIOD_DAYS) })

/**
 * Splits the rent line of several prepaid periods in two, and adjusts the rent tax, when the later periods have another
 * rent.
 */
function splitRentLine(
  lines: ChargeLine[],
  prepaid: { period: PeriodCharges; later: PeriodCharges; earlierCount: number; periods: number; rentTax: Cents },
): void {
  const { period, later, earlierCount, periods, rentTax } = prepaid
  const laterCount = periods - earlierCount
  const rentAt = lines.findIndex((line) => line.kind === 'rent')
  requireValue(lines[rentAt], 'line of the rent').cents = period.rent.amount * earlierCount
  lines.splice(rentAt + 1, 0, {
    kind: 'rent',
    label: `Rent from ${formatUs(later.periodStart)}`,
    explain: `${format(later.rent.amount)} for 30 days.`,
    cents: later.rent.amount * laterCount,
  })
  const tax = lines.find((line) => line.taxOf === 'rent')
  if (tax) tax.cents = rentTax
  else if (rentTax > 0) {
    const line = requireValue(
      later.lines.find((line) => line.taxOf === 'rent'),
      'line of the tax on the later rent',
    )
    const taxAt = lines.findIndex((line) => line.kind === 'tax')
    lines.splice(taxAt < 0 ? lines.length : taxAt, 0, { ...line, cents: rentTax })
  }
}
