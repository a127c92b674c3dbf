/**
 * What renting costs. Gathers a facility's facts in one round of queries and hands them to the one function of every price
 * (domain/charges.ts): the location page, the summary beside every later page, the lease and the payment all come here.
 */

import type { Selectable } from 'kysely'
import { ContentCache } from '../database/content-cache.ts'
import { rowId } from '../database/row-id.ts'
import { OFFICE_FACILITY_ID } from '../domain/business.ts'
import { type Charges, cheapestScheme, type Fee, moveInCharges, priceAssumptions } from '../domain/charges.ts'
import { todayIn } from '../domain/dates.ts'
import { type Discount, isFirstMonthFree, pickDiscount, withAutopay } from '../domain/discount.ts'
import { type Answers, insuranceStatus, type Offer, type Place, wantsAutopay } from '../domain/journey/answers.ts'
import type { IsoDate } from '../domain/plain-date.ts'
import { fee24HourAccess } from '../domain/texts/move-in.ts'
import { type SizeBand, sizeBand, sizeLabel } from '../domain/unit-type.ts'
import type {
  DiscountsTable,
  FeesTable,
  InsuranceSchemesTable,
  LocationsTable,
  ReservationsTable,
  UnitTypesTable,
} from '../platform/schema/tables.ts'
import { lettable } from './holds.ts'
import type { House } from './operation.ts'

type UnitTypeRow = Selectable<UnitTypesTable>
type DiscountRow = Selectable<DiscountsTable>
type SchemeRow = Selectable<InsuranceSchemesTable>
type FeeRow = Selectable<FeesTable>

/** All that a price at a facility can depend on. */
export interface FacilityFacts {
  location: Selectable<LocationsTable>
  /** On the facility's calendar. */
  today: IsoDate
  unitTypes: UnitTypeRow[]
  /** In the order in which the first usable one counts. */
  discounts: DiscountRow[]
  /** Empty where insurance is not offered. */
  schemes: SchemeRow[]
  fees: FeeRow[]
  /** '24 Hour Access Fee' per period in cents; null where there is none. */
  feeFor24HourAccess: number | null
}

/** Facilities whose facts and units are held in memory. */
export const MAX_CACHED_FACILITIES = 500

const cachedFacts = new ContentCache<Omit<FacilityFacts, 'today'>>(MAX_CACHED_FACILITIES)

/** The facts of several facilities, by location code; a code that does not exist, and the office, are left out. */
export async function facilityFacts(house: House, locationCodes: string[]): Promise<Map<string, FacilityFacts>> {
  const cached = await cachedFacts.several(house.db, locationCodes, (missing) => readFacts(house, missing))
  const now = house.clock.now()
  return new Map([...cached].map(([code, one]) => [code, { ...one, today: todayIn(one.location.time_zone, now) }]))
}

/** Five queries, however many facilities. */
async function readFacts(house: House, locationCodes: string[]): Promise<Map<string, Omit<FacilityFacts, 'today'>>> {
  const facts = new Map<string, Omit<FacilityFacts, 'today'>>()
  const { read } = house.db
  const [locations, unitTypes, discounts, schemes, fees] = await Promise.all([
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
      .orderBy('discount_id')
      .execute(),
    read
      .selectFrom('insurance_schemes')
      .selectAll()
      .where('location_code', 'in', locationCodes)
      .orderBy('scheme_id')
      .execute(),
    read.selectFrom('fees').selectAll().where('location_code', 'in', locationCodes).orderBy('fee_id').execute(),
  ])
  for (const { fee_for_24hr_access, ...location } of locations) {
    facts.set(location.location_code, {
      location,
      unitTypes: [],
      discounts: [],
      schemes: [],
      fees: [],
      feeFor24HourAccess: fee_for_24hr_access,
    })
  }
  for (const row of unitTypes) facts.get(row.location_code)?.unitTypes.push(row)
  for (const row of discounts) facts.get(row.location_code)?.discounts.push(row)
  for (const row of fees) {
    const of = facts.get(row.location_code)
    const access = row.description === fee24HourAccess ? of?.feeFor24HourAccess : null
    // One amount, whoever asks: the one that is charged.
    of?.fees.push(access === null || access === undefined ? row : { ...row, amount: access })
  }
  for (const row of schemes) {
    const of = facts.get(row.location_code)
    if (of?.location.sboa === 1) of.schemes.push(row)
  }
  return facts
}

