import { describe, expect, test } from 'vitest'
import {
  cardAddress,
  cardBrandCode,
  cardExpirationDate,
  cardLabel,
  expiryYear,
  spellOutCardLabel,
} from './card-brand-and-expiry.ts'

describe('cards', () => {
  test('brands have the storage system’s codes', () => {
    expect(['VISA', 'Master Card', 'American Express', 'AMEX', 'Discover', 'vi', 'JCB'].map(cardBrandCode)).toEqual([
      'VI',
      'MC',
      'AX',
      'AX',
      'DC',
      'VI',
      null,
    ])
    expect(cardLabel('Visa', '************1111')).toBe('VI **** 1111')
    expect(spellOutCardLabel('VI **** 1111')).toBe('Visa ending 1111')
    expect(spellOutCardLabel('AX **** 0005')).toBe('American Express ending 0005')
    expect(spellOutCardLabel('Card **** 4242')).toBe('Card ending 4242')
    expect(spellOutCardLabel('Autopay by VI **** 1111')).toBe('Autopay by Visa ending 1111')
    expect(spellOutCardLabel('Payment by Checking ****6789')).toBe('Payment by Checking ****6789')
    expect(spellOutCardLabel('Checking ****6789')).toBe('Checking ****6789')
    expect(spellOutCardLabel('')).toBe('')
  })

  test('years have two digits and begin at 2000', () => {
    expect(expiryYear('28')).toBe(2028)
    expect(expiryYear('2028')).toBeNull()
    expect(cardExpirationDate('6', '28')).toBe('06/2028')
    expect(cardExpirationDate('13', '28')).toBe('')
  })

  test('addresses are cut to 50 characters', () => {
    expect(cardAddress('x'.repeat(60))).toHaveLength(50)
    expect(cardAddress(`${'x'.repeat(49)}😀`)).toBe('x'.repeat(49))
  })
})
