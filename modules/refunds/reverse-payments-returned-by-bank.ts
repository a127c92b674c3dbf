/** Reads the bank's returns of debits, and reverses the returned payments. */

import type { Kysely } from 'kysely'
import { returnReason } from '../../domain/bank-account-numbers-and-return-reasons.ts'
import { enqueue } from '../../platform/jobs/enqueue-requeue-and-cancel-jobs.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import type { ReturnedDebit } from '../../ports/bank/bank.ts'
import { loadSetting, setSetting } from '../facilities/operator-settings-and-brand.ts'
import { clearAutopay } from '../leases/autopay-mandate.ts'
import { type LockedLease, lockLeaseRow } from '../leases/lock-lease-row.ts'
import { deleteSuspendedAutopay } from '../move-outs/schedule-and-cancel-move-out.ts'
import { recordAccountClosed } from '../payments/bank/account-validation.ts'
import { prepaidFrom } from '../payments/payers/post-lease-payment.ts'
import { capturedCents, loadPayment, type Payment, savedMethod } from '../payments/payment.ts'
import { changePaymentState, markReturned } from '../payments/payment-orders.ts'
import { paidLeaseNumbersOf, splitPaymentByLease } from '../payments/payment-shares-by-lease.ts'
import { reportDoubleRefund } from '../payments/refund-unposted-payments.ts'
import { reversePayment } from '../standing/reverse-payment.ts'
import { addNote } from '../tenants/add-note.ts'
import { endRefundsOfReturnedDebit } from './send-refunds.ts'

/** Setting that stores the cursor after the last bank return that was read. */
const CURSOR_SETTING = 'bank_returns_after'

/** Maximum number of pages that one run reads, which bounds its duration. */
const MAX_PAGES = 20

/** ACH return codes of accounts that are closed or do not exist. */
const closedAccountCodes = new Set(['R02', 'R03', 'R04'])

/**
 * Reads new bank returns, and reverses posted payments that the bank returned, at most 500. Safe to run in several
 * processes and to kill.
 * @returns number of reversed payments
 */
export async function reverseReturnedDebits(services: Services): Promise<number> {
  try {
    for (let page = 0; page < MAX_PAGES; page += 1) if (!(await readPage(services))) break
  } catch (error) {
    // Returns that were stored by earlier runs are reversed nevertheless.
    services.errors.report(error, { step: 'bank returns' })
  }
  const returnedPayments = await services.db.read
    .selectFrom('payments')
    .selectAll()
    .where('returned_at', 'is not', null)
    .where('state', '=', 'posted')
    .orderBy('returned_at')
    .limit(500)
    .execute()
  let reversed = 0
  for (const payment of returnedPayments) {
    try {
      if (await reverseAndBlockAccount(services, payment)) reversed += 1
    } catch (error) {
      // One failure must not hold up the other returns.
      services.errors.report(error, { order: payment.order_id, step: 'bank return' })
    }
  }
  return reversed
}

/**
 * Reads one page of bank returns and stores each with its payment.
 * @returns false when there was nothing to read
 */
async function readPage(services: Services): Promise<boolean> {
  const cursor = (await loadSetting(services.db.read, CURSOR_SETTING)) ?? ''
  const returns = await services.bank.returnsSince(cursor)
  const last = returns.at(-1)
  if (!last || last.cursor === cursor) return false
  const now = services.clock.now()
  const pairs = await services.db.transaction(async (tx) => {
    const pairs = []
    for (const returned of returns) pairs.push({ returned, debit: await storeReturn(tx, returned, now) })
    await setSetting(tx, CURSOR_SETTING, last.cursor, now)
    return pairs
  })
  for (const { returned, debit } of pairs) reportUnexpectedReturn(services, returned, debit)
  return true
}

type Debit = Pick<Payment, 'returned_at' | 'state' | 'amount' | 'approved_amount'>

/** Stores a return with its payment. Returns the payment as it was before; undefined for an unknown debit. */
async function storeReturn(tx: Kysely<Tables>, returned: ReturnedDebit, now: number): Promise<Debit | undefined> {
  const debit = await tx
    .selectFrom('payments')
    .select(['returned_at', 'state', 'amount', 'approved_amount'])
    .where('order_id', '=', returned.orderId)
    .where('method', '=', 'ACH')
    .executeTakeFirst()
  await markReturned(tx, returned, now)
  return debit
}