/** Units that may be let now, by location code and unit type. Apart from the facts, since they change with every rental. */
async function freeUnits(house: House, locationCodes: string[]): Promise<Map<string, Map<number, number>>> {
  const free = new Map<string, Map<number, number>>()
  if (locationCodes.length === 0) return free
  const rows = await house.db.read
    .selectFrom('units')
    .select(['location_code', 'unit_type_id'])
    .select((eb) => eb.fn.countAll<number>().as('free'))
    .where('location_code', 'in', locationCodes)
    .where(lettable(house.clock.now()))
    .groupBy(['location_code', 'unit_type_id'])
    .execute()
  for (const row of rows) {
    const types = free.get(row.location_code) ?? new Map<number, number>()
    free.set(row.location_code, types.set(row.unit_type_id, Number(row.free)))
  }
  return free
}

const concerns = (row: { unit_type_id: number | null }, unitTypeId: number) =>
  row.unit_type_id === null || row.unit_type_id === unitTypeId

/** The facility's discounts that concern a unit type, usable or not. */
export const discountsOf = (facts: FacilityFacts, unitTypeId: number): DiscountRow[] =>
  facts.discounts.filter((row) => concerns(row, unitTypeId))

/** The fees that concern a unit type. */
export const feesOf = (facts: FacilityFacts, unitTypeId: number): FeeRow[] =>
  facts.fees.filter((row) => concerns(row, unitTypeId))

/** The discount a new renter of the unit type gets (GetAllDiscounts: first displayable, revenue-managed and available). */
export const discountFor = (facts: FacilityFacts, unitTypeId: number): DiscountRow | null =>
  pickDiscount(discountsOf(facts, unitTypeId))

/** The 24-hour access fee; null where the facility has none. */
export function access24Of(facts: FacilityFacts, unitTypeId: number): { feeId: number; amount: number } | null {
  const row = feesOf(facts, unitTypeId).find((one) => one.description === fee24HourAccess)
  return row && facts.feeFor24HourAccess !== null ? { feeId: row.fee_id, amount: row.amount } : null
}

/** The card processing fee; null where the facility takes none. */
export function cardFeeOf(facts: FacilityFacts, unitTypeId: number): { feeId: number; amount: number } | null {
  const row = feesOf(facts, unitTypeId).find((one) => one.charged === 'card')
  return row && facts.location.cc_fee === 1 ? { feeId: row.fee_id, amount: row.amount } : null
}

/** The late fee, before tax; null where the facility takes none. */
export function lateFeeOf(facts: FacilityFacts, unitTypeId: number): { amount: number; description: string } | null {
  return feesOf(facts, unitTypeId).find((one) => one.charged === 'late') ?? null
}

/** What a new renter pays per period: the web price where there is one, else the street rate. */
export const rentOf = (type: UnitTypeRow): number =>
  type.internet_price_available === 1 ? type.internet_price : type.rent

const discountOf = (row: DiscountTerms | null): Discount | null =>
  row && { id: row.discount_id, description: row.description, amount: row.amount, type: row.type }

const feeOf = (row: FeeRow): Fee => ({ feeId: row.fee_id, description: row.description, amount: row.amount })

export interface PriceChoices {
  moveInDate: IsoDate
  /** Already rid of what autopay switched off takes away. */
  discount: DiscountTerms | null
  scheme: SchemeRow | null
  access24: boolean
  cardFee: boolean
  /** Agreed with a reservation; else today's prices. */
  agreed?: { rent: number; streetRent: number }
}

