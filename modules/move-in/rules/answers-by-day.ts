/** What the facility's day makes wrong in the answers of a move-in, by form field: for pages and operations alike. */

import type { IsoDate } from '../../../domain/plain-date.ts'
import { invalidDate } from '../../../domain/texts/fields.ts'
import { policyExpired, underAge } from '../texts/move-in.ts'
import { isAdult } from './adult.ts'

type Faults = Record<string, string>

/** Checks that the renter is born, and an adult. */
export function birthDateFaults({ birth_date }: { birth_date: IsoDate }, today: IsoDate): Faults {
  if (birth_date > today) return { birth_date: invalidDate }
  return isAdult(birth_date, today) ? {} : { birth_date: underAge }
}

/** Checks that a policy of the renter's own has not expired. */
export const policyFaults = ({ expiration_date }: { expiration_date: IsoDate }, today: IsoDate): Faults =>
  expiration_date < today ? { expiration_date: policyExpired } : {}
