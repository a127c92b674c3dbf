import type { Selectable } from 'kysely'
import { OVERLOCK_AFTER_DAYS } from '../../../domain/billing.ts'
import type { BrandRecord } from '../../../domain/brand.ts'
import { PERIOD_DAYS } from '../../../domain/charges.ts'
import { formatInstantIn, todayIn } from '../../../domain/dates.ts'
import { paymentBlock, paymentBlockText } from '../../../domain/payability.ts'
import { addDays, formatLong, type IsoDate } from '../../../domain/plain-date.ts'
import type { House } from '../../../platform/operations/services.ts'
import type { TenantKey } from '../../../platform/schema/job-kinds.ts'
import type { LeasesTable } from '../../../platform/schema/tables.ts'
import { inviteToken } from '../../accounts/registration-lookup.ts'
import { facilityFacts } from '../../facilities/facts.ts'
import { phoneFor, phoneOf } from '../../facilities/phone.ts'
import { brandOf } from '../../facilities/settings.ts'
import { paidWinnerOfLease } from '../../leases/gate.ts'
import { type Proof, unitsOf } from '../../leases/insurance/proofs.ts'
import { balanceOf } from '../../leases/ledger/balances.ts'
import type { MoveInPlan } from '../../payments/payers/move-in.ts'
import type { Payment } from '../../payments/payment.ts'
import { paymentFacts } from '../../payments/receipt.ts'
import { type Authorisation, planOf } from '../../payments/sealed-details.ts'
import { tenantRow } from '../../tenants/tenant.ts'
import type { Notice, NoticeBrand } from '../letter.tsx'
import type { NoticePlace } from '../letters/shared.ts'

/** React Email: for those that write letters, and not for a command that never does. The site loads it before it starts. */
export const letters = () => import('../letters/index.ts')

interface Attachment {
  filename: string
  contentType: string
  content: Uint8Array
}

/** The record that a notice was to speak of is gone: nothing to send, and trying again would not help. */
export const nothing = null

export type Composed = { to: string; notice: Notice; attachments?: Attachment[] } | null

export async function placeOf(house: House, locationCode: string) {
  const [location, brand] = await Promise.all([
    house.db.read.selectFrom('locations').selectAll().where('location_code', '=', locationCode).executeTakeFirst(),
    brandOf(house),
  ])
  if (!location) return null
  const facility: NoticePlace = {
    name: location.name,
    address: location.address,
    city: location.city,
    state: location.state,
    zip: location.zip,
    phone: await phoneFor(house, location),
    timeZone: location.time_zone,
  }
  return { location, facility, brand: senderOf(house, brand) }
}

export async function reservationOf(house: House, key: { locationCode: string; reservationCode: string }) {
  const [reservation, place] = await Promise.all([
    house.db.read
      .selectFrom('reservations')
      .selectAll()
      .where('location_code', '=', key.locationCode)
      .where('reservation_code', '=', key.reservationCode)
      .executeTakeFirst(),
    placeOf(house, key.locationCode),
  ])
  const tenant = reservation && (await tenantRow(house.db.read, key.locationCode, reservation.tenant_id))
  return reservation && place && tenant ? { reservation, tenant, ...place } : null
}

export async function leaseOf(house: House, key: { locationCode: string; leaseNumber: number }) {
  const [lease, place] = await Promise.all([
    house.db.read
      .selectFrom('leases')
      .selectAll()
      .where('location_code', '=', key.locationCode)
      .where('lease_number', '=', key.leaseNumber)
      .executeTakeFirst(),
    placeOf(house, key.locationCode),
  ])
  const tenant = lease && (await tenantRow(house.db.read, key.locationCode, lease.tenant_id))
  return lease && place && tenant ? { lease, tenant, ...place } : null
}

export async function paymentWithPlan(house: House, orderId: string) {
  const payment = await house.db.read
    .selectFrom('payments')
    .selectAll()
    .where('order_id', '=', orderId)
    .executeTakeFirst()
  return payment ? { payment, plan: planOf<MoveInPlan>(house, payment) } : null
}

const senderOf = (house: House, { name, phone, colors }: BrandRecord): NoticeBrand => ({
  ...{ name, phone, siteUrl: house.publicUrl },
  // A mail is light in every reader.
  colors: colors.light,
})

export const noticeBrand = async (house: House): Promise<NoticeBrand> => senderOf(house, await brandOf(house))

/** An account's address and the first name of one of its tenants. */
export const accountAddress = (house: House, accountId: string) =>
  house.db.read
    .selectFrom('accounts')
    .leftJoin('tenants', 'tenants.account_id', 'accounts.account_id')
    .select(['accounts.email', 'first'])
    .where('accounts.account_id', '=', accountId)
    .executeTakeFirst()

export const proofFacts = (proof: Proof, { brand, facility }: { brand: NoticeBrand; facility: NoticePlace }) => ({
  ...{ brand, facility, name: proof.tenant_name, unitNumber: unitsOf(proof), unitNumbers: unitsOf(proof) },
  ...{ carrier: proof.insurance_carrier, policyNumber: proof.policy_number, expires: proof.expiration_date },
})

/** What a bank payment's payer authorized; null for a card's, and for autopay, which was authorized before. */
export function authorizedOf(
  { method, payer, authorisation }: Payment,
  timeZone: string,
): { text: string; at: string } | null {
  if (method !== 'ACH' || payer === 'autopay' || authorisation === null) return null
  return agreedOf(authorisation, timeZone)
}

