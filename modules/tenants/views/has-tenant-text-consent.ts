import type { Kysely } from 'kysely'
import type { Tables } from '../../../platform/schema/tables.ts'
import { hasTextConsent } from '../sms-consent.ts'
import { loadTenant } from '../tenant.ts'

/** Returns whether links go to the tenant as text messages too, because the tenant's phone number agreed to them. */
export const hasTenantTextConsent = async (
  db: Kysely<Tables>,
  locationCode: string,
  tenantId: number,
): Promise<boolean> => hasTextConsent(db, (await loadTenant(db, locationCode, tenantId))?.cell_phone ?? '')
