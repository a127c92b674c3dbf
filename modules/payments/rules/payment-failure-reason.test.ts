import { describe, expect, test } from 'vitest'
import { failureText } from './payment-failure-reason.ts'

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
