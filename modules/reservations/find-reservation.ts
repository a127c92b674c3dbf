import { type InferResult, type Selectable, sql } from 'kysely'
import * as v from 'valibot'
import { wireInstant } from '../../domain/dates.ts'
import { lastFour, nameKey } from '../../domain/phone.ts'
import { formatUs } from '../../domain/plain-date.ts'
import { type Callers, ownTenant } from '../../platform/operations/callers.ts'
import { countGuess } from '../../platform/operations/guesses.ts'
import { type Outcome, type Refusal, succeed } from '../../platform/operations/outcome.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { TenantsTable } from '../../platform/schema/tables.ts'
import { reservationCodeKey } from '../gate/rules/gate-code.ts'
import { maskContact } from '../tenants/tenant.ts'
import { ensureProspect } from './prospect-record.ts'
import { draftBehind, resumeRental } from './resumed-rentals.ts'
import { reservationNotFound } from './texts/reserve.ts'
import { proveRenter } from './unproven.ts'

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

/** A reservation as its finder may see it: contact data masked, an empty field left empty. */
export const foundReservation = v.object({
  /** '' when it was found. */
  ErrorMessage: v.string(),
  location_code: v.string(),
  reservationCode: v.string(),
  unitNumber: v.string(),
  /** null where the tenant was on file before and has not signed in. */
  tenantId: v.nullable(v.number()),
  UnitTypeId: v.number(),
  UnitType: v.string(),
  ReservationDate: v.string(),
  RequiredDate: v.string(),
  HeldUntil: v.string(),
  ...maskedFields,
})

type FoundReservation = v.InferInput<typeof foundReservation>

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

export const notFound = (message: string): Outcome<FoundReservation> =>
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
 * The facility's live reservations with what their finders are told and asked: unit type, tenant, whether the tenant is one
 * to protect (`isKnownTenant`), and the draft. One statement, since every look-up needs all of it.
 */
export const activeReservations = (services: Services, location: string) =>
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
    .select((eb) => draftBehind(eb).as('draft_id'))
    .where('reservations.location_code', '=', location)
    // Nothing but a condition on what the facility's indexes find: by the index of holds that run out, SQLite would go
    // through every facility's reservations.
    .where(sql<string>`coalesce(reservations.status, '')`, '=', 'active')
    .where(sql<number>`coalesce(hold_until, 0)`, '>', services.clock.now())

type ActiveReservation = InferResult<ReturnType<typeof activeReservations>>[number]

/**
 * Starts a rental session on a reservation that was found, and answers what its finder may see.
 * @param more `isTold`: whether the code is answered: it opens what names and digits alone do not
 */
export async function openReservation(
  services: Services,
  found: ActiveReservation,
  proof: 'link' | 'names',
  { isTold = proof === 'link', callers }: { isTold?: boolean; callers?: Callers } = {},
): Promise<Outcome<FoundReservation>> {
  const owned = callers?.tenant !== undefined && ownTenant(callers.tenant, found)
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
      reservationCode: isTold ? found.reservation_code : '***',
      unitNumber: found.unit_number,
      tenantId: found.on_file === 0 || owned ? found.tenant_id : null,
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

/** Tries are counted against the name too: guesses of its four digits may come from many addresses. */
export const guessesLeft = (services: Services, location: string, name: string): Promise<Refusal | null> =>
  countGuess(services, 'reservation', {
    name: `reservation:${services.sealer.fingerprint(`${location}:${nameKey(name)}`, 'limit')}`,
  })

export const hasLastFour = (
  tenant: Pick<Selectable<TenantsTable>, 'cell_phone' | 'home_phone' | 'work_phone'>,
  digits: string,
) => [tenant.cell_phone, tenant.home_phone, tenant.work_phone].some((phone) => lastFour(phone) === digits)

/**
 * The personal link of a reservation (spec 1 §2 reservation link): the uuid was mailed or sent by text, so it is proof
 * enough, and the hold's renter has shown e-mail or phone.
 * @returns with the grant of a rental session; ErrorMessage 'Reservation not found' where there is none that is live
 */
export async function openReservationLink(services: Services, uuid: string): Promise<Outcome<FoundReservation>> {
  const prospect = await services.db.read
    .selectFrom('prospects')
    .select(['location_code', 'res_code'])
    .where('uuid', '=', uuid.toLowerCase())
    .executeTakeFirst()
  if (prospect)
    await proveRenter(services.db.write, services, {
      locationCode: prospect.location_code,
      reservationCode: prospect.res_code,
    })
  const found =
    prospect &&
    (await activeReservations(services, prospect.location_code)
      .where('reservation_code', '=', prospect.res_code)
      .executeTakeFirst())
  return found ? openReservation(services, found, 'link') : notFound(reservationNotFound)
}

/**
 * What a personal link led to that has become a lease; opened again, it leads to the unit.
 * @returns null where there is no such reservation, or it was not rented
 */
export async function rentedByLink(
  services: Services,
  uuid: string,
): Promise<{ locationCode: string; reservationCode: string } | null> {
  const row = await services.db.read
    .selectFrom('prospects')
    .innerJoin('reservations', (join) =>
      join
        .onRef('reservations.location_code', '=', 'prospects.location_code')
        .onRef('reservations.reservation_code', '=', 'prospects.res_code'),
    )
    .select(['prospects.location_code', 'reservation_code'])
    .where('uuid', '=', uuid.toLowerCase())
    .where('lease_number', 'is not', null)
    .executeTakeFirst()
  return row ? { locationCode: row.location_code, reservationCode: row.reservation_code } : null
}

/** The facility of a personal link whose reservation was cancelled; null where it was not. */
export async function cancelledByLink(services: Services, uuid: string): Promise<string | null> {
  const row = await services.db.read
    .selectFrom('prospects')
    .innerJoin('reservations', (join) =>
      join
        .onRef('reservations.location_code', '=', 'prospects.location_code')
        .onRef('reservations.reservation_code', '=', 'prospects.res_code'),
    )
    .select('prospects.location_code')
    .where('uuid', '=', uuid.toLowerCase())
    .where('reservations.status', '=', 'cancelled')
    .executeTakeFirst()
  return row?.location_code ?? null
}

/**
 * The link itself, for the operator to hand on. One that is brought in from elsewhere, or was made before, gets its uuid here.
 * @param code as the renter has it, in any spelling
 * @returns a path of ours; null where that facility has no live reservation of this code
 */
export async function reservationLink(services: Services, locationCode: string, code: string): Promise<string | null> {
  const key = reservationCodeKey(code)
  const found = await activeReservations(services, locationCode).where('reservation_code', '=', key).executeTakeFirst()
  if (!found) return null
  const uuid = await ensureProspect(services, locationCode, key)
  return uuid && `/reservation/${uuid}`
}

/**
 * The facility that `/reservation?rescode=&site=` names: its location code, or its name as the prospect record has it.
 * @returns null where there is none
 */
export async function locationOfSite(services: Services, site: string): Promise<string | null> {
  const row = await services.db.read
    .selectFrom('locations')
    .select('location_code')
    .where((eb) => eb.or([eb('location_code', '=', site), eb('name', '=', site), eb('slug', '=', site.toLowerCase())]))
    .orderBy('location_code')
    .executeTakeFirst()
  return row?.location_code ?? null
}
