/**
 * Holds of renters who have proven neither e-mail nor phone and have not paid. A name can be invented, and a card page opened
 * by a script: so they are short, and bounded by network and in all.
 */
import { type Kysely, sql } from 'kysely'
import { engineOf } from '../../platform/database/open.ts'
import { isPrivateAddress, networkOf } from '../../platform/network.ts'
import type { Callers } from '../../platform/operations/callers.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { ReservationsTable, Tables } from '../../platform/schema/tables.ts'
import { unitsAvailable } from '../facilities/availability.ts'
import { isMoveInStarted } from './draft-price.ts'
import { extendHold, type ReservationKey } from './holds.ts'
import { mostUnproven, RENT_NOW_HOLD_MS, UNPROVEN_HOLD_MS, UNPROVEN_OF_NETWORK } from './rules/hold-policy.ts'

/**
 * What a hold of this caller's is counted by, as `reservations.unproven_from` keeps it; null for a tenant who is signed in.
 * @param live the session's hold until now, whose proof it keeps
 */
export function unprovenFrom(
  { sealer }: Pick<Services, 'sealer'>,
  { tenant, address }: Callers,
  live: Pick<ReservationsTable, 'unproven_from'> | null,
): string | null {
  if (tenant) return null
  if (live) return live.unproven_from
  // Behind a proxy that TRUST_PROXY does not name, all visitors have one inner address.
  return isPrivateAddress(address) ? '' : sealer.fingerprint(networkOf(address), 'unproven hold')
}

/** How long a rental in progress keeps its unit after a step, milliseconds. */
export const rentalHoldMs = (from: string | null): number => (from === null ? RENT_NOW_HOLD_MS : UNPROVEN_HOLD_MS)

/**
 * Whether another unproven hold, which this transaction is about to take, is one too many. Those at one type are counted one
 * after another.
 * @param of.from not null; '' has no network
 * @returns whose bound it passes: the network's, or that of all together; null also where no unit is free
 */
export async function isOneTooMany(
  tx: Kysely<Tables>,
  of: { locationCode: string; unitTypeId: number; from: string; now: number },
): Promise<'network' | 'all' | null> {
  const { locationCode, unitTypeId, from, now } = of
  if ((await unitsAvailable(tx, { locationCode, unitTypeId, now })) === 0) return null
  // SQLite's write transactions run one after the other.
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
    // Written out, not a parameter: else the index on active reservations is of no use to SQLite.
    .where('status', '=', sql.lit('active'))
    .where('unproven_from', 'is not', null)
    .where('hold_until', '>', now)
  const ofType = live.where('location_code', '=', locationCode).where('unit_type_id', '=', unitTypeId)
  const all = Number((await ofType.executeTakeFirstOrThrow()).held)
  const free = await unitsAvailable(tx, { locationCode, unitTypeId, now })
  if (free === 0) return null
  const most = mostUnproven(free + all)
  if (from !== '') {
    const own = Number((await ofType.where('unproven_from', '=', from).executeTakeFirstOrThrow()).held)
    const everywhere = Number((await live.where('unproven_from', '=', from).executeTakeFirstOrThrow()).held)
    if (everywhere >= UNPROVEN_OF_NETWORK || (own >= most.network && most.network < most.all)) return 'network'
  }
  return all >= most.all ? 'all' : null
}

/**
 * The renter of a reservation has shown e-mail or phone, or paid: the hold counts among the unproven no more, and that of a
 * move-in that has begun is kept for 24 hours from now. @param of the reservation, or its draft
 */
export async function proveRenter(
  tx: Kysely<Tables>,
  { clock }: Pick<Services, 'clock'>,
  of: ReservationKey | { draftId: string },
): Promise<void> {
  const draft = await tx
    .selectFrom('rental_drafts')
    .select(['location_code', 'reservation_code', 'rent_now', 'answers'])
    .where((eb) =>
      'draftId' in of
        ? eb('draft_id', '=', of.draftId)
        : eb.and({ location_code: of.locationCode, reservation_code: of.reservationCode }),
    )
    .orderBy('touched_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!draft?.reservation_code) return
  const isInProgress = isMoveInStarted({ rentNow: draft.rent_now === 1, answers: JSON.parse(draft.answers) })
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

/** Keeps the unit of a draft whose payment is opened, as after any other step. */
export async function keepWhilePaying(
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
  await keepAfterStep(tx, { locationCode: draft.locationCode, reservationCode: draft.reservationCode }, clock.now())
}

/** Keeps the unit after a step of a rental in progress; a hold that lasts longer stays, one that has run out too. */
export async function keepAfterStep(tx: Kysely<Tables>, of: ReservationKey, now: number): Promise<void> {
  const row = await tx
    .selectFrom('reservations')
    .select('unproven_from')
    .where('location_code', '=', of.locationCode)
    .where('reservation_code', '=', of.reservationCode)
    .executeTakeFirst()
  if (row) await extendHold(tx, of, 'live', { now, until: now + rentalHoldMs(row.unproven_from) })
}
