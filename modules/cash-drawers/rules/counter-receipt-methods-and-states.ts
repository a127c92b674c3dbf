/** Payments by check, cash or money order, received at a counter or by post, and the drawers that hold them. */
import type { Cents } from '../../../domain/money.ts'

/** Maximum number of leases that one receipt pays. */
export const MAX_LEASES_PER_RECEIPT = 50

export const counterMethods = ['check', 'cash', 'money_order'] as const
export type CounterMethod = (typeof counterMethods)[number]

/** Payment methods in the order in which a cash drawer is counted. */
export const countOrder = ['cash', 'check', 'money_order'] as const satisfies readonly CounterMethod[]

export const methodNames: Record<CounterMethod, string> = {
  check: 'Check',
  cash: 'Cash',
  money_order: 'Money order',
}

/** State of a drawer. 'closed' means counted and not yet matched with the bank. */
export type DrawerState = 'open' | 'closed' | 'matched'
export type ReceiptState = 'held' | 'deposited' | 'matched' | 'voided' | 'returned'

export const receiptStates: Record<ReceiptState, string> = {
  held: 'In the drawer',
  deposited: 'Deposited',
  matched: 'At the bank',
  voided: 'Voided',
  returned: 'Returned',
}

export const drawerStates: Record<DrawerState, string> = { open: 'Open', closed: 'To match', matched: 'Matched' }

/** Maximum amount in cents of one receipt and of a float; more is taken for a typing error. */
export const MAX_RECEIPT_CENTS: Cents = 100_000_00

/** Maximum amount in cents of a drawer's count by one method, and of the bank's amount of its deposit. */
export const MAX_DRAWER_CENTS: Cents = 100 * MAX_RECEIPT_CENTS

/** Pattern of a counter receipt's id. */
export const counterReceiptId = /^RC[A-Z0-9]{4,24}$/

/** Returns whether an order id is a counter receipt's. Receipts are not in `payments`, and no provider knows them. */
export const isCounterReceipt = (orderId: string): boolean => counterReceiptId.test(orderId)

/** Returns method and number, such as 'Check 1042', 'Cash' or 'Money order 88213'. */
export const describeCounterPayment = (method: CounterMethod, number: string): string =>
  number === '' ? methodNames[method] : `${methodNames[method]} ${number}`

export const differenceReasons = {
  short_change: 'Change given wrongly',
  miscounted: 'Counted wrongly before',
  missing: 'Missing, cause unknown',
  found: 'Over, cause unknown',
  other: 'Other, see the note',
} as const

/** Reasons that a bank gives on a returned item. */
export const returnReasons = {
  nsf: 'Insufficient funds',
  closed: 'Account closed',
  stopped: 'Payment stopped',
  unsigned: 'Signature or date missing',
  other: 'Other, see the note',
} as const
export type ReturnReason = keyof typeof returnReasons

export type CentsByMethod = Record<CounterMethod, Cents>
export type CountByMethod = Record<CounterMethod, number>

export const zeroByMethod: Record<CounterMethod, number> = { check: 0, cash: 0, money_order: 0 }

export const totalOfMethods = (amounts: CentsByMethod): Cents =>
  counterMethods.reduce((sum, method) => sum + amounts[method], 0)
