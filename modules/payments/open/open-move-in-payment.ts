import type { Selectable } from 'kysely'
import { invalidPaymentSession, paymentAlreadyProcessed } from '../../../domain/texts/payment.ts'
import type { TenantCaller } from '../../../platform/operations/callers.ts'
import { type Refusal, refuse } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { ReservationsTable } from '../../../platform/schema/tables.ts'
import { alreadyRented, missingSignature } from '../../move-in/texts/move-in.ts'
import type { Charges } from '../../pricing/rules/charges.ts'
import { type DraftPricing, type DraftQuote, priceDraft } from '../../reservations/draft-price.ts'
import { consentToQuote } from '../../reservations/draft-quote.ts'
import { type DraftFacts, loadJourneyFacts } from '../../reservations/load-draft-facts.ts'
import type { Draft } from '../../reservations/rules/journey/draft.ts'
import {
  insuranceStatus,
  isSignatureValid,
  leaseAnswersOf,
  wantsAutopay,
} from '../../reservations/rules/journey/journey-answers.ts'
import { PAYMENT_GRACE_MS } from '../../reservations/rules/payment-hold-extension-duration.ts'
import { holdExpired } from '../../reservations/texts/reserve.ts'
import { extendHoldOnce } from '../../reservations/unit-holds.ts'
import { hasTenant } from '../../tenants/rules/account-has-tenant.ts'
import { type Customer, customerOf, openProviderCardPage } from '../internal/open-provider-card-page.ts'
import type { MoveInPlan } from '../payers/post-move-in-payment.ts'
import type { Payment } from '../payment.ts'
import { findPendingOrder, type Order } from '../payment-orders.ts'
import type { MoveInPaymentRefusal, OpenMoveInResult } from '../rules/move-in-payment-refusal-reasons.ts'
import { settleOrdersOf } from '../settle-payment.ts'

/** Returns the refusal of a move-in that cannot be paid. */
export function moveInRefusal(why: Exclude<MoveInPaymentRefusal['why'], 'unavailable'>): Refusal {
  switch (why) {
    case 'hold_lost':
      return refuse(409, why, holdExpired)
    case 'not_signed':
      return refuse(409, why, missingSignature)
    case 'already_rented':
      return refuse(409, why, alreadyRented)
    case 'checking':
      return refuse(409, why, paymentAlreadyProcessed)
    default:
      return refuse(409, 'price_changed', invalidPaymentSession)
  }
}

/** Opens the card page for a move-in. */
export async function openMoveInPayment(
  services: Services,
  draft: Draft,
  request: { quoteId: string; tenant?: TenantCaller | undefined; pricing?: DraftPricing },
): Promise<OpenMoveInResult> {
  const orderResult = await moveInOrder(services, draft, request)
  if (!orderResult.ok) return orderResult
  const presented = await openProviderCardPage(services, { ...orderResult.order, customer: orderResult.customer })
  return presented.ok ? { ...presented, amount: orderResult.order.amount } : presented
}

/** Loads a rental that is ready for payment: its unit is held, its current lease signed, and no other order pays it. */
async function loadSignedRental(
  services: Services,
  draft: Draft,
  request: { tenant?: TenantCaller | undefined; pricing?: DraftPricing },
): Promise<
  { ok: true; facts: DraftFacts; reservation: Selectable<ReservationsTable>; documentId: string } | MoveInPaymentRefusal
> {
  const facts = await loadJourneyFacts(services, draft, { signedIn: Boolean(request.tenant) }, request.pricing)
  if (!facts) return { ok: false, why: 'hold_lost' }
  if (facts.visitor.rented) return { ok: false, why: 'already_rented' }
  const earlier = await refusalByEarlierOrder(services, draft.draftId)
  if (earlier) return earlier
  const { reservation } = facts
  if (!reservation || draft.tenantId === null || !(await isHeld(services, draft, facts)))
    return { ok: false, why: 'hold_lost' }
  const { signature } = facts.answers
  if (!signature || !isSignatureValid(facts)) return { ok: false, why: 'not_signed' }
  return { ok: true, facts, reservation, documentId: signature.documentId }
}

/**
 * Builds the order of a move-in, after checking that its unit is held, its lease signed and its price agreed to.
 * @param request `pricing`: facts from which the caller has just stored the quote; its price is not checked again
 */
