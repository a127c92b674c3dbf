import { formatPhone } from '../../domain/phone.ts'
import type { Draft } from '../../modules/reservations/rules/journey/draft.ts'
import type { RequiredContactField } from '../../modules/reservations/rules/required-contact-fields.ts'
import type { Contact, DesignatedAgent } from '../../modules/reservations/rules/reservation-form.ts'
import { GetTenantInfo } from '../../modules/tenants/operations/get-tenant-info.ts'
import type { RequestContext } from '../request/context.ts'
import { isFoundByLookup } from './save-and-reserve.ts'

export interface RenterContact {
  name: string
  email: string
  phone: string
  address: string
  company: string
}

const renterContactOf = (
  contact: Omit<Contact, 'active_military' | 'designated_agent'>,
  masked: boolean,
): RenterContact => ({
  name: `${contact.first} ${contact.last}`.trim(),
  email: contact.email,
  phone: masked ? contact.cell_phone : formatPhone(contact.cell_phone),
  address: masked
    ? contact.address
    : [contact.address, contact.city, `${contact.state} ${contact.zip}`].filter((part) => part.trim()).join(', '),
  company: contact.company,
})

/**
 * Loads the renter's contact as this session may see it: as typed, as on file for the signed-in tenant, or masked.
 * @returns null when the reservation belongs to an existing tenant whom this session may not see, or when no tenant's
 *   data can be read
 */
export async function loadRenterContact(site: RequestContext, draft: Draft): Promise<RenterContact | null> {
  const { tenant } = await site.callers()
  // Contact data typed in this session are shown as typed even if they match a tenant on file, so that the page does not
  // reveal the match.
  if (!tenant && draft.answers.contact && draft.proof === 'own') return renterContactOf(draft.answers.contact, false)
  if (!tenant && draft.existingTenant) return null
  const tenantKey =
    draft.tenantId !== null
      ? { locationCode: draft.locationCode, tenantId: draft.tenantId }
      : (tenant?.tenants.find((entry) => entry.locationCode === draft.locationCode) ?? tenant?.tenants[0])
  if (!tenantKey) return null
  const info = await site.call(GetTenantInfo, { location_code: tenantKey.locationCode, tenant_id: tenantKey.tenantId })
  return info.ok ? renterContactOf(info.value, !tenant) : null
}

export interface Row {
  label: string
  value: string
  change?: string | undefined
  /** True when `change` leads out of the journey. */
  away?: boolean
}

export function contactRows(renter: RenterContact | null, change: string | undefined): Row[] {
  if (!renter) return [{ label: 'Tenant', value: 'Your tenant account on file' }]
  const { name, email, phone, address, company } = renter
  const rows = Object.entries({
    Name: name,
    Email: email,
    Phone: phone,
    Address: address,
    ...(company && { Company: company }),
  })
  return rows.map(([label, value]) => ({ label, value, change }))
}

export const agentLine = (agent: DesignatedAgent): string =>
  `${agent.agent_name}, ${agent.agent_address}, ${agent.agent_city}, ${agent.agent_state} ${agent.agent_zip}`

/**
 * Loads the masked contact data of a reservation found by look-up or link; '' for an empty field.
 * @returns null for other drafts, and when the data cannot be read
 */
export async function loadMaskedContact(
  site: RequestContext,
  draft: Draft,
): Promise<Record<RequiredContactField, string> | null> {
  if (draft.tenantId === null || !(await isFoundByLookup(site, draft))) return null
  const info = await site.call(GetTenantInfo, { location_code: draft.locationCode, tenant_id: draft.tenantId })
  if (!info.ok) return null
  const { first, last, email, cell_phone, address, city, state, zip } = info.value
  return { first, last, email, cell_phone, address, city, state, zip }
}
