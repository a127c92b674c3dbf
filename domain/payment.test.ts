import { describe, expect, test } from 'vitest'
import {
  cardAddress,
  cardBrandCode,
  cardExpirationDate,
  cardLabel,
  expiryYear,
  spellOutCardLabel,
} from '../modules/payments/rules/card-details.ts'
import { retriesUsedUp } from '../modules/payments/rules/payment-retries.ts'
import {
  isTransitionAllowed,
  type PaymentState,
  paymentStates,
  paymentTransitions,
  statesBefore,
} from '../modules/payments/rules/payment-states.ts'
import { failureText } from '../modules/payments/texts/refusal-texts.ts'
import { cardFeeApplies } from './payment.ts'

describe('the states of a payment', () => {
  const isFinal = (state: PaymentState) => paymentTransitions[state].length === 0

  test('never go round in a circle', () => {
    const walk = (state: PaymentState, seen: PaymentState[]): void => {
      expect(seen).not.toContain(state)
      for (const next of paymentTransitions[state]) walk(next, [...seen, state])
    }
    for (const state of paymentStates) walk(state, [])
  })

  test('captured money ends in the ledger or is refunded', () => {
    const ends = (state: PaymentState): PaymentState[] =>
      isFinal(state) ? [state] : paymentTransitions[state].flatMap(ends)
    // A bank may return a posted debit; the card provider never returns a payment.
    expect(new Set(ends('captured'))).toEqual(new Set(['returned', 'refunded']))
    expect(statesBefore('returned')).toEqual(['posted'])
    expect(isTransitionAllowed('posted', 'refund_due')).toBe(false)
  })

  test('a payment taken for dead may turn out captured or declined, a declined one nothing else', () => {
    expect(statesBefore('captured')).toEqual(['created', 'presented', 'cancelled', 'expired'])
    expect(statesBefore('declined')).toEqual(statesBefore('captured'))
    expect(isTransitionAllowed('declined', 'captured')).toBe(false)
    expect(paymentStates.filter(isFinal)).toEqual(['declined', 'refunded', 'returned'])
  })
})

describe('the text of a refused payment', () => {
  test.each([
    ['054', 'EXPIRED CARD', 'Credit Card Expired'],
    ['101', 'Card has expired', 'Credit Card Expired'],
    ['005', 'DO NOT HONOR', 'Declined by Issuer'],
    ['001', 'DECLINED', 'Declined by Issuer'],
    ['051', 'Insufficient funds', 'Insufficient funds'],
    ['900', 'Session expired', 'Session expired'],
    ['900', ' two\r\nlines ', 'two lines'],
    ['900', '', 'Payment Failed'],
  ])('%s %s', (responseCode, responseDescription, reason) => {
    expect(failureText({ responseCode, responseDescription })).toBe(`Unable to process the Payment: ${reason}`)
  })
})

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

  test('the fee is for cards without autopay where the location has one', () => {
    expect(cardFeeApplies({ ccFee: true, autopay: false, method: 'CC' })).toBe(true)
    expect(cardFeeApplies({ ccFee: true, autopay: true, method: 'CC' })).toBe(false)
    expect(cardFeeApplies({ ccFee: true, autopay: false, method: 'ACH' })).toBe(false)
    expect(cardFeeApplies({ ccFee: false, autopay: false, method: 'CC' })).toBe(false)
  })

  test('two failed tries are the limit', () => {
    expect([0, 1, 2, 3].map(retriesUsedUp)).toEqual([false, false, true, true])
  })
})
