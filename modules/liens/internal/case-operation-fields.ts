import { locationCode, requiredText, uuid } from '../../../platform/operations/input-fields.ts'
import { recordNotFound } from '../../../platform/operations/operation.ts'
import { RefusalError } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { type LienCaseState, loadCase } from '../load-lien-cases.ts'

/** Input fields of the operations that change a lien case. */
export const caseFields = {
  location_code: locationCode(),
  case_id: uuid(),
  /** `caseVersionMark` of the case when the form was displayed. */
  made_from: requiredText(200),
}

export const caseExample = {
  location_code: 'ATL01',
  case_id: '5a1f1a68-1c3f-4a55-9a39-0f5b8f0f1c16',
  made_from: 'open:',
}

/**
 * Returns the lien case that an input names, before it is locked.
 * @throws RefusalError with 404
 */
export async function loadNamedCase(
  services: Services,
  { case_id, location_code }: { case_id: string; location_code: string },
): Promise<LienCaseState> {
  const lien = await loadCase(services, case_id)
  if (lien?.row.location_code !== location_code) throw new RefusalError(recordNotFound)
  return lien
}

/** Returns the fields of an audit event that refer to a lien case, its tenant and its lease. */
export const caseAuditSubject = ({ row }: LienCaseState) => ({
  tenantId: row.tenant_id,
  leaseNumber: row.lease_number,
  subject: row.case_id,
})
