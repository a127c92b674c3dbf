import type { Kysely, Selectable } from 'kysely'
import type { IsoDate } from '../../domain/plain-date.ts'
import { todayIn } from '../../domain/time-zone-dates.ts'
import { ContentCache } from '../../platform/database/content-cache.ts'
import type { Services } from '../../platform/operations/services.ts'
import type {
  DiscountsTable,
  FeesTable,
  InsuranceSchemesTable,
  LocationsTable,
  Tables,
  UnitTypesTable,
} from '../../platform/schema/tables.ts'
import type { Fee } from '../pricing/rules/charges.ts'
import { pickDiscount } from '../pricing/rules/discount.ts'
import { appliesToUnitType, feesOf } from '../pricing/rules/unit-type-fees.ts'
import { fee24HourAccess } from '../pricing/texts/full-day-access-fee-name.ts'
import { deriveLook, type FacilityLook } from './rules/facility-front-to-draw.ts'
import { OFFICE_FACILITY_ID } from './rules/operator-office-facility-id.ts'
import { offeredTypes } from './rules/unretired-unit-types.ts'
import { type FacilityPhoto, loadPhotos } from './store-photographs.ts'

export type UnitTypeRow = Selectable<UnitTypesTable>

export type DiscountRow = Selectable<DiscountsTable>

export type SchemeRow = Selectable<InsuranceSchemesTable>

type FeeRow = Selectable<FeesTable>

/** Returns whether a facility's units can be rented: it is open and not retired. */
export const isOpenForRent = ({
  coming_soon,
  retired_on,
}: Pick<FacilityFacts['location'], 'coming_soon' | 'retired_on'>) => coming_soon === 0 && retired_on === null

/** Facts of a facility on which prices depend, with its photographs and its look. */
export interface FacilityFacts {
  location: Selectable<LocationsTable>
  today: IsoDate
  /** Unit types sorted by id, retired ones included. */
  unitTypes: UnitTypeRow[]
  /** Discounts sorted by id, without retired ones; the first usable one applies. */
  discounts: DiscountRow[]
  /** Insurance schemes on offer; empty where the facility sells no insurance. */
  schemes: SchemeRow[]
  /** Insurance schemes that are no longer offered but continue for tenants who have them. */
  retiredSchemes: SchemeRow[]
  fees: FeeRow[]
  /** Photographs in their stored order, `position`. */
  photos: FacilityPhoto[]
  look: FacilityLook
  /** Amount of the '24 Hour Access Fee' per period, in cents; null where the facility has none. */
  feeFor24HourAccess: number | null
}

/**
 * Maximum number of facilities with cached facts, at 13 kB each. It should exceed an operator's number of facilities: an
 * operation without cached facts costs up to three times as much (`docs/decisions/performance.md`).
 */
const MAX_CACHED_FACILITIES = 5_000

const cachedFacts = new ContentCache<Omit<FacilityFacts, 'today'>>(MAX_CACHED_FACILITIES)

/** Returns the facts of facilities by location code. Unknown codes and the operator's office are left out. */
export async function loadFacilityFacts(
  services: Services,
  locationCodes: string[],
): Promise<Map<string, FacilityFacts>> {
  const cached = await cachedFacts.several(services.db, locationCodes, (missing) => readFacts(services, missing))
  const now = services.clock.now()
  return new Map(
    [...cached].map(([code, entry]) => [code, { ...entry, today: todayIn(entry.location.time_zone, now) }]),
  )
}

async function loadHighestFloors(read: Kysely<Tables>, locationCodes: string[]): Promise<Map<string, number>> {
  const rows = await read
    .selectFrom('units')
    .select((eb) => ['location_code', eb.fn.max('floor_no').as('highest')])
    .where('location_code', 'in', locationCodes)
    .groupBy('location_code')
    .execute()
  return new Map(rows.map((row) => [row.location_code, Number(row.highest)]))
}

