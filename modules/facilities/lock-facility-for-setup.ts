import type { Kysely, Selectable } from 'kysely'
import * as v from 'valibot'
import { bumpContentVersion } from '../../platform/database/content-version.ts'
import { engineOf } from '../../platform/database/engine-differences.ts'
import { plainLine } from '../../platform/operations/input-fields.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { LocationsTable, Tables } from '../../platform/schema/tables.ts'
import { OFFICE_FACILITY_ID } from './rules/operator-office-facility-id.ts'

/**
 * Locks a facility, so that of two concurrent forms the second sees what the first has saved. Returns undefined for an
 * unknown code and for the operator's office.
 */
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

/**
 * Records that a facility's page changed: sets the date that the sitemap states for it, and invalidates cached pages.
 * Call it last in the transaction, as `bumpContentVersion` requires.
 */
export async function recordFacilityChange(
  tx: Kysely<Tables>,
  { clock }: Pick<Services, 'clock'>,
  locationCode: string,
): Promise<void> {
  await tx.updateTable('locations').set({ changed_at: clock.now() }).where('location_code', '=', locationCode).execute()
  await bumpContentVersion(tx)
}

export const setupReason = v.pipe(plainLine, v.trim(), v.minLength(1, 'Say why.'), v.maxLength(500))
