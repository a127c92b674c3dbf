/**
 * A simulated card provider with records of its own and unreliable responses: a request may get lost, or its response
 * after the request succeeded. Tests compare the site's records with the provider's.
 */
import {
  type CardProvider,
  CardProviderUnavailable,
  type OrderResult,
} from '../../ports/card-provider/card-provider.ts'
import type { Random } from '../../ports/clock-and-random.ts'
import { choicesOf } from '../support/random-choices.ts'

/** An order in the card provider's records. */
export interface Order {
  /** Cents that the card page asks for, or that a sale by alias is to charge. */
  amount: number
  state: 'open' | 'approved' | 'declined' | 'cancelled'
  /** Charged cents; an order is charged at most once. */
  charged: number
  /** Refunded cents. */
  returned: number
  /** Token of the stored card; '' when none is to be stored. */
  alias: string
}

/** Actions of a payer on the card page. */
export type PayerAct = 'approve' | 'approve another amount' | 'decline' | 'cancel' | 'leave'

/** A simulated card provider with its records and failure settings. */
export interface SimulatedCardProvider extends CardProvider {
  readonly orders: ReadonlyMap<string, Order>
  /** Share of calls that fail, and of refunds that are refused, 0 to 1. */
  failureShare: number
  /** Order ids whose refunds are refused until they are removed from the set. */
  readonly refusedRefunds: Set<string>
  /** Acts as the payer on the card page. An act on an order that is no longer open has no effect. */
  act(orderId: string, act: PayerAct): void
}

export function simulatedCardProvider(random: Random): SimulatedCardProvider {
  const orders = new Map<string, Order>()
  const refusedRefunds = new Set<string>()
  const { chance, pick } = choicesOf(random)
  const reasons = ['timeout', 'refused', 'garbage', 'status'] as const

  /** Does the provider's work for a request. Sometimes loses the request before the work, or the response after it. */
  async function call<T>(work: () => T): Promise<T> {
    const lost = chance(provider.failureShare)
    const before = lost && chance(0.5)
    const failure = () => new CardProviderUnavailable(pick(reasons), 'stormy')
    if (before) throw failure()
    const answer = work()
    await new Promise((resolve) => setImmediate(resolve))
    if (lost) throw failure()
    return answer
  }

  const result = (orderId: string): OrderResult => {
    const order = orders.get(orderId)
    const state = order?.state ?? 'open'
    return {
      state: ({ open: 'PENDING', approved: 'APPROVED', declined: 'DECLINED', cancelled: 'CANCELLED' } as const)[state],
      orderId,
      responseCode: { open: '814', approved: '000', declined: '005', cancelled: '816' }[state],
      responseDescription: { open: 'Not finished', approved: 'Approved', declined: 'Declined', cancelled: 'Cancelled' }[
        state
      ],
      transactionId: order && state === 'approved' ? `T${orderId}` : '',
      approvedAmount: order?.charged ?? 0,
      alias: order?.state === 'approved' ? order.alias : '',
      cardBrand: 'Visa',
      maskedCardNumber: '************1111',
      expMonth: '08',
      expYear: '29',
      customerName: 'Sim Ulation',
      address: '',
      postalCode: '30308',
      receiptId: `R${orderId}`,
    }
  }

  const provider: SimulatedCardProvider = {
    orders,
    refusedRefunds,
    failureShare: 0,
    pageOrigin: 'http://127.0.0.1:3001',
    createHostedPage: ({ orderId, amount, createAlias }) =>
      call(() => {
        if (!orders.has(orderId))
          orders.set(orderId, {
            amount,
            state: 'open',
            charged: 0,
            returned: 0,
            alias: createAlias ? `ALIAS-${orderId}` : '',
          })
        return { sessionToken: `S${orderId}`, payPageUrl: `http://127.0.0.1:3001/pay/${orderId}` }
      }),
    queryPayment: (orderId) => call(() => result(orderId)),
    saleByAlias: ({ orderId, alias, amount }) =>
      call(() => {
        const existingOrder = orders.get(orderId)
        if (!existingOrder) {
          const approved = !chance(0.25)
          orders.set(orderId, {
            amount,
            state: approved ? 'approved' : 'declined',
            charged: approved ? amount : 0,
            returned: 0,
            alias,
          })
        }
        return result(orderId)
      }),
    refund: ({ orderId }) =>
      call(() => {
        const order = orders.get(orderId)
        if (!order || order.charged === 0)
          return { done: false, responseCode: '813', responseDescription: 'No such sale' }
        if (order.returned === 0 && (refusedRefunds.has(orderId) || chance(provider.failureShare)))
          return { done: false, responseCode: '900', responseDescription: 'Not now' }
        order.returned = order.charged
        return { done: true, responseCode: '000', responseDescription: 'Approved' }
      }),
    listCharges: () =>
      call(() => ({
        charges: [...orders]
          .filter(([, { charged }]) => charged > 0)
          .map(([orderId, { charged, returned }]) => ({
            orderId,
            transactionId: `T${orderId}`,
            amount: charged,
            at: 0,
            refundedAmount: returned,
            cardBrand: 'Visa',
            maskedCardNumber: '************1111',
            customerName: 'Sim Ulation',
          })),
        next: null,
      })),
    act(orderId, act) {
      const order = orders.get(orderId)
      if (order?.state !== 'open' || act === 'leave') return
      if (act === 'decline') order.state = 'declined'
      else if (act === 'cancel') order.state = 'cancelled'
      else {
        order.state = 'approved'
        order.charged = act === 'approve' ? order.amount : order.amount + 1
      }
    },
  }
  return provider
}
