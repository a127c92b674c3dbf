import * as v from 'valibot'
import { formatUs, isValid } from '../../../domain/plain-date.ts'
import { staffOf } from '../../../platform/operations/callers.ts'
import { integer } from '../../../platform/operations/input-fields.ts'
import { recordNotFound } from '../../../platform/operations/operation.ts'
import { RefusalError } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { autopayPartyOf } from '../../leases/autopay-mandate.ts'
import type { Lease } from '../../leases/lease.ts'
import { officeOperation } from '../../staff/office-operation.ts'
import { decryptIdentity } from '../../tenants/identity-data.ts'
import { officeTenantFields } from '../../tenants/tenant-key-input.ts'
import { loadTenantForStaff, type OpenedTenant } from '../views/permitted-tenant-and-leases.ts'

export const ShowSensitive = officeOperation({
  name: 'ShowSensitive',
  permission: 'sensitive.show',
  input: v.object({
    ...officeTenantFields,
    what: v.picklist(['licence', 'birth date', 'bank account']),
    /** Lease whose autopay bank account is shown. */
    lease_number: v.optional(integer()),
  }),
  example: { location_code: 'ATL01', tenant_id: 1001, what: 'licence' },
  async before(services, { what, lease_number, ...input }, callers) {
    const tenantKey = { locationCode: input.location_code, tenantId: input.tenant_id }
    const opened = await loadTenantForStaff(services, staffOf(callers), tenantKey)
    const lease = opened?.leases.find((lease) => lease.lease_number === lease_number)
    const lines = opened && linesOf(services, opened, what, lease)
    if (!lines) throw new RefusalError(recordNotFound)
    return { lease, lines }
  },
  async work({ audit }, { what }, { lease, lines }) {
    // A lease of another tenant is not named in the audit.
    await audit({ kind: 'sensitive.shown', details: { what }, leaseNumber: lease?.lease_number })
    return { what, lines }
  },
})

const formatDay = (text: string): string => (isValid(text) ? formatUs(text) : text)

type Lines = [label: string, value: string][]

/**
 * Returns a tenant's sensitive data (driver's license, birth date or bank account) as labeled lines; null when there is
 * none on file.
 */
function linesOf(
  services: Services,
  { tenant }: OpenedTenant,
  what: 'licence' | 'birth date' | 'bank account',
  lease: Lease | undefined,
): Lines | null {
  if (what === 'bank account') {
    const party = lease && autopayPartyOf(services, lease)
    if (!party || 'alias' in party) return null
    return [
      ['Routing number', party.routing],
      ['Account number', party.account],
    ]
  }
  const identity = decryptIdentity(services, tenant)
  if (what === 'birth date') return identity.birth_date ? [['Birth date', formatDay(identity.birth_date)]] : null
  if (!identity.drivers_license) return null
  const lines: Lines = [
    ["Driver's license", identity.drivers_license],
    ['State', identity.issued_state ?? ''],
    ['Expires', formatDay(identity.expiration_date ?? '')],
  ]
  return lines.filter(([, value]) => value !== '')
}
