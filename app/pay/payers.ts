/** Where each kind of payer's pages are: one machine behind all of them, and the card page's return asks here. */
import type { Payment } from '../../paying/payment.ts'

type PayerKind = Payment['payer']

export interface PayerPages {
  /** Back from the card page. */
  returns: string
  /** The page with the card frame; with `?retry=true` after a failure. */
  process: string
}

const pages: Partial<Record<PayerKind, PayerPages>> & { move_in: PayerPages } = {
  move_in: { returns: '/confirm-rental-payment', process: '/process-payment' },
  tenant: { returns: '/checkout-completed', process: '/online-payment' },
  guest: { returns: '/guest/accept-payment', process: '/guest/process-payment' },
  auction: { returns: '/auction-winner-accept-payment', process: '/auction-winner-process-payment' },
  settlement: { returns: '/past-due-payment-accept', process: '/past-due-payment-process' },
}

export const pagesOf = (payer: PayerKind): PayerPages => pages[payer] ?? pages.move_in