/** A move-in priced from a facility's facts and what was chosen. */
export function priceMoveIn(facts: FacilityFacts, type: UnitTypeRow, choices: PriceChoices): Charges {
  const { location } = facts
  const fees = feesOf(facts, type.unit_type_id)
  const { scheme } = choices
  return moveInCharges({
    rent: choices.agreed?.rent ?? rentOf(type),
    streetRent: choices.agreed?.streetRent ?? type.rent,
    discount: discountOf(choices.discount),
    insurance: scheme && { schemeId: scheme.scheme_id, name: scheme.scheme_name, premium: scheme.premium },
    moveInFees: fees.filter((row) => row.charged === 'move_in').map(feeOf),
    periodFees: fees.filter((row) => row.charged === 'period').map(feeOf),
    access24: choices.access24 ? access24Of(facts, type.unit_type_id) : null,
    cardFee: choices.cardFee ? cardFeeOf(facts, type.unit_type_id) : null,
    taxRates: { rent: location.rent_tax_rate, insurance: location.insurance_tax_rate, fee: location.fee_tax_rate },
    moveInDate: choices.moveInDate,
  })
}

// ── Before the renter has chosen anything ─────────────────────────────────────────────────────────────────────────────

export interface UnitTypeQuote {
  unitTypeId: number
  unitTypeCode: string
  categoryName: string
  /** Feet. */
  length: number
  breadth: number
  band: SizeBand
  /** '10 × 15' */
  size: string
  description: string
  detailedDescription: string
  features: string[]
  /** Units that may be let now. */
  free: number
  streetRent: number
  internetPrice: number
  internetPriceAvailable: boolean
  /** What is charged: the web price where there is one. */
  rent: number
  discount: Discount | null
  charges: Charges
  dueToday: number
  thenPerMonth: number
  /** What the price takes for granted, to stand beside it. */
  assumptions: string[]
}

export interface FacilityQuote {
  locationCode: string
  /** On the facility's calendar; the move-in day that is priced. */
  today: IsoDate
  unitTypes: UnitTypeQuote[]
}

/** What each unit type costs somebody who moves in today and has chosen nothing yet. */
function quoteFacility(facts: FacilityFacts, free: ReadonlyMap<number, number> | undefined): FacilityQuote {
  // A facility that is still to open lets nothing yet.
  const open = facts.location.coming_soon === 0
  const scheme = cheapestScheme(facts.schemes)
  const unitTypes = facts.unitTypes.map((type): UnitTypeQuote => {
    const discount = discountFor(facts, type.unit_type_id)
    const charges = priceMoveIn(facts, type, {
      moveInDate: facts.today,
      discount,
      scheme,
      access24: false,
      cardFee: false,
    })
    const shape = { categoryName: type.category_name, length: type.length, breadth: type.breadth }
    return {
      unitTypeId: type.unit_type_id,
      unitTypeCode: type.unit_type_code,
      ...shape,
      band: sizeBand(shape),
      size: sizeLabel(shape),
      description: type.description,
      detailedDescription: type.detailed_description,
      features: JSON.parse(type.features) as string[],
      streetRent: type.rent,
      internetPrice: type.internet_price,
      internetPriceAvailable: type.internet_price_available === 1,
      rent: rentOf(type),
      discount: discountOf(discount),
      charges,
      dueToday: charges.dueToday,
      thenPerMonth: charges.thenPerPeriod,
      assumptions: priceAssumptions(scheme?.scheme_name ?? null),
      free: (open && free?.get(type.unit_type_id)) || 0,
    }
  })
  return { locationCode: facts.location.location_code, today: facts.today, unitTypes }
}

/** Every unit type of several facilities, priced; by location code. */
export async function quoteFacilities(house: House, locationCodes: string[]): Promise<Map<string, FacilityQuote>> {
  const [facts, free] = await Promise.all([facilityFacts(house, locationCodes), freeUnits(house, locationCodes)])
  return new Map([...facts].map(([code, one]) => [code, quoteFacility(one, free.get(code))]))
}

/**
 * Every unit type of a facility as the location page shows it: with the cheapest insurance where it is offered, autopay on
 * and no 24-hour access. null for a facility that does not exist.
 */
export async function quoteUnitTypes(house: House, locationCode: string): Promise<FacilityQuote | null> {
  return (await quoteFacilities(house, [locationCode])).get(locationCode) ?? null
}

// ── Once there is a rental draft ──────────────────────────────────────────────────────────────────────────────────────

