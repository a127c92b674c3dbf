import type { Kysely } from 'kysely'
import type { Tables } from '../../../platform/schema/tables.ts'
import { isFlagged } from '../../tenants/flags.ts'
import { loadTenant } from '../../tenants/tenant.ts'

/** A tenant of the facility for whom a move-in is prepared at the desk. */
export interface DeskTenant {
  id: number
  name: string
  email: string
  /** Whether the tenant is flagged 'do not rent'. */
  isBarred: boolean
}

/** Loads the tenant for whom a move-in is prepared at the desk; null for an unknown tenant. */
export async function loadDeskTenant(
  db: Kysely<Tables>,
  locationCode: string,
  tenantId: number,
): Promise<DeskTenant | null> {
  const tenant = await loadTenant(db, locationCode, tenantId)
  if (!tenant) return null
  return {
    id: tenant.tenant_id,
    name: `${tenant.first} ${tenant.last}`.trim(),
    email: tenant.email,
    isBarred: await isFlagged(db, { locationCode, tenantId: tenant.tenant_id }, 'do_not_rent'),
  }
}
