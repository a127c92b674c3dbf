import type { PayerKind } from '../../../../domain/payer-kinds.ts'
import { auctionPayer } from '../../payers/post-auction-winner-payment.ts'
import { autopayPayer, guestPayer, tenantPayer } from '../../payers/post-lease-payment.ts'
import { moveInPayer } from '../../payers/post-move-in-payment.ts'
import type { Payer } from '../../payment.ts'
import { settlementPayer } from './post-settlement-payment.ts'
import { unitsPayer } from './post-several-units-payment.ts'

export const payers: Record<PayerKind, Payer> = {
  move_in: moveInPayer,
  tenant: tenantPayer,
  guest: guestPayer,
  autopay: autopayPayer,
  units: unitsPayer,
  auction: auctionPayer,
  settlement: settlementPayer,
}
