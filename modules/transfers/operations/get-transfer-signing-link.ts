import type { Instant } from '../../../domain/time-zone-dates.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { ensureReservationLink } from '../../reservations/reservation-lookup-operation-parts.ts'
import { loadTransferHold, type Transfer } from '../transfer-rows.ts'

/** A transfer that waits for the tenant's signature. */
export interface OfferedTransfer {
  transferId: string
  unitNumber: string
  /** End of the new unit's hold, with the facility's time zone; null once the reservation is no longer active. */
  hold: { until: Instant; timeZone: string } | null
  /** Path of the page where the tenant signs the transfer; null once the new unit's hold has ended. */
  path: string | null
}

/**
 * Returns an offered transfer with the link by which it is signed, creating the link if there is none.
 * @returns null without a transfer, or for one that is no longer offered
 */
export async function getTransferSigningLink(
  services: Services,
  transfer: Transfer | null,
): Promise<OfferedTransfer | null> {
  if (transfer?.state !== 'offered') return null
  return {
    transferId: transfer.transfer_id,
    unitNumber: transfer.to_unit_number,
    hold: (await loadTransferHold(services.db.read, transfer)) ?? null,
    path: await ensureReservationLink(services, transfer.location_code, transfer.reservation_code),
  }
}
