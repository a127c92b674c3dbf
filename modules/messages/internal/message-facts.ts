import type { Selectable } from 'kysely'
import { formatPhone } from '../../../domain/phone.ts'
import { addDays, formatUsDay, type IsoDate } from '../../../domain/plain-date.ts'
import { formatInstantIn, todayIn } from '../../../domain/time-zone-dates.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { TenantKey } from '../../../platform/schema/job-kinds.ts'
import type { LeasesTable } from '../../../platform/schema/tables.ts'
import { registrationLinkToken } from '../../accounts/registration-link.ts'
import { loadSupportPhoneDigits } from '../../facilities/choose-support-phone.ts'
import { type FacilityFacts, loadFacilityFacts } from '../../facilities/facility-facts-for-pricing.ts'
import { loadBrand } from '../../facilities/operator-settings-and-brand.ts'
import type { BrandRecord } from '../../facilities/rules/brand.ts'
import { loadGateFacts } from '../../gate/gate-facts.ts'
import { loadAuctionWinnerGateReason } from '../../gate/load-auction-winner-gate-reason.ts'
import { accessByLease } from '../../gate/rules/gate-access.ts'
import { formatUnitNumbers, type Proof } from '../../insurance/proof-unit-numbers.ts'
import type { UnitAlert } from '../../leases/rules/overdue-or-sold-unit-alert.ts'
import { loadUnitOverview, loadUnitOverviews } from '../../leases/views/tenant-unit-details.ts'
import { loadBalance } from '../../ledger/load-and-repair-lease-balance.ts'
import { paidWinnerSubquery } from '../../links/paid-auction-winners.ts'
import { decryptPlan } from '../../payments/order-terms-encryption.ts'
import type { MoveInPlan } from '../../payments/payers/post-move-in-payment.ts'
import { type Payment, parseStoredAuthorization } from '../../payments/payment.ts'
import { loadPaymentFacts } from '../../payments/receipt.ts'
import { paymentBlock, paymentBlockText } from '../../payments/rules/online-payment-blocks.ts'
import { PERIOD_DAYS } from '../../pricing/rules/fixed-billing-period-length.ts'
import { loadTenant } from '../../tenants/tenant.ts'
import type { MessageBrand } from '../mail-layout.tsx'
import type { GateCodeFacts } from './gate-code-sentences.ts'
import type { MessageFacility, RenterFacts } from './renter-facts-and-mail-tables.ts'

/** Result of a mail without a recipient, or whose record is gone or has changed: the job ends without sending. */
export const noMessage = null

/** Loads a facility and the brand as mails show them; null for an unknown facility. */
export async function loadMessageFacility(services: Services, locationCode: string) {
  const [location, brand] = await Promise.all([
    services.db.read.selectFrom('locations').selectAll().where('location_code', '=', locationCode).executeTakeFirst(),
    loadBrand(services),
  ])
  if (!location) return null
  const facility: MessageFacility = {
    name: location.name,
    address: location.address,
    city: location.city,
    state: location.state,
    zip: location.zip,
    phone: await loadSupportPhoneDigits(services, location),
    timeZone: location.time_zone,
  }
  return { location, facility, brand: senderOf(services, brand) }
}

/** Returns the facts that every mail about a unit has. */
export const renterFactsOf = (
  { brand, facility }: Pick<RenterFacts, 'brand' | 'facility'>,
  name: string,
  unitNumber: string,
) => ({
  brand,
  facility,
  name,
  unitNumber,
})

/** Loads a reservation with its tenant and facility; null when one of them is missing. */
export async function loadReservationFacts(services: Services, key: { locationCode: string; reservationCode: string }) {
  const [reservation, place] = await Promise.all([
    services.db.read
      .selectFrom('reservations')
      .selectAll()
      .where((eb) => eb.and({ location_code: key.locationCode, reservation_code: key.reservationCode }))
      .executeTakeFirst(),
    loadMessageFacility(services, key.locationCode),
  ])
  const tenant = reservation && (await loadTenant(services.db.read, key.locationCode, reservation.tenant_id))
  return reservation && place && tenant ? { reservation, tenant, ...place } : null
}

/** Loads a lease with its tenant and facility; null when one of them is missing. */
export async function loadLeaseForMessage(services: Services, key: { locationCode: string; leaseNumber: number }) {
  const [lease, place] = await Promise.all([
    services.db.read
      .selectFrom('leases')
      .selectAll()
      .where((eb) => eb.and({ location_code: key.locationCode, lease_number: key.leaseNumber }))
      .executeTakeFirst(),
    loadMessageFacility(services, key.locationCode),
  ])
  const tenant = lease && (await loadTenant(services.db.read, key.locationCode, lease.tenant_id))
  return lease && place && tenant ? { lease, tenant, ...place } : null
}