/** @param authorisation as the payment keeps it */
export function agreedOf(authorisation: string, timeZone: string): { text: string; at: string } {
  const { text, at } = JSON.parse(authorisation) as Authorisation
  return { text, at: `${formatInstantIn(timeZone, at)} on ${formatLong(todayIn(timeZone, at))}` }
}

/** When an unpaid lease is overlocked, as a mail tells it: that it is, or from which day it will be within a month. */
function lockOf(
  lease: Pick<Selectable<LeasesTable>, 'overlocked' | 'paid_through'>,
  today: IsoDate | undefined,
): { from: IsoDate; already: boolean } | null {
  const from = addDays(lease.paid_through, OVERLOCK_AFTER_DAYS + 1)
  if (today === undefined || from > addDays(today, PERIOD_DAYS)) return null
  return { from, already: lease.overlocked === 1 || from <= today }
}

/** The page of a lease, named with its tenant: two facilities of an account may have leases of one number. */
export function unitUrl(
  house: House,
  of: { locationCode: string; leaseNumber: number | null; tenantId: number | null },
): string {
  const tenant = of.tenantId === null ? '' : `&at=${encodeURIComponent(`${of.locationCode}:${of.tenantId}`)}`
  return `${house.publicUrl}/unit-lease-details?lease=${of.leaseNumber}${tenant}`
}

/** A lease on which something is owed now, and how its tenant can pay; null where nothing is, or nobody can be told. */
export async function owingLease(house: House, key: { locationCode: string; leaseNumber: number }) {
  const of = await paidLease(house, key)
  return of && !of.closed && of.facts.balance > 0 ? of : null
}

/** What mails about a lease's payments say; null where nobody can be told. */
export async function paidLease(house: House, key: { locationCode: string; leaseNumber: number }) {
  const of = await leaseOf(house, key)
  const balance = of ? await balanceOf(house.db.read, key.locationCode, key.leaseNumber) : 0
  if (!of || of.tenant.email === '') return null
  const here = (await facilityFacts(house, [key.locationCode])).get(key.locationCode)
  const closed = of.lease.status === 'Closed'
  const block =
    here &&
    paymentBlock({ auctionPrepped: of.lease.auction_prepped === 1, paidThrough: of.lease.paid_through }, here.today)
  // What is owed on a lease that has ended has no page either.
  const byPhone = block ?? (closed ? 'auction_prepped' : null)
  return {
    closed,
    to: of.tenant.email,
    paidThrough: of.lease.paid_through,
    locked: closed ? null : lockOf(of.lease, here?.today),
    facts: {
      brand: of.brand,
      facility: of.facility,
      name: of.tenant.first,
      unitNumber: of.lease.unit_number,
      balance,
      notOnline: here && byPhone ? paymentBlockText(byPhone, await phoneOf(house, here)) : '',
      payUrl:
        of.tenant.grant_online_access === 1
          ? unitUrl(house, { ...key, tenantId: of.lease.tenant_id })
          : `${house.publicUrl}/guest/find-email`,
    },
  }
}

export async function troubled(house: House, orderId: string) {
  const paid = await paymentFacts(house, orderId)
  const place = paid && (await placeOf(house, paid.locationCode))
  if (!paid || !place || paid.to === '') return null
  return {
    to: paid.to,
    method: paid.method,
    trouble: paid.payment.trouble ?? '',
    notice: {
      brand: place.brand,
      facility: place.facility,
      name: paid.first,
      unitNumber: paid.unitNumber,
      orderNumber: orderId,
      amount: paid.total,
    },
  }
}

export const registerUrl = (house: House, tenant: Parameters<typeof inviteToken>[1]) =>
  `${house.publicUrl}/register?invite=${encodeURIComponent(inviteToken(house, tenant))}`

/** A tenant with a unit to speak of; null without one. */
export async function rentingTenant(house: House, key: TenantKey) {
  const [tenant, place, lease] = await Promise.all([
    tenantRow(house.db.read, key.locationCode, key.tenantId),
    placeOf(house, key.locationCode),
    house.db.read
      .selectFrom('leases')
      .select('unit_number')
      .where('location_code', '=', key.locationCode)
      .where('tenant_id', '=', key.tenantId)
      .where('status', '!=', 'Closed')
      .orderBy('lease_number')
      .executeTakeFirst(),
  ])
  return tenant && place && lease ? { tenant, unitNumber: lease.unit_number, ...place } : null
}

export async function gateCodesOf(house: House, key: TenantKey) {
  const [tenant, place, leases] = await Promise.all([
    tenantRow(house.db.read, key.locationCode, key.tenantId),
    placeOf(house, key.locationCode),
    house.db.read
      .selectFrom('leases')
      .select(['unit_number', 'gate_code', 'overlocked'])
      .where('location_code', '=', key.locationCode)
      .where('tenant_id', '=', key.tenantId)
      .where('status', '!=', 'Closed')
      .where('gate_code', '!=', '')
      // A unit that was sold is its winner's.
      .where(({ not, exists }) => not(exists(paidWinnerOfLease(house.db.read))))
      .orderBy('lease_number')
      .execute(),
  ])
  if (!tenant || !place || leases.length === 0) return null
  return {
    email: tenant.email,
    phone: tenant.cell_phone,
    facts: {
      brand: place.brand,
      facility: place.facility,
      name: tenant.first,
      units: leases.map((lease) => ({ unitNumber: lease.unit_number, gateCode: lease.gate_code })),
      locked: leases.filter((lease) => lease.overlocked === 1).map((lease) => lease.unit_number),
    },
  }
}
