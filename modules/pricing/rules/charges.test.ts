import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { taxOn } from '../../../domain/sales-tax.ts'
import {
  type ChargeInput,
  type ChargeLine,
  dueTodayParts,
  moveInCharges,
  periodCharges,
  prepayQuote,
} from './charges.ts'
import { cheapestScheme, priceAssumptions } from './price-assumptions.ts'

const plain: ChargeInput = {
  streetRent: 15_900,
  rent: 13_900,
  discount: null,
  insurance: { schemeId: 3, name: 'Shield 2000', premium: 1_400 },
  moveInFees: [{ feeId: 1, description: 'Admin Fee', amount: 2_500 }],
  periodFees: [],
  access24: null,
  cardFee: null,
  taxRates: { rent: 890, insurance: 0, fee: 700 },
  moveInDate: '2026-11-20',
}
const halfOff = { id: 5, description: '50% off', amount: 5_000, type: 1 }
const firstMonthFree = { id: 6, description: 'First Month Free', amount: 10_000, type: 1 }

const sum = (lines: readonly Pick<ChargeLine, 'cents'>[]) => lines.reduce((total, line) => total + line.cents, 0)

describe('the amount due on the day of the move-in', () => {
  test('contains rent, insurance and fees with their taxes', () => {
    const charges = moveInCharges(plain)
    expect(charges.lines.map(({ label, cents }) => [label, cents])).toEqual([
      ['Rent', 13_900],
      ['Shield 2000', 1_400],
      ['Admin Fee', 2_500],
      ['Tax on rent', 1_237],
      ['Tax on fees', 175],
    ])
    expect(charges.dueToday).toBe(19_212)
    expect(charges.lines[0]?.explain).toContain('the street rate is $159.00')
    expect(charges).toMatchObject({ periodStart: '2026-11-20', periodEnd: '2026-12-19', nextBilling: '2026-12-20' })
  })

  test('is followed by periods without move-in fee and discount', () => {
    const charges = moveInCharges({ ...plain, discount: halfOff })
    expect(charges.thenLines.map((line) => line.label)).toEqual(['Rent', 'Shield 2000', 'Tax on rent'])
    expect(charges.thenPerPeriod).toBe(13_900 + 1_400 + 1_237)
  })

  test('taxes the rent after the discount', () => {
    const charges = moveInCharges({ ...plain, discount: halfOff })
    expect(charges.rent).toEqual({ amount: 13_900, tax: 619, discount: 6_950 })
    expect(charges.discountDescription).toBe('50% off')
    expect(charges.dueToday).toBe(13_900 - 6_950 + 1_400 + 2_500 + 619 + 175)
  })

  test('is split into few parts: without rent if it is free, and with "fees" for several fees', () => {
    const partsOf = (input: ChargeInput) =>
      dueTodayParts(moveInCharges(input)).map(({ name, cents }) => `${cents} ${name}`)
    expect(partsOf({ ...plain, discount: halfOff })).toEqual(['6950 rent', '2500 fee', '1400 insurance', '794 tax'])
    expect(partsOf({ ...plain, discount: firstMonthFree })).toEqual(['2500 fee', '1400 insurance', '175 tax'])
    const access24 = { feeId: 2, amount: 2_000 }
    expect(partsOf({ ...plain, access24 })[1]).toBe('4500 fees')
  })

  test('is 0.00 for First Month Free with an own policy and no fee', () => {
    const charges = moveInCharges({ ...plain, discount: firstMonthFree, insurance: null, moveInFees: [] })
    expect(charges.dueToday).toBe(0)
    expect(charges.lines.map((line) => line.kind)).toEqual(['rent', 'discount'])
  })

  test('treats 24-hour access and card fee as fees, and taxes them so', () => {
    const without = moveInCharges(plain)
    const charges = moveInCharges({
      ...plain,
      access24: { feeId: 24, amount: 2_000 },
      cardFee: { feeId: 2, amount: 200 },
    })
    expect(charges.fees).toEqual({
      amount: 4_700,
      tax: 329,
      description: 'Admin Fee, 24 Hour Access Fee, Credit Card Processing Fee',
    })
    expect(charges.dueToday - without.dueToday).toBe(2_000 + 140 + 200 + 14)
    expect(charges.thenPerPeriod - without.thenPerPeriod).toBe(2_000 + 140 + 200 + 14)
  })

  test('shows no discount that takes nothing off', () => {
    const charges = moveInCharges({ ...plain, discount: { id: 9, description: 'For 200', amount: 20_000, type: 2 } })
    expect(charges.lines.some((line) => line.kind === 'discount')).toBe(false)
    expect(charges.discountDescription).toBe('')
  })

  test('throws for a rent that is negative or not in whole cents', () => {
    expect(() => moveInCharges({ ...plain, rent: 139.5 })).toThrow(RangeError)
    expect(() => periodCharges({ ...plain, rent: -1, periodStart: '2026-11-20' })).toThrow(RangeError)
  })
})