/** Loads an order with its decrypted move-in plan; null for an unknown order. */
export async function loadPaymentWithPlan(services: Services, orderId: string) {
  const payment = await services.db.read
    .selectFrom('payments')
    .selectAll()
    .where('order_id', '=', orderId)
    .executeTakeFirst()
  return payment ? { payment, plan: decryptPlan<MoveInPlan>(services, payment) } : null
}

const senderOf = (services: Services, { name, phone, colors }: BrandRecord): MessageBrand => ({
  name,
  phone,
  siteUrl: services.publicUrl,
  // Mails use the light palette, whatever the reader's theme.
  colors: colors.light,
})

export const loadMessageBrand = async (services: Services): Promise<MessageBrand> =>
  senderOf(services, await loadBrand(services))

/**
 * Loads an account's e-mail address and the first name of one of its tenants, null without one; undefined for an
 * unknown account.
 */
export const loadAccountAddress = (services: Services, accountId: string) =>
  services.db.read
    .selectFrom('accounts')
    .leftJoin('tenants', 'tenants.account_id', 'accounts.account_id')
    .select(['accounts.email', 'first'])
    .where('accounts.account_id', '=', accountId)
    .executeTakeFirst()

/** Returns the facts of an insurance proof for mails. */
export const proofFacts = (proof: Proof, { brand, facility }: { brand: MessageBrand; facility: MessageFacility }) => ({
  brand,
  facility,
  name: proof.tenant_name,
  unitNumber: formatUnitNumbers(proof),
  unitNumbers: formatUnitNumbers(proof),
  carrier: proof.insurance_carrier,
  policyNumber: proof.policy_number,
  expires: proof.expiration_date,
})

/**
 * Returns the text that the payer of a bank payment authorized, with its time; null for cards, for payments without a
 * stored text, and for autopay, which the payer authorized earlier.
 */
export function authorizationText(
  { method, payer, authorisation }: Payment,
  timeZone: string,
): { text: string; at: string } | null {
  if (method !== 'ACH' || payer === 'autopay' || authorisation === null) return null
  return parseAuthorization(authorisation, timeZone)
}

/**
 * Parses a stored authorization to its text and its time: '12:00 PM on Friday, 11/20/2026'.
 * @param authorisation as the payment stores it
 */
export function parseAuthorization(authorisation: string, timeZone: string): { text: string; at: string } {
  const { text, at } = parseStoredAuthorization(authorisation)
  return { text, at: `${formatInstantIn(timeZone, at)} on ${formatUsDay(todayIn(timeZone, at))}` }
}

/**
 * Returns the overlock of a unit that a mail names: 'now' for one in force, or its day if that is at most 30 days away;
 * null without either.
 */
function lockOf(alert: UnitAlert | null, today: IsoDate): { from: IsoDate | 'now' } | null {
  if (alert?.locked) return { from: 'now' }
  const coming = alert?.days.find(({ is }) => is === 'lock')
  return coming && coming.on <= addDays(today, PERIOD_DAYS) ? { from: coming.on } : null
}

/**
 * Returns the portal URL of a lease's page, or of the page of all units if the lease number is null. The URL names the
 * tenant, unless null, since an account may have leases with the same number at two facilities.
 */
export function unitUrl(
  services: Services,
  lease: { locationCode: string; leaseNumber: number | null; tenantId: number | null },
): string {
  const tenant = lease.tenantId === null ? '' : `at=${encodeURIComponent(`${lease.locationCode}:${lease.tenantId}`)}`
  // A mail about several units names no lease.
  if (lease.leaseNumber === null) return `${services.publicUrl}/my-units${tenant && `?${tenant}`}`
  return `${services.publicUrl}/unit-lease-details?lease=${lease.leaseNumber}${tenant && `&${tenant}`}`
}

/**
 * Loads an open lease with a balance due, and how its tenant can pay; null for a closed or unknown lease, and without a
 * balance or an e-mail address.
 */
export async function loadOwingLease(services: Services, key: { locationCode: string; leaseNumber: number }) {
  const owingLease = await loadLeaseWithBalance(services, key)
  return owingLease && !owingLease.closed && owingLease.facts.balance > 0 ? owingLease : null
}

