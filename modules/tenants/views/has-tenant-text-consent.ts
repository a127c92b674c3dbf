import type { Kysely } from 'kysely'
import type { Tables } from '../../../platform/schema/tables.ts'
import { hasTextConsent } from '../sms-consent.ts'
import { loadTenant } from '../tenant.ts'

/** Returns whether the tenant's cell phone number may be sent text messages: its newest choice is an agreement. */
export const hasTenantTextConsent = async (
  db: Kysely<Tables>,
  locationCode: string,
  tenantId: number,
): Promise<boolean> => hasTextConsent(db, (await loadTenant(db, locationCode, tenantId))?.cell_phone ?? '')
