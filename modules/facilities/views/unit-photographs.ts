import type { Kysely, Selectable } from 'kysely'
import { optionalCondition } from '../../../platform/database/optional-condition.ts'
import type { Tables } from '../../../platform/schema/tables.ts'

export type UnitPhoto = Selectable<Tables['unit_photos']>

/** Loads a unit's photographs, or those about one of its leases, newest first, at most 24. */
export const loadUnitPhotos = (
  db: Kysely<Tables>,
  unit: { locationCode: string; unitId: number; leaseNumber?: number },
): Promise<UnitPhoto[]> =>
  db
    .selectFrom('unit_photos')
    .selectAll()
    .where('location_code', '=', unit.locationCode)
    .where('unit_id', '=', unit.unitId)
    .$call(optionalCondition(unit.leaseNumber, (query, leaseNumber) => query.where('lease_number', '=', leaseNumber)))
    .orderBy('taken_at', 'desc')
    .orderBy('photo_id')
    .limit(24)
    .execute()
