import type { Selectable } from 'kysely'
import { hasFields, parseJson } from '../../domain/parse-json-and-check-shape.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { LeasesTable } from '../../platform/schema/tables.ts'
import type { LienHolder, Military, Vehicle } from '../move-in/rules/move-in-form.ts'
import type { DesignatedAgent } from '../reservations/rules/reservation-form.ts'
import type { Identity } from '../tenants/identity-data.ts'
import { detailsContext } from './lease.ts'

/** Signing details stored with a lease, for leases signed on this site and imported ones. */
export interface LeaseDetails {
  vehicleDetails?: Vehicle
  lienHolder?: LienHolder
  designatedAgent?: DesignatedAgent
  /** From an imported lease; otherwise in `sealed`. */
  defaultNotice?: { default_notice?: 'mail' | 'email' }
  military?: Military | { branch: string; base: string; commanding_officer: string }
  /** Encrypted JSON of `SealedAnswers` (`detailsContext`). */
  sealed?: string
}

/** Answers of the signing that are encrypted with the lease. */
export interface SealedAnswers {
  /** How notices of default are sent; null where the renter is not asked. */
  defaultNotice?: 'mail' | 'email' | null
  /** Only `brief_description`; of a renter who may not change the tenant's record, all identity answers. */
  identity?: Identity
  /** Of a renter who may not change the tenant's record; otherwise it is in that record. */
  military?: { active: boolean; details: Military | null }
}

export const leaseDetailsOf = ({ details }: { details: string }): LeaseDetails =>
  parseJson(details, hasFields<LeaseDetails>())

/** Decrypts a lease's encrypted answers; empty where none are stored, as for an imported lease. */
export function sealedAnswersOf(
  services: Pick<Services, 'sealer'>,
  lease: Pick<Selectable<LeasesTable>, 'location_code' | 'lease_number' | 'details'>,
): SealedAnswers {
  const { sealed } = leaseDetailsOf(lease)
  if (!sealed) return {}
  const opened = services.sealer.open(sealed, detailsContext(lease.location_code, lease.lease_number))
  return parseJson(opened, hasFields<SealedAnswers>())
}
