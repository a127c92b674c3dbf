import { expect, test } from 'vitest'
import { showsComboCode } from './shows-overlock-combination.ts'

test('the combination is shown when there is one and the lease is paid up', () => {
  expect(showsComboCode({ comboCode: '4821', status: 'Current' })).toBe(true)
  expect(showsComboCode({ comboCode: '4821', status: 'Pre-Paid' })).toBe(true)
  expect(showsComboCode({ comboCode: '4821', status: 'Past Due' })).toBe(false)
  expect(showsComboCode({ comboCode: '0000', status: 'Current' })).toBe(false)
  expect(showsComboCode({ comboCode: '  ', status: 'Current' })).toBe(false)
})
