import { DAY } from '../../domain/durations.ts'
import { writtenByUs } from '../../domain/parse-json.ts'
import { openMailedToken } from '../../platform/encryption/mailed-token.ts'
import type { Services } from '../../platform/operations/services.ts'
import { clearAutopay } from './autopay-mandate.ts'

const context = 'autopay off'
/**
 * Validity of a link that turns autopay off, in milliseconds. Each receipt brings a new link; paying ahead may leave a
 * year between two receipts.
 */
export const AUTOPAY_LINK_MS = 400 * DAY

interface Agreement {
  locationCode: string
  leaseNumber: number
  /** When autopay was agreed to, epoch milliseconds; null for an imported agreement. */
  agreedAt: number | null
}

/** Returns the path of a mailed link that turns this autopay agreement off, valid for `AUTOPAY_LINK_MS`. */
export const autopayOffPath = (services: Pick<Services, 'sealer' | 'clock'>, agreement: Agreement): string =>
  `/autopay-off/${services.sealer.seal(JSON.stringify({ ...agreement, until: services.clock.now() + AUTOPAY_LINK_MS }), context)}`

/** An autopay agreement that a mailed link names, with its current state. */
export interface LinkedAutopay extends Agreement {
  unitNumber: string
  facilityName: string
  /** State of the agreement. 'newer': autopay was turned on again by a later agreement, which has its own link. */
  state: 'on' | 'off' | 'newer'
}

const isLinkedAgreement = writtenByUs<Agreement & { until: number }>('leaseNumber', 'until')

/** Resolves a link that turns autopay off; null where it is invalid, expired, or its lease does not exist. */
export async function findAutopayByLink(
  services: Pick<Services, 'sealer' | 'clock' | 'db'>,
  token: string,
): Promise<LinkedAutopay | null> {
  const linked = openMailedToken(services, token, { context, isContent: isLinkedAgreement })
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

/** Turns off the autopay agreement that a mailed link names. Idempotent: an agreement made later stays on. */
export async function turnAutopayOff(
  services: Services,
  { locationCode, leaseNumber, agreedAt }: Agreement,
): Promise<void> {
  const key = { location_code: locationCode, lease_number: leaseNumber }
  await services.db.transaction((tx) => clearAutopay(tx, services, key, { agreedAt }))
}
