import type { Selectable } from 'kysely'
import type { RentalProof } from '../../platform/operations/callers.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { ReservationsTable } from '../../platform/schema/tables.ts'
import type { FacilityFacts } from '../facilities/facility-facts.ts'
import { agreedTerms, comparableOffer } from '../pricing/offers.ts'
import { loadTenant, type Tenant } from '../tenants/tenant.ts'
import {
  type DraftPricing,
  isMoveInStarted,
  journeyFacilityOf,
  leaseStart,
  loadDraftPricing,
  validAnswers,
} from './draft-price.ts'
import { type Answers, isContactComplete, type JourneyFacts } from './rules/journey/journey-answers.ts'
import { reservationWindow } from './rules/reservation-window.ts'

/** A rental in progress: the answers of a visitor's rental session, with its tenant and reservation. */
export interface Draft {
  draftId: string
  locationCode: string
  unitTypeId: number
  tenantId: number | null
  /** Tenant record that this session created; null where the tenant existed before. */
  enteredTenantId: number | null
  reservationCode: string | null
  /** Whether the tenant existed before this session. If so, none of the tenant's data is shown or changed. */
  existingTenant: boolean
  proof: RentalProof
  /** Id of the resumed session in this browser's cookie; null where the cookie holds the draft's own id. */
  resumedId: string | null
  rentNow: boolean
  /** All answers, including those stored encrypted. For server use only. */
  answers: Answers
  version: number
  touchedAt: number
}

/** Facts that the journey rules read for a draft, with its hold, reservation, facility and tenant. */
export interface DraftFacts extends JourneyFacts {
  /** End of the live hold, epoch milliseconds; null where no unit is held. */
  heldUntil: number | null
  /** Whether the draft's hold has lapsed or was cancelled, so that its unit is free again. */
  holdLapsed: boolean
  reservation: Selectable<ReservationsTable> | null
  facility: FacilityFacts
  /** The draft's full tenant record. Not every session may see it. */
  tenant: Tenant | undefined
}

/**
 * Loads the facts by which modules/reservations/rules/journey/journey-navigation.ts decides.
 * @param known result of `loadDraftPricing` in the same request, to save the queries
 * @returns null where the facility or the unit type no longer exists
 */
export async function journeyFacts(
  services: Services,
  draft: Draft,
  visitor: { signedIn: boolean },
  known?: DraftPricing,
): Promise<DraftFacts | null> {
  const [gathered, tenant] = await Promise.all([
    known ?? loadDraftPricing(services, draft),
    draft.tenantId === null ? undefined : loadTenant(services.db.read, draft.locationCode, draft.tenantId),
  ])
  return gathered && toDraftFacts(services, draft, gathered, { ...visitor, tenant })
}

/**
 * Returns a draft's facts after its answers changed, reusing the records that `before` had loaded; null where the
 * facility no longer has the unit type.
 */
export function factsAfter(services: Services, draft: Draft, before: DraftFacts): DraftFacts | null {
  return toDraftFacts(services, draft, pricingOfFacts(before), { ...before.visitor, tenant: before.tenant })
}

/** Returns the facility and reservation that a draft's facts were computed from, to price it without another query. */
export const pricingOfFacts = ({ facility, reservation }: DraftFacts): DraftPricing => ({
  facts: facility,
  reservation,
})

/** Computes a draft's facts from loaded records; null where the facility no longer has the unit type. */
export function toDraftFacts(
  services: Services,
  draft: Draft,
  { facts, reservation }: DraftPricing,
  { signedIn, tenant }: { signedIn: boolean; tenant: Tenant | undefined },
): DraftFacts | null {
  const type = facts.unitTypes.find((row) => row.unit_type_id === draft.unitTypeId)
  if (!type) return null
  const ofThisUnit = reservation?.unit_type_id === draft.unitTypeId ? reservation : null
  const held = ofThisUnit?.status === 'active' && ofThisUnit.hold_until > services.clock.now()
  const rented = ofThisUnit?.status === 'completed'
  const answers: Answers = { ...validAnswers(facts, draft.answers, ofThisUnit), rentNow: draft.rentNow }
  // Once the move-in has begun, the lease starts today (spec 1 §9) or on a transfer's later day; the reserved day no
  // longer counts.
  if (!rented && isMoveInStarted(draft)) answers.moveInDate = leaseStart(answers, facts.today)
  return {
    answers,
    place: journeyFacilityOf(facts, draft.unitTypeId),
    visitor: {
      signedIn,
      reserved: held || rented,
      existingTenant: draft.existingTenant,
      contactOnFile: isContactComplete(tenant),
      rented,
    },
    offer: comparableOffer(facts, type, agreedTerms(facts, type, ofThisUnit)),
    window: reservationWindow(facts.today, facts.location.reservation_window),
    heldUntil: held && ofThisUnit ? ofThisUnit.hold_until : null,
    holdLapsed: ofThisUnit !== null && !held && !rented,
    reservation: ofThisUnit,
    facility: facts,
    tenant,
  }
}
