import type { Kysely, Selectable } from 'kysely'
import { formatPhone } from '../../domain/phone.ts'
import { enqueue } from '../../platform/jobs/enqueue-requeue-and-cancel-jobs.ts'
import { networkOf } from '../../platform/network-of-address.ts'
import type { Callers } from '../../platform/operations/callers.ts'
import { type Refusal, refuse } from '../../platform/operations/outcome.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { SharedLimit } from '../../platform/rate-limit-counters.ts'
import type { ReservationsTable, Tables } from '../../platform/schema/tables.ts'
import { isPrivateAddress } from '../../ports/private-addresses.ts'
import { setUnitHoldEnd } from '../facilities/change-unit-status.ts'
import { loadSupportPhoneDigits } from '../facilities/choose-support-phone.ts'
import {
  type FacilityFacts,
  isOpenForRent,
  newRenterDiscount,
  type UnitTypeRow,
} from '../facilities/facility-facts-for-pricing.ts'
import { isProtectedTenant } from '../leases/tenants-with-protected-identity.ts'
import { discountAsAgreed } from '../pricing/agreed-and-offered-terms.ts'
import { newRenterRent } from '../pricing/rules/web-price-or-street-rate.ts'
import { addNote } from '../tenants/add-note.ts'
import { changeContact, insertTenant, loadTenant, lockUnerasedTenant, type NewTenant } from '../tenants/tenant.ts'
import { releaseReservation } from './cancel-reservation.ts'
import { toDraft } from './draft.ts'
import { exceedsUnprovenLimit, unprovenFrom } from './limit-and-extend-unproven-holds.ts'
import { mailToNewAddress } from './mail-to-corrected-address.ts'
import { duplicateNote } from './match-tenant.ts'
import { type Draft, isMoveInStarted } from './rules/journey/draft.ts'
import type { Answers } from './rules/journey/journey-answers.ts'
import { rentalHoldMs, UNPROVEN_HOLD_MS } from './rules/rental-hold-duration.ts'
import { generateReservationCode } from './rules/reservation-code.ts'
import { reservationHoldEnd } from './rules/reservation-hold-end.ts'
import {
  bindDraft,
  type DraftBinding,
  type NamedContact,
  type Renter,
  type ReservationRequest,
  recordProspect,
} from './save-prospect-and-bind-draft.ts'
import { lastUnitsKept, tooManyRentals, tooManyReservations } from './texts/reserve.ts'
import { holdUnit } from './unit-holds.ts'

type Reservation = Selectable<ReservationsTable>

/** A new or changed reservation and the draft of its rental session. */
export interface Reserved {
  reservation: Reservation
  draft: Draft
}

const perDay = (points: number): SharedLimit => ({ points, perSeconds: 86_400, shared: true })

/** Limits on units taken at one facility in a day, per network and in total. */
const dailyLimits = {
  /** Reservations, held to the end of the move-in day without payment. */
  reservation: { network: perDay(10), all: perDay(60) },
  /**
   * Rentals in progress, whose holds end within a day of the last step. Higher per network, for a kiosk in the lobby.
   */
  rental: { network: perDay(20), all: perDay(60) },
}

/** A daily counter of taken units and its limit. */
interface DailyCounter {
  key: string
  limit: SharedLimit
}

/** Thrown when the network's or the facility's daily limit is reached. Rolls back. */
class TooMany extends Error {
  readonly counter: DailyCounter
  constructor(counter: DailyCounter) {
    super(counter.key)
    this.counter = counter
  }
}

/** Thrown when the network, or all renters together, hold too many units without proof of identity. Rolls back. */
class TooManyUnproven extends Error {
  readonly exceeded: 'network' | 'all'
  constructor(exceeded: 'network' | 'all') {
    super(exceeded)
    this.exceeded = exceeded
  }
}

/**
 * Thrown when no unit can be held or the tenant was erased. Rolls back, so the session keeps its earlier reservation.
 */
class NoUnit extends Error {}

/**
 * Reserves a unit for a renter and links the rental session to it. A repeated call for the same unit type keeps the
 * unit and updates day and contact; a call for another type or unit releases the first unit.
 * @param draft the session's draft, if any
 * @param callers callers of the request, whose network is limited in units per day (`dailyLimits`) and in holds without
 * proof (limit-and-extend-unproven-holds.ts)
 * @param newAnswers answers to save in the draft
 * @returns null where no unit of the type, or not the chosen one, is available, the facility or type is not open for
 *   rent, or the tenant was erased; a 429 refusal where a limit is reached
 */
