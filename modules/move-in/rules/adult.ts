import type { IsoDate } from '../../../domain/plain-date.ts'

const ADULT_YEARS = 18

/** Returns whether a person born on `birth` is an adult, who alone can sign a lease. @param today the facility's day */
export const isAdult = (birth: IsoDate, today: IsoDate): boolean =>
  // Plain dates compare as text.
  `${Number(birth.slice(0, 4)) + ADULT_YEARS}${birth.slice(4)}`.padStart(10, '0') <= today
