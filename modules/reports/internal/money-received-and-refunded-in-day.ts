/** Sums a day's received money by method, and its refunds and returns. */
import type { Kysely } from 'kysely'
import type { Cents } from '../../../domain/money.ts'
import type { Instant } from '../../../domain/time-zone-dates.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import type { DayEntry } from './read-day-ledger-entries.ts'

const METHODS = {
  CC: 'received_card',
  ACH: 'received_bank',
  cash: 'received_cash',
  check: 'received_check',
  money_order: 'received_money_order',
} as const

type Received = Record<(typeof METHODS)[keyof typeof METHODS] | 'received_other' | 'money_returned', Cents>

/**
 * Sums payments by method, in positive cents, and reversed payments in `money_returned`. `received_other` has payments
 * without an order or receipt, such as imported ones; `cards` the JSON of card payments by brand:
 * `[[brand, cents, number of orders]]`.
 */
export async function loadReceivedByMethod(
  tx: Kysely<Tables>,
  entries: readonly DayEntry[],
): Promise<Received & { cards: string }> {
  const received: Received = {
    received_card: 0,
    received_bank: 0,
    received_cash: 0,
    received_check: 0,
    received_money_order: 0,
    received_other: 0,
    money_returned: 0,
  }
  const paid = entries.filter(({ kind }) => kind === 'payment')
  const orders = [...new Set(paid.flatMap(({ order_id }) => order_id ?? []))]
  const methods = await loadMethods(tx, orders)
  const brands = new Map<string, { cents: Cents; orders: Set<string> }>()
  for (const { cents, order_id } of paid) {
    const paidBy = order_id === null ? undefined : methods.get(order_id)
    received[paidBy ? METHODS[paidBy.method] : 'received_other'] -= cents
    if (order_id === null || paidBy?.method !== 'CC') continue
    const brand = brands.get(paidBy.brand) ?? { cents: 0, orders: new Set() }
    brands.set(paidBy.brand, brand)
    brand.cents -= cents
    brand.orders.add(order_id)
  }
  for (const { kind, cents } of entries) if (kind === 'reversal') received.money_returned += cents
  const cards = [...brands]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([brand, { cents, orders: brandOrders }]) => [brand, cents, brandOrders.size])
  return { ...received, cards: JSON.stringify(cards) }
}

const ORDERS_PER_STATEMENT = 500

async function loadMethods(tx: Kysely<Tables>, orders: readonly string[]) {
  const methods = new Map<string, { method: keyof typeof METHODS; brand: string }>()
  for (let from = 0; from < orders.length; from += ORDERS_PER_STATEMENT) {
    const batch = orders.slice(from, from + ORDERS_PER_STATEMENT)
    const payments = await tx
      .selectFrom('payments')
      .select(['order_id', 'method', 'card_brand'])
      .where('order_id', 'in', batch)
      .execute()
    const receipts = await tx
      .selectFrom('counter_receipts')
      .select(['receipt_id', 'method'])
      .where('receipt_id', 'in', batch)
      .execute()
    for (const { order_id, method, card_brand } of payments) methods.set(order_id, { method, brand: card_brand ?? '' })
    for (const { receipt_id, method } of receipts) methods.set(receipt_id, { method, brand: '' })
  }
  return methods
}

/**
 * Returns the sum, in cents, of lien sale surpluses that were paid out. Staff pay them by hand, so only ledger entries
 * record them.
 */
export const surplusesOf = (entries: readonly DayEntry[]): Cents =>
  entries.reduce((sum, { kind, act, cents }) => sum + (kind === 'refund' && act === 'surplus' ? cents : 0), 0)

/** Sums a facility's refunds that were done in a span of time, in cents. */
export async function loadRefunded(
  tx: Kysely<Tables>,
  locationCode: string,
  { from, to }: { from: Instant; to: Instant },
): Promise<Cents> {
  const { cents } = await tx
    .selectFrom('refunds')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('cents'), eb.lit(0)).as('cents'))
    .where('location_code', '=', locationCode)
    .where('state', '=', 'done')
    .where('done_at', '>=', from)
    .where('done_at', '<', to)
    .executeTakeFirstOrThrow()
  return Number(cents)
}
