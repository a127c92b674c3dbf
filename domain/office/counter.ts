/** Money by hand: at a counter and by post. */
import { type Cents, format } from '../money.ts'

/** So many leases are paid by one receipt at most. */
export const LEASES_OF_RECEIPT = 50

export const counterMethods = ['check', 'cash', 'money_order'] as const
export type CounterMethod = (typeof counterMethods)[number]

/** As a drawer is counted. */
export const countOrder = ['cash', 'check', 'money_order'] as const satisfies readonly CounterMethod[]

export const methodNames: Record<CounterMethod, string> = {
  check: 'Check',
  cash: 'Cash',
  money_order: 'Money order',
}

/** 'closed': counted, and waiting for the bank's word. */
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

/** The most that one receipt takes; a larger sum is a slip of the keyboard. */
export const RECEIPT_MOST: Cents = 100_000_00

/** Whether an order's id is a receipt's: it stands outside `payments`, and no provider knows it. */
export const isCounterReceipt = (orderId: string): boolean => /^RC[A-Z0-9]{4,24}$/.test(orderId)

/** 'Check 1042', 'Cash', 'Money order 88213' */
export const paidByHand = (method: CounterMethod, number: string): string =>
  number === '' ? methodNames[method] : `${methodNames[method]} ${number}`

export const differenceReasons = {
  short_change: 'Change given wrongly',
  miscounted: 'Counted wrongly before',
  missing: 'Missing, cause unknown',
  found: 'Over, cause unknown',
  other: 'Other, see the note',
} as const
export type DifferenceReason = keyof typeof differenceReasons

/** As the bank says it on the returned item. */
export const returnReasons = {
  nsf: 'Insufficient funds',
  closed: 'Account closed',
  stopped: 'Payment stopped',
  unsigned: 'Signature or date missing',
  other: 'Other, see the note',
} as const
export type ReturnReason = keyof typeof returnReasons

export type ByMethod = Record<CounterMethod, Cents>

export const nothingByMethod: ByMethod = { check: 0, cash: 0, money_order: 0 }

export const sumOf = (amounts: ByMethod): Cents => counterMethods.reduce((sum, method) => sum + amounts[method], 0)

/** Counted less what the receipts say, by method. */
export const differenceOf = (counted: ByMethod, system: ByMethod): ByMethod => ({
  check: counted.check - system.check,
  cash: counted.cash - system.cash,
  money_order: counted.money_order - system.money_order,
})

export const differs = (difference: ByMethod): boolean => counterMethods.some((method) => difference[method] !== 0)

/** Code of a count that differs and is not explained; its message is by how much. */
export const COUNT_DIFFERS = 'count_differs'

/** '+$2.00', '-$2.00', '$0.00' */
export const formatDifference = (cents: Cents): string => `${cents > 0 ? '+' : ''}${format(cents)}`
