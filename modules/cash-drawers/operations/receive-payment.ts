import type { Kysely } from 'kysely'
import * as v from 'valibot'
import type { Cents } from '../../../domain/money.ts'
import { enqueue } from '../../../platform/jobs/enqueue-requeue-and-cancel-jobs.ts'
import { grantAt } from '../../../platform/operations/facilities-of-staff.ts'
import { integer, locationCode, optionalText } from '../../../platform/operations/input-fields.ts'
import { recordNotFound } from '../../../platform/operations/operation.ts'
import { RefusalError, refusalError, wrongFields } from '../../../platform/operations/outcome.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { type LockedLease, requireToday } from '../../leases/lock-lease-row.ts'
import { hasCapturedPayment } from '../../payments/is-payment-pending.ts'
import { generateReceiptNumber } from '../../payments/rules/receipt-number.ts'
import { type ApprovableContext, approvableOperation } from '../../staff/approvable-operation.ts'
import { addStaffEntries, checkAgainstForm, lockTenantLease } from '../../standing/add-staff-ledger-entries.ts'
import { displayedLedgerFields, previewField } from '../../standing/ledger-operation.ts'
import type { WrittenEntries } from '../../standing/rules/ledger-operation-result-types.ts'
import { isFlagged } from '../../tenants/flags.ts'
import { batchId, cents, drawer as drawerExample } from '../internal/drawer-and-receipt-input-fields.ts'
import { lockDrawer } from '../internal/lock-drawer.ts'
import type { Drawer } from '../load-drawers.ts'
import {
  counterMethods,
  describeCounterPayment,
  MAX_LEASES_PER_RECEIPT,
  MAX_RECEIPT_CENTS,
} from '../rules/counter-receipt-methods-and-states.ts'
import {
  amountTooLarge,
  checkAlreadyReceived,
  drawerClosed,
  fullBalanceRequired,
  noChecks,
  nothingEntered,
  numberNeeded,
  paymentPendingForUnit,
  receiptAboveBalance,
} from '../texts/counter.ts'

const paymentInput = v.object({
  location_code: locationCode(),
  tenant_id: integer(),
  batch_id: batchId,
  method: v.picklist(counterMethods, 'must be check, cash or money_order'),
  check_number: v.pipe(optionalText(30), v.regex(/^[A-Za-z0-9 -]*$/, 'must be letters and digits')),
  leases: v.pipe(
    v.array(
      v.object({
        lease_number: integer(),
        cents,
        ...displayedLedgerFields,
      }),
    ),
    v.minLength(1, nothingEntered),
    v.maxLength(MAX_LEASES_PER_RECEIPT),
  ),
  preview: previewField,
})
type PaymentInput = v.InferOutput<typeof paymentInput>

/** A lease that the payment pays, locked, and its part of the payment in cents. */
interface LeaseToPay {
  lease: LockedLease
  cents: Cents
}

/** Receives a payment at the counter or by post for leases of one tenant: a receipt, and an entry for each lease. */
export const ReceivePayment = approvableOperation({
  name: 'ReceivePayment',
  permission: 'payment.receive',
  done: 'Received.',
  button: { label: 'Take payment', key: 'p', place: 1, page: 'receive', about: 'tenant' },
  input: paymentInput,
  example: {
    location_code: 'ATL01',
    tenant_id: 1001,
    batch_id: drawerExample.batch_id,
    method: 'check',
    check_number: '1042',
    leases: [{ lease_number: 10001, cents: 10_069, balance: 10_069, newest_entry: '' }],
  },
  about: ({ leases }) => {
    const first = leases.find((lease) => lease.cents > 0)
    return { ...(first && { leaseNumber: first.lease_number }) }
  },
  before: async (_, input) => paymentOf(input),
  async work(act, _input, payment) {
    const drawer = await lockOpenDrawer(act, payment.batch_id)
    const leases = await lockLeasesToPay(act, payment)
    const cents = leases.reduce((sum, lease) => sum + lease.cents, 0)
    await checkMethod(act.tx, payment, cents)

    const receiptId = await insertReceipt(act, drawer, payment, cents)
    const paymentText = describeCounterPayment(payment.method, payment.check_number)
    const written: WrittenEntries[] = []
    for (const lease of leases) written.push(await payLease(act, lease, { receiptId, description: paymentText }))
    const { tx, services } = act
    await enqueue(tx, { kind: 'counter_receipt', once: receiptId, payload: { receiptId }, runAt: services.clock.now() })
    const units = written.map((lease) => lease.unitNumber).join(', ')
    await act.audit({
      kind: 'payment.received',
      details: { how: paymentText, units, drawer: drawer.batch_id },
      subject: receiptId,
      cents,
    })
    return { receiptId, cents, leases: written }
  },
})

/**
 * Validates the payment and drops leases without an amount.
 * @returns the payment with its leases by number, the order in which they are locked
 * @throws RefusalError
 */
