/** Refunds that office.test.ts kills before they finish. */

import { openCheckout } from '../../modules/payments/open/open-checkout.ts'
import { settlePayment } from '../../modules/payments/settle-payment.ts'
import {
  chargeNextPeriod,
  cyDues,
  leaseOf,
  type PayingServices,
  recordOf,
  recordsOf,
  startTestCheckout,
} from '../../modules/payments/testing.ts'
import type { PaymentSandbox } from '../../modules/payments/testing-card-provider.ts'
import { RefundPayment } from '../../modules/refunds/operations/refund-payment.ts'
import { loadNewestEntry } from '../../modules/standing/add-staff-ledger-entries.ts'
import { perform } from '../../platform/operations/operation.ts'
import { payAtHostedPage } from '../../sandbox/submit-card-page-in-tests.ts'
import { visitor } from '../support/small-operator.ts'
import type { OfficeAct } from './killed-operation-interfaces.ts'

/** Pays what lease 10002 owes by card, after charging a period if it owes nothing. Returns the form of the refund. */
async function refundForm(services: PayingServices) {
  if ((await leaseOf(services, 10002)).balance <= 0) await chargeNextPeriod(services, 10002)
  const page = await openCheckout(services, await startTestCheckout(services, cyDues), visitor())
  if (!page.ok) throw new Error(page.why)
  await payAtHostedPage(page.payPageUrl, 'visa')
  await settlePayment(services, page.orderId)
  const { amount } = await recordOf(services, 'payments', { order_id: page.orderId })
  const { location_code, lease_number, tenant_id, balance } = await leaseOf(services, 10002)
  const newest = await loadNewestEntry(services.db.read, { location_code, lease_number })
  return {
    location_code,
    lease_number,
    tenant_id,
    balance,
    newest_entry: newest?.entry_id ?? '',
    act_id: services.random.uuid(),
    note: '',
    order_id: page.orderId,
    cents: amount,
    way: 'provider',
    afterwards: 'owed',
    reason: 'charged-twice',
  }
}

/** Checks that order, refund, ledger, audit and provider agree on one refund. Returns violations. */
async function findRefundViolations(
  services: PayingServices,
  paymentSandbox: PaymentSandbox,
  { order_id, cents }: { order_id: string; cents: number },
): Promise<string[]> {
  const sum = (rows: readonly { cents: number | null }[]) => rows.reduce((total, row) => total + (row.cents ?? 0), 0)
  const entries = await recordsOf(services, 'ledger_entries', { order_id, kind: 'refund' })
  const refunds = await recordsOf(services, 'refunds', { order_id })
  const actual = {
    order: (await recordOf(services, 'payments', { order_id })).refunded_cents,
    refunds: sum(refunds),
    ledger: sum(entries),
    audit: sum(await recordsOf(services, 'audit_events', { kind: 'money.refunded', subject: order_id })),
    provider: (await paymentSandbox.moved(order_id)).returned,
  }
  const reasons = await recordsOf(services, 'entry_reasons')
  return [
    ...Object.entries(actual).flatMap(([record, sum]) => (sum === cents ? [] : [`${record} has ${sum} of ${cents}`])),
    ...(refunds.every(({ state }) => state === 'done') ? [] : ['it is not done']),
    ...(entries.every(({ entry_id }) => reasons.some((reason) => reason.entry_id === entry_id)) ? [] : ['no reason']),
  ]
}

export const refundActs: readonly OfficeAct[] = [
  {
    name: 'a refund',
    inTests: true,
    async prepare(services, paymentSandbox) {
      const input = await refundForm(services)
      return {
        operation: 'RefundPayment',
        input,
        findViolations: () => findRefundViolations(services, paymentSandbox, input),
      }
    },
  },
  {
    name: 'the approval of a refund',
    inTests: true,
    async prepare(services, paymentSandbox, { agent }) {
      const form = await refundForm(services)
      const outcome = await perform(services, RefundPayment, form, agent)
      if (!outcome.ok || outcome.value.result !== 'asked') throw new Error(JSON.stringify(outcome))
      const { approval_id } = outcome.value
      return {
        operation: 'DecideApproval',
        input: { approval_id, location_code: 'GA1', decision: 'approve', because: '' },
        async findViolations() {
          const { state } = await recordOf(services, 'approvals', { approval_id })
          const events = await recordsOf(services, 'audit_events', { kind: 'approval.approved', subject: approval_id })
          return [
            ...(await findRefundViolations(services, paymentSandbox, form)),
            ...(state === 'approved' && events.length === 1
              ? []
              : [`the request is ${state}, told ${events.length} times`]),
          ]
        },
      }
    },
  },
]
