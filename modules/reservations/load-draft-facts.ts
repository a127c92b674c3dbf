import type { Selectable } from 'kysely'
import type { Services } from '../../platform/operations/services.ts'
import type { ReservationsTable } from '../../platform/schema/tables.ts'
import type { FacilityFacts } from '../facilities/facility-facts-for-pricing.ts'
import { agreedTerms, comparableOffer } from '../pricing/agreed-and-offered-terms.ts'
import { loadTenant, type Tenant } from '../tenants/tenant.ts'
import { type DraftPricing, journeyFacilityOf, leaseStart, loadDraftPricing, validAnswers } from './draft-price.ts'
import { reservationWindow } from './rules/first-and-last-reservable-day.ts'
import { type Draft, isMoveInStarted } from './rules/journey/draft.ts'
import { type Answers, isContactComplete, type JourneyFacts } from './rules/journey/journey-answers.ts'

/** Facts about a draft from which the journey's steps are derived, with the draft's hold, facility and tenant. */
export interface DraftFacts extends JourneyFacts {
  /** End of the live hold, epoch milliseconds; null where no unit is held. */
  heldUntil: number | null
  /** Whether the draft's hold of this unit type has lapsed or was cancelled. */
  holdLapsed: boolean
  /** The draft's reservation, in any status; null where it has none or one of another unit type. */
  reservation: Selectable<ReservationsTable> | null
  facility: FacilityFacts
  /** The draft's full tenant record. Not every session may see it. */
  tenant: Tenant | undefined
}

/**
 * Loads the facts from which `journey-navigation.ts` derives the visitor's next step.
 * @param loadedPricing result of `loadDraftPricing`, if this request has loaded it already
 * @returns null where the facility or the unit type no longer exists
 */
export async function loadJourneyFacts(
  services: Services,
  draft: Draft,
  visitor: { signedIn: boolean },
  loadedPricing?: DraftPricing,
): Promise<DraftFacts | null> {
  const [pricing, tenant] = await Promise.all([
    loadedPricing ?? loadDraftPricing(services, draft),
    draft.tenantId === null ? undefined : loadTenant(services.db.read, draft.locationCode, draft.tenantId),
  ])
  return pricing && toDraftFacts(services, draft, pricing, { ...visitor, tenant })
}

/**
 * Returns a draft's facts after its answers changed, from the records of `before` without a query; null where the
 * facility has no such unit type.
 */
export function draftFactsAfterChange(services: Services, draft: Draft, before: DraftFacts): DraftFacts | null {
  return toDraftFacts(services, draft, pricingOfFacts(before), { ...before.visitor, tenant: before.tenant })
}

/** Returns the facility and reservation that a draft's facts were computed from, to price it without another query. */
export const pricingOfFacts = ({ facility, reservation }: DraftFacts): DraftPricing => ({
  facts: facility,
  reservation,
})

/** Computes a draft's facts from loaded records; null where the facility has no such unit type. */
export function toDraftFacts(
  services: Services,
  draft: Draft,
  { facts, reservation }: DraftPricing,
  { signedIn, tenant }: { signedIn: boolean; tenant: Tenant | undefined },
): DraftFacts | null {
  const type = facts.unitTypes.find((row) => row.unit_type_id === draft.unitTypeId)
  if (!type) return null
  const reservationOfType = reservation?.unit_type_id === draft.unitTypeId ? reservation : null
  const isHeld = reservationOfType?.status === 'active' && reservationOfType.hold_until > services.clock.now()
  const isRented = reservationOfType?.status === 'completed'
  const answers: Answers = { ...validAnswers(facts, draft.answers, reservationOfType), rentNow: draft.rentNow }
  // Once the move-in has begun, the lease starts today (spec 1 §9) or on a transfer's later day; the reserved day no
  // longer counts.
  if (!isRented && isMoveInStarted(draft)) answers.moveInDate = leaseStart(answers, facts.today)
  return {
    answers,
    place: journeyFacilityOf(facts, draft.unitTypeId),
    visitor: {
      signedIn,
      reserved: isHeld || isRented,
      existingTenant: draft.existingTenant,
      contactOnFile: isContactComplete(tenant),
      rented: isRented,
    },
    offer: comparableOffer(facts, type, agreedTerms(facts, type, reservationOfType)),
    window: reservationWindow(facts.today, facts.location.reservation_window),
    heldUntil: isHeld && reservationOfType ? reservationOfType.hold_until : null,
    holdLapsed: reservationOfType !== null && !isHeld && !isRented,
    reservation: reservationOfType,
    facility: facts,
    tenant,
  }
}
