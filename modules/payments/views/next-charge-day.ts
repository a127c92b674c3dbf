import { addDays, type IsoDate } from '../../../domain/plain-date.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { Lease } from '../../leases/lease.ts'
import { nextAttemptDay } from '../autopay/charge-autopay.ts'
import { loadRefusedAttempts } from '../order-outcome-and-attempts.ts'

/**
 * Returns the day of the lease's next autopay charge: the first day of its first unpaid period or, after refusals, the
 * day of the next attempt; null after the last attempt.
 */
export async function loadNextChargeDay(
  services: Services,
  timeZone: string,
  lease: Pick<Lease, 'location_code' | 'lease_number' | 'paid_through'>,
): Promise<IsoDate | null> {
  const period = addDays(lease.paid_through, 1)
  const refused = await loadRefusedAttempts(services.db.read, lease, period)
  return nextAttemptDay(period, refused, timeZone)
}
