/** Steps of a renter from a reservation to the open card page. */

import { perform } from '../../platform/operations/operation.ts'
import { RateLimits } from '../../platform/rate-limit-counters.ts'
import { contact, type TestServices, visitor } from '../../tests/support/small-operator.ts'
import { signLease } from '../move-in/sign-lease.ts'
import { loadDraft, saveAnswers } from '../reservations/draft.ts'
import { storeQuote } from '../reservations/draft-quote.ts'
import { SaveReservationDetails_WEB } from '../reservations/operations/reserve-unit-for-new-tenant.ts'
import type { Draft } from '../reservations/rules/journey/draft.ts'
import type { Answers } from '../reservations/rules/journey/journey-answers.ts'
import { loadTenant } from '../tenants/tenant.ts'
import { openMoveInPayment } from './open/open-move-in-payment.ts'
import type { OpenMoveInResult } from './rules/move-in-payment-refusal-reasons.ts'

export const customerInfo = {
  drivers_license: '048213377',
  issued_state: 'GA',
  birth_date: '1987-05-14',
  expiration_date: '2030-01-31',
  brief_description: 'Household goods',
}

export const plainAnswers: Partial<Answers> = {
  vehicle: false,
  hasLienHolder: false,
  insurance: { status: 1, schemeId: 2 },
  brochureSeen: true,
  customerInfo,
  fullDayAccess: false,
  activeMilitary: false,
}

/**
 * Returns test services that exempt callers with a loopback address from the limits on unknown callers, which have
 * their own tests.
 */
const unbounded = (services: TestServices): TestServices =>
  Object.assign(Object.create(services), {
    ...services,
    limits: new RateLimits({ db: services.db, clock: services.clock, sparesLoopback: true }),
  })

/** Reserves a unit to rent now, and returns the draft. */
export async function reserveTestUnit(services: TestServices, unitTypeId = 1, who = contact): Promise<Draft> {
  const saved = await perform(
    unbounded(services),
    SaveReservationDetails_WEB,
    { location_code: 'GA1', unit_type_id: unitTypeId, rent_now: 1, ...who },
    visitor('127.0.0.1'),
  )
  if (!saved.ok) throw new Error(saved.message)
  if (saved.value.ErrorMessage !== '') throw new Error(saved.value.ErrorMessage)
  return reloadDraft(services, saved.grants?.draftId)
}

export async function reloadDraft(services: TestServices, draftId: string | undefined): Promise<Draft> {
  const draft = draftId === undefined ? null : await loadDraft(services, draftId)
  if (!draft) throw new Error('There is no such draft')
  return draft
}

export async function saveTestAnswers(services: TestServices, draft: Draft, change: Partial<Answers>): Promise<Draft> {
  const saved = await saveAnswers(services, await reloadDraft(services, draft.draftId), change)
  if (!saved.ok) throw new Error(saved.why)
  return saved.draft
}

export async function signTestLease(services: TestServices, draft: Draft): Promise<Draft> {
  const unsigned = await reloadDraft(services, draft.draftId)
  const tenant =
    unsigned.tenantId === null
      ? undefined
      : await loadTenant(services.db.read, unsigned.locationCode, unsigned.tenantId)
  const name = tenant ? `${tenant.first} ${tenant.last}` : "Rae O'Neill"
  const result = await signLease(
    services,
    unsigned,
    { method: 'typed', name },
    { claimed: name, address: '198.51.100.7', agent: 'test browser' },
  )
  if (!result.ok) throw new Error(result.why)
  return saveTestAnswers(services, result.draft, { paymentMethod: 'CC' })
}

/** Creates a draft whose renter has answered everything and signed. */
export async function readyToPay(
  services: TestServices,
  {
    unitTypeId = 1,
    answers = {},
    who = contact,
  }: { unitTypeId?: number; answers?: Partial<Answers>; who?: typeof contact } = {},
): Promise<Draft> {
  const draft = await reserveTestUnit(services, unitTypeId, who)
  return signTestLease(services, await saveTestAnswers(services, draft, { ...plainAnswers, ...answers }))
}

/**
 * Stores a quote at the current price and opens the card page with it, as for a renter who agrees to the price.
 * @throws Error when there is no such draft or no price
 */
export async function agreeAndOpen(services: TestServices, draft: Draft): Promise<OpenMoveInResult> {
  const fresh = await reloadDraft(services, draft.draftId)
  const quote = await storeQuote(services, fresh)
  if (!quote) throw new Error('There is no price')
  return openMoveInPayment(services, fresh, { quoteId: quote.quoteId })
}

export async function openTestCardPage(
  services: TestServices,
  draft: Draft,
): Promise<Extract<OpenMoveInResult, { ok: true }>> {
  const page = await agreeAndOpen(services, draft)
  if (!page.ok) throw new Error(`The card page did not open: ${page.why}`)
  return page
}
