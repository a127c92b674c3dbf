/** Operations of the office on money that came by card or bank: refunds, and payments in review. */
import type { Kysely } from 'kysely'
import * as v from 'valibot'
import { type Cents, format } from '../../../domain/money.ts'
import { labelInWords } from '../../../domain/payment.ts'
import { refundAfterwards, refundWays } from '../../../domain/refund.ts'
import { alreadyDecided } from '../../../domain/texts/office.ts'
import { audit, staffActor } from '../../../platform/audit/audit.ts'
import { type Callers, may } from '../../../platform/operations/callers.ts'
import { locationCode, optional, required } from '../../../platform/operations/input-fields.ts'
import { internalOperation, notOnFile } from '../../../platform/operations/operation.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { lockLease } from '../../leases/lock.ts'
import { typedCents } from '../../ledger/operations/staff-operations.ts'
import { decideReview, recordPaidByHand, retryRefund } from '../../payments/manual-review.ts'
import { type Also, paidBy } from '../../payments/payment.ts'
import {
  actFields,
  type LedgerTools,
  ledgerAct,
  lockForAct,
  reasonField,
  type WrittenOnLease,
} from '../../standing/adjustments.ts'
import { bankRefundDays, capturedOf, orderOnLease, refusalOf, writeRefund } from '../post-refund.ts'
import { refundPaidByHand, sendRefundAgain } from '../send-refunds.ts'

const orderId = v.pipe(v.string(), v.regex(/^[\w-]{8,64}$/, 'must be an order'))
/** Of a posted payment's refund its id, of money that was never posted the order's. */
const refund = v.pipe(v.string(), v.regex(/^[\w-]{8,64}$/, 'must be a refund'))

const isOfPosted = (id: string): boolean => v.is(v.pipe(v.string(), v.uuid()), id)

type RefundInput = v.InferOutput<typeof RefundPayment.input>

/** The lease of a refund. A request approved without its page holds whatever the ledger got meanwhile; a form does not. */
async function lockForRefund(tx: Kysely<Tables>, tools: LedgerTools, callers: Callers, input: RefundInput) {
  if (callers.approval === undefined || callers.seen || input.preview) return lockForAct(tx, tools, input, input)
  const lease = await lockLease(tx, input)
  return lease?.tenant_id === input.tenant_id ? lease : tools.refuse(notOnFile)
}

async function refundInAct(
  tx: Kysely<Tables>,
  services: Services,
  callers: Callers,
  tools: LedgerTools,
  input: RefundInput,
): Promise<{ written: WrittenOnLease; to: string }> {
  const lease = await lockForRefund(tx, tools, callers, input)
  const payment = await orderOnLease(tx, input)
  if (!payment) return tools.refuse(notOnFile)
  const bankDays = await bankRefundDays(tx)
  const of = { timeZone: lease.time_zone, now: services.clock.now(), bankDays }
  const refused = refusalOf(payment, input, of)
  if (refused) {
    const { code, message, field } = refused
    return tools.refuse(refuse(409, code, message, field && { fields: { [field]: message } }))
  }
  const to = input.way === 'check' ? 'by check' : labelInWords(`to ${paidBy(payment)}`)
  await tools.authorise(input.cents, `Refund ${format(input.cents)} ${to}, ${lease.unit_number}`)
  const asked = { ...input, refundId: input.act_id }
  return { written: await writeRefund(tx, services, callers, tools, { payment, lease, asked }), to }
}

export const RefundPayment = internalOperation({
  name: 'RefundPayment',
  access: { staff: may('money.refund') },
  // What it would write is shown before the factor is asked for.
  freshFactor: ({ preview }) => !preview,
  input: v.object({
    ...actFields,
    order_id: orderId,
    cents: typedCents,
    way: v.picklist(refundWays),
    afterwards: v.picklist(refundAfterwards),
    reason: reasonField('refund'),
  }),
  example: {
    input: {
      location_code: 'ATL01',
      tenant_id: 1001,
      lease_number: 10001,
      balance: 0,
      newest_entry: '',
      act_id: '5a1f1a68-1c3f-4a55-9a39-0f5b8f0f1c14',
      note: '',
      order_id: 'LK00000000000000000000000A',
      cents: 13_712,
      way: 'provider',
      afterwards: 'owed',
      reason: 'charged-twice',
    },
  },
  run(services, input, callers) {
    const act = { operation: 'RefundPayment', act: 'refund', permission: 'money.refund', input } as const
    return ledgerAct(services, callers, act, async (tx, tools) => {
      const { written, to } = await refundInAct(tx, services, callers, tools, input)
      const details = { amount: format(input.cents), to, afterwards: input.afterwards }
      return { leases: [written], event: { kind: 'money.refunded', details, subject: input.order_id } }
    })
  },
})

