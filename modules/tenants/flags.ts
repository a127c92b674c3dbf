import type { Kysely } from 'kysely'
import type { Instant } from '../../domain/dates.ts'
import { flagNames, type TenantFlag } from '../../domain/office/flags.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { type Tenant, tenantRow, updateTenant } from './tenant.ts'

interface TenantKey {
  locationCode: string
  tenantId: number
}

export interface KeptFlag {
  flag: TenantFlag
  /** Why; '' where the tenant has said so themselves. */
  note: string
  /** Staff id; null for the tenant. */
  setBy: string | null
  setAt: Instant | null
}

/**
 * A tenant's flags, in the order of `tenantFlags`; 'military' also where the tenant has said so.
 * @param known the tenant's row, where it has been read
 */
export async function flagsOf(
  db: Kysely<Tables>,
  of: TenantKey,
  known?: Pick<Tenant, 'active_military'>,
): Promise<KeptFlag[]> {
  const [rows, tenant] = await Promise.all([
    db
      .selectFrom('tenant_flags')
      .selectAll()
      .where((eb) => eb.and({ location_code: of.locationCode, tenant_id: of.tenantId }))
      .execute(),
    known ?? tenantRow(db, of.locationCode, of.tenantId),
  ])
  const kept = new Map(
    rows.map((row) => [row.flag, { flag: row.flag, note: row.note, setBy: row.set_by, setAt: row.set_at }]),
  )
  return flagNames.flatMap((flag): KeptFlag[] => {
    const one = kept.get(flag)
    if (flag !== 'military') return one ? [one] : []
    // The tenant's own record is what billing and auctions go by.
    if (tenant?.active_military !== 1) return []
    return [one ?? { flag, note: '', setBy: null, setAt: null }]
  })
}

export const isFlagged = async (db: Kysely<Tables>, of: TenantKey, flag: TenantFlag): Promise<boolean> =>
  (await flagsOf(db, of)).some((one) => one.flag === flag)

/** Sets a flag, or replaces why it is set; none on who was erased. In the caller's transaction, which writes the audit event. */
export async function setFlag(
  tx: Kysely<Tables>,
  services: Pick<Services, 'clock'>,
  of: TenantKey & { flag: TenantFlag; note: string; staffId: string },
): Promise<void> {
  if ((await tenantRow(tx, of.locationCode, of.tenantId))?.erased_at !== null) return
  const row = { note: of.note, set_by: of.staffId, set_at: services.clock.now() }
  await tx
    .insertInto('tenant_flags')
    .values({ location_code: of.locationCode, tenant_id: of.tenantId, flag: of.flag, ...row })
    .onConflict((known) => known.columns(['location_code', 'tenant_id', 'flag']).doUpdateSet(row))
    .execute()
  if (of.flag === 'military')
    await updateTenant(tx, { location_code: of.locationCode, tenant_id: of.tenantId }, { active_military: 1 })
}

/** In the caller's transaction, which writes the audit event. */
export async function clearFlag(tx: Kysely<Tables>, of: TenantKey & { flag: TenantFlag }): Promise<void> {
  await tx
    .deleteFrom('tenant_flags')
    .where((eb) => eb.and({ location_code: of.locationCode, tenant_id: of.tenantId, flag: of.flag }))
    .execute()
  if (of.flag === 'military')
    await updateTenant(tx, { location_code: of.locationCode, tenant_id: of.tenantId }, { active_military: 0 })
}
