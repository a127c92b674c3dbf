import type { PayerKind } from '../../../platform/schema/columns.ts'
import type { Payer } from '../payment.ts'
import { auctionPayer } from './auction.ts'
import { autopayPayer, guestPayer, tenantPayer } from './lease.ts'
import { moveInPayer } from './move-in.ts'
import { settlementPayer } from './settlement.ts'
import { unitsPayer } from './units.ts'

export const payers: Record<PayerKind, Payer> = {
  move_in: moveInPayer,
  tenant: tenantPayer,
  guest: guestPayer,
  autopay: autopayPayer,
  units: unitsPayer,
  auction: auctionPayer,
  settlement: settlementPayer,
}
