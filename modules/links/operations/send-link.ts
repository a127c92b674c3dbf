import type { Kysely } from 'kysely'
import * as v from 'valibot'
import { MINUTE } from '../../../domain/durations.ts'
import { addDays } from '../../../domain/plain-date.ts'
import {
  hasAccountAlready,
  leaseIsClosed,
  noEmailOnFile,
  noReservationHeld,
  nothingOwed,
  nothingToSign,
} from '../../../domain/texts/office-refusals.ts'
import { staffActor, writeAuditEvent } from '../../../platform/audit/audit.ts'
import { enqueue } from '../../../platform/jobs/job-queue.ts'
import { integer, locationCode } from '../../../platform/operations/input-fields.ts'
import { internalOperation, recordNotFound } from '../../../platform/operations/operation.ts'
import { type Refusal, refuse, succeed } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { mayAtFacility } from '../../../platform/operations/staff-scope.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import type { Lease } from '../../leases/lease.ts'
import { loadActiveHold } from '../../reservations/active-hold.ts'
import { mailReservationLink } from '../../reservations/phone-reservation.ts'
import { loadTenant, type Tenant } from '../../tenants/tenant.ts'
import { type SendableLink, sendableLinkNames, sendableLinks } from '../internal/sendable-links.ts'

export const SendLink = internalOperation({
  name: 'SendLink',
  button: { label: 'Send link', key: 'l', place: 2, page: 'link', permission: 'link.send', about: 'tenant' },
  access: { staff: mayAtFacility('link.send') },
  input: v.object({
    location_code: locationCode(),
    tenant_id: integer(),
    /** Lease number, for 'pay' and 'sign'. */
    lease_number: v.optional(v.union([v.literal(''), integer()]), ''),
    link: v.picklist(sendableLinks, 'Choose a link.'),
  }),
  example: { input: { location_code: 'ATL01', tenant_id: 1001, lease_number: 10001, link: 'pay' } },
  run: (services, input, callers) =>
    services.db.transaction(async (tx) => {
      const tenant = await loadTenant(tx, input.location_code, input.tenant_id)
      if (!tenant) return recordNotFound
      if (tenant.email === '') return refuse(409, 'no_email', noEmailOnFile)
      const result = await send(tx, services, tenant, input)
      if ('status' in result) return result
      const linkName = sendableLinkNames[input.link](result.unit)
      await writeAuditEvent(tx, services, staffActor(callers), {
        kind: 'link.sent',
        details: { what: linkName },
        permission: 'link.send',
        locationCode: tenant.location_code,
        tenantId: tenant.tenant_id,
        ...(input.lease_number !== '' && { leaseNumber: input.lease_number }),
      })
      return succeed({ sent: linkName })
    }),
})

/** Time in milliseconds within which repeated requests for the same link send only one mail. */
const SAME_MAIL_MS = MINUTE

async function send(
  tx: Kysely<Tables>,
  services: Services,
  tenant: Tenant,
  { link, lease_number: leaseNumber }: { link: SendableLink; lease_number: number | '' },
): Promise<{ unit: string } | Refusal> {
  const { location_code: locationCode, tenant_id: tenantId } = tenant
  const now = services.clock.now()
  const once = `sent:${locationCode}:${tenantId}:${leaseNumber}:${Math.floor(now / SAME_MAIL_MS)}`
  if (link === 'reservation') {
    const hold = await loadActiveHold(tx, { locationCode, tenantId }, now)
    if (!hold) return refuse(409, 'no_reservation', noReservationHeld)
    await mailReservationLink(tx, services, { locationCode, reservationCode: hold.reservation_code }, 'again')
    return { unit: hold.unit_number }
  }
  const lease = await findLease(tx, tenant, leaseNumber)
  if (!lease || lease.status === 'Closed') return refuse(409, 'closed', leaseIsClosed)
  const unit = lease.unit_number
  if (link === 'register') {
    if (tenant.account_id !== null) return refuse(409, 'registered', hasAccountAlready)
    await enqueue(tx, { kind: 'register_link', once, payload: { locationCode, tenantId }, runAt: now })
    return { unit }
  }
  const key = { locationCode, leaseNumber: lease.lease_number }
  if (link === 'sign') {
    if (lease.terms_required !== 1) return refuse(409, 'signed', nothingToSign)
    await enqueue(tx, { kind: 'terms_link', once, payload: key, runAt: now })
    return { unit }
  }
  if (lease.balance <= 0) return refuse(409, 'paid', nothingOwed)
  const kind = lease.status === 'Current' || lease.status === 'Pre-Paid' ? 'payment_due' : 'past_due'
  await enqueue(tx, { kind, once, payload: { ...key, periodStart: addDays(lease.paid_through, 1) }, runAt: now })
  return { unit }
}

/** Loads the tenant's lease with this number; without a number, the tenant's first open lease. */
const findLease = (tx: Kysely<Tables>, tenant: Tenant, leaseNumber: number | ''): Promise<Lease | undefined> =>
  tx
    .selectFrom('leases')
    .selectAll()
    .where((eb) => eb.and({ location_code: tenant.location_code, tenant_id: tenant.tenant_id }))
    .$if(leaseNumber !== '', (query) => query.where('lease_number', '=', leaseNumber as number))
    .$if(leaseNumber === '', (query) => query.where('status', '!=', 'Closed'))
    .orderBy('lease_number')
    .limit(1)
    .executeTakeFirst()
