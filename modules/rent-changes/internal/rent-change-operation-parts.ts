import * as v from 'valibot'
import { isValid } from '../../../domain/plain-date.ts'
import type { StaffCaller } from '../../../platform/operations/callers.ts'
import { facilitiesFor } from '../../../platform/operations/facilities-of-staff.ts'
import { plainLine } from '../../../platform/operations/input-fields.ts'
import { recordNotFound } from '../../../platform/operations/operation.ts'
import { RefusalError } from '../../../platform/operations/outcome.ts'

export const reason = v.pipe(plainLine, v.trim(), v.minLength(1, 'Say why.'), v.maxLength(500))

export const uuid = v.pipe(plainLine, v.uuid())

/** Input schema of the requested first day of a new rent; '', parsed to null, means as early as possible. */
export const wantedFrom = v.pipe(
  plainLine,
  v.check((text) => text === '' || isValid(text), 'This is no day.'),
  v.transform((text) => (text === '' ? null : text)),
)

export const exampleBatch = { batch_id: '5a1f1a68-1c3f-4a55-9a39-0f5b8f0f1c14' }

/**
 * Checks that the staff member may propose rents at all of the facilities.
 * @throws RefusalError with 404 when the staff member may not at one of them
 */
export function checkMayProposeRentsAt(caller: StaffCaller, locationCodes: readonly string[]): void {
  const facilities = facilitiesFor(caller, 'rent.propose')
  if (facilities !== 'all' && !locationCodes.every((code) => facilities.has(code)))
    throw new RefusalError(recordNotFound)
}