/** What a price needs of a draft; `Draft` of site-records/rental-draft.ts is one. */
export interface PricedDraft {
  draftId: string
  locationCode: string
  unitTypeId: number
  reservationCode: string | null
  rentNow: boolean
  answers: Answers
}

/** What the answers already settle of the price. */
export interface DraftQuote {
  charges: Charges
  unitType: UnitTypeRow
  rent: number
  streetRent: number
  discount: Discount | null
  /** First Month Free was offered and autopay is off. */
  discountDropped: boolean
  scheme: SchemeRow | null
  autopay: boolean
  /** What is still taken for granted; empty once insurance, autopay and access are chosen. */
  assumptions: string[]
}

/** Where the facility stands in the journey. */
export const placeOf = (facts: FacilityFacts, unitTypeId: number): Place => ({
  state: facts.location.state,
  sboa: facts.location.sboa === 1,
  hasBrochure: facts.location.sboa === 1 && facts.location.sboa_brochure !== '',
  hasAccessFee: access24Of(facts, unitTypeId) !== null,
  allowAch: facts.location.allow_ach === 1,
  ccFee: cardFeeOf(facts, unitTypeId) !== null,
})

/** What a price needs of a discount. */
export type DiscountTerms = Pick<DiscountRow, 'discount_id' | 'description' | 'amount' | 'type'>

/** A discount as a reservation keeps it; `agreedTerms` reads it. */
export const discountAsAgreed = (
  discount: DiscountTerms | null,
): Pick<ReservationsTable, 'discount_id' | 'agreed_discount'> => ({
  discount_id: discount?.discount_id ?? 0,
  agreed_discount:
    discount && JSON.stringify({ description: discount.description, amount: discount.amount, type: discount.type }),
})

/** Rent and discount as agreed with the reservation while it stands, else as offered today. */
export function agreedTerms(
  facts: FacilityFacts,
  type: UnitTypeRow,
  reservation: Selectable<ReservationsTable> | null,
): { rent: number; streetRent: number; discount: DiscountTerms | null } {
  const stands = reservation?.status === 'active' || reservation?.status === 'completed'
  if (!reservation || !stands || reservation.unit_type_id !== type.unit_type_id) {
    return { rent: rentOf(type), streetRent: type.rent, discount: discountFor(facts, type.unit_type_id) }
  }
  return {
    rent: reservation.rent,
    streetRent: reservation.street_rent,
    // Agreed is agreed: it counts as it was, though it may be another one by now, or not offered any more.
    discount:
      reservation.agreed_discount === null
        ? // Of a reservation from before that was kept.
          (facts.discounts.find((row) => row.discount_id === reservation.discount_id) ?? null)
        : {
            ...(JSON.parse(reservation.agreed_discount) as Omit<DiscountTerms, 'discount_id'>),
            discount_id: reservation.discount_id,
          },
  }
}

/** What the lease terms are compared by (domain/journey/answers.ts `leaseTerms`). */
export function offerOf(
  facts: FacilityFacts,
  type: UnitTypeRow,
  terms: { rent: number; discount: DiscountTerms | null },
): Offer {
  const { location, schemes } = facts
  const { discount } = terms
  return {
    unitTypeId: type.unit_type_id,
    rent: terms.rent,
    discountId: discount?.discount_id ?? 0,
    firstMonthFree: isFirstMonthFree(discountOf(discount)),
    priceList: JSON.stringify([
      [location.rent_tax_rate, location.insurance_tax_rate, location.fee_tax_rate],
      schemes.map((row) => [row.scheme_id, row.premium, row.coverage]),
      feesOf(facts, type.unit_type_id).map((row) => [row.fee_id, row.amount, row.charged]),
      facts.feeFor24HourAccess,
      discount && [discount.amount, discount.type],
    ]),
  }
}

/** Whether the move-in itself has begun: from then on the lease starts today, whatever day was reserved. */
export const hasBegunMoveIn = (draft: { rentNow: boolean; answers: Answers }): boolean =>
  draft.rentNow || draft.answers.vehicle !== undefined

