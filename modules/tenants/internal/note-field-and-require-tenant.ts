import type { Kysely } from 'kysely'
import * as v from 'valibot'
import { noteTooLong } from '../../../domain/texts/office-refusals.ts'
import { plainText } from '../../../platform/operations/input-fields.ts'
import { recordNotFound } from '../../../platform/operations/operation.ts'
import { RefusalError } from '../../../platform/operations/outcome.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { loadTenant, type Tenant } from '../tenant.ts'

/** Input schema of a note. It may contain web addresses, because the office shows it as plain text. */
export const noteField = (max: number) => v.pipe(plainText, v.trim(), v.maxLength(max, noteTooLong(max)))

/**
 * Loads the tenant that the input names.
 * @throws RefusalError with 404 for an unknown or erased tenant
 */
export async function requireTenant(
  tx: Kysely<Tables>,
  { location_code, tenant_id }: { location_code: string; tenant_id: number },
): Promise<Tenant> {
  const tenant = await loadTenant(tx, location_code, tenant_id)
  if (tenant?.erased_at !== null) throw new RefusalError(recordNotFound)
  return tenant
}
