import fc from 'fast-check'
import { expect, test } from 'vitest'
import { generateGateCode, isGateCode, isMonotonic } from './generate-gate-code.ts'

/** Returns a random source that yields the numbers in turn, then the lowest possible number. */
const draws = (...numbers: number[]) => {
  const remaining = [...numbers]
  return (low: number) => remaining.shift() ?? low
}

test('avoids strictly ascending or descending digits', () => {
  expect(isMonotonic('123456')).toBe(true)
  expect(isMonotonic('135789')).toBe(true)
  expect(isMonotonic('987320')).toBe(true)
  expect(isMonotonic('112345')).toBe(false)
  expect(generateGateCode(draws(123456, 987654, 100_000, 481_516), () => false)).toBe('481516')
})

test('never assigns an active code twice', () => {
  const activeCodes = new Set(['481516', '234200'])
  expect(generateGateCode(draws(481_516, 234_200, 342_342), (code) => activeCodes.has(code))).toBe('342342')
})

test('generates an allowed code that is not active', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 100_001, max: 999_998 }), { minLength: 1, maxLength: 60 }), (numbers) => {
      const activeCodes = new Set(numbers.slice(1).map(String))
      const code = generateGateCode(draws(...numbers), (each) => activeCodes.has(each))
      expect(code !== null && isGateCode(code) && !activeCodes.has(code)).toBe(true)
    }),
  )
})

test('finds the only free code, returns null where all codes are taken, and allows neither 100000 nor 999999', () => {
  expect(
    generateGateCode(
      (low) => low,
      (code) => code !== '777123',
    ),
  ).toBe('777123')
  expect(
    generateGateCode(
      (low) => low,
      () => true,
    ),
  ).toBeNull()
  expect(isGateCode('100000')).toBe(false)
  expect(isGateCode('999999')).toBe(false)
})
