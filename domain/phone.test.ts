import { expect, test } from 'vitest'
import { formatPhone, lastFour, normalizePhone } from './phone.ts'

test('phone numbers are stripped to ten digits, formatted with parentheses, and cut to their last four digits', () => {
  expect(normalizePhone(' (404) 555-0114 ')).toBe('4045550114')
  expect(normalizePhone('+1 404.555.0114')).toBe('4045550114')
  expect(normalizePhone('404–555–0114')).toBe('4045550114')
  // Some keyboards type full-width digits and signs.
  expect(normalizePhone('（４０４）５５５－０１１４')).toBe('4045550114')
  expect(normalizePhone('555 CALL')).toBe('555CALL')
  expect(formatPhone('4045550114')).toBe('(404) 555-0114')
  expect(formatPhone('555')).toBe('555')
  expect(lastFour('(404) 555-0114')).toBe('0114')
  expect(lastFour('114')).toBe('')
})