/** Facility and amount of a refund that a person has to look at; null where there is none at this facility. */
async function refundAt(
  services: Services,
  { location_code, refund }: { location_code: string; refund: string },
): Promise<{ orderId: string; cents: Cents; tenantId: number | null; leaseNumber: number | null } | null> {
  const { read } = services.db
  const row = isOfPosted(refund)
    ? await read
        .selectFrom('refunds')
        .select(['order_id', 'cents', 'tenant_id', 'lease_number'])
        .where('refund_id', '=', refund)
        .where('location_code', '=', location_code)
        .executeTakeFirst()
    : await read
        .selectFrom('refund_tasks')
        .innerJoin('payments', 'payments.order_id', 'refund_tasks.order_id')
        .select(['refund_tasks.order_id', 'cents', 'tenant_id', 'lease_number'])
        .where('refund_tasks.order_id', '=', refund)
        .where('refund_tasks.location_code', '=', location_code)
        .executeTakeFirst()
  return (
    (row && { orderId: row.order_id, cents: row.cents, tenantId: row.tenant_id, leaseNumber: row.lease_number }) ?? null
  )
}

/** Ends what a refund waits for, with its audit event in the same transaction. */
async function withRefund(
  services: Services,
  callers: Callers,
  input: { location_code: string; refund: string },
  act: { kind: 'refund.retried' | 'refund.paid_by_hand'; how: string },
  work: (tx: Kysely<Tables>, who: string) => Promise<boolean>,
) {
  const about = await refundAt(services, input)
  if (!about) return notOnFile
  return services.db.transaction(async (tx) => {
    const by = staffActor(callers)
    if (!(await work(tx, by.staff.staffId))) return refuse(409, 'decided', alreadyDecided)
    await audit(tx, services, by, {
      kind: act.kind,
      details: { amount: format(about.cents), how: act.how },
      subject: about.orderId,
      permission: 'review.decide',
      locationCode: input.location_code,
      cents: about.cents,
      ...(about.tenantId !== null && { tenantId: about.tenantId }),
      ...(about.leaseNumber !== null && { leaseNumber: about.leaseNumber }),
    })
    return succeed({ done: true })
  })
}

export const RetryRefund = internalOperation({
  name: 'RetryRefund',
  access: { staff: may('review.decide') },
  freshFactor: true,
  input: v.object({ location_code: locationCode(), refund }),
  example: { input: { location_code: 'ATL01', refund: '5a1f1a68-1c3f-4a55-9a39-0f5b8f0f1c14' } },
  run: (services, input, callers) =>
    withRefund(services, callers, input, { kind: 'refund.retried', how: '' }, async (tx, who) =>
      isOfPosted(input.refund)
        ? (await sendRefundAgain(tx, services, input.refund, who)) !== null
        : retryRefund(services, input.refund, tx),
    ),
})

export const RefundedByHand = internalOperation({
  name: 'RefundedByHand',
  access: { staff: may('review.decide') },
  freshFactor: true,
  input: v.object({ location_code: locationCode(), refund, how: required(100) }),
  example: { input: { location_code: 'ATL01', refund: '5a1f1a68-1c3f-4a55-9a39-0f5b8f0f1c14', how: 'check 1042' } },
  run: (services, input, callers) =>
    withRefund(services, callers, input, { kind: 'refund.paid_by_hand', how: input.how }, async (tx, who) =>
      isOfPosted(input.refund)
        ? (await refundPaidByHand(tx, services, input.refund, { how: input.how, who })) !== null
        : recordPaidByHand(tx, services, input.refund, input.how),
    ),
})

export const DecideReview = internalOperation({
  name: 'DecideReview',
  access: { staff: may('review.decide') },
  freshFactor: true,
  input: v.object({
    location_code: locationCode(),
    order_id: orderId,
    decision: v.picklist(['post', 'refund']),
    because: optional(300),
  }),
  example: {
    input: { location_code: 'ATL01', order_id: 'LK00000000000000000000000A', decision: 'post', because: '' },
  },
  async run(services, { location_code, order_id, decision, because }, callers) {
    const payment = await services.db.read
      .selectFrom('payments')
      .selectAll()
      .where('order_id', '=', order_id)
      .where('location_code', '=', location_code)
      .executeTakeFirst()
    if (!payment) return notOnFile
    const also: Also = (tx) =>
      audit(tx, services, staffActor(callers), {
        kind: 'review.decided',
        details: { decision, amount: format(capturedOf(payment)) },
        subject: order_id,
        permission: 'review.decide',
        locationCode: location_code,
        cents: capturedOf(payment),
        reason: because,
        ...(payment.tenant_id !== null && { tenantId: payment.tenant_id }),
        ...(payment.lease_number !== null && { leaseNumber: payment.lease_number }),
      })
    const decided = await decideReview(services, order_id, decision, also)
    return decided.ok ? succeed({ now: decided.settled.state }) : refuse(409, 'decided', alreadyDecided)
  },
})

export const moneyBackOperations = [RefundPayment, RetryRefund, RefundedByHand, DecideReview]
