import { type InferResult, sql } from 'kysely'
import * as v from 'valibot'
import { nameKey } from '../../domain/name-and-email-keys.ts'
import { formatUs } from '../../domain/plain-date.ts'
import { wireInstant } from '../../domain/time-zone-dates.ts'
import { checkAndCountGuess } from '../../platform/operations/brute-force-limits.ts'
import { type Callers, ownTenant } from '../../platform/operations/callers.ts'
import { type Outcome, type Refusal, succeed } from '../../platform/operations/outcome.ts'
import type { Services } from '../../platform/operations/services.ts'
import { maskContact } from '../tenants/contact-masking.ts'
import { resumeRental, selectNewestDraft } from './internal/resume-rental.ts'
import { normalizeReservationCode } from './rules/reservation-code.ts'
import { ensureProspect } from './save-prospect-and-bind-draft.ts'

const maskedFields = {
  first: v.string(),
  last: v.string(),
  email: v.string(),
  cell_phone: v.string(),
  address: v.string(),
  city: v.string(),
  state: v.string(),
  zip: v.string(),
}

/** Wire shape of a found reservation: contact data masked, empty fields left empty. */
export const foundReservationSchema = v.object({
  /** Error message; '' on success. */
  ErrorMessage: v.string(),
  location_code: v.string(),
  reservationCode: v.string(),
  unitNumber: v.string(),
  /**
   * Number of the tenant; null if no reservation was found, or for a protected tenant (`isProtectedTenant`) who has not
   * signed in.
   */
  tenantId: v.nullable(v.number()),
  UnitTypeId: v.number(),
  UnitType: v.string(),
  ReservationDate: v.string(),
  RequiredDate: v.string(),
  HeldUntil: v.string(),
  ...maskedFields,
})

export type FoundReservation = v.InferInput<typeof foundReservationSchema>

export const foundExample: FoundReservation = {
  ErrorMessage: '',
  location_code: 'ATL01',
  reservationCode: 'K7M2XQ9TRD',
  unitNumber: '219',
  tenantId: 1007,
  UnitTypeId: 2,
  UnitType: 'CC0510',
  ReservationDate: '11/19/2026',
  RequiredDate: '11/24/2026',
  HeldUntil: '2026-11-25T00:00:00-05:00',
  first: 'D***',
  last: 'K***',
  email: 'd***@e***',
  cell_phone: '******0147',
  address: '***',
  city: '***',
  state: '***',
  zip: '***',
}

/**
 * Returns the outcome for a reservation that was not found: a successful response with this error message and otherwise
 * empty fields.
 */
export const emptyReservationResponse = (message: string): Outcome<FoundReservation> =>
  succeed({
    ErrorMessage: message,
    location_code: '',
    reservationCode: '',
    unitNumber: '',
    tenantId: null,
    UnitTypeId: 0,
    UnitType: '',
    ReservationDate: '',
    RequiredDate: '',
    HeldUntil: '',
    first: '',
    last: '',
    email: '',
    cell_phone: '',
    address: '',
    city: '',
    state: '',
    zip: '',
  })

/**
 * Selects a facility's active reservations whose hold has not ended, with unit type, tenant and newest draft, and
 * whether the tenant's data is protected (`isProtectedTenant`).
 */
