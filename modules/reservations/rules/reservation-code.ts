import type { RandomInteger } from '../../gate/rules/generate-gate-code.ts'

// No vowels, so that no words arise, and none of 0 O 1 I L, which are misread.
const alphabet = '23456789BCDFGHJKMNPQRSTVWXYZ'
const reservationCodeLength = 10

/** Generates a reservation code: ten characters that are easy to read out and hard to guess (28¹⁰, 48 bits). */
export function generateReservationCode(randomInteger: RandomInteger): string {
  return Array.from({ length: reservationCodeLength }, () => alphabet[randomInteger(0, alphabet.length - 1)]).join('')
}

/** Normalizes a typed reservation code: upper case, without spaces and dashes. */
export function normalizeReservationCode(text: string): string {
  return text.replace(/[\s-]/g, '').toUpperCase()
}
