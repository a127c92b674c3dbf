import { expect, test } from 'vitest'
import { type Discount, discountValue, discountWithAutopay, isFirstMonthFree, pickDiscount } from './discount.ts'

const percent = (amount: number, description = 'Special'): Discount => ({ id: 7, description, amount, type: 1 })
const fixed = (amount: number, description = 'Special'): Discount => ({ id: 8, description, amount, type: 2 })

test('recognizes First Month Free by its amount or its name', () => {
  expect(isFirstMonthFree(percent(10_000))).toBe(true)
  expect(isFirstMonthFree(fixed(0, ' first month free '))).toBe(true)
  expect(isFirstMonthFree(percent(9_999))).toBe(false)
  expect(isFirstMonthFree(fixed(10_000))).toBe(false)
  expect(isFirstMonthFree(null)).toBe(false)
})

test('takes a percentage off the first period, or sets its price', () => {
  expect(discountValue(13_900, percent(5_000))).toBe(6_950)
  expect(discountValue(13_901, percent(5_000))).toBe(6_951)
  expect(discountValue(13_900, percent(10_000))).toBe(13_900)
  expect(discountValue(13_900, percent(20_000))).toBe(13_900)
  expect(discountValue(13_900, fixed(100))).toBe(13_800)
  expect(discountValue(13_900, fixed(20_000))).toBe(0)
  expect(discountValue(13_900, null)).toBe(0)
})

test('offers the first discount that is displayable, revenue-managed and available', () => {
  const row = (id: number, displayable: 0 | 1, revenue_managed: 0 | 1, available: 0 | 1) => ({
    id,
    displayable,
    revenue_managed,
    available,
  })
  expect(pickDiscount([row(1, 0, 1, 1), row(2, 1, 0, 1), row(3, 1, 1, 0), row(4, 1, 1, 1), row(5, 1, 1, 1)])?.id).toBe(
    4,
  )
  expect(pickDiscount([row(1, 1, 1, 0)])).toBeNull()
})

test('drops only First Month Free without autopay', () => {
  expect(discountWithAutopay(percent(10_000), false)).toBeNull()
  expect(discountWithAutopay(percent(10_000), true)?.id).toBe(7)
  expect(discountWithAutopay(percent(5_000), false)?.id).toBe(7)
})
