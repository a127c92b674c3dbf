/** Records which codes of a gate's list its controller reports as refused. */

import type { Kysely } from 'kysely'
import { optionalCondition } from '../../platform/database/optional-condition.ts'
import { splitIntoBatches } from '../../platform/database/split-into-batches.ts'
import { valueList } from '../../platform/database/value-list.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import type { GateAcknowledgement } from '../../ports/gate/gate.ts'

/**
 * Stores which gate codes a controller refuses. Codes it refused before and no longer lists count as accepted; unknown
 * ids are ignored. Runs in the caller's transaction.
 * @param list.upTo newest version of the list that the controller has read; codes that changed later keep their
 *   refusals. By default all codes are updated.
 */
export async function storeCodesRefusedByController(
  tx: Kysely<Tables>,
  { clock }: Pick<Services, 'clock'>,
  list: { locationCode: string; upTo?: number },
  refused: GateAcknowledgement['refused'],
): Promise<void> {
  const reasonById = new Map(refused.map(({ id, why }) => [id, why]))
  // '', which is no code's id, keeps the list of values from being empty.
  const codes = await tx
    .selectFrom('gate_wanted')
    .select(['code_id', 'refused'])
    .where('location_code', '=', list.locationCode)
    .where((eb) => eb.or([eb('refused', 'is not', null), eb('code_id', 'in', valueList([...reasonById.keys(), '']))]))
    .$call(optionalCondition(list.upTo, (query, version) => query.where('version', '<=', version)))
    .execute()
  const changed = codes.filter(
    ({ code_id, refused: storedReason }) => (reasonById.get(code_id) ?? null) !== storedReason,
  )
  const idsByReason = Map.groupBy(
    changed.map(({ code_id }) => code_id),
    (id) => reasonById.get(id) ?? null,
  )
  for (const [reason, ids] of idsByReason)
    for (const batch of splitIntoBatches(ids))
      await tx
        .updateTable('gate_wanted')
        .set((eb) => ({
          refused: reason,
          refused_at: reason === null ? null : eb.fn.coalesce('refused_at', eb.val(clock.now())),
        }))
        .where('location_code', '=', list.locationCode)
        .where('code_id', 'in', valueList(batch))
        .execute()
}
