import type { Kysely } from 'kysely'
import { emailKey } from '../../domain/name-and-email-keys.ts'
import type { TenantCaller } from '../../platform/operations/callers.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { type DraftSession, loadDraft, toDraft } from './draft.ts'
import { insertDraft } from './insert-draft.ts'
import { proveRenter } from './limit-and-extend-unproven-holds.ts'
import type { Draft } from './rules/journey/draft.ts'
import { visitorAnswers } from './rules/journey/journey-answers.ts'

/** Loads the draft of a browser's session; null where none exists or the session has ended (`detachDraft`). */
export async function loadDraftOfSession(services: Services, sessionId: string): Promise<Draft | null> {
  const row = await services.db.read
    .selectFrom('rental_drafts')
    .selectAll()
    .where('draft_id', '=', sessionId)
    .where('left_at', 'is', null)
    .executeTakeFirst()
  if (row) return toDraft(services, row)
  const resumed = await services.db.read
    .selectFrom('resumed_rentals')
    .selectAll()
    .where('resumed_id', '=', sessionId)
    .where('left_at', 'is', null)
    .executeTakeFirst()
  if (!resumed) return null
  return loadDraft(services, resumed.draft_id, {
    proof: resumed.proof,
    resumedId: resumed.resumed_id,
    existingTenant: resumed.existing_tenant === 1,
  })
}

/**
 * Starts a session on a draft for a browser that did not begin the draft.
 * @returns the session id for the browser's cookie
 */
export async function startDraftSession(
  db: Kysely<Tables>,
  services: Services,
  draftId: string,
  session: Pick<DraftSession, 'proof' | 'existingTenant'>,
): Promise<string> {
  const resumedId = services.random.hex(16)
  await db
    .insertInto('resumed_rentals')
    .values({
      resumed_id: resumedId,
      draft_id: draftId,
      proof: session.proof,
      existing_tenant: session.existingTenant ? 1 : 0,
      created_at: services.clock.now(),
      left_at: null,
    })
    .execute()
  return resumedId
}

/**
 * Ends a session's access to its draft on log-out, or when a sign-in moves the browser to another session. Copies of
 * the cookie lose access too. The draft stays for a payment in progress; its reservation can be found by look-up or
 * link.
 */
export async function detachDraft(services: Services, sessionId: string): Promise<void> {
  const left_at = services.clock.now()
  await services.db.write
    .updateTable('rental_drafts')
    .set({ left_at })
    .where('draft_id', '=', sessionId)
    .where('left_at', 'is', null)
    .execute()
  await services.db.write
    .updateTable('resumed_rentals')
    .set({ left_at })
    .where('resumed_id', '=', sessionId)
    .where('left_at', 'is', null)
    .execute()
}

/**
 * Returns the draft session with which a browser continues after sign-in. The session keeps a reservation of the
 * account's tenants and drops any other. A draft without a reservation gets a new id (against session fixation) and
 * loses its `visitorAnswers` unless their contact e-mail address is the account's.
 * @param sessionId id of the browser's session before the sign-in
 * @param isOwnAddress returns whether the account has the e-mail address with this key
 * @returns id of the session to continue with; undefined when the browser has no draft, or drops it
 */
export async function draftAfterSignIn(
  services: Services,
  sessionId: string | undefined,
  account: TenantCaller,
  isOwnAddress: (key: string) => Promise<boolean>,
): Promise<string | undefined> {
  const draft = sessionId ? await loadDraftOfSession(services, sessionId) : null
  if (!draft) return undefined
  if (draft.reservationCode !== null) {
    const isOwnRental = account.tenants.some(
      (tenant) => tenant.locationCode === draft.locationCode && tenant.tenantId === draft.tenantId,
    )
    if (isOwnRental) await proveRenter(services.db.write, services, { draftId: draft.draftId })
    if (!isOwnRental || draft.resumedId === null) return isOwnRental ? draft.draftId : undefined
    // The original browser may have logged out; a new session continues with the account as its proof.
    await detachDraft(services, draft.resumedId)
    return startDraftSession(services.db.write, services, draft.draftId, {
      proof: 'own',
      existingTenant: draft.existingTenant,
    })
  }
  const { draftId: _, ...draftWithoutId } = draft
  const answers = { ...draft.answers }
  const isOwn = answers.contact !== undefined && (await isOwnAddress(emailKey(answers.contact.email)))
  if (!isOwn) for (const name of visitorAnswers) delete answers[name]
  const newDraft = await insertDraft(services.db.write, services, {
    ...draftWithoutId,
    answers,
    tenantId: null,
    enteredTenantId: null,
    existingTenant: false,
  })
  await detachDraft(services, draft.draftId)
  return newDraft.draftId
}
