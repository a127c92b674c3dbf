import type { IsoDate } from '../../../domain/plain-date.ts'

const ADULT_YEARS = 18

/**
 * Returns whether a person born on `birth` is an adult, as signing a lease requires.
 * @param today date at the facility
 */
export const isAdult = (birth: IsoDate, today: IsoDate): boolean =>
  // ISO dates of equal length compare as strings.
  `${Number(birth.slice(0, 4)) + ADULT_YEARS}${birth.slice(4)}`.padStart(10, '0') <= today
