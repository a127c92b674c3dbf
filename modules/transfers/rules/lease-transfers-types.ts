import type { Cents } from '../../../domain/money.ts'
import type { IsoDate } from '../../../domain/plain-date.ts'
import type { Instant } from '../../../domain/time-zone-dates.ts'

/**
 * State of a transfer. 'offered': it waits for the tenant's signature and payment; 'moving': the new lease is made, and
 * the old one ends on a later day; 'done': the old lease has ended; 'cancelled': by the tenant or the office, or
 * because the old lease ended before the new one was made; 'expired': the new unit's reservation ended before the
 * payment. A transfer whose reservation has ended may still be 'offered'.
 */
export type TransferState = 'offered' | 'moving' | 'done' | 'cancelled' | 'expired'

/** Transfers that concern a lease: `out` leaves it for another lease, `into` has created it. */
export interface LeaseTransfers {
  out: {
    state: TransferState
    lease_number: number
    /** The new lease; null until it is made. */
    to_lease: number | null
    to_unit_number: string
    /** End of the new unit's hold, with the facility's time zone; null unless the transfer is offered. */
    hold: { until: Instant; timeZone: string } | null
    /** The old lease's last day; null until the new lease is made, and if the old lease had ended before. */
    ends_on: IsoDate | null
  } | null
  into: {
    state: TransferState
    lease_number: number
    unit_number: string
    /** Money that moved to the new lease, in cents; 0 until the transfer is done. */
    moved_cents: Cents
  } | null
}
