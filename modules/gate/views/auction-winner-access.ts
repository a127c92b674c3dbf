import { isLease } from '../../../platform/database/where-tenant-or-lease-key.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { loadAuctionWinnerGateReason } from '../load-auction-winner-gate-reason.ts'
import { type CurrentGateAccess, type GateReason, gateAccessAt } from '../rules/gate-reason-texts.ts'

/** Access of an auction winner to the unit: the day by which it must be empty, and the state of the gate. */
export interface AuctionWinnerAccess {
  /** Day by which the winner must empty the unit: the lease's move-out date; null without one. */
  moveOutDate: string | null
  gate: GateReason
  /** Whether the gate opens now for the winner's code, and the sentence that says so. */
  access: CurrentGateAccess
}

/**
 * Loads whether the gate opens for an auction winner's code, and the day by which the unit must be empty.
 * @param facility time zone, and the formatted phone that the sentences name
 */
export async function loadAuctionWinnerAccess(
  services: Services,
  link: { location_code: string; lease_number: number; gate_code: string },
  facility: { timeZone: string; phone: string },
): Promise<AuctionWinnerAccess> {
  const { read } = services.db
  const lease = await read.selectFrom('leases').select('scheduled_move_out').where(isLease(link)).executeTakeFirst()
  const now = services.clock.now()
  const gate = await loadAuctionWinnerGateReason(read, link, now)
  return {
    moveOutDate: lease?.scheduled_move_out ?? null,
    gate,
    access: gateAccessAt(gate, facility.timeZone, now, facility.phone),
  }
}