function paymentOf(input: PaymentInput): PaymentInput {
  const { method, check_number } = input
  const leases = input.leases.filter((lease) => lease.cents > 0).sort((a, b) => a.lease_number - b.lease_number)
  if (leases.length === 0) throw new RefusalError(wrongFields({ leases: nothingEntered }))
  if (method !== 'cash' && check_number === '' && !input.preview)
    throw new RefusalError(wrongFields({ check_number: numberNeeded }))
  if (new Set(leases.map((lease) => lease.lease_number)).size < leases.length)
    throw new RefusalError(wrongFields({ leases: nothingEntered }))
  if (leases.reduce((sum, lease) => sum + lease.cents, 0) > MAX_RECEIPT_CENTS)
    throw new RefusalError(wrongFields({ leases: amountTooLarge(MAX_RECEIPT_CENTS) }))
  return { ...input, leases, check_number: method === 'cash' ? '' : check_number }
}

/**
 * Locks a drawer that must be open and at a facility where the staff member may receive payments. Drawers are locked
 * before leases.
 * @throws RefusalError
 */
async function lockOpenDrawer({ tx, staff }: ApprovableContext, batchId: string): Promise<Drawer> {
  const drawer = await lockDrawer(tx, batchId)
  if (!drawer || grantAt(staff, 'payment.receive', drawer.location_code) === undefined)
    throw new RefusalError(recordNotFound)
  if (drawer.state !== 'open') throw refusalError(409, 'drawer_closed', drawerClosed)
  return drawer
}

/**
 * Locks the leases that the payment pays, by number, and checks each of them.
 * @throws RefusalError
 */
async function lockLeasesToPay(act: ApprovableContext, payment: PaymentInput): Promise<LeaseToPay[]> {
  const { location_code, tenant_id } = payment
  const leases: LeaseToPay[] = []
  for (const { lease_number, cents, ...displayed } of payment.leases) {
    const lease = await lockTenantLease(act.tx, { location_code, tenant_id, lease_number })
    await checkAgainstForm(act, lease, displayed)
    await checkMayPay(act.tx, { lease, cents })
    leases.push({ lease, cents })
  }
  return leases
}

/**
 * Checks that a lease may be paid this amount at the counter.
 * @throws RefusalError with 409 when another payment of the lease is captured or in review, the amount exceeds a closed
 *   lease's balance, or a lease in lien or auction is not paid in full
 */
async function checkMayPay(tx: Kysely<Tables>, { lease, cents }: LeaseToPay): Promise<void> {
  const { balance, unit_number: unit } = lease
  // A payment at the counter would pay the lease twice.
  if (await hasCapturedPayment(tx, lease)) throw refusalError(409, 'on_its_way', paymentPendingForUnit(unit))
  if (lease.status === 'Closed' && cents > Math.max(balance, 0))
    throw refusalError(409, 'closed', receiptAboveBalance(unit, Math.max(balance, 0)))
  if ((lease.auction_prepped === 1 || lease.lien_case !== null) && cents < balance)
    throw refusalError(409, 'full_sum', fullBalanceRequired(unit, balance))
}

/**
 * Checks that the tenant may pay by check, and that the tenant has no earlier valid receipt of this check or money order
 * over the same amount.
 * @throws RefusalError with 409
 */
async function checkMethod(tx: Kysely<Tables>, payment: PaymentInput, cents: Cents): Promise<void> {
  const { location_code, tenant_id, method, check_number } = payment
  const tenant = { locationCode: location_code, tenantId: tenant_id }
  if (method === 'check' && (await isFlagged(tx, tenant, 'no_checks'))) throw refusalError(409, 'no_checks', noChecks)
  const earlier = method === 'cash' ? undefined : await findEarlierReceipt(tx, payment, cents)
  if (earlier)
    throw refusalError(409, 'check_known', checkAlreadyReceived(describeCounterPayment(method, check_number), earlier))
}

/** Finds the tenant's receipt of the same check or money order and amount that was neither voided nor returned. */
const findEarlierReceipt = (
  tx: Kysely<Tables>,
  { location_code, tenant_id, method, check_number }: PaymentInput,
  cents: Cents,
) =>
  tx
    .selectFrom('counter_receipts')
    .select(['receipt_id', 'received_on'])
    .where((eb) => eb.and({ location_code, tenant_id, method, check_number, cents }))
    .where('state', 'in', ['held', 'deposited', 'matched'])
    .executeTakeFirst()

/** Inserts the receipt. @returns its id */
async function insertReceipt(
  { tx, services, staff }: ApprovableContext,
  { batch_id }: Drawer,
  { location_code, tenant_id, method, check_number }: PaymentInput,
  cents: Cents,
): Promise<string> {
  const receipt_id = generateReceiptNumber(services.random)
  await tx
    .insertInto('counter_receipts')
    .values({
      receipt_id,
      batch_id,
      location_code,
      tenant_id,
      method,
      check_number,
      cents,
      received_by: staff.staffId,
      received_at: services.clock.now(),
      received_on: await requireToday(tx, services, location_code),
      state: 'held',
      ended_by: null,
      ended_at: null,
      ended_on: null,
      ended_reason: '',
      ended_note: '',
    })
    .execute()
  return receipt_id
}

const payLease = (
  act: ApprovableContext,
  { lease, cents }: LeaseToPay,
  { receiptId, description }: { receiptId: string; description: string },
): Promise<WrittenEntries> =>
  addStaffEntries(act, {
    lease,
    act: 'receive',
    reason: 'counter-payment',
    note: '',
    entries: [{ kind: 'payment', cents: -cents, description, once: `order:${receiptId}:payment`, orderId: receiptId }],
  })
