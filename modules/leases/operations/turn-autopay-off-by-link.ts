import type { Services } from '../../../platform/operations/services.ts'
import { clearAutopay } from '../autopay-mandate.ts'
import type { AutopayAgreement } from '../autopay-off-link.ts'

/** Turns off the autopay agreement that a mailed link names; a later agreement stays on. Idempotent. */
export async function turnAutopayOffByLink(
  services: Services,
  { locationCode, leaseNumber, agreedAt }: AutopayAgreement,
): Promise<void> {
  const key = { location_code: locationCode, lease_number: leaseNumber }
  await services.db.transaction((tx) => clearAutopay(tx, services, key, { agreedAt }))
}
