/** Finishes erasures: deletes files, and retained data after its term. Safe to kill at any point. */

import { isTextList, parseJson } from '../../domain/parse-json-and-check-shape.ts'
import { todayIn } from '../../domain/time-zone-dates.ts'
import { writeAuditEvent } from '../../platform/audit/audit.ts'
import type { Services } from '../../platform/operations/services.ts'
import { eraseRetained } from './internal/erase-tenant.ts'
import { loadTenantKeys, withoutShared } from './tenant-record-ids.ts'

const BATCH_SIZE = 50

/**
 * Finishes erasures of tenants: erases rows whose retention term has ended, and deletes remaining files from the file
 * store. Handles at most `BATCH_SIZE` erasures for rows and as many for files per run, and may run in several
 * processes. What fails is reported and retried in the next run.
 * @returns number of erasures whose retained rows were erased, plus the number of erasures whose files were deleted
 */
export async function finishErasures(services: Services): Promise<number> {
  return (await eraseAfterTerms(services)) + (await deleteFiles(services))
}

async function deleteFiles(services: Services): Promise<number> {
  const { db, clock, errors, files: store } = services
  const waiting = await db.read
    .selectFrom('erasures')
    .selectAll()
    .where('files', '!=', '[]')
    .orderBy('erased_at')
    .limit(BATCH_SIZE)
    .execute()
  let handled = 0
  for (const erasure of waiting) {
    try {
      for (const key of parseJson(erasure.files, isTextList)) await store.delete(key)
    } catch (error) {
      errors.report(error, { chore: 'delete files of an erased tenant', erasure: erasure.erasure_id })
      continue
    }
    await db.write
      .updateTable('erasures')
      .set((eb) => ({
        files: '[]',
        // Another process may have erased the retained rows meanwhile.
        finished_at: eb.case().when('kept_until', 'is', null).then(clock.now()).else(null).end(),
      }))
      .where('erasure_id', '=', erasure.erasure_id)
      .where('files', '=', erasure.files)
      .execute()
    handled += 1
  }
  return handled
}

async function eraseAfterTerms(services: Services): Promise<number> {
  const { db, clock, errors } = services
  const due = await db.read
    .selectFrom('erasures')
    .select(['erasure_id', 'location_code', 'tenant_id'])
    .where('kept_until', '<', todayIn('UTC', clock.now()))
    .orderBy('kept_until')
    .limit(BATCH_SIZE)
    .execute()
  let handled = 0
  for (const erasure of due)
    try {
      await eraseAfterTerm(services, erasure)
      handled += 1
    } catch (error) {
      errors.report(error, { chore: 'erase what was retained of a tenant', erasure: erasure.erasure_id })
    }
  return handled
}

const eraseAfterTerm = (
  services: Services,
  { erasure_id, location_code, tenant_id }: { erasure_id: string; location_code: string; tenant_id: number },
): Promise<void> =>
  services.db.transaction(async (tx) => {
    // The row is claimed first, so that of two processes the second finds nothing to do.
    const claimed = await tx
      .updateTable('erasures')
      .set({ kept_until: null })
      .where('erasure_id', '=', erasure_id)
      .where('kept_until', 'is not', null)
      .returning('files')
      .executeTakeFirst()
    const keys = claimed && (await loadTenantKeys(tx, { locationCode: location_code, tenantId: tenant_id }))
    if (!keys) return
    const files = [...parseJson(claimed.files, isTextList), ...(await eraseRetained(tx, services, withoutShared(keys)))]
    await tx
      .updateTable('erasures')
      .set({ files: JSON.stringify(files), finished_at: files.length === 0 ? services.clock.now() : null })
      .where('erasure_id', '=', erasure_id)
      .execute()
    await writeAuditEvent(
      tx,
      services,
      { command: 'retention' },
      { kind: 'tenant.kept_erased', details: {}, locationCode: location_code, tenantId: tenant_id },
    )
  })