/** Loads the facts for mails about a lease's payments; null if the lease is unknown or its tenant has no e-mail address. */
export async function loadLeaseWithBalance(services: Services, key: { locationCode: string; leaseNumber: number }) {
  const leaseFacts = await loadLeaseForMessage(services, key)
  const balance = leaseFacts ? await loadBalance(services.db.read, key.locationCode, key.leaseNumber) : 0
  if (!leaseFacts || leaseFacts.tenant.email === '') return null
  const currentFacility = (await loadFacilityFacts(services, [key.locationCode])).get(key.locationCode)
  const closed = leaseFacts.lease.status === 'Closed'
  const alert =
    currentFacility && !closed ? (await loadUnitOverview(services, currentFacility, leaseFacts.lease)).alert : null
  return {
    closed,
    to: leaseFacts.tenant.email,
    paidThrough: leaseFacts.lease.paid_through,
    today: currentFacility?.today,
    lock: currentFacility ? lockOf(alert, currentFacility.today) : null,
    /** URL at which all leases of the tenant can be paid. */
    payAllUrl: payUrlOf(services, { ...leaseFacts, leaseNumber: null }),
    facts: {
      alert,
      ...renterFactsOf(leaseFacts, leaseFacts.tenant.first, leaseFacts.lease.unit_number),
      balance,
      ...(await loadPaymentWay(services, currentFacility, leaseFacts)),
    },
  }
}

type LeaseWithBalance = NonNullable<Awaited<ReturnType<typeof loadLeaseWithBalance>>>

/**
 * Returns how the balances of a tenant's leases can be paid: at the URL of the lease if only one of them can be paid
 * online, at that for all units if several can. `notOnline` is the specified sentence if none can be paid online, else ''.
 */
export function paymentWayOfLeases(leases: readonly LeaseWithBalance[]): { notOnline: string; payUrl: string } {
  const payable = leases.filter(({ facts }) => facts.notOnline === '')
  const [lease = leases[0]] = payable
  return {
    notOnline: payable.length === 0 ? (lease?.facts.notOnline ?? '') : '',
    payUrl: (payable.length > 1 ? lease?.payAllUrl : lease?.facts.payUrl) ?? '',
  }
}

/** Loads how a lease's balance can be paid; null for an unknown lease. */
export async function loadPaymentWayOfLease(services: Services, key: { locationCode: string; leaseNumber: number }) {
  const [leaseFacts, facilities] = await Promise.all([
    loadLeaseForMessage(services, key),
    loadFacilityFacts(services, [key.locationCode]),
  ])
  return leaseFacts && loadPaymentWay(services, facilities.get(key.locationCode), leaseFacts)
}

/** Returns the portal URL of a lease for a tenant with online access, else the URL at which a guest begins to pay. */
const payUrlOf = (
  services: Services,
  {
    lease,
    tenant,
    leaseNumber,
  }: {
    lease: Pick<Selectable<LeasesTable>, 'location_code' | 'tenant_id'>
    tenant: { grant_online_access: 0 | 1 }
    leaseNumber: number | null
  },
): string =>
  tenant.grant_online_access === 1
    ? unitUrl(services, { locationCode: lease.location_code, leaseNumber, tenantId: lease.tenant_id })
    : `${services.publicUrl}/guest/find-email`

/**
 * Loads how a lease's balance can be paid.
 * @returns the URL to pay at; in `notOnline` the specified sentence if the balance can be paid by phone only, else ''
 */
async function loadPaymentWay(
  services: Services,
  facility: FacilityFacts | undefined,
  { lease, tenant }: { lease: Selectable<LeasesTable>; tenant: { grant_online_access: 0 | 1 } },
): Promise<{ notOnline: string; payUrl: string }> {
  const blockFacts = { auctionPrepped: lease.auction_prepped === 1, paidThrough: lease.paid_through }
  const block = facility && paymentBlock(blockFacts, facility.today)
  // A closed lease cannot be paid online either; the sentence for auction-prepped units fits, since it asks to call.
  const byPhone = block ?? (lease.status === 'Closed' ? 'auction_prepped' : null)
  return {
    notOnline:
      facility && byPhone
        ? paymentBlockText(byPhone, formatPhone(await loadSupportPhoneDigits(services, facility.location)))
        : '',
    payUrl: payUrlOf(services, { lease, tenant, leaseNumber: lease.lease_number }),
  }
}

