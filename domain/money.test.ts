import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { format, fromWire, toWire } from './money.ts'
import { formatRate, taxOn } from './sales-tax.ts'

describe('money', () => {
  test('is shown in dollars with thousands apart', () => {
    expect(format(123450)).toBe('$1,234.50')
    expect(format(0)).toBe('$0.00')
    expect(format(5)).toBe('$0.05')
    expect(format(-200)).toBe('-$2.00')
    expect(format(123456789012)).toBe('$1,234,567,890.12')
    expect(() => format(1.5)).toThrow(RangeError)
  })

  test('goes over the wire with two decimals and comes back', () => {
    expect(toWire(13900)).toBe('139.00')
    expect(toWire(-5)).toBe('-0.05')
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000_000_000_000 }), (cents) => {
        expect(fromWire(toWire(cents))).toBe(cents)
        expect(fromWire(toWire(-cents), { negative: true })).toBe(cents === 0 ? 0 : -cents)
      }),
    )
  })

  test('is read from text or number, exactly', () => {
    expect(fromWire('139')).toBe(13900)
    expect(fromWire(' 139.5 ')).toBe(13950)
    expect(fromWire(0.29)).toBe(29)
    expect(fromWire('10.2500')).toBe(1025)
    for (const bad of ['', '1.005', '1,000.00', '$1', '1e3', '-1', '--1', '.5', '5.', Number.NaN, 1e21, null, {}, []]) {
      expect(fromWire(bad)).toBeNull()
    }
    expect(fromWire('10000000000.00')).toBe(1_000_000_000_000)
    expect(fromWire('10000000000.01')).toBeNull()
  })

  test('is taxed half-up to the cent', () => {
    expect(taxOn(13900, 890)).toBe(1237)
    expect(taxOn(50, 100)).toBe(1)
    expect(taxOn(49, 100)).toBe(0)
    expect(formatRate(890)).toBe('8.9%')
    expect(() => taxOn(-1, 890)).toThrow(RangeError)
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e12 }), fc.integer({ min: 0, max: 10_000 }), (cents, rate) => {
        const exact = (BigInt(cents) * BigInt(rate) * 2n + 10_000n) / 20_000n
        expect(BigInt(taxOn(cents, rate))).toBe(exact)
      }),
    )
  })
})
