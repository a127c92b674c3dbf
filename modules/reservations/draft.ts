/**
 * Loads and saves rental drafts, the answers of a visitor's rental. Each save of answers is guarded by the version that
 * the request has loaded, so concurrent requests of two tabs do not overwrite each other.
 */

import type { Kysely, Selectable } from 'kysely'
import { hasFields, parseJson } from '../../domain/parse-json-and-check-shape.ts'
import { engineOf } from '../../platform/database/open.ts'
import type { RentalCaller } from '../../platform/operations/callers.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { RentalDraftsTable, Tables } from '../../platform/schema/tables.ts'
import { contactTextConsent } from '../messages/texts/sms-consent.ts'
import { recordTextConsent } from '../tenants/sms-consent.ts'
import { loadDraftPricing } from './draft-price.ts'
import { extendHoldAfterStep } from './limit-and-extend-unproven-holds.ts'
import { type DraftFacts, pricingOfFacts, toDraftFacts } from './load-draft-facts.ts'
import { type Draft, isMoveInStarted } from './rules/journey/draft.ts'
import { type Answers, sealedAnswers, withAnswers } from './rules/journey/journey-answers.ts'

/** Returns the encryption context of a draft's sealed answers. */
export const draftSealContext = (draftId: string) => `draft:${draftId}:answers`

/**
 * Returns the answers as columns of a draft row; those in `sealedAnswers`, such as driver's license and birth date, are
 * encrypted.
 */
export function encryptAnswers(services: Services, draftId: string, answers: Answers) {
  const plain: Record<string, unknown> = { ...answers }
  const sealed: Record<string, unknown> = {}
  for (const name of sealedAnswers) {
    if (answers[name] !== undefined) sealed[name] = answers[name]
    delete plain[name]
  }
  return {
    answers: JSON.stringify(plain),
    sealed_answers:
      Object.keys(sealed).length > 0 ? services.sealer.seal(JSON.stringify(sealed), draftSealContext(draftId)) : null,
  }
}

export type DraftSession = Pick<Draft, 'proof' | 'resumedId' | 'existingTenant'>

const ownSession: DraftSession = { proof: 'own', resumedId: null, existingTenant: false }

/** Converts a draft's row to a `Draft` and decrypts its sealed answers. */
export function toDraft(
  services: Services,
  row: Selectable<RentalDraftsTable>,
  session: DraftSession = ownSession,
): Draft {
  const sealed: Answers = row.sealed_answers
    ? parseJson(services.sealer.open(row.sealed_answers, draftSealContext(row.draft_id)), hasFields<Answers>())
    : {}
  return {
    draftId: row.draft_id,
    locationCode: row.location_code,
    unitTypeId: row.unit_type_id,
    tenantId: row.tenant_id,
    enteredTenantId: row.entered_tenant_id,
    reservationCode: row.reservation_code,
    existingTenant: session.existingTenant || row.existing_tenant === 1,
    proof: session.proof,
    resumedId: session.resumedId,
    rentNow: row.rent_now === 1,
    answers: { ...parseJson(row.answers, hasFields<Answers>()), ...sealed, rentNow: row.rent_now === 1 },
    version: row.version,
    touchedAt: row.touched_at,
  }
}

/**
 * Loads a draft by id.
 * @param session how the caller's session reached the draft; omitted for the server's own use
 * @returns null where the draft does not exist, for example because it was deleted after its retention period
 */
export async function loadDraft(services: Services, draftId: string, session?: DraftSession): Promise<Draft | null> {
  const row = await services.db.read
    .selectFrom('rental_drafts')
    .selectAll()
    .where('draft_id', '=', draftId)
    .executeTakeFirst()
  return row ? toDraft(services, row, session) : null
}

/** Loads the draft of the caller's rental session; null without a session or where the draft was deleted. */
export async function loadDraftOfCaller(services: Services, rental: RentalCaller | undefined): Promise<Draft | null> {
  return rental ? loadDraft(services, rental.draftId, rental) : null
}

