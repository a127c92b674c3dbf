import { redirect } from 'react-router'
import { formatUs } from '../../domain/plain-date.ts'
import { invalidSession } from '../../domain/texts/general-errors.ts'
import type { PriceChange } from '../../modules/pricing/rules/changed-price-of-quote-type.ts'
import { compareShownPrice } from '../../modules/reservations/operations/compare-shown-price.ts'
import { extendRentalHold } from '../../modules/reservations/operations/extend-rental-hold.ts'
import { SaveReservationDetails_WEB } from '../../modules/reservations/operations/reserve-unit-for-new-tenant.ts'
import { saveAnswersWithRetry } from '../../modules/reservations/operations/save-answers-with-retry.ts'
import { SaveReservationDetailsForExistingTenants } from '../../modules/reservations/operations/save-reservation-for-existing-tenant.ts'
import {
  type Draft,
  isMoveInStarted,
  type SavedDraft,
  sessionIdOf,
} from '../../modules/reservations/rules/journey/draft.ts'
import type { Answers } from '../../modules/reservations/rules/journey/journey-answers.ts'
import { resumeStep } from '../../modules/reservations/rules/journey/journey-navigation.ts'
import { unitsGone, unitsNotAvailable } from '../../modules/reservations/texts/reserve.ts'
import { hasEstablishedTenant } from '../../modules/reservations/views/unmasked-renter-contact.ts'
import { choosePath } from '../find-storage/choose-unit-page-path.ts'
import {
  loadDraftOfSession,
  loadFactsOfDraft,
  redirectToNextStep,
  type StepPage,
  stepAddress,
} from '../open-journey-step.ts'
import { type RequestContext, redirectWithAlert } from '../request/context.ts'

/**
 * Saves answers to the draft, and tries again when another tab saved at the same time.
 * @param textsTo phone number that agreed to text messages with these answers, ten digits
 * @returns the saved draft
 * @throws a redirect home, with an alert, when the draft is gone or every attempt failed
 */
export async function saveDraftAnswers(
  site: RequestContext,
  draft: Draft,
  change: Partial<Answers>,
  textsTo?: string,
): Promise<Draft> {
  return requireSaved(site, await saveAnswersWithRetry(site.services, draft, change, textsTo))
}

/** Extends the hold on the draft's unit; called when the move-in starts. */
export async function extendDraftHold(site: RequestContext, draft: Draft): Promise<Draft> {
  return requireSaved(site, await extendRentalHold(site.services, draft))
}

const requireSaved = (site: RequestContext, saved: SavedDraft): Draft =>
  saved.ok ? saved.draft : redirectWithAlert(site, saved.why === 'stale' ? 'changedElsewhere' : 'invalidSession', '/')

/**
 * Returns the key of the draft's unit: 'GA1/1' by facility and unit type, 'GA1/1/2' with the chosen unit. Forms contain
 * the key, so that a form left open in another tab does not reserve a different unit.
 */
export const draftUnitKey = ({ locationCode, unitTypeId, answers }: Draft): string =>
  [locationCode, unitTypeId, ...(answers.unit ? [answers.unit.id] : [])].join('/')

/**
 * Checks that the form was made for the draft's unit; a form that names no unit passes.
 * @throws a redirect back to the page, with an alert, when the session has moved on to another unit
 */
export function requireSameUnit(page: StepPage, sent: Record<string, string>): void {
  if (sent.unit === undefined || sent.unit === draftUnitKey(page.draft)) return
  page.site.alertNext('changedElsewhere')
  throw redirect(stepAddress(page.path, page.draft))
}

/**
 * Returns whether a visitor who is not signed in found the reservation by look-up, code or link, and the draft's
 * `existingTenant` is false. The tenant's contact data are then masked, and only missing data can be added.
 */
export async function isFoundByLookup(site: RequestContext, draft: Draft): Promise<boolean> {
  const { tenant } = await site.callers()
  return !tenant && !draft.existingTenant && draft.proof !== 'own'
}

/**
 * Compares the price that a form showed with the current price.
 * @returns the changes; null when the price is the same or the form names no quote; an empty list when the draft has no
 *   such quote, so that the renter is asked again
 * @throws a redirect home when the unit type is gone
 */
