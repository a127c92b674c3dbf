import { locationCode, required, uuid } from '../../../platform/operations/input-fields.ts'
import { notOnFile } from '../../../platform/operations/operation.ts'
import { Refused } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { About } from '../../staff/office-operation.ts'
import { type CaseNow, caseById } from '../cases.ts'

/** Input fields that all operations on a lien case share. */
export const caseFields = {
  location_code: locationCode(),
  case_id: uuid(),
  /** State of the case that the form displayed (`markOf`). */
  made_from: required(200),
}

export const caseExample = {
  location_code: 'ATL01',
  case_id: '5a1f1a68-1c3f-4a55-9a39-0f5b8f0f1c16',
  made_from: 'open:',
}

/**
 * Returns the lien case that an input names, before it is locked.
 * @throws Refused with 404
 */
export async function caseOf(
  services: Services,
  { case_id, location_code }: { case_id: string; location_code: string },
): Promise<CaseNow> {
  const known = await caseById(services, case_id)
  if (known?.row.location_code !== location_code) throw new Refused(notOnFile)
  return known
}

/** Returns the tenant and lease of a lien case, for its audit event. */
export const aboutCase = ({ row }: CaseNow): About => ({ tenantId: row.tenant_id, leaseNumber: row.lease_number })