/**
 * Locks a draft's row until the transaction ends. Payments and cancellations lock the draft first.
 * @param touchedAt if given, also renews the draft's retention, epoch milliseconds
 */
export async function lockDraft(tx: Kysely<Tables>, draftId: string, touchedAt?: number): Promise<void> {
  if (touchedAt !== undefined)
    await tx.updateTable('rental_drafts').set({ touched_at: touchedAt }).where('draft_id', '=', draftId).execute()
  // SQLite needs no lock, since it runs one write transaction at a time.
  else if (engineOf(tx) === 'postgres')
    await tx.selectFrom('rental_drafts').select('draft_id').where('draft_id', '=', draftId).forNoKeyUpdate().execute()
}

/**
 * Returns a draft's access facts for `Callers`: the rental that the browser may act on, and the proof that permits it.
 */
export const rentalCallerOf = (draft: Draft): RentalCaller => ({
  draftId: draft.draftId,
  proof: draft.proof,
  resumedId: draft.resumedId,
  locationCode: draft.locationCode,
  tenantId: draft.tenantId,
  reservationCode: draft.reservationCode,
  existingTenant: draft.existingTenant,
  enteredTenantId: draft.enteredTenantId,
})

export type SaveAnswersResult = { ok: true; draft: Draft } | { ok: false; why: 'stale' }

/**
 * Saves answers to a draft; `undefined` removes an answer. Changes to the price or the lease void the signature. Once
 * the move-in has begun, also extends the hold (`extendHoldAfterStep`).
 * @param options.loadedFacts the draft's facts, if the caller has loaded them
 * @param options.textsTo phone number, ten digits, for which the renter agreed to text messages with these answers
 * @returns `stale` where the draft was changed or deleted since it was loaded
 */
export async function saveAnswers(
  services: Services,
  draft: Draft,
  change: Partial<Answers>,
  { loadedFacts, textsTo }: { loadedFacts?: DraftFacts; textsTo?: string | undefined } = {},
): Promise<SaveAnswersResult> {
  const pricing = loadedFacts ? pricingOfFacts(loadedFacts) : await loadDraftPricing(services, draft)
  const facts = pricing && toDraftFacts(services, draft, pricing, { signedIn: false, tenant: undefined })
  const answers = facts ? withAnswers(facts, change) : { ...draft.answers, ...change }
  const rentNow = answers.rentNow ?? draft.rentNow
  delete answers.rentNow
  return saveDraft(services, draft, { answers, rentNow, textsTo })
}

/** Saves a draft's answers unchanged and extends its hold from now (`extendHoldAfterStep`). */
export async function renewDraft(services: Services, draft: Draft): Promise<SaveAnswersResult> {
  const { answers, rentNow } = draft
  return saveDraft(services, draft, { answers, rentNow, extendsHold: true })
}

async function saveDraft(
  services: Services,
  draft: Draft,
  content: { answers: Answers; rentNow: boolean; extendsHold?: boolean; textsTo?: string | undefined },
): Promise<SaveAnswersResult> {
  const now = services.clock.now()
  return services.db.transaction(async (tx): Promise<SaveAnswersResult> => {
    const row = await tx
      .updateTable('rental_drafts')
      .set({
        ...encryptAnswers(services, draft.draftId, content.answers),
        rent_now: content.rentNow ? 1 : 0,
        version: draft.version + 1,
        touched_at: now,
      })
      .where('draft_id', '=', draft.draftId)
      .where('version', '=', draft.version)
      .returningAll()
      .executeTakeFirst()
    if (!row) return { ok: false, why: 'stale' }
    if (content.textsTo)
      await recordTextConsent(tx, services, { phone: content.textsTo, askedAt: 'rental', wording: contactTextConsent })
    const saved = toDraft(services, row, draft)
    const { locationCode, reservationCode } = saved
    if (reservationCode && (content.extendsHold || isMoveInStarted(saved)))
      await extendHoldAfterStep(tx, { locationCode, reservationCode }, now)
    return { ok: true, draft: saved }
  })
}
