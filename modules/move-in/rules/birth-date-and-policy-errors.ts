/** Date-dependent errors of a move-in's answers, by form field. Pages and operations both use them. */

import type { IsoDate } from '../../../domain/plain-date.ts'
import { invalidDate } from '../../../domain/texts/field-errors.ts'
import { policyExpired, renterUnder18 } from '../texts/move-in.ts'
import { isAdult } from './adult.ts'

type Faults = Record<string, string>

/** Returns an error for a birth date in the future or of a minor. */
export function birthDateFaults({ birth_date }: { birth_date: IsoDate }, today: IsoDate): Faults {
  if (birth_date > today) return { birth_date: invalidDate }
  return isAdult(birth_date, today) ? {} : { birth_date: renterUnder18 }
}

/** Returns an error for an own insurance policy that has expired. */
export const policyFaults = ({ expiration_date }: { expiration_date: IsoDate }, today: IsoDate): Faults =>
  expiration_date < today ? { expiration_date: policyExpired } : {}
