import { expect, test } from 'vitest'
import { isStateCode, stateName, states } from './states.ts'

test('lists fifty states and DC, ordered by name', () => {
  expect(states).toHaveLength(51)
  expect(new Set(states.map(([code]) => code)).size).toBe(51)
  expect([...states].sort(([, a], [, b]) => (a < b ? -1 : 1))).toEqual(states)
})

test('codes are upper case; territories are not listed', () => {
  expect(isStateCode('GA')).toBe(true)
  expect(isStateCode('DC')).toBe(true)
  for (const bad of ['ga', 'PR', 'XX', '', 'Georgia', 'constructor']) expect(isStateCode(bad)).toBe(false)
  expect(stateName('SC')).toBe('South Carolina')
  expect(stateName('XX')).toBe('')
})