describe('paying ahead', () => {
  const input = { ...plain, periodFees: [{ feeId: 4, description: 'Lock', amount: 333 }], periodStart: '2027-01-19' }

  test('costs for one period what the period costs', () => {
    const quote = prepayQuote(input)
    expect(quote.total).toBe(periodCharges(input).total)
    expect(quote).toMatchObject({ prePayPeriods: 1, discount: 0, periodEnd: '2027-02-17' })
  })

  test('charges a card fee for one payment only', () => {
    const cardFee = { feeId: 2, amount: 200 }
    const three = prepayQuote({ ...input, cardFee }, 3)
    expect(three.total).toBe(periodCharges(input).total * 3 + 214)
    expect(sum(three.lines)).toBe(three.total)
    expect(three.periodEnd).toBe('2027-04-18')
    const untaxed = prepayQuote({ ...input, periodFees: [], cardFee, taxRates: { rent: 0, insurance: 0, fee: 700 } })
    expect(untaxed.lines.map((line) => line.kind)).toEqual(['rent', 'insurance', 'card_fee', 'tax'])
    expect(sum(untaxed.lines)).toBe(untaxed.total)
  })

  test('is refused for other than 1 to 12 whole periods', () => {
    for (const periods of [0, -1, 1.5, 13]) expect(() => prepayQuote(input, periods)).toThrow(RangeError)
  })
})

const cents = fc.integer({ min: 0, max: 200_000 })
const rate = fc.integer({ min: 0, max: 2_500 })
const fee = fc.record({ feeId: fc.nat(99), description: fc.string({ maxLength: 10 }), amount: cents })
const anyInput: fc.Arbitrary<ChargeInput> = fc.record({
  streetRent: cents,
  rent: cents,
  discount: fc.option(
    fc.record({
      id: fc.nat(99),
      description: fc.constantFrom('First Month Free', 'Half off', ''),
      amount: fc.integer({ min: 0, max: 20_000 }),
      type: fc.constantFrom(1, 2),
    }),
  ),
  insurance: fc.option(fc.record({ schemeId: fc.nat(9), name: fc.string({ maxLength: 10 }), premium: cents })),
  moveInFees: fc.array(fee, { maxLength: 3 }),
  periodFees: fc.array(fee, { maxLength: 3 }),
  access24: fc.option(fc.record({ feeId: fc.nat(99), amount: cents })),
  cardFee: fc.option(fc.record({ feeId: fc.nat(99), amount: cents })),
  taxRates: fc.record({ rent: rate, insurance: rate, fee: rate }),
  moveInDate: fc.constantFrom('2026-11-20', '2024-01-31', '2024-02-29', '2026-12-31'),
})

// For a long run, set QUOTES=1000000.
const numRuns = Number(process.env.QUOTES ?? 10_000)

test('the parts of a price add up to its total in whole cents, whatever is rented', { timeout: 600_000 }, () => {
  fc.assert(
    fc.property(anyInput, fc.integer({ min: 1, max: 12 }), (input, periods) => {
      const charges = moveInCharges(input)
      const { rent, insurance, fees } = charges
      const total = rent.amount - rent.discount + insurance.amount + fees.amount + rent.tax + insurance.tax + fees.tax
      const discounted = rent.amount - rent.discount
      const quote = prepayQuote({ ...input, periodStart: charges.nextBilling }, periods)
      // Plain comparisons keep a million runs fast.
      return (
        [charges.dueToday, charges.thenPerPeriod, quote.total].every((n) => Number.isSafeInteger(n) && n >= 0) &&
        charges.lines.every(
          ({ kind, cents }) => Number.isSafeInteger(cents) && (kind === 'discount' ? cents < 0 : cents >= 0),
        ) &&
        sum(charges.lines) === total &&
        sum(dueTodayParts(charges)) === total &&
        charges.dueToday === total &&
        rent.tax === taxOn(discounted, input.taxRates.rent) &&
        sum(charges.thenLines) === charges.thenPerPeriod &&
        quote.total === quote.rent + quote.insurance + quote.fee - quote.discount + quote.tax &&
        sum(quote.lines) === quote.total
      )
    }),
    { numRuns },
  )
})

test('assumes and names the cheapest insurance before the renter chooses', () => {
  const schemes = [
    { id: 1, premium: 1_400 },
    { id: 2, premium: 900 },
    { id: 3, premium: 900 },
  ]
  expect(cheapestScheme(schemes)?.id).toBe(2)
  expect(cheapestScheme([])).toBeNull()
  expect(priceAssumptions('Shield 2000')).toEqual(['with Shield 2000 insurance', 'autopay on', 'no 24-hour access'])
  expect(priceAssumptions(null)[0]).toBe('without insurance')
})
