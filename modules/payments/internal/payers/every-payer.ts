import type { PayerKind } from '../../../../domain/payer-kinds.ts'
import { auctionPayer } from '../../payers/auction-payer.ts'
import { moveInPayer } from '../../payers/move-in-payer.ts'
import { autopayPayer, guestPayer, tenantPayer } from '../../payers/post-lease-payment.ts'
import type { Payer } from '../../payment.ts'
import { settlementPayer } from './past-due-settlement-payer.ts'
import { unitsPayer } from './several-units-payer.ts'

export const payers: Record<PayerKind, Payer> = {
  move_in: moveInPayer,
  tenant: tenantPayer,
  guest: guestPayer,
  autopay: autopayPayer,
  units: unitsPayer,
  auction: auctionPayer,
  settlement: settlementPayer,
}