/** Loads the facts for a mail about an order to its payer; null when the order is unknown or has no e-mail address. */
export async function loadPaymentForMail(services: Services, orderId: string) {
  const paid = await loadPaymentFacts(services, orderId)
  const place = paid && (await loadMessageFacility(services, paid.locationCode))
  if (!paid || !place || paid.to === '') return null
  return {
    to: paid.to,
    method: paid.method,
    trouble: paid.payment.trouble ?? '',
    payer: paid.payment.payer,
    notice: {
      ...renterFactsOf(place, paid.first, paid.unitNumber),
      orderNumber: orderId,
      amount: paid.total,
    },
  }
}

/** Returns the URL by which a tenant without an account creates one. */
export const registerUrl = (services: Services, tenant: Parameters<typeof registrationLinkToken>[1]) =>
  `${services.publicUrl}/register?invite=${encodeURIComponent(registrationLinkToken(services, tenant))}`

/** Loads a tenant with the unit of their first open lease; null for an unknown tenant or without an open lease. */
export async function loadRentingTenant(services: Services, key: TenantKey) {
  const [tenant, place, lease] = await Promise.all([
    loadTenant(services.db.read, key.locationCode, key.tenantId),
    loadMessageFacility(services, key.locationCode),
    services.db.read
      .selectFrom('leases')
      .select('unit_number')
      .where((eb) => eb.and({ location_code: key.locationCode, tenant_id: key.tenantId }))
      .where('status', '!=', 'Closed')
      .orderBy('lease_number')
      .executeTakeFirst(),
  ])
  return tenant && place && lease ? { tenant, unitNumber: lease.unit_number, ...place } : null
}

/** Loads an auction winner who has paid, with the state of their code at the gate; null if there is none. */
export async function loadWinner(services: Services, uuid: string) {
  const winner = await services.db.read
    .selectFrom('auction_winners')
    .selectAll()
    .where('uuid', '=', uuid)
    .where('state', '=', 'paid')
    .executeTakeFirst()
  if (!winner) return null
  const [place, gate] = await Promise.all([
    loadMessageFacility(services, winner.location_code),
    loadAuctionWinnerGateReason(services.db.read, winner, services.clock.now()),
  ])
  return place && { winner, gate, ...place }
}

/**
 * Loads the gate codes of a tenant's open leases for mails, each with its state at the gate and how its unit can be
 * paid; null without codes.
 */
export async function loadGateCodes(services: Services, key: TenantKey) {
  const tenantKey = { location_code: key.locationCode, tenant_id: key.tenantId }
  const [tenant, place, gate, leases, facts] = await Promise.all([
    loadTenant(services.db.read, key.locationCode, key.tenantId),
    loadMessageFacility(services, key.locationCode),
    loadGateFacts(services.db.read, tenantKey, services.clock.now()),
    services.db.read
      .selectFrom('leases')
      .selectAll()
      .where((eb) => eb.and(tenantKey))
      .where('status', '!=', 'Closed')
      .where('gate_code', '!=', '')
      // A sold unit belongs to the auction winner.
      .where(({ not, exists }) => not(exists(paidWinnerSubquery(services.db.read))))
      .orderBy('lease_number')
      .execute(),
    loadFacilityFacts(services, [key.locationCode]),
  ])
  const currentFacility = facts.get(key.locationCode)
  if (!tenant || !place || !currentFacility || leases.length === 0) return null
  const overviews = await loadUnitOverviews(services, currentFacility, leases, [], gate)
  const loadUnit = async (lease: (typeof leases)[number]): Promise<GateCodeFacts['units'][number]> => {
    const { alert = null, gate: reason } = overviews.get(lease.lease_number) ?? {}
    return {
      unitNumber: lease.unit_number,
      gateCode: lease.gate_code,
      gateState: reason?.is === 'opens' ? reason.taken : null,
      alert: alert && { ...alert, ...(await loadPaymentWay(services, currentFacility, { lease, tenant })) },
    }
  }
  const access = accessByLease(gate, services.clock.now())
  const locked = leases.filter(({ lease_number }) => {
    const leaseAccess = access.get(lease_number)
    return leaseAccess?.is === 'overlocked' && leaseAccess.own
  })
  return {
    email: tenant.email,
    phone: tenant.cell_phone,
    facts: {
      brand: place.brand,
      facility: place.facility,
      name: tenant.first,
      units: await Promise.all(leases.map(loadUnit)),
      overlockedUnits: locked.map((lease) => lease.unit_number),
      hasOtherOpenCode: [...access.values()].some(({ is }) => is === 'opens'),
      suspended: [...access.values()].some(({ is }) => is === 'suspended'),
    },
  }
}