/** Reads facts of any number of facilities in seven queries. */
async function readFacts(
  services: Services,
  locationCodes: string[],
): Promise<Map<string, Omit<FacilityFacts, 'today'>>> {
  const facts = new Map<string, Omit<FacilityFacts, 'today' | 'look'>>()
  const { read } = services.db
  const [locations, unitTypes, discounts, schemes, fees, photos, floors] = await Promise.all([
    read
      .selectFrom('locations')
      .leftJoin('location_contents', 'location_contents.location_code', 'locations.location_code')
      .selectAll('locations')
      .select('location_contents.fee_for_24hr_access')
      .where('locations.location_code', 'in', locationCodes)
      .where('facility_id', '!=', OFFICE_FACILITY_ID)
      .execute(),
    read
      .selectFrom('unit_types')
      .selectAll()
      .where('location_code', 'in', locationCodes)
      .orderBy('unit_type_id')
      .execute(),
    read
      .selectFrom('discounts')
      .selectAll()
      .where('location_code', 'in', locationCodes)
      .where('retired_on', 'is', null)
      .orderBy('discount_id')
      .execute(),
    read
      .selectFrom('insurance_schemes')
      .selectAll()
      .where('location_code', 'in', locationCodes)
      .orderBy('scheme_id')
      .execute(),
    read
      .selectFrom('fees')
      .selectAll()
      .where('location_code', 'in', locationCodes)
      .where('retired_on', 'is', null)
      .orderBy('fee_id')
      .execute(),
    loadPhotos(read, locationCodes),
    loadHighestFloors(read, locationCodes),
  ])
  for (const { fee_for_24hr_access, ...location } of locations)
    facts.set(location.location_code, {
      location,
      unitTypes: [],
      discounts: [],
      schemes: [],
      retiredSchemes: [],
      fees: [],
      photos: [],
      feeFor24HourAccess: fee_for_24hr_access,
    })
  for (const row of unitTypes) facts.get(row.location_code)?.unitTypes.push(row)
  for (const row of photos) facts.get(row.location_code)?.photos.push(row)
  for (const row of discounts) facts.get(row.location_code)?.discounts.push(row)
  for (const row of fees) {
    const entry = facts.get(row.location_code)
    const accessFee = row.description === fee24HourAccess ? entry?.feeFor24HourAccess : null
    // The amount in the facility's contents is charged, so it replaces the fee list's amount.
    entry?.fees.push(accessFee === null || accessFee === undefined ? row : { ...row, amount: accessFee })
  }
  for (const row of schemes) {
    const entry = facts.get(row.location_code)
    if (row.retired_on !== null) entry?.retiredSchemes.push(row)
    else if (entry?.location.sboa === 1) entry.schemes.push(row)
  }
  return new Map([...facts].map(([code, entry]) => [code, { ...entry, look: lookOfFacts(entry, floors.get(code)) }]))
}

const lookOfFacts = ({ location, unitTypes }: Pick<FacilityFacts, 'location' | 'unitTypes'>, floors = 1) =>
  deriveLook({ walls: location.walls, features: location.features, floors, unitTypes })

/** Returns the facility's discounts that apply to a unit type. */
export const discountsOf = (facts: FacilityFacts, unitTypeId: number): DiscountRow[] =>
  facts.discounts.filter((row) => appliesToUnitType(row, unitTypeId))

/**
 * Returns the discount that a new renter of the unit type gets (GetAllDiscounts: first displayable, revenue-managed and
 * available); null without one.
 */
export const newRenterDiscount = (facts: FacilityFacts, unitTypeId: number): DiscountRow | null =>
  pickDiscount(discountsOf(facts, unitTypeId))

/** Returns the late fee of a unit type before tax, `amount` in cents; null where the facility charges none. */
export function lateFeeOf(facts: FacilityFacts, unitTypeId: number): { amount: number; description: string } | null {
  return feesOf(facts, unitTypeId).find((fee) => fee.charged === 'late') ?? null
}

/** Returns the different late fees of a facility's offered unit types before tax, in cents. */
export const lateFeesOf = (facts: FacilityFacts): number[] => [
  ...new Set(offeredTypes(facts).flatMap((type) => lateFeeOf(facts, type.unit_type_id)?.amount ?? [])),
]

export const toFee = (row: FeeRow): Fee => ({ feeId: row.fee_id, description: row.description, amount: row.amount })

/**
 * Returns today's date at a facility; undefined for an unknown code.
 * @param db database or the current transaction
 */
export async function loadToday(
  db: Kysely<Tables>,
  services: Pick<Services, 'clock'>,
  locationCode: string,
): Promise<IsoDate | undefined> {
  const timeZone = await loadTimeZone(db, locationCode)
  return timeZone && todayIn(timeZone, services.clock.now())
}

export async function loadTimeZone(db: Kysely<Tables>, locationCode: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('locations')
    .select('time_zone')
    .where('location_code', '=', locationCode)
    .executeTakeFirst()
  return row?.time_zone
}
