import { expect, test } from 'vitest'
import { supportPhone } from './choose-support-phone.ts'

test('uses the most specific phone number', () => {
  expect(supportPhone({ location: '1', state: '2', operator: '3' })).toBe('1')
  expect(supportPhone({ location: ' ', state: '2', operator: '3' })).toBe('2')
  expect(supportPhone({ operator: '3' })).toBe('3')
  expect(supportPhone({})).toBe('')
})
