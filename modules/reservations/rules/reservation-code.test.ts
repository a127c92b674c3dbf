import fc from 'fast-check'
import { expect, test } from 'vitest'
import { generateReservationCode, normalizeReservationCode } from './reservation-code.ts'

test('reservation codes have ten characters that cannot be misread', () => {
  fc.assert(
    fc.property(fc.infiniteStream(fc.nat(27)), (stream) => {
      expect(generateReservationCode(() => stream.next().value as number)).toMatch(/^[2-9BCDFGHJKMNPQRSTVWXYZ]{10}$/)
    }),
  )
  expect(generateReservationCode((_, high) => high)).toBe('ZZZZZZZZZZ')
  expect(normalizeReservationCode(' 7k2m-9qxw bc ')).toBe('7K2M9QXWBC')
})