/**
 * The answers as they stand at the facility today: insurance that it has stopped offering is not chosen, and is asked for
 * again. A rental that is finished keeps what it was made with.
 */
export function standingAnswers(
  facts: FacilityFacts,
  answers: Answers,
  reservation: Pick<Selectable<ReservationsTable>, 'status'> | null,
): Answers {
  const chosen = answers.insurance
  if (reservation?.status === 'completed' || facts.location.sboa === 0 || chosen?.status !== 1) return answers
  if (facts.schemes.some((row) => row.scheme_id === chosen.schemeId)) return answers
  const { insurance: _, ...standing } = answers
  return standing
}

/** @returns null where the unit type is gone from the facility */
export function priceDraft(
  facts: FacilityFacts,
  draft: PricedDraft,
  reservation: Selectable<ReservationsTable> | null,
): DraftQuote | null {
  const type = facts.unitTypes.find((row) => row.unit_type_id === draft.unitTypeId)
  if (!type) return null
  const answers = standingAnswers(facts, draft.answers, reservation)
  const place = placeOf(facts, draft.unitTypeId)
  const terms = agreedTerms(facts, type, reservation)
  const autopay = wantsAutopay(answers)
  const keptDiscount = withAutopay(discountOf(terms.discount), autopay)
  const discount = keptDiscount ? terms.discount : null
  const status = insuranceStatus({ answers, place })
  const assumptions: string[] = []
  let scheme: SchemeRow | null = null
  if (status === 1 && answers.insurance?.status === 1) {
    const { schemeId } = answers.insurance
    scheme = facts.schemes.find((row) => row.scheme_id === schemeId) ?? null
  } else if (status === 0 && place.sboa) {
    scheme = cheapestScheme(facts.schemes)
  }
  const [insuranceAssumed, autopayAssumed, accessAssumed] = priceAssumptions(scheme?.scheme_name ?? null)
  if (status === 0 && place.sboa && insuranceAssumed) assumptions.push(insuranceAssumed)
  if (answers.autopay === undefined && autopayAssumed) assumptions.push(autopayAssumed)
  if (place.hasAccessFee && answers.fullDayAccess === undefined && accessAssumed) assumptions.push(accessAssumed)
  const charges = priceMoveIn(facts, type, {
    moveInDate: hasBegunMoveIn(draft) ? facts.today : (answers.moveInDate ?? facts.today),
    discount,
    scheme,
    access24: answers.fullDayAccess === true,
    cardFee: !autopay && answers.paymentMethod !== 'ACH',
    agreed: terms,
  })
  return {
    charges,
    unitType: type,
    rent: terms.rent,
    streetRent: terms.streetRent,
    discount: keptDiscount,
    discountDropped: terms.discount !== null && keptDiscount === null,
    scheme,
    autopay,
    assumptions,
  }
}

export interface GatheredDraft {
  facts: FacilityFacts
  reservation: Selectable<ReservationsTable> | null
}

/** The facility's facts and the reservation behind a draft, in one round. null where the facility is gone. */
export async function gatherDraft(
  house: House,
  draft: Pick<PricedDraft, 'locationCode' | 'reservationCode'>,
): Promise<GatheredDraft | null> {
  const [facts, reservation] = await Promise.all([
    facilityFacts(house, [draft.locationCode]),
    draft.reservationCode === null
      ? undefined
      : house.db.read
          .selectFrom('reservations')
          .selectAll()
          .where('location_code', '=', draft.locationCode)
          .where('reservation_code', '=', draft.reservationCode)
          .executeTakeFirst(),
  ])
  const of = facts.get(draft.locationCode)
  return of ? { facts: of, reservation: reservation ?? null } : null
}

/**
 * The price of a rental in progress: the reservation's agreed rent and discount, the chosen insurance, 24-hour access, the
 * card fee where autopay is declined and the payment is by card; First Month Free falls away with autopay.
 * @returns null where the facility or the unit type is gone
 */
export async function quoteDraft(house: House, draft: PricedDraft, known?: GatheredDraft): Promise<DraftQuote | null> {
  const gathered = known ?? (await gatherDraft(house, draft))
  return gathered && priceDraft(gathered.facts, draft, gathered.reservation)
}