export async function reserve(
  services: Services,
  facts: FacilityFacts,
  request: ReservationRequest,
  renter: Renter,
  draft: Draft | null,
  callers: Callers,
  newAnswers: Partial<Answers> = {},
): Promise<Reserved | null | Refusal> {
  const type = facts.unitTypes.find((row) => row.unit_type_id === request.unitTypeId)
  if (!type || type.retired_on !== null || !isOpenForRent(facts.location)) return null
  const now = services.clock.now()
  const code = generateReservationCode(services.random.integer)
  const salt = services.random.integer(0, 1_000_000)
  const counters = dailyCountersOf(services, request, callers)
  try {
    const reserved = await services.db.transaction(async (tx) => {
      const { current, live, matching } = await lockSessionRental(tx, services, request, draft)
      if (current && !matching) await releaseEarlierRental(tx, current, live, now)
      const tenant = await resolveTenant(tx, request.locationCode, renter, current)
      const from = unprovenFrom(services, callers, live)
      const until = computeHoldEnd(facts, request, current, now + rentalHoldMs(from))
      // Checked before a unit is taken, so that a refused caller blocks no other renter.
      if (!matching) await checkUnprovenLimit(tx, services, request, callers, { from, now })
      const unit = matching ?? (await takeUnit(tx, request, { reservationCode: code, until, now, salt }))
      // Replacing one unit by another does not count again.
      if (!live) await consumeDailyLimits(tx, services, counters)
      const tenant_id =
        tenant.tenantId ?? (await createTenant(tx, services, request.locationCode, tenant.newTenant, renter))
      const agreed = { required_date: request.moveInDate, hold_until: until, tenant_id, unproven_from: from }
      const reservation = matching
        ? { ...matching, ...agreed }
        : { ...newReservation(facts, type, now), ...agreed, reservation_code: code, ...unit }
      if (matching) await updateReservation(tx, services, reservation, request.rentNow, tenant.contact.email)
      else await tx.insertInto('reservations').values(reservation).execute()
      await recordProspect(tx, services, facts, reservation, tenant.contact)
      await enqueue(tx, {
        kind: 'reservation_confirmed',
        once: `${request.locationCode}:${reservation.reservation_code}`,
        payload: {
          locationCode: request.locationCode,
          reservationCode: reservation.reservation_code,
          ...(request.rentNow && { rentNow: true }),
        },
        runAt: now,
      })
      const binding = toDraftBinding(reservation, renter, tenant.tenantId === null, current)
      return { reservation, draft: await bindDraft(tx, services, request, renter, current, binding, newAnswers) }
    })
    // A repeated call that kept its unit has an older code and is no further reservation.
    if (reserved.reservation.reservation_code === code) services.businessEvents?.count('reservation', {})
    return reserved
  } catch (error) {
    if (error instanceof NoUnit) return null
    if (error instanceof TooMany || error instanceof TooManyUnproven)
      return refuseTooMany(services, facts, request, error)
    throw error
  }
}

async function refuseTooMany(
  services: Services,
  facts: FacilityFacts,
  request: ReservationRequest,
  error: TooMany | TooManyUnproven,
) {
  const phone = formatPhone(await loadSupportPhoneDigits(services, facts.location))
  const networkMessage = request.rentNow ? tooManyRentals(phone) : tooManyReservations(phone)
  if (error instanceof TooManyUnproven) {
    const message = error.exceeded === 'all' ? lastUnitsKept(phone) : networkMessage
    return refuse(429, 'too_many', message, { retryAfter: UNPROVEN_HOLD_MS / 1000 })
  }
  const { key, limit } = error.counter
  return refuse(429, 'too_many', networkMessage, { retryAfter: (await services.limits.retryAfter(key, limit)) || 1 })
}

/**
 * Holds the chosen unit, or any unit of the type.
 * @throws NoUnit
 */
async function takeUnit(
  tx: Kysely<Tables>,
  { unit: chosen, ...rest }: ReservationRequest,
  hold: { reservationCode: string; until: number; now: number; salt: number },
) {
  const unit = await holdUnit(tx, { ...rest, ...(chosen && { unitId: chosen.id }), ...hold })
  if (!unit) throw new NoUnit()
  return unit
}

/**
 * Counts the taken unit against each daily limit.
 * @throws TooMany
 */
