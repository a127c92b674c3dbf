import type { Kysely } from 'kysely'
import * as v from 'valibot'
import type { IsoDate } from '../../../domain/plain-date.ts'
import { changedSince } from '../../../domain/texts/office-refusals.ts'
import { engineOf } from '../../../platform/database/engine-differences.ts'
import { integer, locationCode, plainLine, requiredText } from '../../../platform/operations/input-fields.ts'
import { recordNotFound } from '../../../platform/operations/operation.ts'
import { RefusalError, refusalError } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { approvableOperation } from '../../staff/approvable-operation.ts'
import { eraseNow, loadRetentionEnd } from '../internal/erase-tenant.ts'
import { findErasureBlockers } from '../internal/erasure-blockers.ts'
import { loadPrivacyTerms } from '../load-retention-terms.ts'
import { loadTenantKeys, tenantVersionOf } from '../tenant-record-ids.ts'
import { erasedAlready, erasureAsked, notYetErasable } from '../texts/tenant-export-and-erasure-refusals.ts'

interface Erased {
  /** `YYYY-MM-DD`; '' if nothing is kept for a term. */
  kept_until: string
}

/** Loads a tenant's keys after locking the tenant, so that a concurrent reservation waits or is included. */
async function lockAndLoadKeys(tx: Kysely<Tables>, tenant: { locationCode: string; tenantId: number }) {
  await tx
    .selectFrom('tenants')
    .select('tenant_id')
    .where((eb) => eb.and({ location_code: tenant.locationCode, tenant_id: tenant.tenantId }))
    .$if(engineOf(tx) === 'postgres', (query) => query.forUpdate())
    .execute()
  return loadTenantKeys(tx, tenant)
}

const findErasureRequest = (tx: Kysely<Tables>, tenant: { locationCode: string; tenantId: number }) =>
  tx
    .selectFrom('approvals')
    .select('approval_id')
    .where((eb) => eb.and({ location_code: tenant.locationCode, tenant_id: tenant.tenantId, state: 'open' }))
    .where('operation', '=', 'EraseTenant')
    .executeTakeFirst()

/** Records an erasure: as finished if no file is left to delete and nothing is kept for a term. */
async function recordErasure(
  tx: Kysely<Tables>,
  services: Pick<Services, 'random'>,
  erasure: {
    locationCode: string
    tenantId: number
    approvalId: string
    now: number
    until: IsoDate | null
    files: readonly string[]
  },
): Promise<void> {
  await tx
    .insertInto('erasures')
    .values({
      erasure_id: services.random.uuid(),
      location_code: erasure.locationCode,
      tenant_id: erasure.tenantId,
      approval_id: erasure.approvalId,
      erased_at: erasure.now,
      kept_until: erasure.until,
      files: JSON.stringify(erasure.files),
      finished_at: erasure.files.length === 0 && erasure.until === null ? erasure.now : null,
    })
    .execute()
}

/** Erases a tenant. One staff member requests it and a second one approves; blockers are checked both times. */
export const EraseTenant = approvableOperation({
  name: 'EraseTenant',
  permission: 'tenant.erase',
  event: 'tenant.erased',
  button: { label: 'Erase', key: 'z', place: 18, page: 'erase', about: 'tenant' },
  freshFactor: true,
  input: v.object({
    location_code: locationCode(),
    tenant_id: integer(),
    reason: requiredText(500),
    /** `tenantVersionOf` the tenant when the form was shown. */
    made_from: plainLine,
  }),
  example: { location_code: 'ATL01', tenant_id: 1001, reason: 'Asked for it in writing', made_from: '0f1e2d' },
  async work(act, input): Promise<Erased> {
    const { tx, services, callers } = act
    const tenant = { locationCode: input.location_code, tenantId: input.tenant_id }
    const keys = await lockAndLoadKeys(tx, tenant)
    if (!keys) throw new RefusalError(recordNotFound)
    if (keys.tenant.erased_at !== null) throw refusalError(409, 'erased', erasedAlready)
    const terms = await loadPrivacyTerms(tx)
    const now = services.clock.now()
    const blockers = await findErasureBlockers(tx, { keys, terms, now })
    if (blockers.length > 0) throw refusalError(409, 'not_yet', [notYetErasable, ...blockers].join(' '))
    if (input.made_from !== tenantVersionOf(keys)) throw refusalError(409, 'changed', changedSince)
    if (!callers.approval && (await findErasureRequest(tx, tenant))) throw refusalError(409, 'asked', erasureAsked)
    await act.authorize(0, `Erase tenant ${tenant.tenantId} at ${tenant.locationCode}`)
    const until = await loadRetentionEnd(tx, keys, terms, now)
    const files = await eraseNow(tx, services, keys, until)
    await recordErasure(tx, services, { ...tenant, approvalId: callers.approval ?? '', now, until, files })
    await act.audit({ kind: 'tenant.erased', details: { until: until ?? '' } })
    return { kept_until: until ?? '' }
  },
})
