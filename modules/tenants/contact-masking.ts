/** Masks tenants' contact data, and decides which rental sessions see it whole. */
import type { Selectable } from 'kysely'
import type { RentalCaller } from '../../platform/operations/callers.ts'
import type { TenantsTable } from '../../platform/schema/tables.ts'

type Tenant = Selectable<TenantsTable>

const stars = (text: string, visible = 1) => (text === '' ? '' : `${text.slice(0, visible)}***`)

/** Masks an e-mail address as 'm•••@example.com'. Unlike `maskContact`, it leaves the domain readable. */
export const maskMailbox = (email: string) => email.replace(/^(.)[^@]*/, '$1•••')

/**
 * Masks contact data for a session that found the reservation, so that tenants still recognize their own. Empty fields
 * stay empty.
 */
export function maskContact(
  tenant: Pick<Tenant, 'first' | 'last' | 'email' | 'cell_phone' | 'address' | 'city' | 'state' | 'zip'>,
) {
  const [mailbox = '', domain = ''] = tenant.email.split('@')
  return {
    first: stars(tenant.first),
    last: stars(tenant.last),
    email: tenant.email === '' ? '' : `${stars(mailbox)}@${stars(domain)}`,
    cell_phone: tenant.cell_phone === '' ? '' : `******${tenant.cell_phone.slice(-4)}`,
    address: stars(tenant.address, 0),
    city: stars(tenant.city, 0),
    state: stars(tenant.state, 0),
    zip: stars(tenant.zip, 0),
  }
}

/**
 * Returns whether the tenant's contact data were entered in this rental session. A tenant found by look-up or link stays
 * masked.
 */
export const isTenantOfSession = (
  rental: Pick<RentalCaller, 'proof' | 'locationCode' | 'enteredTenantId'>,
  tenant: Pick<Tenant, 'location_code' | 'tenant_id'>,
): boolean =>
  rental.proof === 'own' && rental.locationCode === tenant.location_code && rental.enteredTenantId === tenant.tenant_id