async function consumeDailyLimits(
  tx: Kysely<Tables>,
  { limits }: Services,
  counters: readonly DailyCounter[],
): Promise<void> {
  const exceeded = await limits.consumeIn(tx, counters)
  if (exceeded) throw new TooMany(exceeded)
}

/**
 * Checks the limit on units held without proof of identity.
 * @throws TooManyUnproven
 */
async function checkUnprovenLimit(
  tx: Kysely<Tables>,
  { limits }: Services,
  { locationCode, unitTypeId }: ReservationRequest,
  { address }: Callers,
  { from, now }: { from: string | null; now: number },
): Promise<void> {
  if (from === null || limits.spares(address)) return
  const exceeded = await exceedsUnprovenLimit(tx, { locationCode, unitTypeId, from, now })
  if (exceeded) throw new TooManyUnproven(exceeded)
}

function dailyCountersOf({ limits }: Services, request: ReservationRequest, { address }: Callers): DailyCounter[] {
  const kind = request.rentNow ? 'rental' : 'reservation'
  const facilityKey = `taken:${kind}:${request.locationCode}`
  return [
    // Behind a proxy that TRUST_PROXY does not name, all visitors share one private address; only the total is limited.
    ...(isPrivateAddress(address)
      ? []
      : [{ key: `${facilityKey}:${networkOf(address)}`, limit: dailyLimits[kind].network }]),
    ...(limits.spares(address) ? [] : [{ key: facilityKey, limit: dailyLimits[kind].all }]),
  ]
}

/**
 * Locks the session's draft and loads its reservation.
 * @returns `current`: the draft, null for a new rental; `live`: the draft's reservation if it holds a unit, else null;
 *   `matching`: `live` if the held unit is of the requested type and, if a unit was chosen, is that unit; else null
 */
async function lockSessionRental(
  tx: Kysely<Tables>,
  services: Services,
  request: ReservationRequest,
  draft: Draft | null,
) {
  const session = draft && (await lockSessionDraft(tx, services, draft, request.locationCode))
  const earlier = session?.reservationCode
    ? await tx
        .selectFrom('reservations')
        .selectAll()
        .where('location_code', '=', request.locationCode)
        .where('reservation_code', '=', session.reservationCode)
        .executeTakeFirst()
    : undefined
  // A completed rental ends its session's draft; the next unit is a new rental.
  const current = earlier?.status === 'completed' ? null : session
  const live = current && earlier?.status === 'active' && earlier.hold_until > services.clock.now() ? earlier : null
  const isMatching = live?.unit_type_id === request.unitTypeId && (request.unit?.id ?? live.unit_id) === live.unit_id
  return { current, live, matching: isMatching ? live : null }
}

/** Releases the session's earlier unit and ends the sessions of other browsers that resumed its rental. */
async function releaseEarlierRental(
  tx: Kysely<Tables>,
  current: Draft,
  live: Reservation | null,
  now: number,
): Promise<void> {
  if (live) await releaseReservation(tx, { locationCode: live.location_code, reservationCode: live.reservation_code })
  if (current.reservationCode)
    await tx
      .updateTable('resumed_rentals')
      .set({ left_at: now })
      .where('draft_id', '=', current.draftId)
      .where('resumed_id', '!=', current.resumedId ?? '')
      .where('left_at', 'is', null)
      .execute()
}

/**
 * Returns the end of a reservation's hold, in epoch milliseconds.
 * @param rentalHoldEnd end of the hold of a rental in progress after this step, in epoch milliseconds
 */
function computeHoldEnd(
  { location }: FacilityFacts,
  request: ReservationRequest,
  current: Draft | null,
  rentalHoldEnd: number,
): number {
  if (request.rentNow) return rentalHoldEnd
  const isStarted = current !== null && isMoveInStarted(current)
  return reservationHoldEnd(location.time_zone, request.moveInDate, isStarted ? rentalHoldEnd : 0)
}

/** Returns the columns of a new reservation of a unit type at today's rent and discount. */
export const newReservation = (facts: FacilityFacts, type: UnitTypeRow, now: number) => ({
  location_code: facts.location.location_code,
  unit_type_id: type.unit_type_id,
  status: 'active' as const,
  ...discountAsAgreed(newRenterDiscount(facts, type.unit_type_id)),
  street_rent: type.rent,
  rent: newRenterRent(type),
  reservation_date: facts.today,
  hold_extended: 0 as const,
  unproven_from: null,
  lease_number: null,
  created_at: now,
})

