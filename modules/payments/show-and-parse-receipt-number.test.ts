import { expect, it } from 'vitest'
import { shownReceipt, typedReceipt } from './rules/receipt-number.ts'

it.each([
  ['RC7F00A21B44', 'RC-FW0A-46T4'],
  ['RC0000000001', 'RC-0000-0001'],
  ['RCFFFFFFFFFF', 'RC-ZZZZ-ZZZZ'],
  ['2026112007', '2026 1120 07'],
])('the receipt number %s is shown as %s and read again from it', (stored, shown) => {
  expect(shownReceipt(stored)).toBe(shown)
  for (const typed of [shown, shown.toLowerCase(), shown.replaceAll('-', ''), ` ${shown.replaceAll('-', ' ')} `])
    expect(typedReceipt(typed)).toBe(stored)
})

it('reads a typed O as 0, and I or L as 1', () => {
  expect(typedReceipt('RC-FWOA-46T4')).toBe('RC7F00A21B44')
  expect(typedReceipt('RC-OOOO-OOOl')).toBe('RC0000000001')
})

it('shows the beginning of an order’s number, and leaves numbers of other kinds unchanged', () => {
  expect(shownReceipt('LK0123456789ABCDEF01234567-ATL01-10001')).toBe('LK-04HM-ASW9')
  expect(typedReceipt('lk 04hm asw9')).toBe('LK0123456789')
  for (const other of ['R-9', 'RC5A1F1A68012', 'Check 1042']) {
    expect(shownReceipt(other)).toBe(other)
    expect(typedReceipt(other)).toBe(other)
  }
})
