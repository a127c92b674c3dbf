import type { RentalProof } from '../../../../domain/draft-ownership-proof-kinds.ts'
import type { Answers } from './journey-answers.ts'

/** A rental in progress: the answers of a visitor's rental session, with its tenant and reservation. */
export interface Draft {
  draftId: string
  locationCode: string
  unitTypeId: number
  tenantId: number | null
  /** Id of the tenant that this rental created from the renter's own entries; otherwise null. */
  enteredTenantId: number | null
  reservationCode: string | null
  /**
   * True where the session alone may neither see nor change the tenant's data: the tenant existed before this rental, was
   * copied from the account's tenant at another facility, or had an account or lease when this session found the rental.
   * With the mailed link or the reservation code as proof, it may read the signed agreement (`mayReadAgreement`).
   */
  existingTenant: boolean
  proof: RentalProof
  /** Id of the resumed session in this browser's cookie; null where the cookie holds the draft's own id. */
  resumedId: string | null
  rentNow: boolean
  /** All answers, including the answers that are stored encrypted. For server use only. */
  answers: Answers
  /** Raised by each save, to detect concurrent changes. */
  version: number
  /** Time of the last change, epoch milliseconds. The retention period starts here. */
  touchedAt: number
}

/** Saved draft; `stale` where another tab changed the draft at each attempt, `gone` where the draft was deleted. */
export type SavedDraft = { ok: true; draft: Draft } | { ok: false; why: 'stale' | 'gone' }

/** Returns the id that the browser's cookie holds for this draft. */
export const sessionIdOf = (draft: Draft): string => draft.resumedId ?? draft.draftId

/**
 * Returns whether the rental has passed from the reservation to the move-in. From then on the lease starts today,
 * whatever day was reserved, or on a transfer's later day (`leaseStart`).
 */
export const isMoveInStarted = (draft: { rentNow: boolean; answers: Answers }): boolean =>
  draft.rentNow || draft.answers.vehicle !== undefined
