import { hasFields } from '../../../domain/parse-json-and-check-shape.ts'
import { openMailedToken } from '../../../platform/encryption/open-mailed-token.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { type AutopayAgreement, autopayOffContext } from '../autopay-off-link.ts'

/** An autopay agreement that a mailed link names, with its current state. */
export interface LinkedAutopay extends AutopayAgreement {
  unitNumber: string
  facilityName: string
  /** State of the agreement. 'newer': autopay was turned on again by a later agreement, which has its own link. */
  state: 'on' | 'off' | 'newer'
}

const isLinkedAgreement = hasFields<AutopayAgreement & { until: number }>('leaseNumber', 'until')

/** Resolves a link that turns autopay off; null where it is invalid, expired, or its lease does not exist. */
export async function findAutopayByLink(
  services: Pick<Services, 'sealer' | 'clock' | 'db'>,
  token: string,
): Promise<LinkedAutopay | null> {
  const linked = openMailedToken(services, token, { context: autopayOffContext, isContent: isLinkedAgreement })
  if (!linked) return null
  const { locationCode, leaseNumber, agreedAt } = linked
  const lease = await services.db.read
    .selectFrom('leases')
    .innerJoin('locations', 'locations.location_code', 'leases.location_code')
    .select(['unit_number', 'locations.name', 'autopay', 'autopay_consent_at'])
    .where('leases.location_code', '=', locationCode)
    .where('lease_number', '=', leaseNumber)
    .executeTakeFirst()
  if (!lease) return null
  const isSameAgreement = lease.autopay_consent_at === agreedAt
  return {
    locationCode,
    leaseNumber,
    agreedAt,
    unitNumber: lease.unit_number,
    facilityName: lease.name,
    state: lease.autopay === 0 ? 'off' : isSameAgreement ? 'on' : 'newer',
  }
}
