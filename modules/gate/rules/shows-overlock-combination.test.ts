import { expect, test } from 'vitest'
import { mayShowOverlockCombination } from './shows-overlock-combination.ts'

test('the combination is shown when there is one and the lease is paid up', () => {
  expect(mayShowOverlockCombination({ comboCode: '4821', status: 'Current' })).toBe(true)
  expect(mayShowOverlockCombination({ comboCode: '4821', status: 'Pre-Paid' })).toBe(true)
  expect(mayShowOverlockCombination({ comboCode: '4821', status: 'Past Due' })).toBe(false)
  expect(mayShowOverlockCombination({ comboCode: '0000', status: 'Current' })).toBe(false)
  expect(mayShowOverlockCombination({ comboCode: '  ', status: 'Current' })).toBe(false)
})
