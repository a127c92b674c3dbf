import type { Services } from '../../../platform/operations/services.ts'
import { type ErasurePlan, planErasure } from '../internal/erase-tenant.ts'
import { findErasureBlockers } from '../internal/erasure-blockers.ts'
import { loadPrivacyTerms } from '../load-retention-terms.ts'
import { loadTenantKeys, tenantVersionOf } from '../tenant-record-ids.ts'

/** Data that an erasure of a tenant would delete and keep, and what blocks the erasure now. */
export interface ErasurePreview extends Pick<ErasurePlan, 'erased' | 'retained'> {
  blockers: string[]
  /** Whether the erasure keeps the tenant's online account, because another tenant signs in with it. */
  keepsAccount: boolean
  /** `tenantVersionOf` the tenant, so that a stale form is refused. */
  version: string
}

/** Previews the erasure of a tenant; null for an unknown tenant. */
export async function loadErasurePreview(
  services: Pick<Services, 'db' | 'clock'>,
  tenantKey: { locationCode: string; tenantId: number },
): Promise<ErasurePreview | null> {
  const { read } = services.db
  const keys = await loadTenantKeys(read, tenantKey)
  if (!keys) return null
  const terms = await loadPrivacyTerms(read)
  const now = services.clock.now()
  const [{ erased, retained }, blockers] = await Promise.all([
    planErasure(read, keys, terms, now),
    findErasureBlockers(read, { keys, terms, now }),
  ])
  return {
    erased,
    retained,
    blockers,
    keepsAccount: keys.accountId !== null && keys.ownAccountId === null,
    version: tenantVersionOf(keys),
  }
}
