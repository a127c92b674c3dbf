import type { Kysely } from 'kysely'
import * as v from 'valibot'
import { addDays } from '../../../domain/plain-date.ts'
import {
  hasAccountAlready,
  leaseIsClosed,
  noEmailOnFile,
  noReservationHeld,
  nothingOwed,
  nothingToSign,
  notOnlineYet,
} from '../../../domain/texts/office-refusals.ts'
import { enqueue } from '../../../platform/jobs/enqueue-requeue-and-cancel-jobs.ts'
import { integer, locationCode } from '../../../platform/operations/input-fields.ts'
import { recordNotFound } from '../../../platform/operations/operation.ts'
import { RefusalError, refusalError } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import type { Lease } from '../../leases/lease.ts'
import { requireToday } from '../../leases/lock-lease-row.ts'
import { loadActiveHold } from '../../reservations/active-hold-of-tenant.ts'
import { SAME_MAIL_MS, sendReservationLink } from '../../reservations/reserve-at-desk.ts'
import { officeOperation } from '../../staff/office-operation.ts'
import { loadTenant, type Tenant } from '../../tenants/tenant.ts'

/** Links that a staff member can mail to a tenant. */
const sendableLinks = ['pay', 'sign', 'reservation', 'register'] as const

type SendableLink = (typeof sendableLinks)[number]

/** Descriptions of mailed links for the audit event, made from the unit's number. */
const sendableLinkNames: Record<SendableLink, (unit: string) => string> = {
  pay: (unit) => `the link to pay for ${unit}`,
  sign: (unit) => `the link to sign the terms of ${unit}`,
  reservation: (unit) => `the link of the reservation of ${unit}`,
  register: () => 'the link to an online account',
}

export const SendLink = officeOperation({
  name: 'SendLink',
  button: { label: 'Send link', key: 'l', place: 2, page: 'link', about: 'tenant' },
  permission: 'link.send',
  input: v.object({
    location_code: locationCode(),
    tenant_id: integer(),
    /** Lease that the link is about; '' for the tenant's first open lease. Not used for 'reservation'. */
    lease_number: v.optional(v.union([v.literal(''), integer()]), ''),
    link: v.picklist(sendableLinks, 'Choose a link.'),
  }),
  example: { location_code: 'ATL01', tenant_id: 1001, lease_number: 10001, link: 'pay' },
  async work({ tx, services, audit }, input) {
    const tenant = await loadTenant(tx, input.location_code, input.tenant_id)
    if (!tenant) throw new RefusalError(recordNotFound)
    if (tenant.email === '') throw refusalError(409, 'no_email', noEmailOnFile)
    const unit = await mailLink(tx, services, tenant, input)
    const sent = sendableLinkNames[input.link](unit)
    await audit({ kind: 'link.sent', details: { what: sent } })
    return { sent }
  },
})

/**
 * Enqueues the mail with the link; for a reservation, also a text message.
 * @returns number of the unit that the link is about
 * @throws RefusalError with 409 when the link would lead to nothing: the tenant has no hold or open lease, nothing is to
 *   be paid or signed, the tenant has an account already, or the facility is not open on the website yet
 */
async function mailLink(
  tx: Kysely<Tables>,
  services: Services,
  tenant: Tenant,
  { link, lease_number: leaseNumber }: { link: SendableLink; lease_number: number | '' },
): Promise<string> {
  const { location_code: locationCode, tenant_id: tenantId } = tenant
  const now = services.clock.now()
  const once = `sent:${locationCode}:${tenantId}:${leaseNumber}:${Math.floor(now / SAME_MAIL_MS)}`
  if (link === 'reservation') {
    const hold = await loadActiveHold(tx, { locationCode, tenantId }, now)
    if (!hold) throw refusalError(409, 'no_reservation', noReservationHeld)
    await sendReservationLink(tx, services, { locationCode, reservationCode: hold.reservation_code }, 'again')
    return hold.unit_number
  }
  if (await isComingSoon(tx, locationCode)) throw refusalError(409, 'coming_soon', notOnlineYet)
  const lease = await findLease(tx, tenant, leaseNumber)
  if (!lease || lease.status === 'Closed') throw refusalError(409, 'closed', leaseIsClosed)
  const unit = lease.unit_number
  if (link === 'register') {
    if (tenant.account_id !== null) throw refusalError(409, 'registered', hasAccountAlready)
    await enqueue(tx, { kind: 'register_link', once, payload: { locationCode, tenantId }, runAt: now })
    return unit
  }
  const key = { locationCode, leaseNumber: lease.lease_number }
  if (link === 'sign') {
    if (lease.terms_required !== 1) throw refusalError(409, 'signed', nothingToSign)
    await enqueue(tx, { kind: 'terms_link', once, payload: key, runAt: now })
    return unit
  }
  if (lease.balance <= 0) throw refusalError(409, 'paid', nothingOwed)
  const periodStart = addDays(lease.paid_through, 1)
  // A lease that owes only a fee has the status of a late one, but no period of it is past due.
  const kind = periodStart < (await requireToday(tx, services, locationCode)) ? 'past_due' : 'payment_due'
  await enqueue(tx, { kind, once, payload: { ...key, periodStart }, runAt: now })
  return unit
}

async function isComingSoon(tx: Kysely<Tables>, locationCode: string): Promise<boolean> {
  const facility = await tx
    .selectFrom('locations')
    .select('coming_soon')
    .where('location_code', '=', locationCode)
    .executeTakeFirst()
  return facility?.coming_soon === 1
}

/** Loads the tenant's lease with this number; without a number, the tenant's first open lease. */
function findLease(
  tx: Kysely<Tables>,
  { location_code, tenant_id }: Tenant,
  leaseNumber: number | '',
): Promise<Lease | undefined> {
  const leases = tx
    .selectFrom('leases')
    .selectAll()
    .where((eb) => eb.and({ location_code, tenant_id }))
    .orderBy('lease_number')
    .limit(1)
  const found =
    leaseNumber === '' ? leases.where('status', '!=', 'Closed') : leases.where('lease_number', '=', leaseNumber)
  return found.executeTakeFirst()
}
