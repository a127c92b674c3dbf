import type { Kysely, Selectable } from 'kysely'
import * as v from 'valibot'
import { OFFICE_FACILITY_ID } from '../../domain/business.ts'
import { engineOf } from '../../platform/database/engine.ts'
import type { LocationsTable, Tables } from '../../platform/schema/tables.ts'

/** One writer at a facility at a time: of two forms the second sees what the first has saved. */
export const lockFacility = (
  tx: Kysely<Tables>,
  locationCode: string,
): Promise<Selectable<LocationsTable> | undefined> =>
  tx
    .selectFrom('locations')
    .selectAll()
    .where('location_code', '=', locationCode)
    .where('facility_id', '!=', OFFICE_FACILITY_ID)
    .$if(engineOf(tx) === 'postgres', (query) => query.forUpdate())
    .executeTakeFirst()

export const setupReason = v.pipe(v.string(), v.trim(), v.minLength(1, 'Say why.'), v.maxLength(500))
