import * as v from 'valibot'
import { fromWire, toWire } from '../../../domain/money.ts'
import {
  auctionRulesFirst,
  failedToInitializePayment,
  invalidSettlementData,
  invalidTenantId,
  invalidUrl,
  paymentAlreadyProcessed,
  settlementSessionNotFound,
} from '../../../domain/texts/payment.ts'
import { someFieldsInvalid } from '../../../domain/texts/some-fields-invalid.ts'
import { type Callers, type GuestCaller, ownTenant } from '../../../platform/operations/callers.ts'
import { flag, integer, locationCode, prepaidPeriods, uuid } from '../../../platform/operations/input-fields.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { type Refusal, refuse, succeed } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { invalidLeaseNumber } from '../../leases/texts/portal.ts'
import { loadAuctionLink, loadSettlementLink } from '../../links/auction-and-settlement-link-records.ts'
import { loadDraftOfCaller } from '../../reservations/draft.ts'
import { loadDraftPricing } from '../../reservations/draft-price.ts'
import { storeQuote } from '../../reservations/draft-quote.ts'
import type { Draft } from '../../reservations/rules/journey/draft.ts'
import { isTenantOfSession, maskContact } from '../../tenants/contact-masking.ts'
import { loadTenant } from '../../tenants/tenant.ts'
import { pageFields, pageFieldsRefusal } from '../internal/check-card-page-request-against-payment.ts'
import { checkoutRefusal, openCheckout } from '../open/open-checkout.ts'
import { openLinkPayment } from '../open/open-link-payment.ts'
import { moveInRefusal, openMoveInPayment } from '../open/open-move-in-payment.ts'
import { beginDuesOrPrepay, priceCheckout } from '../price-checkout.ts'
import { refuseOtherAmount } from '../refuse-amount-that-differs-from-cost.ts'
import { recordDenial, refuseMissingSession } from '../refuse-missing-session-or-denied-payer.ts'

const hostPayInput = v.object({
  location_code: locationCode(),
  ...pageFields,
  tenant_id: v.optional(integer(invalidTenantId)),
  lease_number: v.optional(integer(invalidLeaseNumber)),
  /** Number of periods ahead; omitted to pay the dues if any, else one period. */
  pay_periods: v.optional(prepaidPeriods(1)),
  autopay_bit: v.optional(flag(), false),
  /**
   * Auction or settlement link to pay. If omitted, the session's link is paid, unless the session has a rental or the
   * request names a lease or a tenant.
   */
  uuid: v.optional(uuid()),
})

type HostPayInput = v.InferOutput<typeof hostPayInput>

/** Returns whether the caller may pay for the request's tenant or, if it names none, for at least one at the location. */
const mayPayFor = (caller: Pick<GuestCaller, 'tenants'>, input: HostPayInput) =>
  caller.tenants.some(
    (tenant) =>
      tenant.locationCode === input.location_code &&
      (input.tenant_id === undefined || tenant.tenantId === input.tenant_id),
  )

/** Returns whether the request names a lease or a tenant, for which a rental or link session may not pay. */
const namesLease = (input: HostPayInput) => input.lease_number !== undefined || input.tenant_id !== undefined

/**
 * Returns whether a payment request is for the payment link of the caller's session: it names that link, or no link, no
 * lease and no tenant.
 */
const isNamedLink = (link: { uuid: string }, input: HostPayInput) =>
  input.uuid === undefined ? !namesLease(input) : input.uuid.toLowerCase() === link.uuid

const refuseUnavailable = () => refuse(503, 'provider_unavailable', failedToInitializePayment, { retryAfter: 3 })

const compareAmount = (input: HostPayInput, cents: number) =>
  input.total_amount !== '' && fromWire(input.total_amount) !== cents ? refuseOtherAmount('total_amount', cents) : null

const operationName = 'POST /api/paygateway/hostpay/transactions'

const denyAccess = (services: Services, callers: Callers) => recordDenial(services, operationName, callers)

