import type { Kysely } from 'kysely'
import { flagNames, type TenantFlag } from '../../domain/office/tenant-flags.ts'
import type { Instant } from '../../domain/time-zone-dates.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { loadTenant, type Tenant, updateTenant } from './tenant.ts'

interface TenantKey {
  locationCode: string
  tenantId: number
}

/** A flag of a tenant, with its reason and author. */
export interface StoredFlag {
  flag: TenantFlag
  /** Reason; '' when the tenant reported it. */
  note: string
  /** Staff id; null when the tenant reported it. */
  setBy: string | null
  setAt: Instant | null
}

/**
 * Returns a tenant's flags in the order of `tenantFlags`, including 'military' reported by the tenant.
 * @param known the tenant's row, if already read
 */
export async function loadFlags(
  db: Kysely<Tables>,
  of: TenantKey,
  known?: Pick<Tenant, 'active_military'>,
): Promise<StoredFlag[]> {
  const [rows, tenant] = await Promise.all([
    db
      .selectFrom('tenant_flags')
      .selectAll()
      .where((eb) => eb.and({ location_code: of.locationCode, tenant_id: of.tenantId }))
      .execute(),
    known ?? loadTenant(db, of.locationCode, of.tenantId),
  ])
  const kept = new Map(
    rows.map((row) => [row.flag, { flag: row.flag, note: row.note, setBy: row.set_by, setAt: row.set_at }]),
  )
  return flagNames.flatMap((flag): StoredFlag[] => {
    const one = kept.get(flag)
    if (flag !== 'military') return one ? [one] : []
    // Billing and auctions use the tenant's own record.
    if (tenant?.active_military !== 1) return []
    return [one ?? { flag, note: '', setBy: null, setAt: null }]
  })
}

export const isFlagged = async (db: Kysely<Tables>, of: TenantKey, flag: TenantFlag): Promise<boolean> =>
  (await loadFlags(db, of)).some((one) => one.flag === flag)

/**
 * Sets a flag or replaces its reason, except on an erased tenant. Runs in the caller's transaction, which writes the
 * audit event.
 */
export async function setFlag(
  tx: Kysely<Tables>,
  services: Pick<Services, 'clock'>,
  of: TenantKey & { flag: TenantFlag; note: string; staffId: string },
): Promise<void> {
  if ((await loadTenant(tx, of.locationCode, of.tenantId))?.erased_at !== null) return
  const row = { note: of.note, set_by: of.staffId, set_at: services.clock.now() }
  await tx
    .insertInto('tenant_flags')
    .values({ location_code: of.locationCode, tenant_id: of.tenantId, flag: of.flag, ...row })
    .onConflict((known) => known.columns(['location_code', 'tenant_id', 'flag']).doUpdateSet(row))
    .execute()
  if (of.flag === 'military')
    await updateTenant(tx, { location_code: of.locationCode, tenant_id: of.tenantId }, { active_military: 1 })
}

/** Removes a flag, in the caller's transaction, which writes the audit event. */
export async function clearFlag(tx: Kysely<Tables>, of: TenantKey & { flag: TenantFlag }): Promise<void> {
  await tx
    .deleteFrom('tenant_flags')
    .where((eb) => eb.and({ location_code: of.locationCode, tenant_id: of.tenantId, flag: of.flag }))
    .execute()
  if (of.flag === 'military')
    await updateTenant(tx, { location_code: of.locationCode, tenant_id: of.tenantId }, { active_military: 0 })
}
