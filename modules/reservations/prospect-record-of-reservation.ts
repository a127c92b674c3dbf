import type { Kysely } from 'kysely'
import * as v from 'valibot'
import { toWire } from '../../domain/money.ts'
import { hasFields, parseJson } from '../../domain/parse-json-and-check-shape.ts'
import { formatUs } from '../../domain/plain-date.ts'
import { isTenant } from '../../platform/database/where-tenant-or-lease-key.ts'
import type { Callers } from '../../platform/operations/callers.ts'
import { type Outcome, refuse, succeed } from '../../platform/operations/outcome.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { isTenantOfSession, maskContact } from '../tenants/contact-masking.ts'
import { reservationNotFound } from './texts/reserve.ts'

export const prospectSchema = v.object({
  /** Number of the tenant; null for a session whose rental has `existingTenant` set. */
  tenant_id: v.nullable(v.number()),
  res_code: v.string(),
  location_code: v.string(),
  site_name: v.string(),
  /** E-mail address of the renter; masked, like phone and names, unless this session entered the tenant. */
  email_address: v.string(),
  cell_phone: v.string(),
  res_status: v.string(),
  /** Status of the lease that the reservation became; '' before the move-in. */
  lease_status: v.string(),
  reservation_date: v.string(),
  required_date: v.string(),
  /** Day of the move-in; '' before it. */
  move_in_date: v.string(),
  extra_data: v.object({
    firstName: v.string(),
    lastName: v.string(),
    unitNumber: v.string(),
    unitRent: v.string(),
    unitTypeId: v.number(),
  }),
})

type WireProspect = v.InferInput<typeof prospectSchema>

export const prospectExample: WireProspect = {
  tenant_id: 1007,
  res_code: 'K7M2XQ9TRD',
  location_code: 'ATL01',
  site_name: 'Latchkey Ralston Mill',
  email_address: 'd***@e***',
  cell_phone: '******0147',
  res_status: 'active',
  lease_status: '',
  reservation_date: '11/19/2026',
  required_date: '11/24/2026',
  move_in_date: '',
  extra_data: { firstName: 'D***', lastName: 'K***', unitNumber: '219', unitRent: '81.00', unitTypeId: 2 },
}

/** Content of `prospects.extra_data`. */
interface ExtraData {
  firstName: string
  lastName: string
  unitNumber: string
  /** Rent in cents. */
  unitRent: number
  unitTypeId: number
}

const notFound = () => refuse(404, 'reservation_not_found', reservationNotFound)

/** Loads the prospect record of a reservation code as the rental session may read it; a refusal where there is none. */
export async function loadProspectResponse(
  services: Services,
  locationCode: string,
  code: string,
  { rental }: Callers,
): Promise<Outcome<WireProspect>> {
  const row = await services.db.read
    .selectFrom('prospects')
    .leftJoin('leases', (join) =>
      join
        .onRef('leases.location_code', '=', 'prospects.location_code')
        .onRef('leases.reservation_code', '=', 'prospects.res_code'),
    )
    .selectAll('prospects')
    .select('leases.status as status_of_lease')
    // `res_code` is unique; the location is compared below.
    .where('res_code', '=', code)
    .executeTakeFirst()
  if (row?.location_code !== locationCode) return notFound()
  const isOwn =
    rental !== undefined &&
    !rental.existingTenant &&
    row.tenant_id !== null &&
    isTenantOfSession(rental, { location_code: row.location_code, tenant_id: row.tenant_id })
  const { firstName, lastName, unitNumber, unitRent, unitTypeId } = parseJson(
    row.extra_data,
    hasFields<ExtraData>('firstName', 'lastName'),
  )
  const contact = {
    first: firstName,
    last: lastName,
    email: row.email_address,
    cell_phone: row.cell_phone,
    address: '',
    city: '',
    state: '',
    zip: '',
  }
  const visibleContact = isOwn ? contact : maskContact(contact)
  return succeed({
    tenant_id: rental?.existingTenant ? null : row.tenant_id,
    res_code: row.res_code,
    location_code: row.location_code,
    site_name: row.site_name,
    email_address: visibleContact.email,
    cell_phone: visibleContact.cell_phone,
    res_status: row.res_status,
    lease_status: row.status_of_lease ?? row.lease_status,
    reservation_date: formatUs(row.reservation_date),
    required_date: formatUs(row.required_date),
    move_in_date: row.move_in_date ? formatUs(row.move_in_date) : '',
    extra_data: {
      firstName: visibleContact.first,
      lastName: visibleContact.last,
      unitNumber,
      unitRent: toWire(unitRent),
      unitTypeId,
    },
  })
}

/**
 * Updates the contact data on the prospect records of a tenant's active reservations; an undefined field stays. Runs in
 * the caller's transaction.
 */
export async function updateProspectContact(
  tx: Kysely<Tables>,
  tenantKey: { location_code: string; tenant_id: number },
  change: Partial<Record<'email_address' | 'cell_phone', string | undefined>>,
): Promise<void> {
  const set = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
  if (Object.keys(set).length === 0) return
  await tx.updateTable('prospects').set(set).where(isTenant(tenantKey)).where('res_status', '=', 'active').execute()
}
