import { DAY } from '../../domain/durations.ts'
import type { Services } from '../../platform/operations/services.ts'

export const autopayOffContext = 'autopay off'
/**
 * Validity of a link that turns autopay off, in milliseconds. A later receipt brings a new link; paying ahead may leave
 * a year between two receipts.
 */
export const AUTOPAY_LINK_MS = 400 * DAY

export interface AutopayAgreement {
  locationCode: string
  leaseNumber: number
  /** When autopay was agreed to, epoch milliseconds; null when the lease stores no time. */
  agreedAt: number | null
}

/** Returns the path of a mailed link that turns this autopay agreement off, valid for `AUTOPAY_LINK_MS`. */
export const autopayOffPath = (services: Pick<Services, 'sealer' | 'clock'>, agreement: AutopayAgreement): string =>
  `/autopay-off/${services.sealer.seal(JSON.stringify({ ...agreement, until: services.clock.now() + AUTOPAY_LINK_MS }), autopayOffContext)}`
