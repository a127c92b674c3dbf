import { changedSince } from '../../../domain/texts/office-refusals.ts'
import { recordNotFound } from '../../../platform/operations/operation.ts'
import { RefusalError, refusalError } from '../../../platform/operations/outcome.ts'
import { type LockedLease, lockLeaseRow } from '../../leases/lock-lease-row.ts'
import type { OfficeContext } from '../../staff/office-operation.ts'
import { type LienCaseState, loadCase } from '../load-lien-cases.ts'
import { caseIsOver } from '../texts/lien-cases.ts'
import { caseVersionMark } from './lien-step-checks-and-confirmations.ts'

/** A lien case, and its lease, whose lock also guards the case. */
export interface LockedCase {
  lien: LienCaseState
  lease: LockedLease
}

/**
 * Locks the lease of a lien case, then reads the case.
 * @throws RefusalError with 404 for an unknown case; 409 when the case is in none of the `states` or has changed since
 *   the form was opened
 */
export async function lockCase(
  { tx, services }: Pick<OfficeContext, 'tx' | 'services'>,
  input: { location_code: string; case_id: string; made_from: string },
  states: readonly LienCaseState['row']['state'][] = ['open'],
): Promise<LockedCase> {
  const caseKey = await tx
    .selectFrom('lien_cases')
    .select(['location_code', 'lease_number'])
    .where((eb) => eb.and({ case_id: input.case_id, location_code: input.location_code }))
    .executeTakeFirst()
  const lease = caseKey && (await lockLeaseRow(tx, caseKey))
  const lien = lease && (await loadCase(services, input.case_id, tx))
  if (!lease || !lien) throw new RefusalError(recordNotFound)
  if (!states.includes(lien.row.state)) throw refusalError(409, 'over', caseIsOver)
  if (input.made_from !== caseVersionMark(lien)) throw refusalError(409, 'changed', changedSince)
  return { lien, lease }
}