/** Reports a return that needs a staff member: of an unknown debit, of another amount, or of a refunded debit. */
function reportUnexpectedReturn(
  services: Services,
  { orderId, code, amount }: ReturnedDebit,
  debit: Debit | undefined,
): void {
  if (!debit) {
    services.errors.report(new Error('The bank sent back a debit that we do not know'), {
      order: orderId.slice(0, 80),
      code,
      cents: String(amount),
    })
    return
  }
  if (debit.returned_at !== null) return
  const debited = capturedCents(debit)
  if (amount !== debited)
    services.errors.report(new Error('The bank sent back another amount than was debited'), {
      order: orderId,
      code,
      cents: String(amount),
      debited: String(debited),
    })
  if (debit.state === 'refunded') reportDoubleRefund(services, orderId, amount)
}

/**
 * Reverses a returned debit on each lease that it paid, once, and mails the payer unless all of it was refunded.
 * @returns whether the payment was reversed by this call
 */
async function reverseReturnedDebit(services: Services, orderId: string): Promise<boolean> {
  const payment = await loadPayment(services, orderId)
  if (!payment) return false
  const now = services.clock.now()
  return services.db.transaction(async (tx) => {
    const { location_code } = payment
    const leases: (LockedLease | undefined)[] = []
    for (const lease_number of paidLeaseNumbersOf(services, payment))
      leases.push(await lockLeaseRow(tx, { location_code, lease_number }))
    const returnedOrder = await changePaymentState(tx, services, orderId, 'returned')
    if (!returnedOrder) return false
    const parts = await splitPaymentByLease(tx, returnedOrder)
    if (parts.length === 0) throw new Error(`The returned order ${orderId} names no lease`)
    const results: { reversed: boolean; autopayOff: boolean }[] = []
    for (const [index, part] of parts.entries()) results.push(await reverseOnLease(tx, services, part, leases[index]))
    if (returnedOrder.refunded_cents > 0) await endRefundsOfReturnedDebit(tx, services, orderId)
    if (!results.some(({ reversed }) => reversed)) return true
    await enqueue(tx, {
      kind: 'payment_returned',
      once: orderId,
      payload: { orderId, autopayOff: results.some(({ autopayOff }) => autopayOff) },
      runAt: now,
    })
    return true
  })
}

/**
 * Reverses a lease's part of a returned debit, with the lease locked.
 * @returns whether anything was reversed, and whether autopay was switched off
 */
async function reverseOnLease(
  tx: Kysely<Tables>,
  services: Services,
  payment: Payment,
  lease: LockedLease | undefined,
) {
  const { order_id: orderId, location_code: locationCode, lease_number: leaseNumber } = payment
  const nothing = { reversed: false, autopayOff: false }
  if (payment.amount === 0 || leaseNumber === null) return nothing
  const code = payment.return_code ?? ''
  const reversed = await reversePayment(tx, services, {
    orderId,
    leaseNumber,
    code,
    description: 'Payment returned by the bank',
    ahead: prepaidFrom(services, payment),
    refunded: payment.refunded_cents,
  })
  if (!reversed) throw new Error(`The returned order ${orderId} is not in the ledger`)
  if (!lease || reversed.cents === 0) return nothing
  // Autopay stays on if it charges another account or a card, or was agreed to after the return.
  const usesReturnedAccount = (mandate: { method: string; label: string; consentAt: number }) =>
    mandate.method === 'ACH' &&
    mandate.label === payment.bank_label &&
    mandate.consentAt <= (payment.returned_at ?? services.clock.now())
  const { autopay_method: method, autopay_label: label, autopay_consent_at: consentAt } = lease
  const autopayOff = lease.autopay === 1 && usesReturnedAccount({ method, label, consentAt: consentAt ?? 0 })
  if (autopayOff) await clearAutopay(tx, services, lease)
  // A scheduled move-out may have suspended autopay; cancelling the move-out must not restore this account.
  else await deleteSuspendedAutopay(tx, services, lease, usesReturnedAccount)
  await addNote(tx, services, {
    locationCode,
    tenantId: lease.tenant_id,
    leaseNumber: lease.lease_number,
    note: `The bank returned a payment: ${returnReason(code).short} (${code}, order ${orderId}).${autopayOff ? ' Autopay was switched off.' : ''}`,
  })
  return { reversed: true, autopayOff }
}

async function reverseAndBlockAccount(services: Services, payment: Payment): Promise<boolean> {
  const isReversed = await reverseReturnedDebit(services, payment.order_id)
  const code = payment.return_code ?? ''
  const account = savedMethod(services, payment)
  if (isReversed && closedAccountCodes.has(code) && account && 'routing' in account) {
    await recordAccountClosed(services, account, code)
  }
  return isReversed
}
