/**
 * Limits holds of renters who have not signed in, opened their personal link or paid. Names can be invented and card
 * pages opened by a script, so a rental's hold is short, and holds are limited per network and in total.
 */

import { type Kysely, sql } from 'kysely'
import { hasFields, parseJson } from '../../domain/parse-json-and-check-shape.ts'
import { engineOf } from '../../platform/database/open.ts'
import { networkOf } from '../../platform/network-of-address.ts'
import type { Callers } from '../../platform/operations/callers.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { ReservationsTable, Tables } from '../../platform/schema/tables.ts'
import { isPrivateAddress } from '../../ports/private-addresses.ts'
import { countAvailableUnits } from '../facilities/availability.ts'
import { isMoveInStarted } from './rules/journey/draft.ts'
import type { Answers } from './rules/journey/journey-answers.ts'
import { RENT_NOW_HOLD_MS, rentalHoldMs } from './rules/rental-hold-duration.ts'
import { MAX_UNPROVEN_PER_NETWORK, maxUnprovenHolds } from './rules/unproven-holds-limit.ts'
import { extendHold, type ReservationKey } from './unit-holds.ts'

/**
 * Returns the value of `reservations.unproven_from` for the caller's hold: a fingerprint of the network, under which
 * the hold is counted; '' where the network is unknown; null for a proven renter, such as a signed-in tenant.
 * @param live the session's current hold, whose proof the session keeps
 */
export function unprovenFrom(
  { sealer }: Pick<Services, 'sealer'>,
  { tenant, address }: Callers,
  live: Pick<ReservationsTable, 'unproven_from'> | null,
): string | null {
  if (tenant) return null
  if (live) return live.unproven_from
  // Behind a proxy that TRUST_PROXY does not name, all visitors share one private address.
  return isPrivateAddress(address) ? '' : sealer.fingerprint(networkOf(address), 'unproven hold')
}

/**
 * Checks whether one more unproven hold would exceed a limit. Locks the unit type, so that holds are counted one at a
 * time.
 * @param request.from result of `unprovenFrom`; '' for an unknown network
 * @returns the exceeded limit, or null; also null where no unit is free
 */
export async function exceedsUnprovenLimit(
  tx: Kysely<Tables>,
  request: { locationCode: string; unitTypeId: number; from: string; now: number },
): Promise<'network' | 'all' | null> {
  const { locationCode, unitTypeId, from, now } = request
  if ((await countAvailableUnits(tx, { locationCode, unitTypeId, now })) === 0) return null
  // SQLite needs no lock, since it runs one write transaction at a time.
  if (engineOf(tx) === 'postgres')
    await tx
      .selectFrom('unit_types')
      .select('unit_type_id')
      .where('location_code', '=', locationCode)
      .where('unit_type_id', '=', unitTypeId)
      .forNoKeyUpdate()
      .execute()
  const live = tx
    .selectFrom('reservations')
    .select((eb) => eb.fn.countAll<number>().as('held'))
    // A literal: a plan that PostgreSQL reuses can take the index on active reservations only with one.
    .where('status', '=', sql.lit('active'))
    .where('unproven_from', 'is not', null)
    .where('hold_until', '>', now)
  const ofType = live.where('location_code', '=', locationCode).where('unit_type_id', '=', unitTypeId)
  const all = Number((await ofType.executeTakeFirstOrThrow()).held)
  // Counted again under the lock; the first count only saves the lock where no unit is free.
  const free = await countAvailableUnits(tx, { locationCode, unitTypeId, now })
  if (free === 0) return null
  const most = maxUnprovenHolds(free + all)
  if (from !== '') {
    const sameType = Number((await ofType.where('unproven_from', '=', from).executeTakeFirstOrThrow()).held)
    const everywhere = Number((await live.where('unproven_from', '=', from).executeTakeFirstOrThrow()).held)
    // Where a network may hold as many units of the type as all networks together, the total below decides.
    if (everywhere >= MAX_UNPROVEN_PER_NETWORK || (sameType >= most.network && most.network < most.all))
      return 'network'
  }
  return all >= most.all ? 'all' : null
}

/**
 * Marks a reservation's renter as proven, after a sign-in, an opened link or a payment. The hold leaves the unproven
 * count; the live hold of a move-in in progress then lasts at least 24 hours from now. Does nothing for a reservation
 * without a draft.
 */
export async function proveRenter(
  tx: Kysely<Tables>,
  { clock }: Pick<Services, 'clock'>,
  rentalKey: ReservationKey | { draftId: string },
): Promise<void> {
  const draft = await tx
    .selectFrom('rental_drafts')
    .select(['location_code', 'reservation_code', 'rent_now', 'answers'])
    .where((eb) =>
      'draftId' in rentalKey
        ? eb('draft_id', '=', rentalKey.draftId)
        : eb.and({ location_code: rentalKey.locationCode, reservation_code: rentalKey.reservationCode }),
    )
    .orderBy('touched_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!draft?.reservation_code) return
  const isInProgress = isMoveInStarted({
    rentNow: draft.rent_now === 1,
    answers: parseJson(draft.answers, hasFields<Answers>()),
  })
  const reservation = { locationCode: draft.location_code, reservationCode: draft.reservation_code }
  const proven = await tx
    .updateTable('reservations')
    .set({ unproven_from: null })
    .where('location_code', '=', reservation.locationCode)
    .where('reservation_code', '=', reservation.reservationCode)
    .where('status', '=', 'active')
    .where('unproven_from', 'is not', null)
    .returning('reservation_code')
    .executeTakeFirst()
  const now = clock.now()
  if (proven && isInProgress) await extendHold(tx, reservation, 'live', { now, until: now + RENT_NOW_HOLD_MS })
}

/** Extends the hold of a draft whose payment is opened, as after any other step. */
export async function extendHoldForPayment(
  tx: Kysely<Tables>,
  { clock }: Pick<Services, 'clock'>,
  { draftId }: { draftId: string },
): Promise<void> {
  const draft = await tx
    .selectFrom('rental_drafts')
    .select(['location_code as locationCode', 'reservation_code as reservationCode'])
    .where('draft_id', '=', draftId)
    .executeTakeFirst()
  if (!draft?.reservationCode) return
  await extendHoldAfterStep(
    tx,
    { locationCode: draft.locationCode, reservationCode: draft.reservationCode },
    clock.now(),
  )
}

/** Extends the hold after a step of a rental in progress. A longer or a lapsed hold is left unchanged. */
export async function extendHoldAfterStep(
  tx: Kysely<Tables>,
  reservationKey: ReservationKey,
  now: number,
): Promise<void> {
  const row = await tx
    .selectFrom('reservations')
    .select('unproven_from')
    .where('location_code', '=', reservationKey.locationCode)
    .where('reservation_code', '=', reservationKey.reservationCode)
    .executeTakeFirst()
  if (row) await extendHold(tx, reservationKey, 'live', { now, until: now + rentalHoldMs(row.unproven_from) })
}
