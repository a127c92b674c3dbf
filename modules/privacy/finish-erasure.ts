/** Finishes erasures: deletes files, and retained data after its term. Safe to kill at any point. */

import type { Expression, ExpressionBuilder, Selectable, SqlBool } from 'kysely'
import { isTextList, parseJson } from '../../domain/parse-json-and-check-shape.ts'
import { todayIn } from '../../domain/time-zone-dates.ts'
import { writeAuditEvent } from '../../platform/audit/audit.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { eraseRetained } from './internal/erase-tenant.ts'
import { loadTenantKeys, withoutShared } from './tenant-record-ids.ts'

const BATCH_SIZE = 50

/**
 * Finishes erasures of tenants: erases rows whose retention term has ended, and deletes remaining files from the file
 * store. May run in several processes. What fails is reported and retried in the next run.
 * @returns number of erasures whose retained rows were erased, plus the number of erasures whose files were deleted
 */
export async function finishErasures(services: Services): Promise<number> {
  const { clock, errors } = services
  let finished = 0
  const finishEach = async (chore: string, waiting: Waiting, finish: (erasure: Erasure) => Promise<unknown>) => {
    for await (const erasure of loadInBatches(services, waiting))
      try {
        await finish(erasure)
        finished += 1
      } catch (error) {
        errors.report(error, { chore, erasure: erasure.erasure_id })
      }
  }
  await finishEach(
    'erase what was retained of a tenant',
    (eb) => eb('kept_until', '<', todayIn('UTC', clock.now())),
    (erasure) => eraseAfterTerm(services, erasure),
  )
  await finishEach(
    'delete files of an erased tenant',
    (eb) => eb('files', '!=', '[]'),
    (erasure) => deleteFiles(services, erasure),
  )
  return finished
}

type Erasure = Selectable<Tables['erasures']>

/** Condition of the erasures that wait for a step. */
type Waiting = (eb: ExpressionBuilder<Tables, 'erasures'>) => Expression<SqlBool>

/** Yields each erasure that waits, once, so that those whose step fails do not hold up the others. */
async function* loadInBatches({ db }: Services, waiting: Waiting): AsyncGenerator<Erasure> {
  for (let last: string | undefined = ''; last !== undefined; ) {
    const batch: Erasure[] = await db.read
      .selectFrom('erasures')
      .selectAll()
      .where(waiting)
      .where('erasure_id', '>', last)
      .orderBy('erasure_id')
      .limit(BATCH_SIZE)
      .execute()
    yield* batch
    last = batch.at(-1)?.erasure_id
  }
}

async function deleteFiles({ db, clock, files: store }: Services, erasure: Erasure): Promise<void> {
  for (const key of parseJson(erasure.files, isTextList)) await store.delete(key)
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
}

const eraseAfterTerm = (services: Services, { erasure_id, location_code, tenant_id }: Erasure): Promise<void> =>
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
