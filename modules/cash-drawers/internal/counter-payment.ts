import type { Kysely } from 'kysely'
import type { Cents } from '../../../domain/money.ts'
import { todayIn } from '../../../domain/time-zone-dates.ts'
import { enqueue } from '../../../platform/jobs/job-queue.ts'
import { recordNotFound } from '../../../platform/operations/operation.ts'
import { RefusalError, refusalError } from '../../../platform/operations/outcome.ts'
import { grantAt } from '../../../platform/operations/staff-scope.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import type { LockedLease } from '../../leases/lock-lease.ts'
import { ordersOfLease } from '../../payments/payment-shares.ts'
import { generateReceiptNumber } from '../../payments/rules/receipt-number.ts'
import type { ApprovableContext } from '../../staff/approvable-operation.ts'
import {
  addStaffEntries,
  checkAgainstForm,
  lockTenantLease,
  type WrittenEntries,
} from '../../standing/staff-ledger-entries.ts'
import { isFlagged } from '../../tenants/flags.ts'
import { type Drawer, lockDrawer } from '../load-drawers.ts'
import { type CounterMethod, describeCounterPayment } from '../rules/counter-receipts.ts'
import {
  checkAlreadyReceived,
  drawerClosed,
  fullBalanceRequired,
  noChecks,
  paymentPendingForUnit,
  receiptAboveBalance,
} from '../texts/counter.ts'

/** Amount for one lease, with the balance and newest entry that the form showed. */
export interface LeaseShare {
  lease_number: number
  cents: Cents
  balance: Cents
  newest_entry: string
}

/** Payment at the desk as a staff member submits it. */
export interface CounterPayment {
  location_code: string
  tenant_id: number
  batch_id: string
  method: CounterMethod
  /** Number of a check or money order; '' for cash. */
  check_number: string
  leases: readonly LeaseShare[]
}

/** Result of a payment at the desk: the receipt, its sum in cents, and the entries on each lease. */
export interface ReceivedPayment {
  receiptId: string
  cents: Cents
  leases: WrittenEntries[]
}

/** Locks a drawer that must be open and at a facility of the staff member. */
async function lockOpenDrawer({ tx, staff }: ApprovableContext, batchId: string): Promise<Drawer> {
  const drawer = await lockDrawer(tx, batchId)
  if (!drawer || grantAt(staff, 'payment.receive', drawer.location_code) === undefined)
    throw new RefusalError(recordNotFound)
  if (drawer.state !== 'open') throw refusalError(409, 'drawer_closed', drawerClosed)
  return drawer
}

/**
 * Finds an order of the lease that is captured but not posted, or in review. A payment at the desk would pay the lease
 * twice.
 */
const findPendingOrder = (tx: Kysely<Tables>, lease: LockedLease) =>
  ordersOfLease(tx, lease).select('order_id').where('state', 'in', ['captured', 'review']).executeTakeFirst()

/**
 * Locks a lease that a counter payment pays, and checks that balance and newest ledger entry are still those that the
 * form showed.
 * @throws RefusalError with 409 when the lease has changed, another payment of it is in progress, the amount exceeds a
 * closed lease's balance, or a lease in lien or auction is not paid in full
 */
async function lockShare(act: ApprovableContext, input: CounterPayment, share: LeaseShare): Promise<LockedLease> {
  const { location_code, tenant_id } = input
  const lease = await lockTenantLease(act.tx, { location_code, tenant_id, lease_number: share.lease_number })
  await checkAgainstForm(act, lease, share)
  const { balance, unit_number: unit } = lease
  if (await findPendingOrder(act.tx, lease)) throw refusalError(409, 'on_its_way', paymentPendingForUnit(unit))
  if (lease.status === 'Closed' && share.cents > Math.max(balance, 0))
    throw refusalError(409, 'closed', receiptAboveBalance(unit, Math.max(balance, 0)))
  if ((lease.auction_prepped === 1 || lease.lien_case !== null) && share.cents < balance)
    throw refusalError(409, 'full_sum', fullBalanceRequired(unit, balance))
  return lease
}

/** Finds an earlier receipt of the same check or money order, which this or another staff member may have posted. */
const findEarlierReceipt = (tx: Kysely<Tables>, input: CounterPayment, cents: Cents) =>
  tx
    .selectFrom('counter_receipts')
    .select(['receipt_id', 'received_on'])
    .where((eb) => eb.and({ location_code: input.location_code, tenant_id: input.tenant_id }))
    .where((eb) => eb.and({ method: input.method, check_number: input.check_number, cents }))
    .where('state', 'in', ['held', 'deposited', 'matched'])
    .executeTakeFirst()

/**
 * Receives a payment at the desk for leases of one tenant: a receipt, and an entry for each lease. Lock order: drawer,
 * leases by number.
 */
export async function receivePayment(act: ApprovableContext, input: CounterPayment): Promise<ReceivedPayment> {
  const { tx, services, staff } = act
  const drawer = await lockOpenDrawer(act, input.batch_id)
  const shares = [...input.leases].sort((a, b) => a.lease_number - b.lease_number)
  const leases: LockedLease[] = []
  for (const share of shares) leases.push(await lockShare(act, input, share))

  const cents = shares.reduce((sum, share) => sum + share.cents, 0)
  const { location_code, tenant_id, method, check_number } = input
  const tenant = { locationCode: location_code, tenantId: tenant_id }
  if (method === 'check' && (await isFlagged(tx, tenant, 'no_checks'))) throw refusalError(409, 'no_checks', noChecks)
  const earlier = method === 'cash' ? undefined : await findEarlierReceipt(tx, input, cents)
  if (earlier)
    throw refusalError(409, 'check_known', checkAlreadyReceived(describeCounterPayment(method, check_number), earlier))

  const receiptId = generateReceiptNumber(services.random)
  const now = services.clock.now()
  await tx
    .insertInto('counter_receipts')
    .values({
      receipt_id: receiptId,
      batch_id: drawer.batch_id,
      location_code,
      tenant_id,
      method,
      check_number,
      cents,
      received_by: staff.staffId,
      received_at: now,
      received_on: todayIn(leases[0]?.time_zone ?? 'UTC', now),
      state: 'held',
      ended_by: null,
      ended_at: null,
      ended_on: null,
      ended_reason: '',
      ended_note: '',
    })
    .execute()
  const written: WrittenEntries[] = []
  for (const [index, lease] of leases.entries()) {
    const payment = {
      kind: 'payment' as const,
      cents: -(shares[index]?.cents ?? 0),
      description: describeCounterPayment(method, check_number),
      once: `order:${receiptId}:payment`,
      orderId: receiptId,
    }
    written.push(
      await addStaffEntries(act, {
        lease,
        act: 'receive',
        reason: 'counter-payment',
        note: '',
        entries: [payment],
      }),
    )
  }
  await enqueue(tx, { kind: 'counter_receipt', once: receiptId, payload: { receiptId }, runAt: now })
  return { receiptId, cents, leases: written }
}
