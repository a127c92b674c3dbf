import type { Selectable } from 'kysely'
import type { IsoDate } from '../../domain/plain-date.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { ReservationsTable } from '../../platform/schema/tables.ts'
import {
  type FacilityFacts,
  loadFacilityFacts,
  type SchemeRow,
  type UnitTypeRow,
} from '../facilities/facility-facts-for-pricing.ts'
import { agreedTerms, toDiscount } from '../pricing/agreed-and-offered-terms.ts'
import { priceMoveIn } from '../pricing/move-in-price.ts'
import { cardFeeApplies } from '../pricing/rules/card-fee-applies.ts'
import type { Charges } from '../pricing/rules/charges.ts'
import { type Discount, discountWithAutopay } from '../pricing/rules/discount.ts'
import { cheapestScheme, priceAssumptions } from '../pricing/rules/price-assumptions.ts'
import { cardFeeOf, fullDayAccessFeeOf } from '../pricing/rules/unit-type-fees.ts'
import { transferStart } from '../transfers/rules/transfer.ts'
import { isMoveInStarted } from './rules/journey/draft.ts'
import { type Answers, insuranceStatus, type JourneyFacility, wantsAutopay } from './rules/journey/journey-answers.ts'

/** Parts of a draft that its price depends on. `Draft` (rules/journey/draft.ts) satisfies it. */
export interface PricedDraft {
  draftId: string
  locationCode: string
  unitTypeId: number
  reservationCode: string | null
  rentNow: boolean
  answers: Answers
}

/** Price of a rental in progress. */
export interface DraftQuote {
  charges: Charges
  unitType: UnitTypeRow
  /** Agreed rent, or else the rent for new renters; in cents for 30 days. */
  rent: number
  /** Street rate of the unit type, in cents for 30 days. */
  streetRent: number
  discount: Discount | null
  /** Whether First Month Free was offered but lost because autopay is off. */
  discountDropped: boolean
  scheme: SchemeRow | null
  autopay: boolean
  /** What the price assumes, such as 'autopay on'; empty once insurance, autopay and access are chosen. */
  assumptions: string[]
}

/** Returns the facts about a facility and unit type that decide which steps of the journey apply. */
export const journeyFacilityOf = (facts: FacilityFacts, unitTypeId: number): JourneyFacility => ({
  state: facts.location.state,
  sboa: facts.location.sboa === 1,
  hasBrochure: facts.location.sboa === 1 && facts.location.sboa_brochure !== '',
  hasAccessFee: fullDayAccessFeeOf(facts, unitTypeId) !== null,
  allowAch: facts.location.allow_ach === 1,
  ccFee: cardFeeOf(facts, unitTypeId) !== null,
})

/** Returns the first day of a lease whose move-in has begun: today, or a transfer's later day. */
export const leaseStart = ({ startsOn }: Pick<Answers, 'startsOn'>, today: IsoDate): IsoDate =>
  startsOn === undefined ? today : transferStart(startsOn, today)

/**
 * Returns the answers that are still valid at the facility. Drops a chosen insurance scheme that is no longer offered,
 * so that the renter is asked again. A completed rental, and any rental at a facility without insurance, keeps it.
 */
export function validAnswers(
  facts: FacilityFacts,
  answers: Answers,
  reservation: Pick<Selectable<ReservationsTable>, 'status'> | null,
): Answers {
  const chosen = answers.insurance
  if (reservation?.status === 'completed' || facts.location.sboa === 0 || chosen?.status !== 1) return answers
  if (facts.schemes.some((row) => row.scheme_id === chosen.schemeId)) return answers
  const { insurance: _, ...validAnswersOnly } = answers
  return validAnswersOnly
}

/**
 * Prices a draft from facts already loaded; reads nothing.
 * @returns null where the facility no longer has the unit type
 */
export function priceDraft(
  facts: FacilityFacts,
  draft: PricedDraft,
  reservation: Selectable<ReservationsTable> | null,
): DraftQuote | null {
  const type = facts.unitTypes.find((row) => row.unit_type_id === draft.unitTypeId)
  if (!type) return null
  const answers = validAnswers(facts, draft.answers, reservation)
  const place = journeyFacilityOf(facts, draft.unitTypeId)
  const terms = agreedTerms(facts, type, reservation)
  const autopay = wantsAutopay(answers)
  const effectiveDiscount = discountWithAutopay(toDiscount(terms.discount), autopay)
  const discount = effectiveDiscount ? terms.discount : null
  const status = insuranceStatus({ answers, place })
  const isAssumed = status === 0 && place.sboa
  const scheme = isAssumed ? cheapestScheme(facts.schemes) : status === 1 ? chosenScheme(facts, answers) : null
  const charges = priceMoveIn(facts, type, {
    moveInDate: isMoveInStarted(draft) ? leaseStart(answers, facts.today) : (answers.moveInDate ?? facts.today),
    discount,
    scheme,
    access24: answers.fullDayAccess === true,
    cardFee: cardFeeApplies({ ccFee: place.ccFee, autopay, method: answers.paymentMethod ?? 'CC' }),
    agreed: terms,
  })
  return {
    charges,
    unitType: type,
    rent: terms.rent,
    streetRent: terms.streetRent,
    discount: effectiveDiscount,
    discountDropped: terms.discount !== null && effectiveDiscount === null,
    scheme,
    autopay,
    assumptions: assumptionsOf(answers, place, isAssumed, scheme),
  }
}

function chosenScheme({ schemes }: FacilityFacts, { insurance }: Answers): SchemeRow | null {
  if (insurance?.status !== 1) return null
  return schemes.find((row) => row.scheme_id === insurance.schemeId) ?? null
}

/** Returns what the price assumes until the renter chooses, such as 'autopay on'. */
function assumptionsOf(
  answers: Answers,
  place: JourneyFacility,
  isAssumed: boolean,
  scheme: SchemeRow | null,
): string[] {
  const assumptions: string[] = []
  const [insurance, autopay, access] = priceAssumptions(scheme?.scheme_name ?? null)
  if (isAssumed && insurance) assumptions.push(insurance)
  if (answers.autopay === undefined && autopay) assumptions.push(autopay)
  if (place.hasAccessFee && answers.fullDayAccess === undefined && access) assumptions.push(access)
  return assumptions
}

/** Records from which a draft is priced. */
export interface DraftPricing {
  facts: FacilityFacts
  reservation: Selectable<ReservationsTable> | null
}

/** Loads the facility's facts and the draft's reservation in parallel; null where the facility no longer exists. */
export async function loadDraftPricing(
  services: Services,
  draft: Pick<PricedDraft, 'locationCode' | 'reservationCode'>,
): Promise<DraftPricing | null> {
  const [facts, reservation] = await Promise.all([
    loadFacilityFacts(services, [draft.locationCode]),
    draft.reservationCode === null
      ? undefined
      : services.db.read
          .selectFrom('reservations')
          .selectAll()
          .where('location_code', '=', draft.locationCode)
          .where('reservation_code', '=', draft.reservationCode)
          .executeTakeFirst(),
  ])
  const facility = facts.get(draft.locationCode)
  return facility ? { facts: facility, reservation: reservation ?? null } : null
}
