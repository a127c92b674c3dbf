import { hasFields, parseJson } from '../../domain/parse-json.ts'
import type { LienHolder, Military, Vehicle } from '../move-in/rules/move-in-form.ts'
import type { DesignatedAgent } from '../reservations/rules/reservation-form.ts'

/** Signing details stored with a lease, for leases signed on this site and imported ones. */
export interface LeaseDetails {
  vehicleDetails?: Vehicle
  lienHolder?: LienHolder
  designatedAgent?: DesignatedAgent
  /** From an imported lease; otherwise in `sealed`. */
  defaultNotice?: { default_notice?: 'mail' | 'email' }
  military?: Military | { branch: string; base: string; commanding_officer: string }
  /** Encrypted JSON: how notices are sent, and answers that are not in the tenant's record (`detailsContext`). */
  sealed?: string
}

export const leaseDetailsOf = ({ details }: { details: string }): LeaseDetails =>
  parseJson(details, hasFields<LeaseDetails>())
