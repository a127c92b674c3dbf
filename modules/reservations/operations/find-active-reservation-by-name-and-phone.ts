import * as v from 'valibot'
import { nameKey } from '../../../domain/name-and-email-keys.ts'
import { countWrongGuess, guessLimits } from '../../../platform/operations/brute-force-limits.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { hasPhoneEnding } from '../../tenants/rules/has-phone-ending.ts'
import {
  countLookupGuess,
  emptyReservationResponse,
  foundExample,
  foundReservationSchema,
  openReservation,
  selectActiveReservations,
} from '../reservation-lookup-operation-parts.ts'
import { findReservation } from '../rules/reservation-form.ts'
import { reservationNotFoundByName } from '../texts/reserve.ts'

export const GetActiveReservation = operation({
  name: 'GetActiveReservation',
  summary: 'Finds the live reservation of a last name and the last 4 digits of its phone; contact data masked.',
  access: 'anyone',
  input: v.object(findReservation.entries),
  output: foundReservationSchema,
  limit: guessLimits.reservation.address,
  writes: true,
  example: {
    input: { location_code: 'ATL01', last_name: 'kessler', phone_last_four: '0147' },
    // Masked, since the code grants more access than name and digits.
    output: { ...foundExample, reservationCode: '***' },
  },
  async run(services, { location_code, last_name, phone_last_four }, callers) {
    const limited = await countLookupGuess(services, location_code, last_name)
    if (limited) return limited
    const sameName = await selectActiveReservations(services, location_code)
      // Selects the tenants of this name first, since SQLite would scan all reservations that the facility ever had.
      .where('reservations.tenant_id', 'in', (eb) =>
        eb
          .selectFrom('tenants as named')
          .select('named.tenant_id')
          .where('named.location_code', '=', location_code)
          .where('named.last_key', '=', nameKey(last_name)),
      )
      .orderBy('reservations.created_at', 'desc')
      .orderBy('reservation_code')
      .execute()
    const found = sameName.find((reservation) => hasPhoneEnding(reservation, phone_last_four))
    if (found) return openReservation(services, found, 'names', { callers })
    await countWrongGuess(services, 'reservation')
    return emptyReservationResponse(reservationNotFoundByName)
  },
})