export const selectActiveReservations = (services: Services, location: string) =>
  services.db.read
    .selectFrom('reservations')
    .innerJoin('tenants', (join) =>
      join
        .onRef('tenants.location_code', '=', 'reservations.location_code')
        .onRef('tenants.tenant_id', '=', 'reservations.tenant_id'),
    )
    .innerJoin('locations', 'locations.location_code', 'reservations.location_code')
    .select('time_zone')
    .leftJoin('unit_types', (join) =>
      join
        .onRef('unit_types.location_code', '=', 'reservations.location_code')
        .onRef('unit_types.unit_type_id', '=', 'reservations.unit_type_id'),
    )
    .select(['reservations.location_code', 'reservation_code', 'reservations.unit_type_id', 'reservations.tenant_id'])
    .select(['unit_number', 'required_date', 'reservation_date', 'hold_until', 'unit_type_code'])
    .select(['first', 'last', 'last_key', 'email', 'cell_phone', 'home_phone', 'work_phone'])
    .select(['tenants.address', 'tenants.city', 'tenants.state', 'tenants.zip'])
    .select((eb) =>
      eb
        .case()
        .when('account_id', 'is not', null)
        .then(1)
        .when(
          eb.exists(
            eb
              .selectFrom('leases')
              .select('leases.lease_number')
              .whereRef('leases.location_code', '=', 'tenants.location_code')
              .whereRef('leases.tenant_id', '=', 'tenants.tenant_id'),
          ),
        )
        .then(1)
        .else(0)
        .end()
        .as('on_file'),
    )
    .select((eb) => selectNewestDraft(eb).as('draft_id'))
    .where('reservations.location_code', '=', location)
    // coalesce keeps SQLite off the index on hold ends, which would scan every facility's reservations.
    .where(sql<string>`coalesce(reservations.status, '')`, '=', 'active')
    .where(sql<number>`coalesce(hold_until, 0)`, '>', services.clock.now())

type ActiveReservation = InferResult<ReturnType<typeof selectActiveReservations>>[number]

/**
 * Starts a rental session on a found reservation and returns the masked reservation.
 * @param proof how the visitor proved to be the renter
 * @param options.showsCode whether the response contains the reservation code, which grants more access than last name
 *   and phone digits
 */
export async function openReservation(
  services: Services,
  found: ActiveReservation,
  proof: 'link' | 'names',
  { showsCode = proof === 'link', callers }: { showsCode?: boolean; callers?: Callers } = {},
): Promise<Outcome<FoundReservation>> {
  const isOwn = callers?.tenant !== undefined && ownTenant(callers.tenant, found)
  const draftId = await resumeRental(services, {
    locationCode: found.location_code,
    unitTypeId: found.unit_type_id,
    tenantId: found.tenant_id,
    reservationCode: found.reservation_code,
    moveInDate: found.required_date,
    draftId: found.draft_id,
    existingTenant: found.on_file === 1,
    proof,
  })
  return succeed(
    {
      ErrorMessage: '',
      location_code: found.location_code,
      reservationCode: showsCode ? found.reservation_code : '***',
      unitNumber: found.unit_number,
      tenantId: found.on_file === 0 || isOwn ? found.tenant_id : null,
      UnitTypeId: found.unit_type_id,
      UnitType: found.unit_type_code ?? '',
      ReservationDate: formatUs(found.reservation_date),
      RequiredDate: formatUs(found.required_date),
      HeldUntil: wireInstant(found.time_zone, found.hold_until),
      ...maskContact(found),
    },
    { draftId },
  )
}

/**
 * Counts a guess against the facility and last name, since guesses of four digits may come from many networks.
 * @returns the refusal once a limit is reached, else null
 */
export const countLookupGuess = (services: Services, location: string, name: string): Promise<Refusal | null> =>
  checkAndCountGuess(services, 'reservation', {
    name: `reservation:${services.sealer.fingerprint(`${location}:${nameKey(name)}`, 'limit')}`,
  })

/**
 * Returns the path of a reservation's personal link. Creates the prospect record whose uuid the link contains if the
 * reservation has none.
 * @param code reservation code in any spelling
 * @returns null where the facility has no active reservation with this code
 */
export async function ensureReservationLink(
  services: Services,
  locationCode: string,
  code: string,
): Promise<string | null> {
  const key = normalizeReservationCode(code)
  const reservation = await selectActiveReservations(services, locationCode)
    .where('reservation_code', '=', key)
    .executeTakeFirst()
  if (!reservation) return null
  const uuid = await ensureProspect(services, locationCode, key)
  return uuid && `/reservation/${uuid}`
}