export async function changesSinceShown(
  site: RequestContext,
  draft: Draft,
  quoteId: string | undefined,
): Promise<PriceChange[] | null> {
  if (quoteId === undefined) return null
  const comparison = await compareShownPrice(site.services, draft, quoteId)
  return comparison.gone ? redirectWithAlert(site, 'invalidSession', '/') : comparison.changes
}

export type ReservationResult = { ok: true; draft: Draft } | { ok: false; sentence: string }

/**
 * Reserves the draft's unit, once (spec 1 §8).
 * @param phone facility's number, named in the sentence that no unit is left
 * @throws a redirect to the map with the nearest free unit when the chosen unit is taken
 */
export async function makeReservation(site: RequestContext, draft: Draft, phone: string): Promise<ReservationResult> {
  const { tenant } = await site.callers()
  const { contact, moveInDate, unit } = draft.answers
  const request = {
    location_code: draft.locationCode,
    unit_type_id: draft.unitTypeId,
    ...(unit && { unit_id: unit.id }),
    ...(draft.rentNow ? { rent_now: '1' } : { move_in_date: moveInDate ? formatUs(moveInDate) : undefined }),
  }
  // Without a contact in the draft, its tenant is on file.
  const onFile = tenant || !contact || (await hasEstablishedTenant(site.services, draft.locationCode, contact.email))
  const outcome = onFile
    ? await site.call(SaveReservationDetailsForExistingTenants, request)
    : await site.call(SaveReservationDetails_WEB, { ...request, ...contact })
  if (!outcome.ok) return { ok: false, sentence: Object.values(outcome.fields ?? {})[0] ?? outcome.message }
  const { ErrorMessage, NearestUnitId } = outcome.value
  if (unit && NearestUnitId !== undefined) throw redirect(choosePath(draft.locationCode, draft.unitTypeId, unit.id))
  if (ErrorMessage !== '')
    return { ok: false, sentence: ErrorMessage === unitsNotAvailable ? unitsGone(phone) : ErrorMessage }
  const reserved = await loadDraftOfSession(site)
  return reserved ? { ok: true, draft: reserved } : { ok: false, sentence: invalidSession }
}

/**
 * Saves the answers of a page before the reservation's summary, and redirects to the next step. A reservation found by
 * look-up or link goes to its confirmation instead of the summary.
 */
export async function saveAndContinue(page: StepPage, change: Partial<Answers>): Promise<Response> {
  const draft = await saveDraftAnswers(page.site, page.draft, change)
  const isBeforeSummary = !page.reviewing && !isMoveInStarted(draft) && (await isFoundByLookup(page.site, draft))
  return isBeforeSummary
    ? redirect('/reservation-confirmed')
    : redirectToNextStep(page.site, draft, page.path, page.reviewing)
}

/**
 * Redirects to the current step of a reservation that was just found by look-up or link (spec 1 §4).
 * @param earlierDraft session's earlier draft; kept when it is the found draft with at least as strong a proof of
 *   identity
 */
export async function resumeFound(site: RequestContext, earlierDraft: Draft | null): Promise<Response> {
  const foundDraft = await loadDraftOfSession(site)
  const keepsEarlierDraft =
    earlierDraft?.draftId === foundDraft?.draftId &&
    earlierDraft !== null &&
    proofRank[earlierDraft.proof] >= proofRank[proofOf(foundDraft)]
  const draft = keepsEarlierDraft ? earlierDraft : foundDraft
  if (keepsEarlierDraft) site.session.set({ draftId: sessionIdOf(earlierDraft) })
  const facts = draft && (await loadFactsOfDraft(site, draft))
  if (!draft || !facts) return redirectWithAlert(site, 'invalidSession', '/')
  const path = resumeStep(draft, facts)
  return redirect(path === '/add-contact' ? '/add-contact#reserved' : stepAddress(path, draft))
}

/**
 * Ranks of how a browser has proven its rental: by name, by link, or as its own. A browser keeps the stronger proof.
 */
const proofRank = { names: 0, link: 1, own: 2 } as const
const proofOf = (draft: Draft | null) => draft?.proof ?? 'own'
