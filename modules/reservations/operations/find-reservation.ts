import * as v from 'valibot'
import { nameKey } from '../../../domain/name-and-email-keys.ts'
import { lastFourDigits, lastNameRequired } from '../../../domain/texts/field-errors.ts'
import { checkAndCountGuess, countWrongGuess, guessLimits } from '../../../platform/operations/brute-force-limits.ts'
import { locationCode, optionalText, requiredText } from '../../../platform/operations/input-fields.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { refuse } from '../../../platform/operations/outcome.ts'
import { hasPhoneEnding } from '../../tenants/rules/has-phone-ending.ts'
import {
  countLookupGuess,
  emptyReservationResponse,
  foundExample,
  foundReservationSchema,
  openReservation,
  selectActiveReservations,
} from '../reservation-lookup-operation-parts.ts'
import { normalizeReservationCode } from '../rules/reservation-code.ts'
import { lookupFailed, reservationNotFound } from '../texts/reserve.ts'

/**
 * Returns whether a reservation code has the form of our random codes. Imported codes may be guessable, as may any code
 * of digits only.
 */
const isUnguessable = (code: string) => /^[2-9B-DF-HJKMNP-TV-Z]{10}$/.test(code) && /[A-Z]/.test(code)

/** Returns an error for each missing or invalid field that a look-up by name and phone needs. */
function missingNames({ last_name, phone_last_four }: { last_name: string; phone_last_four: string }) {
  const fields: Record<string, string> = {}
  if (last_name === '') fields.last_name = lastNameRequired
  if (!/^\d{4}$/.test(phone_last_four)) fields.phone_last_four = lastFourDigits
  return fields
}

export const FindReservation = operation({
  name: 'FindReservation',
  summary:
    'Finds a live reservation by its code; contact data masked. A code that could be guessed asks for name and digits too.',
  access: 'anyone',
  input: v.object({
    location_code: locationCode(),
    reservation_code: requiredText(40),
    last_name: optionalText(60),
    phone_last_four: optionalText(4),
  }),
  output: foundReservationSchema,
  limit: guessLimits['reservation code'].address,
  writes: true,
  example: {
    input: { location_code: 'ATL01', reservation_code: 'K7M2XQ9TRD' },
    output: foundExample,
  },
  async run(services, input, callers) {
    const code = normalizeReservationCode(input.reservation_code)
    const byCodeAlone = isUnguessable(code)
    const fields = byCodeAlone ? {} : missingNames(input)
    if (Object.keys(fields).length > 0) return refuse(400, 'invalid_input', lookupFailed, { fields })
    const limited = byCodeAlone
      ? await checkAndCountGuess(services, 'reservation code')
      : await countLookupGuess(services, input.location_code, input.last_name)
    if (limited) return limited
    const reservation = await selectActiveReservations(services, input.location_code)
      .where('reservation_code', '=', code)
      .executeTakeFirst()
    const proven =
      reservation &&
      (byCodeAlone ||
        (reservation.last_key === nameKey(input.last_name) && hasPhoneEnding(reservation, input.phone_last_four)))
    if (proven)
      return openReservation(services, reservation, byCodeAlone ? 'link' : 'names', { showsCode: true, callers })
    await countWrongGuess(services, byCodeAlone ? 'reservation code' : 'reservation')
    return emptyReservationResponse(reservationNotFound)
  },
})
