import type { Selectable } from 'kysely'
import type { OwnInsurance } from '../../../domain/forms/move-in.ts'
import { type IsoDate, isValid } from '../../../domain/plain-date.ts'
import type { LeasesTable } from '../../../platform/schema/tables.ts'

export interface OwnPolicy {
  carrier: string
  policyNumber: string
  expires: IsoDate
}

/** The tenant's own policy that a lease goes by; null where it goes by none, or by one that was brought in without its day. */
export function ownPolicyOf(
  lease: Pick<Selectable<LeasesTable>, 'insurance_status' | 'insurance_notes'>,
): OwnPolicy | null {
  if (lease.insurance_status !== 2) return null
  const { carrier, policy_number, expiration_date } = JSON.parse(lease.insurance_notes) as Partial<OwnInsurance>
  return carrier && policy_number && isValid(expiration_date)
    ? { carrier, policyNumber: policy_number, expires: expiration_date }
    : null
}
