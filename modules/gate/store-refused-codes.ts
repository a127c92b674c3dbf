/** Stores which codes of its list a gate says that it cannot store. */
import type { Kysely } from 'kysely'
import { optionalCondition } from '../../platform/database/optional-condition.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import type { GateAcknowledgement } from '../../ports/gate/gate.ts'

/**
 * Stores which gate codes a controller refuses. Codes it refused before and no longer lists count as accepted; unknown
 * ids are ignored. Runs in the caller's transaction.
 * @param of.upTo newest version of the list that the controller has read; later changes keep their refusals. By default
 * all codes.
 */
export async function storeRefusedCodes(
  tx: Kysely<Tables>,
  { clock }: Pick<Services, 'clock'>,
  of: { locationCode: string; upTo?: number },
  refused: GateAcknowledgement['refused'],
): Promise<void> {
  const whyOf = new Map(refused.map(({ id, why }) => [id, why]))
  const codes = await tx
    .selectFrom('gate_wanted')
    .select(['code_id', 'refused', 'refused_at'])
    .where('location_code', '=', of.locationCode)
    .where((eb) => eb.or([eb('refused', 'is not', null), eb('code_id', 'in', [...whyOf.keys(), ''])]))
    .$call(optionalCondition(of.upTo, (query, version) => query.where('version', '<=', version)))
    .execute()
  for (const { code_id, refused: known, refused_at } of codes) {
    const why = whyOf.get(code_id) ?? null
    if (why === known) continue
    await tx
      .updateTable('gate_wanted')
      .set({ refused: why, refused_at: why === null ? null : (refused_at ?? clock.now()) })
      .where('location_code', '=', of.locationCode)
      .where('code_id', '=', code_id)
      .execute()
  }
}