// ── A price that was shown, and consent to it (UX 3) ──────────────────────────────────────────────────────────────────

/** How long a price that was shown may be consented to. */
export const QUOTE_MS = 30 * 60 * 1000

export interface StoredQuote {
  quoteId: string
  charges: Charges
  total: number
  expiresAt: number
}

/**
 * Keeps a price as shown, to be consented to within 30 minutes.
 * @param known what `gatherDraft` has told in this very call
 * @returns null where there is no price any more
 */
export async function storeQuote(house: House, draft: PricedDraft, known?: GatheredDraft): Promise<StoredQuote | null> {
  const quote = await quoteDraft(house, draft, known)
  if (!quote) return null
  const now = house.clock.now()
  const stored = {
    quoteId: rowId(house),
    charges: quote.charges,
    total: quote.charges.dueToday,
    expiresAt: now + QUOTE_MS,
  }
  await house.db.write
    .insertInto('quotes')
    .values({
      quote_id: stored.quoteId,
      location_code: draft.locationCode,
      draft_id: draft.draftId,
      charges: JSON.stringify(stored.charges),
      total: stored.total,
      created_at: now,
      expires_at: stored.expiresAt,
    })
    .execute()
  return stored
}

/** A line that differs between the price that was shown and the price now; null: there was or is no such line. */
export interface PriceChange {
  label: string
  before: number | null
  now: number | null
}

export type Consent =
  | { ok: true; quote: StoredQuote }
  /** 'unknown': no such quote of this draft. Otherwise `now` is a new one, to be consented to instead. */
  | { ok: false; why: 'unknown' | 'gone' }
  | { ok: false; why: 'expired' | 'changed'; changes: PriceChange[]; now: StoredQuote }

/**
 * The renter agrees to a price that was shown. Holds where it is this draft's, has not run out and is still the price,
 * line by line and day by day; else a new quote comes back with what has changed.
 * @param known what the caller will charge by, where it has gathered that already
 */
export async function consentToQuote(
  house: House,
  draft: PricedDraft,
  quoteId: string,
  known?: GatheredDraft,
): Promise<Consent> {
  const row = await house.db.read
    .selectFrom('quotes')
    .selectAll()
    .where('quote_id', '=', quoteId)
    .where('draft_id', '=', draft.draftId)
    .executeTakeFirst()
  if (!row) return { ok: false, why: 'unknown' }
  const current = await quoteDraft(house, draft, known)
  if (!current) return { ok: false, why: 'gone' }
  const shown = JSON.parse(row.charges) as Charges
  const changes = priceChanges(shown, current.charges)
  const expired = row.expires_at <= house.clock.now()
  if (changes.length === 0 && !expired) {
    return { ok: true, quote: { quoteId, charges: shown, total: row.total, expiresAt: row.expires_at } }
  }
  const now = await storeQuote(house, draft, known)
  if (!now) return { ok: false, why: 'gone' }
  return { ok: false, why: changes.length > 0 ? 'changed' : 'expired', changes, now }
}

/** What differs between two prices; empty where they are the same, to the line and the day. */
export function priceChanges(before: Charges, now: Charges): PriceChange[] {
  const keyed = (charges: Charges) =>
    new Map(
      [...charges.lines, ...charges.thenLines.map((line) => ({ ...line, label: `${line.label}, every 30 days` }))].map(
        (line) => [`${line.label}/${line.feeId ?? ''}`, line],
      ),
    )
  const was = keyed(before)
  const is = keyed(now)
  const changes: PriceChange[] = []
  for (const key of new Set([...was.keys(), ...is.keys()])) {
    const old = was.get(key)
    const fresh = is.get(key)
    if (old?.cents !== fresh?.cents) {
      changes.push({ label: (old ?? fresh)?.label ?? '', before: old?.cents ?? null, now: fresh?.cents ?? null })
    }
  }
  if (changes.length === 0 && before.periodStart !== now.periodStart) {
    changes.push({ label: `Your first 30 days begin on ${now.periodStart}`, before: null, now: null })
  }
  return changes
}