export const postHostPay = operation({
  name: 'POST /api/paygateway/hostpay/transactions',
  summary:
    'Opens the hosted card page for this session’s own: its move-in, a lease of the tenant or guest, the unit of an auction or settlement link. The amount is ours; one that the caller names must be the same.',
  access: {
    rental: (caller, input) => caller.locationCode === input.location_code && !namesLease(input),
    tenant: mayPayFor,
    guest: mayPayFor,
    auction: isNamedLink,
    settlement: isNamedLink,
  },
  input: hostPayInput,
  output: v.object({ paypageurl: v.string(), order_id: v.string(), total_amount: v.string() }),
  limit: { points: 60, perSeconds: 3600 },
  writes: true,
  example: {
    input: { location_code: 'ATL01', total_amount: '56.43' },
    output: {
      paypageurl: 'http://127.0.0.1:3001/pay/0b6c…',
      order_id: 'LK3F9A0C44D1E2B7A90C11D2E3',
      total_amount: '56.43',
    },
  },
  async run(services, input, callers) {
    const page = await openRequestedPage(services, input, callers)
    return page.ok
      ? succeed({ paypageurl: page.payPageUrl, order_id: page.orderId, total_amount: toWire(page.amount) })
      : page
  },
})

type CardPageOrRefusal = { ok: true; orderId: string; payPageUrl: string; amount: number } | Refusal

/**
 * Opens the card page of the caller's link, or else of the requested lease, or else of the caller's move-in. Refuses a
 * request that names a link which is not the caller's.
 */
async function openRequestedPage(
  services: Services,
  input: HostPayInput,
  callers: Callers,
): Promise<CardPageOrRefusal> {
  for (const kind of ['auction', 'settlement'] as const) {
    const link = callers[kind]
    const isRequested = link && isNamedLink(link, input) && (input.uuid !== undefined || !callers.rental)
    if (isRequested) return openLinkPage(services, kind, link.uuid, input)
  }
  if (input.uuid !== undefined) return denyAccess(services, callers)
  return namesLease(input) || !callers.rental
    ? openLeasePage(services, input, callers)
    : openMoveInPage(services, input, callers)
}

async function openMoveInPage(services: Services, input: HostPayInput, callers: Callers): Promise<CardPageOrRefusal> {
  const draft = await loadDraftOfCaller(services, callers.rental)
  if (!draft || draft.locationCode !== input.location_code) return refuseMissingSession()
  const pricing = await loadDraftPricing(services, draft)
  const stored = pricing && (await storeQuote(services, draft, pricing))
  if (!stored) return refuseMissingSession()
  const { rent } = stored.charges
  const payer = draft.answers.contact ?? (await loadTenantOfDraft(services, draft, callers))
  const refusal =
    compareAmount(input, stored.total) ??
    pageFieldsRefusal(services, input, { rents: [rent.amount, rent.amount - rent.discount], payer })
  if (refusal) return refusal
  const page = await openMoveInPayment(services, draft, {
    quoteId: stored.quoteId,
    tenant: callers.tenant,
    pricing,
  })
  if (page.ok) return page
  return page.why === 'unavailable' ? refuseUnavailable() : moveInRefusal(page.why)
}

/**
 * Loads the rental draft's tenant. Contact data is masked unless the caller is signed in as this tenant, or the session
 * itself entered the tenant's data.
 */
async function loadTenantOfDraft(services: Services, draft: Draft, callers: Callers) {
  const row =
    draft.tenantId === null ? undefined : await loadTenant(services.db.read, draft.locationCode, draft.tenantId)
  if (!row) return null
  const isOwn = (callers.tenant !== undefined && ownTenant(callers.tenant, row)) || isTenantOfSession(draft, row)
  return isOwn ? row : maskContact(row)
}

/**
 * Finds the lease that a tenant or guest pays. Returns null if the request has no lease number and the caller has no
 * open lease or several at the location.
 */
