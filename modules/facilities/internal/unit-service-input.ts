import type { Kysely } from 'kysely'
import { integer, locationCode } from '../../../platform/operations/input-fields.ts'
import type { Tables } from '../../../platform/schema/tables.ts'

export const unitFields = { location_code: locationCode(), unit_id: integer() }

export const unitExample = { location_code: 'ATL01', unit_id: 214 }

/** Loads the number of a unit; undefined for an unknown unit. */
export const loadUnit = (tx: Kysely<Tables>, unitKey: { location_code: string; unit_id: number }) =>
  tx
    .selectFrom('units')
    .select('unit_number')
    .where((eb) => eb.and({ location_code: unitKey.location_code, unit_id: unitKey.unit_id }))
    .executeTakeFirst()
