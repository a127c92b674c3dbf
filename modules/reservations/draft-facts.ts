import type { Selectable } from 'kysely'
import type { RentalProof } from '../../platform/operations/callers.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { ReservationsTable } from '../../platform/schema/tables.ts'
import type { FacilityFacts } from '../facilities/facts.ts'
import { agreedTerms, offerOf } from '../pricing/offers.ts'
import { type Tenant, tenantRow } from '../tenants/tenant.ts'
import {
  type DraftPricing,
  isMoveInStarted,
  leaseStart,
  loadDraftPricing,
  placeOf,
  validAnswers,
} from './draft-price.ts'
import { type Answers, type Facts, isContactComplete } from './rules/journey/answers.ts'
import { reservationWindow } from './rules/reservation-window.ts'

export interface Draft {
  draftId: string
  locationCode: string
  unitTypeId: number
  tenantId: number | null
  /** The tenant that this session entered itself; null for one who was on file before. */
  enteredTenantId: number | null
  reservationCode: string | null
  /** The reservation belongs to a tenant who existed before: nothing of that tenant is revealed or changed. */
  existingTenant: boolean
  proof: RentalProof
  /** The resumed session that this browser's cookie names; null where it names the draft itself. */
  resumedId: string | null
  rentNow: boolean
  /** Sealed ones included, for the server's own use. */
  answers: Answers
  version: number
  touchedAt: number
}

/** A rental draft's facts for the journey's rules, and until when its unit is kept. */
export interface DraftFacts extends Facts {
  /** Until when the unit is kept; null where no unit is held. */
  heldUntil: number | null
  /** There was a hold, and it has run out or was cancelled: the unit is free again. */
  holdLapsed: boolean
  reservation: Selectable<ReservationsTable> | null
  facility: FacilityFacts
  /** The draft's, whole: not for every session to see. */
  tenant: Tenant | undefined
}

/**
 * What modules/reservations/rules/journey/walk.ts decides by.
 * @param known what `loadDraftPricing` has told in this very call
 * @returns null where the facility or the unit type is gone
 */
export async function journeyFacts(
  services: Services,
  draft: Draft,
  visitor: { signedIn: boolean },
  known?: DraftPricing,
): Promise<DraftFacts | null> {
  const [gathered, tenant] = await Promise.all([
    known ?? loadDraftPricing(services, draft),
    draft.tenantId === null ? undefined : tenantRow(services.db.read, draft.locationCode, draft.tenantId),
  ])
  return gathered && factsOf(services, draft, gathered, { ...visitor, tenant })
}

/** The facts of a draft whose answers this very call has changed, from those of before. */
export function factsAfter(services: Services, draft: Draft, before: DraftFacts): DraftFacts | null {
  return factsOf(services, draft, gatheredIn(before), { ...before.visitor, tenant: before.tenant })
}

export const gatheredIn = ({ facility, reservation }: DraftFacts): DraftPricing => ({ facts: facility, reservation })

export function factsOf(
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
  // The lease starts today (spec 1 §9) but for a transfer on a later day, also where another day was reserved or the move-in goes on past midnight.
  if (!rented && isMoveInStarted(draft)) answers.moveInDate = leaseStart(answers, facts.today)
  return {
    answers,
    place: placeOf(facts, draft.unitTypeId),
    visitor: {
      signedIn,
      reserved: held || rented,
      existingTenant: draft.existingTenant,
      contactOnFile: isContactComplete(tenant),
      rented,
    },
    offer: offerOf(facts, type, agreedTerms(facts, type, ofThisUnit)),
    window: reservationWindow(facts.today, facts.location.reservation_window),
    heldUntil: held && ofThisUnit ? ofThisUnit.hold_until : null,
    holdLapsed: ofThisUnit !== null && !held && !rented,
    reservation: ofThisUnit,
    facility: facts,
    tenant,
  }
}
