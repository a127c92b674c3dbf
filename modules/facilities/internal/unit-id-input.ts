import type { Kysely } from 'kysely'
import { integer, locationCode } from '../../../platform/operations/input-fields.ts'
import { recordNotFound } from '../../../platform/operations/operation.ts'
import { RefusalError } from '../../../platform/operations/outcome.ts'
import type { Tables } from '../../../platform/schema/tables.ts'

export const unitFields = { location_code: locationCode(), unit_id: integer() }

export const unitExample = { location_code: 'ATL01', unit_id: 214 }

/** Checks that the facility has the unit. @throws RefusalError with 404 */
export async function requireUnit(
  tx: Kysely<Tables>,
  { location_code, unit_id }: { location_code: string; unit_id: number },
): Promise<void> {
  const unit = await tx
    .selectFrom('units')
    .select('unit_id')
    .where((eb) => eb.and({ location_code, unit_id }))
    .executeTakeFirst()
  if (!unit) throw new RefusalError(recordNotFound)
}
