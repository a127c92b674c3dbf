import type { Services } from '../../platform/operations/services.ts'
import { clearAutopay } from './autopay-mandate.ts'

const context = 'autopay off'
/** Each receipt brings a new link; periods paid ahead are a year without one. In milliseconds. */
export const AUTOPAY_LINK_MS = 400 * 86_400_000

interface Agreement {
  locationCode: string
  leaseNumber: number
  /** When autopay was agreed to, epoch milliseconds; null for an agreement from an earlier system. */
  agreedAt: number | null
}

export const autopayOffPath = (services: Pick<Services, 'sealer' | 'clock'>, agreement: Agreement): string =>
  `/autopay-off/${services.sealer.seal(JSON.stringify({ ...agreement, until: services.clock.now() + AUTOPAY_LINK_MS }), context)}`

export interface LinkedAutopay extends Agreement {
  unitNumber: string
  facilityName: string
  /** 'newer': autopay was turned on again since, by an agreement that has its own link. */
  state: 'on' | 'off' | 'newer'
}

/** null for a link that is not ours, too old, or of a lease that is gone. */
export async function autopayOfLink(
  services: Pick<Services, 'sealer' | 'clock' | 'db'>,
  token: string,
): Promise<LinkedAutopay | null> {
  let said: Agreement & { until: number }
  try {
    said = JSON.parse(services.sealer.open(token, context))
  } catch {
    return null
  }
  if (said.until <= services.clock.now()) return null
  const { locationCode, leaseNumber, agreedAt } = said
  const lease = await services.db.read
    .selectFrom('leases')
    .innerJoin('locations', 'locations.location_code', 'leases.location_code')
    .select(['unit_number', 'locations.name', 'autopay', 'autopay_consent_at'])
    .where('leases.location_code', '=', locationCode)
    .where('lease_number', '=', leaseNumber)
    .executeTakeFirst()
  if (!lease) return null
  const same = lease.autopay_consent_at === agreedAt
  return {
    locationCode,
    leaseNumber,
    agreedAt,
    unitNumber: lease.unit_number,
    facilityName: lease.name,
    state: lease.autopay === 0 ? 'off' : same ? 'on' : 'newer',
  }
}

/** Turns off what the link was made for; idempotent, and without effect on a later agreement. */
export async function turnAutopayOff(
  services: Services,
  { locationCode, leaseNumber, agreedAt }: Agreement,
): Promise<void> {
  const key = { location_code: locationCode, lease_number: leaseNumber }
  await services.db.transaction((tx) => clearAutopay(tx, services, key, { agreedAt }))
}