async function findRequestedLease(services: Services, input: HostPayInput, tenants: GuestCaller['tenants']) {
  const { location_code, tenant_id, lease_number } = input
  if (tenant_id !== undefined && lease_number !== undefined) return { tenant_id, lease_number }
  const ownTenants = tenants.filter(
    (tenant) => tenant.locationCode === location_code && (tenant_id === undefined || tenant.tenantId === tenant_id),
  )
  const leases = await services.db.read
    .selectFrom('leases')
    .select(['tenant_id', 'lease_number'])
    .where('location_code', '=', location_code)
    // SQL accepts no empty list, and no tenant has the id -1.
    .where('tenant_id', 'in', [-1, ...ownTenants.map((tenant) => tenant.tenantId)])
    .$if(lease_number === undefined, (query) => query.where('status', '!=', 'Closed'))
    .$if(lease_number !== undefined, (query) => query.where('lease_number', '=', lease_number ?? -1))
    .execute()
  const [lease, ...more] = leases
  if (lease && more.length === 0) return lease
  // Another tenant's lease is refused like one that does not exist.
  return ownTenants[0] && lease_number !== undefined ? { tenant_id: ownTenants[0].tenantId, lease_number } : null
}

async function openLeasePage(services: Services, input: HostPayInput, callers: Callers): Promise<CardPageOrRefusal> {
  const payer = (['tenant', 'guest'] as const).find((kind) => callers[kind] && mayPayFor(callers[kind], input))
  // Other sessions may pay only for their own rental or link, not for a lease.
  if (!payer) return denyAccess(services, callers)
  const { location_code } = input
  const lease = await findRequestedLease(services, input, callers[payer]?.tenants ?? [])
  if (!lease) {
    const fields = { lease_number: 'is required' }
    return refuse(400, 'invalid_input', someFieldsInvalid, { fields })
  }
  const { tenant_id, lease_number } = lease
  const started = await beginDuesOrPrepay(services, priceCheckout, {
    payer,
    guest: payer === 'guest' ? callers.guest?.signIn : undefined,
    locationCode: location_code,
    tenantId: tenant_id,
    leaseNumber: lease_number,
    periods: input.pay_periods,
    autopay: input.autopay_bit,
  })
  if (!started.ok) return started
  const { checkout, quote } = started
  const { total, cardFee, lines } = checkout.price.CC
  const rents = [total, total - (cardFee?.amount ?? 0) - (cardFee?.tax ?? 0), ...lines.map((line) => line.cents)]
  const tenant = payer === 'tenant' ? await loadTenant(services.db.read, location_code, tenant_id) : undefined
  const refusal = compareAmount(input, total) ?? pageFieldsRefusal(services, input, { rents, payer: tenant ?? null })
  if (refusal) return refusal
  const page = await openCheckout(services, checkout, { address: callers.address, agent: callers.agent, quote })
  if (page.ok) return page
  if (page.why === 'unavailable') return refuseUnavailable()
  return page.why === 'price_changed'
    ? refuseOtherAmount('total_amount', page.now.price.CC.total)
    : checkoutRefusal(page)
}

async function openLinkPage(
  services: Services,
  kind: 'auction' | 'settlement',
  uuid: string,
  input: HostPayInput,
): Promise<CardPageOrRefusal> {
  const link =
    kind === 'auction'
      ? await loadAuctionLink(services.db.read, uuid)
      : await loadSettlementLink(services.db.read, uuid)
  if (!link) return refuse(404, 'link_not_found', kind === 'auction' ? invalidUrl : settlementSessionNotFound)
  const isAuction = 'facility_balance' in link
  const due = isAuction ? link.facility_balance : link.settlement_amount
  const payer = isAuction ? { email: link.email, city: link.city, zip: link.zip } : null
  const refusal = compareAmount(input, due) ?? pageFieldsRefusal(services, input, { rents: [due], payer })
  if (refusal) return refusal
  if (link.location_code !== input.location_code) {
    return refuse(409, 'differs', 'This is not what is paid.', { fields: { location_code: 'is another location' } })
  }
  const page = await openLinkPayment(services, kind, link.uuid)
  if (page.ok) return page
  switch (page.why) {
    case 'unavailable':
      return refuseUnavailable()
    case 'no_link':
      return refuse(404, 'link_not_found', invalidUrl)
    case 'rules_unread':
      return refuse(409, 'rules_not_acknowledged', auctionRulesFirst)
    case 'nothing_due':
      return refuse(409, 'not_payable', kind === 'auction' ? invalidUrl : invalidSettlementData)
    default:
      return refuse(409, 'checking', paymentAlreadyProcessed)
  }
}
