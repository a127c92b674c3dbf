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
  /** Reason; '' when staff did not set the flag: 'military' that the tenant reported or an import set. */
  note: string
  /** Staff id; null when staff did not set the flag. */
  setBy: string | null
  /** Null when staff did not set the flag. */
  setAt: Instant | null
}

/**
 * Returns a tenant's flags in the order of `tenantFlags`, including 'military' that the tenant reported or an import set.
 * @param loadedTenant the tenant's row, if already read
 */
export async function loadFlags(
  db: Kysely<Tables>,
  tenantKey: TenantKey,
  loadedTenant?: Pick<Tenant, 'active_military'>,
): Promise<StoredFlag[]> {
  const [rows, tenant] = await Promise.all([
    db
      .selectFrom('tenant_flags')
      .selectAll()
      .where((eb) => eb.and({ location_code: tenantKey.locationCode, tenant_id: tenantKey.tenantId }))
      .execute(),
    loadedTenant ?? loadTenant(db, tenantKey.locationCode, tenantKey.tenantId),
  ])
  const storedFlags = new Map(
    rows.map((row) => [row.flag, { flag: row.flag, note: row.note, setBy: row.set_by, setAt: row.set_at }]),
  )
  return flagNames.flatMap((flag): StoredFlag[] => {
    const stored = storedFlags.get(flag)
    if (flag !== 'military') return stored ? [stored] : []
    // Billing and auctions read the tenant's row, so the row decides whether this flag is set.
    if (tenant?.active_military !== 1) return []
    return [stored ?? { flag, note: '', setBy: null, setAt: null }]
  })
}

export const isFlagged = async (db: Kysely<Tables>, tenantKey: TenantKey, flag: TenantFlag): Promise<boolean> =>
  (await loadFlags(db, tenantKey)).some((stored) => stored.flag === flag)

/**
 * Sets a flag or replaces its reason; does nothing for an erased or unknown tenant. Runs in the caller's transaction,
 * which writes the audit event.
 */
export async function setFlag(
  tx: Kysely<Tables>,
  services: Pick<Services, 'clock'>,
  newFlag: TenantKey & { flag: TenantFlag; note: string; staffId: string },
): Promise<void> {
  if ((await loadTenant(tx, newFlag.locationCode, newFlag.tenantId))?.erased_at !== null) return
  const row = { note: newFlag.note, set_by: newFlag.staffId, set_at: services.clock.now() }
  await tx
    .insertInto('tenant_flags')
    .values({ location_code: newFlag.locationCode, tenant_id: newFlag.tenantId, flag: newFlag.flag, ...row })
    .onConflict((conflict) => conflict.columns(['location_code', 'tenant_id', 'flag']).doUpdateSet(row))
    .execute()
  if (newFlag.flag === 'military')
    await updateTenant(tx, { location_code: newFlag.locationCode, tenant_id: newFlag.tenantId }, { active_military: 1 })
}

/** Removes a flag, in the caller's transaction, which writes the audit event. */
export async function clearFlag(tx: Kysely<Tables>, tenantFlag: TenantKey & { flag: TenantFlag }): Promise<void> {
  await tx
    .deleteFrom('tenant_flags')
    .where((eb) =>
      eb.and({ location_code: tenantFlag.locationCode, tenant_id: tenantFlag.tenantId, flag: tenantFlag.flag }),
    )
    .execute()
  if (tenantFlag.flag === 'military')
    await updateTenant(
      tx,
      { location_code: tenantFlag.locationCode, tenant_id: tenantFlag.tenantId },
      { active_military: 0 },
    )
}
