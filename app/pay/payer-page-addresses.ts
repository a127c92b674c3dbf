import { data, type RouterContextProvider } from 'react-router'
import type { PayerKind } from '../../domain/payer-kinds.ts'

export interface PayerPages {
  method: string
  card: string
  bank?: string
  returns: string
  completed?: string
  /** Page with the payer's units; absent for a move-in and for payment links. */
  units?: string
}

export const payers = {
  move_in: {
    method: '/payment-method',
    card: '/process-payment',
    bank: '/process-payment-ach',
    returns: '/confirm-rental-payment',
  },
  tenant: {
    method: '/online-payment-method',
    card: '/online-payment',
    bank: '/online-payment-ach',
    returns: '/checkout-completed',
    units: '/my-units',
  },
  units: {
    method: '/pay-for-units',
    card: '/pay-for-units/card',
    bank: '/pay-for-units/bank',
    returns: '/pay-for-units/completed',
    units: '/my-units',
  },
  guest: {
    method: '/guest/select-method',
    card: '/guest/process-payment',
    bank: '/guest/process-payment-ach',
    returns: '/guest/accept-payment',
    completed: '/guest/payment-completed',
    units: '/guest/find-units',
  },
  auction: {
    method: '/auction-winner-payment-method/:uuid',
    card: '/auction-winner-process-payment',
    returns: '/auction-winner-accept-payment',
    completed: '/auction-winner-payment-completed',
  },
  settlement: {
    method: '/past-due-payment/:uuid',
    card: '/past-due-payment-process',
    returns: '/past-due-payment-accept',
    completed: '/past-due-payment-completed',
  },
} as const satisfies Record<Exclude<PayerKind, 'autopay'>, PayerPages>

/** Returns the pages of a payment's payer. Autopay has no pages of its own, so its orders use those of the move-in. */
export const pagesOf = (payer: PayerKind): PayerPages => payers[payer === 'autopay' ? 'move_in' : payer]

/** Pages where an open payment is settled or its outcome is shown. */
export const outcomePages: readonly string[] = Object.values<PayerPages>(payers).flatMap(({ returns, completed }) =>
  completed ? [returns, completed] : [returns],
)

export type CheckoutPayer = 'tenant' | 'guest' | 'units'
export type LinkPayer = 'auction' | 'settlement'
export type PagePayer = CheckoutPayer | LinkPayer

/** Arguments of a page's loader or action. `pattern` is the route's address in app/routes.ts. */
export interface PayArguments {
  request: Request
  context: Readonly<RouterContextProvider>
  params: { uuid?: string }
  pattern: string
}

const pagePayers = ['tenant', 'units', 'guest', 'auction', 'settlement'] as const

/**
 * Returns the kind of payer (such as tenant, guest or auction winner) to whom a payment page's route belongs.
 * @throws Error for a route of no payer
 */
export function payerOf({ pattern }: Pick<PayArguments, 'pattern'>): PagePayer {
  // `/p/:uuid` is the short address of a settlement link, for text messages.
  const address = pattern.replace(/^\/?/, '/').replace(/^\/p\//, '/past-due-payment/')
  const payer = pagePayers.find((pagePayer) => Object.values<string>(payers[pagePayer]).includes(address))
  if (!payer) throw new Error(`No payer has the page ${address}`)
  return payer
}

export const paysByLink = (payer: PagePayer): payer is LinkPayer => payer === 'auction' || payer === 'settlement'

/**
 * Returns the kind of payer to whom a checkout page's route belongs: 'tenant', 'guest' or 'units'.
 * @throws a 405 response for a payment link's page, which has no form to submit
 */
export function checkoutPayerOf(args: Pick<PayArguments, 'pattern'>): CheckoutPayer {
  const payer = payerOf(args)
  if (paysByLink(payer)) throw data(null, { status: 405, statusText: 'Method Not Allowed' })
  return payer
}
