import type { Cents } from '../../domain/money.ts'

/** 'offered': waits for signature and payment; 'moving': the new lease is made, the old one ends on a later day. */
export type TransferState = 'offered' | 'moving' | 'done' | 'cancelled' | 'expired'

export interface TransferColumns {
  transfers: {
    state: TransferState
    /** What went over to the new lease of days paid for and not used; 0 until then. */
    moved_cents: Cents
    /** null: the tenant themselves. */
    opened_by: string | null
    /** The old lease's last day, once the new one is made. */
    ends_on: string | null
    to_lease: number | null
  }
}
