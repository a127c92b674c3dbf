import type { Kysely } from 'kysely'
import * as v from 'valibot'
import { parseScope, type RoleScope } from '../../../domain/office/roles-and-permissions.ts'
import { unknownFacilityOrState } from '../../../domain/texts/office-refusals.ts'
import { plainLine } from '../../../platform/operations/input-fields.ts'
import { fieldError } from '../../../platform/operations/outcome.ts'
import type { Tables } from '../../../platform/schema/tables.ts'

/** Input schema of the scope of a role or a machine key: a facility, a state or 'all'. */
export const scope = v.pipe(
  plainLine,
  v.check((text) => parseScope(text) !== null, 'This is no facility, state or "all".'),
  // The fallback never applies, since valibot does not transform a text that the check has refused.
  v.transform((text) => parseScope(text) ?? { all: true as const }),
)

/**
 * Checks that the facilities and states of an input field exist.
 * @throws RefusalError with 400 at `field`, naming facilities that do not exist and states without a facility
 */
export async function checkScopesExist(
  tx: Kysely<Tables>,
  field: 'roles' | 'scopes',
  scopes: readonly RoleScope[],
): Promise<void> {
  const codes = scopes.flatMap((scope) => ('facility' in scope ? [scope.facility] : []))
  const states = scopes.flatMap((scope) => ('state' in scope ? [scope.state] : []))
  if (codes.length + states.length === 0) return
  const rows = await tx
    .selectFrom('locations')
    .select(['location_code', 'state'])
    // '' matches no facility; it keeps the lists from being empty, which PostgreSQL does not allow.
    .where((eb) => eb.or([eb('location_code', 'in', ['', ...codes]), eb('state', 'in', ['', ...states])]))
    .execute()
  const existing = new Set(rows.flatMap((row) => [row.location_code, row.state]))
  const unknown = [...codes, ...states].filter((name) => !existing.has(name))
  if (unknown.length === 0) return
  const message = unknownFacilityOrState(unknown.join(', '))
  throw fieldError(field, message)
}
