import type { PayerKind } from '../../../platform/schema/columns.ts'
import { settlementPayer } from '../internal/payers/settlement-payer.ts'
import { unitsPayer } from '../internal/payers/several-units-payer.ts'
import type { Payer } from '../payment.ts'
import { auctionPayer } from './auction-payer.ts'
import { autopayPayer, guestPayer, tenantPayer } from './lease-payer.ts'
import { moveInPayer } from './move-in-payer.ts'

export const payers: Record<PayerKind, Payer> = {
  move_in: moveInPayer,
  tenant: tenantPayer,
  guest: guestPayer,
  autopay: autopayPayer,
  units: unitsPayer,
  auction: auctionPayer,
  settlement: settlementPayer,
}