export async function moveInOrder(
  services: Services,
  draft: Draft,
  request: { quoteId: string; tenant?: TenantCaller | undefined; pricing?: DraftPricing },
): Promise<{ ok: true; order: Order; customer: Customer; charges: Charges } | MoveInPaymentRefusal> {
  const signed = await loadSignedRental(services, draft, request)
  if (!signed.ok) return signed
  const { facts, reservation, documentId } = signed
  // Consent is checked against the same facts that are charged below.
  const pricing = { facts: facts.facility, reservation }
  const consent = request.pricing ? null : await consentToQuote(services, draft, request.quoteId, pricing)
  if (consent && !consent.ok) return refusalOfConsent(consent)
  const quote = priceDraft(facts.facility, draft, reservation)
  const { tenant } = facts
  if (!quote || !tenant) return { ok: false, why: 'hold_lost' }

  const ownTenant = !draft.existingTenant || hasTenant(request.tenant, draft)
  const plan: MoveInPlan = {
    locationCode: draft.locationCode,
    reservationCode: reservation.reservation_code,
    charges: quote.charges,
    autopay: wantsAutopay(facts.answers),
    lease: { ...leasePlan(facts, quote), documentId, ownTenant },
  }
  // The payer may not be the tenant, so the card page gets no data of an existing tenant who is not signed in, and none
  // of a rental that was found by name or opened by a link.
  const payer = facts.answers.contact ?? (ownTenant ? tenant : null)
  return {
    ok: true,
    order: {
      payer: 'move_in',
      locationCode: draft.locationCode,
      subject: { draftId: draft.draftId },
      resumedId: draft.proof === 'names' ? draft.resumedId : null,
      tenantId: draft.tenantId,
      leaseNumber: null,
      amount: quote.charges.dueToday,
      autopay: plan.autopay,
      quoteId: request.quoteId,
      plan: JSON.stringify(plan),
    },
    customer: customerOf(draft.proof === 'own' ? payer : null),
    charges: quote.charges,
  }
}

/**
 * Returns whether the draft's unit is held. Extends a hold that has lapsed, but only once. If the unit is not held,
 * nothing may be charged.
 */
async function isHeld(services: Services, draft: Draft, { heldUntil }: DraftFacts): Promise<boolean> {
  const { locationCode, reservationCode } = draft
  if (reservationCode === null || heldUntil !== null) return reservationCode !== null
  return extendHoldOnce(services, { locationCode, reservationCode }, services.clock.now() + PAYMENT_GRACE_MS)
}

function refusalOfConsent(
  denied: Extract<Awaited<ReturnType<typeof consentToQuote>>, { ok: false }>,
): MoveInPaymentRefusal {
  if (denied.why === 'changed' || denied.why === 'expired')
    return { ok: false, why: 'price_changed', changes: denied.changes, now: denied.now }
  return { ok: false, why: denied.why === 'unknown' ? 'no_quote' : 'hold_lost' }
}

/** Settles the draft's earlier orders. Returns why one of them prevents another order; null if none does. */
async function refusalByEarlierOrder(services: Services, draftId: string): Promise<MoveInPaymentRefusal | null> {
  const settled = await settleDraftOrders(services, draftId)
  if (settled === 'posted') return { ok: false, why: 'already_rented' }
  if (settled === 'unreachable') return { ok: false, why: 'unavailable' }
  const pendingOrder = await findPendingOrder(services, { draftId })
  return pendingOrder ? { ok: false, why: 'checking', orderId: pendingOrder.order_id } : null
}

function insuranceTerms(facts: DraftFacts, { scheme }: DraftQuote): MoveInPlan['lease']['insurance'] {
  const { ownInsurance, vehicleDetails } = facts.answers
  const status = insuranceStatus(facts)
  switch (status) {
    case 1:
      return { status, schemeId: scheme?.scheme_id ?? 0, premium: scheme?.premium ?? 0, notes: {} }
    case 2:
      return { status, schemeId: 0, premium: 0, notes: ownInsurance ?? {} }
    case 3:
      return { status, schemeId: 0, premium: 0, notes: vehicleDetails ?? {} }
    default:
      return { status, schemeId: 0, premium: 0, notes: {} }
  }
}

function leasePlan(facts: DraftFacts, quote: DraftQuote): Omit<MoveInPlan['lease'], 'documentId' | 'ownTenant'> {
  const { answers } = facts
  const { vehicleDetails, lienHolder, military, designatedAgent, defaultNotice } = leaseAnswersOf(facts)
  return {
    rent: quote.rent,
    discountId: quote.discount?.id ?? 0,
    insurance: insuranceTerms(facts, quote),
    details: {
      ...(vehicleDetails && { vehicleDetails }),
      ...(lienHolder && { lienHolder }),
      ...(designatedAgent && { designatedAgent }),
      ...(military && { military }),
    },
    defaultNotice,
    identity: answers.customerInfo ?? null,
    military: { active: answers.activeMilitary === true, details: military },
  }
}

/** Settles a draft's open and captured orders, before another order is opened or the lease is signed. */
export async function settleDraftOrders(
  services: Services,
  draftId: string,
): Promise<'none' | 'posted' | 'unreachable'> {
  const { posted, unreachable } = await settleOrdersOf(services, { draftId })
  return posted ? 'posted' : unreachable ? 'unreachable' : 'none'
}

/** Loads the lease that a move-in's payment created; null where the payment was not posted. */
export async function loadCompletedMoveIn(services: Services, payment: Pick<Payment, 'order_id' | 'state'>) {
  if (payment.state !== 'posted' && payment.state !== 'returned') return null
  const lease = await services.db.read
    .selectFrom('leases')
    .selectAll()
    .where('order_id', '=', payment.order_id)
    .executeTakeFirst()
  return lease ?? null
}
