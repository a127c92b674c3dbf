import type { Kysely } from 'kysely'
import type { Tables } from '../../../platform/schema/tables.ts'

/** Returns the location code of a lien case's facility; null when the case does not exist. */
export async function loadFacilityOfCase(db: Kysely<Tables>, caseId: string): Promise<string | null> {
  const row = await db.selectFrom('lien_cases').select('location_code').where('case_id', '=', caseId).executeTakeFirst()
  return row?.location_code ?? null
}
