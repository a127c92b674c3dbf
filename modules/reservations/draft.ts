/**
 * Stores rental drafts: the answers of a visitor's rental session, found by the id in the sealed cookie. Each save is
 * guarded by the version that the page was rendered from, so a second tab never overwrites the first.
 */
import type { Kysely, Selectable } from 'kysely'
import { emailKey } from '../../domain/phone.ts'
import { engineOf } from '../../platform/database/open.ts'
import { isPrivateAddress } from '../../platform/network.ts'
import type { RentalCaller, TenantCaller } from '../../platform/operations/callers.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Flag } from '../../platform/schema/columns.ts'
import type { RentalDraftsTable, Tables } from '../../platform/schema/tables.ts'
import { type Draft, type DraftFacts, factsOf, gatheredIn } from './draft-facts.ts'
import { isMoveInStarted, loadDraftPricing } from './draft-price.ts'
import { type Answers, sealedAnswers, withAnswers } from './rules/journey/answers.ts'
import { keepAfterStep, proveRenter } from './unproven.ts'

/** Returns the encryption context of a draft's sealed answers. */
export const draftSealContext = (draftId: string) => `draft:${draftId}:answers`

/**
 * Returns the answers as columns of a draft row; driver's license, birth date, default notice and signature are
 * encrypted.
 */
export function storedAnswers(services: Services, draftId: string, answers: Answers) {
  const open: Record<string, unknown> = { ...answers }
  const sealed: Record<string, unknown> = {}
  for (const name of sealedAnswers) {
    if (answers[name] !== undefined) sealed[name] = answers[name]
    delete open[name]
  }
  return {
    answers: JSON.stringify(open),
    sealed_answers:
      Object.keys(sealed).length > 0 ? services.sealer.seal(JSON.stringify(sealed), draftSealContext(draftId)) : null,
  }
}

export type HeldBy = Pick<Draft, 'proof' | 'resumedId' | 'existingTenant'>

const begunHere: HeldBy = { proof: 'own', resumedId: null, existingTenant: false }

/** Returns the id that the browser's cookie holds for this draft. */
export const sessionIdOf = (draft: Draft): string => draft.resumedId ?? draft.draftId

export function draftOf(services: Services, row: Selectable<RentalDraftsTable>, by: HeldBy = begunHere): Draft {
  const sealed: Answers = row.sealed_answers
    ? JSON.parse(services.sealer.open(row.sealed_answers, draftSealContext(row.draft_id)))
    : {}
  return {
    draftId: row.draft_id,
    locationCode: row.location_code,
    unitTypeId: row.unit_type_id,
    tenantId: row.tenant_id,
    enteredTenantId: row.entered_tenant_id,
    reservationCode: row.reservation_code,
    existingTenant: by.existingTenant || row.existing_tenant === 1,
    proof: by.proof,
    resumedId: by.resumedId,
    rentNow: row.rent_now === 1,
    answers: { ...JSON.parse(row.answers), ...sealed, rentNow: row.rent_now === 1 },
    version: row.version,
    touchedAt: row.touched_at,
  }
}

/**
 * Loads a draft by id.
 * @param by how the caller's session holds the draft; omitted for the server's own use
 * @returns null where the draft does not exist, for example because it was deleted after its retention period
 */
export async function loadDraft(services: Services, draftId: string, by?: HeldBy): Promise<Draft | null> {
  const row = await services.db.read
    .selectFrom('rental_drafts')
    .selectAll()
    .where('draft_id', '=', draftId)
    .executeTakeFirst()
  return row ? draftOf(services, row, by) : null
}

/** Loads a draft again, with the same session and proof. */
export const reloadDraft = (services: Services, draft: Draft): Promise<Draft | null> =>
  loadDraft(services, draft.draftId, draft)

export async function draftOfCaller(services: Services, rental: RentalCaller | undefined): Promise<Draft | null> {
  return rental ? loadDraft(services, rental.draftId, rental) : null
}