/**
 * Locks a draft by counting up its version, which works on both engines: of two tabs that reserve at once, the second
 * waits.
 * @returns the draft as it is now; null where the facility has no such draft
 */
async function lockSessionDraft(
  tx: Kysely<Tables>,
  services: Services,
  draft: Draft,
  locationCode: string,
): Promise<Draft | null> {
  const row = await tx
    .updateTable('rental_drafts')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where('draft_id', '=', draft.draftId)
    .where('location_code', '=', locationCode)
    .returningAll()
    .executeTakeFirst()
  return row ? toDraft(services, row, draft) : null
}

/**
 * Changes a reservation's day, tenant and hold, and mails the confirmation to a corrected e-mail address.
 * @throws Error where the reservation is no longer active
 */
async function updateReservation(
  tx: Kysely<Tables>,
  services: Services,
  reservation: Reservation,
  rentNow: boolean,
  email: string,
): Promise<void> {
  const { required_date, hold_until, tenant_id, unproven_from } = reservation
  const reservationKey = { locationCode: reservation.location_code, reservationCode: reservation.reservation_code }
  await tx
    .updateTable('reservations')
    .set({ required_date, hold_until, tenant_id, unproven_from })
    .where('location_code', '=', reservationKey.locationCode)
    .where('reservation_code', '=', reservationKey.reservationCode)
    .where('status', '=', 'active')
    .returning('reservation_code')
    .executeTakeFirstOrThrow()
  await setUnitHoldEnd(tx, { ...reservationKey, unitId: reservation.unit_id }, hold_until)
  await mailToNewAddress(tx, services, { ...reservationKey, rentNow }, email)
}

/**
 * Returns the draft's columns that refer to its reservation.
 * @param isEntered whether this call created the tenant
 */
const toDraftBinding = (
  reservation: Reservation,
  renter: Renter,
  isEntered: boolean,
  current: Draft | null,
): DraftBinding => ({
  tenantId: reservation.tenant_id,
  // A profile copied from another facility belongs to the account, not to this session.
  enteredTenantId: isEntered && renter.kind === 'new' ? reservation.tenant_id : (current?.enteredTenantId ?? null),
  reservationCode: reservation.reservation_code,
  existingTenant: renter.kind !== 'new',
})

async function createTenant(
  tx: Kysely<Tables>,
  services: Services,
  locationCode: string,
  newTenant: NewTenant,
  renter: Renter,
): Promise<number> {
  const tenantId = await insertTenant(tx, services, locationCode, newTenant)
  if (renter.kind === 'new' && renter.duplicateOf)
    await addNote(tx, services, { locationCode, tenantId, note: duplicateNote(renter.duplicateOf) })
  return tenantId
}

/**
 * Resolves the reservation's tenant: an existing tenant (contact updated where allowed) or a new tenant to insert.
 * @throws NoUnit when the existing tenant was erased
 */
async function resolveTenant(
  tx: Kysely<Tables>,
  locationCode: string,
  renter: Renter,
  session: Draft | null,
): Promise<
  | { tenantId: number; newTenant: null; contact: NamedContact }
  | { tenantId: null; newTenant: NewTenant; contact: NamedContact }
> {
  if (renter.kind === 'on file') {
    // Locked against a concurrent erasure.
    if (!(await lockUnerasedTenant(tx, { location_code: locationCode, tenant_id: renter.tenantId }))) throw new NoUnit()
    const row = await loadTenant(tx, locationCode, renter.tenantId)
    const contact = row ?? { first: '', last: '', email: '', cell_phone: '' }
    return { tenantId: renter.tenantId, newTenant: null, contact }
  }
  if (renter.kind === 'from elsewhere') return { tenantId: null, newTenant: renter.profile, contact: renter.profile }
  const { contact } = renter
  const ownTenant = session?.tenantId && (await loadTenant(tx, locationCode, session.tenantId))
  if (ownTenant && !(await isProtectedTenant(tx, ownTenant))) {
    await changeContact(tx, locationCode, ownTenant.tenant_id, contact)
    return { tenantId: ownTenant.tenant_id, newTenant: null, contact }
  }
  const { designated_agent: _, active_military, ...fields } = contact
  return { tenantId: null, newTenant: { ...fields, active_military: active_military ? 1 : 0 }, contact }
}
