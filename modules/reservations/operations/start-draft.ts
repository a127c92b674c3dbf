import type { Services } from '../../../platform/operations/services.ts'
import { isPrivateAddress } from '../../../ports/private-addresses.ts'
import { loadDraft, saveAnswers } from '../draft.ts'
import { loadDraftPricing } from '../draft-price.ts'
import { insertDraft } from '../insert-draft.ts'
import type { Draft } from '../rules/journey/draft.ts'
import { type Answers, visitorAnswers } from '../rules/journey/journey-answers.ts'

const draftLimits = { network: { points: 120, perSeconds: 3600 }, all: { points: 20_000, perSeconds: 3600 } }

/** Thrown when the network, or all networks together, have begun too many drafts. */
export class TooManyDrafts extends Error {
  /** Seconds until the visitor may start another draft. */
  readonly retryAfter: number
  constructor(retryAfter: number) {
    super()
    this.retryAfter = retryAfter
  }
}

/**
 * Counts a draft begun by a visitor.
 * @throws TooManyDrafts
 */
async function countDraft({ limits }: Pick<Services, 'limits'>, address: string): Promise<void> {
  if (limits.spares(address)) return
  // Behind a proxy that TRUST_PROXY does not name, all visitors share one private address; only the total is limited.
  const networkCounters = isPrivateAddress(address) ? [] : [{ source: address, limit: draftLimits.network }]
  for (const { source, limit } of [...networkCounters, { source: 'all', limit: draftLimits.all }]) {
    const consumed = await limits.consumeFrom(source, 'draft', limit)
    if (!consumed.allowed) throw new TooManyDrafts(consumed.retryAfterSeconds)
  }
}

/**
 * Starts a rental of a unit type (the unit loading page). The same unit type resumes the existing draft unless it was
 * rented, so no second reservation is made; otherwise a new draft keeps the visitor's answers about themselves.
 * @param start unit type to rent; `address`: network address by which new drafts are counted; without it none is
 *   counted
 * @param sessionDraft the draft of this browser's session, if any
 * @returns null where the facility has no such unit type, or where the session's draft was deleted meanwhile
 * @throws TooManyDrafts
 */
export async function startDraft(
  services: Services,
  { address, ...start }: { locationCode: string; unitTypeId: number; rentNow: boolean; address?: string },
  sessionDraft: Draft | null = null,
): Promise<Draft | null> {
  const [pricing, previous] = await Promise.all([
    loadDraftPricing(services, { locationCode: start.locationCode, reservationCode: null }),
    sessionDraft ? loadDraftPricing(services, sessionDraft) : null,
  ])
  if (!pricing?.facts.unitTypes.some((row) => row.unit_type_id === start.unitTypeId)) return null
  const { today } = pricing.facts
  const isRented = previous?.reservation?.status === 'completed'
  const isSameType = sessionDraft?.locationCode === start.locationCode && sessionDraft.unitTypeId === start.unitTypeId
  if (sessionDraft && isSameType && !isRented) {
    if (sessionDraft.rentNow === start.rentNow) return sessionDraft
    const result = await saveAnswers(services, sessionDraft, {
      rentNow: start.rentNow,
      ...(start.rentNow && { moveInDate: today }),
    })
    return result.ok ? result.draft : loadDraft(services, sessionDraft.draftId, sessionDraft)
  }
  if (address !== undefined) await countDraft(services, address)
  const answers: Answers = {
    ...(start.rentNow && { moveInDate: today }),
    ...(sessionDraft && answersAboutThemselves(sessionDraft)),
  }
  return insertDraft(services.db.write, services, { ...start, answers })
}

/**
 * Returns the answers that the visitor gave about themselves; none for an existing tenant, or if the session found the
 * rental by look-up or link and has not signed in as its tenant.
 */
function answersAboutThemselves({ answers, existingTenant, proof }: Draft): Answers {
  if (existingTenant || proof !== 'own') return {}
  return Object.fromEntries(
    visitorAnswers.filter((name) => answers[name] !== undefined).map((name) => [name, answers[name]]),
  )
}