/** Loads the draft of a browser's session; null where none exists or the browser has logged out (case 33). */
export async function draftOfSession(services: Services, sessionId: string): Promise<Draft | null> {
  const row = await services.db.read
    .selectFrom('rental_drafts')
    .selectAll()
    .where('draft_id', '=', sessionId)
    .where('left_at', 'is', null)
    .executeTakeFirst()
  if (row) return draftOf(services, row)
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
 * Locks a draft's row until the transaction ends. Payments and cancellations lock the draft first.
 * @param touchedAt if given, also renews the draft's retention, epoch milliseconds
 */
export async function lockDraft(tx: Kysely<Tables>, draftId: string, touchedAt?: number): Promise<void> {
  if (touchedAt !== undefined)
    await tx.updateTable('rental_drafts').set({ touched_at: touchedAt }).where('draft_id', '=', draftId).execute()
  // SQLite's write transactions run one after the other.
  else if (engineOf(tx) === 'postgres')
    await tx.selectFrom('rental_drafts').select('draft_id').where('draft_id', '=', draftId).forNoKeyUpdate().execute()
}

/**
 * Starts a session on a draft for a browser that did not begin it.
 * @returns the session id for the browser's cookie
 */
export async function holdDraft(
  db: Kysely<Tables>,
  services: Services,
  draftId: string,
  by: Pick<HeldBy, 'proof' | 'existingTenant'>,
): Promise<string> {
  const resumedId = services.random.hex(16)
  await db
    .insertInto('resumed_rentals')
    .values({
      resumed_id: resumedId,
      draft_id: draftId,
      proof: by.proof,
      existing_tenant: by.existingTenant ? 1 : 0,
      created_at: services.clock.now(),
      left_at: null,
    })
    .execute()
  return resumedId
}

/**
 * Ends a session's access to its draft on log-out, including for copies of its cookie. The draft stays for a payment in
 * progress; its reservation can be found again by look-up or link.
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
 * Decides what the browser's draft becomes at sign-in. The tenant's own reservation stays; another person's is dropped.
 * A draft without a reservation gets a new id (against session fixation) and loses another person's answers.
 * @returns the id of the draft's session after sign-in, or undefined
 */
export async function draftAfterSignIn(
  services: Services,
  draftId: string | undefined,
  account: TenantCaller,
): Promise<string | undefined> {
  const draft = draftId ? await draftOfSession(services, draftId) : null
  if (!draft) return undefined
  if (draft.reservationCode !== null) {
    const own = account.tenants.some(
      (one) => one.locationCode === draft.locationCode && one.tenantId === draft.tenantId,
    )
    if (own) await proveRenter(services.db.write, services, { draftId: draft.draftId })
    if (!own || draft.resumedId === null) return own ? draft.draftId : undefined
    // The original browser may have logged out; a new session continues with the account as its proof.
    await detachDraft(services, draft.resumedId)
    return holdDraft(services.db.write, services, draft.draftId, { proof: 'own', existingTenant: draft.existingTenant })
  }
  const { draftId: _, ...chosen } = draft
  const answers = { ...draft.answers }
  if (!(await namesAccount(services, answers, account))) for (const name of aboutThemselves) delete answers[name]
  const moved = await insertDraft(services.db.write, services, {
    ...chosen,
    answers,
    tenantId: null,
    enteredTenantId: null,
    existingTenant: false,
  })
  await detachDraft(services, draft.draftId)
  return moved.draftId
}

/** Returns whether the contact in the answers has an e-mail address of the account. */
async function namesAccount(services: Services, answers: Answers, { accountId }: TenantCaller): Promise<boolean> {
  if (!answers.contact) return false
  const key = emailKey(answers.contact.email)
  const known = await services.db.read
    .selectFrom('accounts')
    .leftJoin('tenants', 'tenants.account_id', 'accounts.account_id')
    .select('accounts.account_id')
    .where('accounts.account_id', '=', accountId)
    .where((eb) => eb.or([eb('accounts.email', '=', key), eb('tenants.email_key', '=', key)]))
    .executeTakeFirst()
  return known !== undefined
}

/** Returns a draft's access facts for `Callers`: which rental the browser may act on and how it proved that. */
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

export interface NewDraft {
  locationCode: string
  unitTypeId: number
  tenantId?: number | null
  enteredTenantId?: number | null
  reservationCode?: string | null
  existingTenant?: boolean
  rentNow?: boolean
  answers?: Answers
}

const draftsFrom = { network: { points: 120, perSeconds: 3600 }, all: { points: 20_000, perSeconds: 3600 } }

/** Thrown when the network, or all networks together, have begun too many drafts. */
export class TooManyDrafts extends Error {
  /** Seconds to wait before another try. */
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
  // A private address belongs to every visitor behind a proxy that TRUST_PROXY does not name.
  const counts = isPrivateAddress(address) ? [] : [{ of: address, limit: draftsFrom.network }]
  for (const { of, limit } of [...counts, { of: 'all', limit: draftsFrom.all }]) {
    const spent = await limits.consumeFrom(of, 'draft', limit)
    if (!spent.allowed) throw new TooManyDrafts(spent.retryAfterSeconds)
  }
}

export async function insertDraft(tx: Kysely<Tables>, services: Services, made: NewDraft): Promise<Draft> {
  const draftId = services.random.hex(16)
  const now = services.clock.now()
  const row = {
    draft_id: draftId,
    location_code: made.locationCode,
    unit_type_id: made.unitTypeId,
    tenant_id: made.tenantId ?? null,
    entered_tenant_id: made.enteredTenantId ?? null,
    reservation_code: made.reservationCode ?? null,
    existing_tenant: (made.existingTenant ? 1 : 0) as Flag,
    rent_now: (made.rentNow ? 1 : 0) as Flag,
    ...storedAnswers(services, draftId, made.answers ?? {}),
    version: 1,
    created_at: now,
    touched_at: now,
    left_at: null,
  }
  await tx.insertInto('rental_drafts').values(row).execute()
  return draftOf(services, row)
}

/** Answers about the visitor that carry over when they choose another unit. */
const aboutThemselves = [
  'contact',
  'continueAs',
  'wantsAgent',
  'designatedAgent',
  'defaultNotice',
  'customerInfo',
  'activeMilitary',
  'military',
] as const satisfies readonly (keyof Answers)[]

/**
 * Starts a rental of a unit type (the unit loading page). The same unit type resumes the existing draft, so no second
 * reservation is made; another type starts a draft that keeps the visitor's answers about themselves.
 * @param start what to rent; `address` is the visitor's, whose drafts are counted, omitted for the server's own use
 * @param from the draft of this browser's session, if any
 * @returns null where the facility has no such unit type
 * @throws TooManyDrafts
 */
export async function startDraft(
  services: Services,
  { address, ...start }: { locationCode: string; unitTypeId: number; rentNow: boolean; address?: string },
  from: Draft | null = null,
): Promise<Draft | null> {
  const [gathered, previous] = await Promise.all([
    loadDraftPricing(services, { locationCode: start.locationCode, reservationCode: null }),
    from ? loadDraftPricing(services, from) : null,
  ])
  if (!gathered?.facts.unitTypes.some((row) => row.unit_type_id === start.unitTypeId)) return null
  const { today } = gathered.facts
  const rented = previous?.reservation?.status === 'completed'
  const sameUnit = from?.locationCode === start.locationCode && from.unitTypeId === start.unitTypeId
  if (from && sameUnit && !rented) {
    if (from.rentNow === start.rentNow) return from
    const moved = await saveAnswers(services, from, {
      rentNow: start.rentNow,
      ...(start.rentNow && { moveInDate: today }),
    })
    return moved.ok ? moved.draft : reloadDraft(services, from)
  }
  if (address !== undefined) await countDraft(services, address)
  const answers: Answers = { ...(start.rentNow && { moveInDate: today }), ...(from && answersAboutThemselves(from)) }
  return insertDraft(services.db.write, services, { ...start, answers })
}

/** Returns the answers about the visitor; empty for an existing tenant or a rental found by weak proof. */
function answersAboutThemselves({ answers, existingTenant, proof }: Draft): Answers {
  if (existingTenant || proof !== 'own') return {}
  return Object.fromEntries(
    aboutThemselves.filter((name) => answers[name] !== undefined).map((name) => [name, answers[name]]),
  )
}

export type Saved = { ok: true; draft: Draft } | { ok: false; why: 'stale' }

/**
 * Saves answers to a draft; `undefined` removes an answer. Changes to the price or the lease void the signature. Once
 * the move-in has begun, also extends the hold (`keepAfterStep`).
 * @param known the draft's facts, if the caller has loaded them
 * @returns `stale` where the draft changed since it was loaded; load it again and show the page again
 */
export async function saveAnswers(
  services: Services,
  draft: Draft,
  change: Partial<Answers>,
  known?: DraftFacts,
): Promise<Saved> {
  const gathered = known ? gatheredIn(known) : await loadDraftPricing(services, draft)
  const facts = gathered && factsOf(services, draft, gathered, { signedIn: false, tenant: undefined })
  const answers = facts ? withAnswers(facts, change) : { ...draft.answers, ...change }
  const rentNow = answers.rentNow ?? draft.rentNow
  delete answers.rentNow
  return write(services, draft, { answers, rentNow })
}

/**
 * Saves a draft unchanged and extends its hold from now (`keepAfterStep`), for 'Move-in Now' and a visitor's wish for
 * more time.
 */
export async function renewDraft(services: Services, draft: Draft): Promise<Saved> {
  const { answers, rentNow } = draft
  return write(services, draft, { answers, rentNow, keepUnit: true })
}

async function write(
  services: Services,
  draft: Draft,
  next: { answers: Answers; rentNow: boolean; keepUnit?: boolean },
): Promise<Saved> {
  const now = services.clock.now()
  return services.db.transaction(async (tx): Promise<Saved> => {
    const row = await tx
      .updateTable('rental_drafts')
      .set({
        ...storedAnswers(services, draft.draftId, next.answers),
        rent_now: next.rentNow ? 1 : 0,
        version: draft.version + 1,
        touched_at: now,
      })
      .where('draft_id', '=', draft.draftId)
      .where('version', '=', draft.version)
      .returningAll()
      .executeTakeFirst()
    if (!row) return { ok: false, why: 'stale' }
    const saved = draftOf(services, row, draft)
    const { locationCode, reservationCode } = saved
    if (reservationCode && (next.keepUnit || isMoveInStarted(saved)))
      await keepAfterStep(tx, { locationCode, reservationCode }, now)
    return { ok: true, draft: saved }
  })
}
