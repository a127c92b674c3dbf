import type { Kysely } from 'kysely'
import * as v from 'valibot'
import { format } from '../../../domain/money.ts'
import { labelInWords } from '../../../domain/payment.ts'
import { refundAfterwards, refundWays } from '../../../domain/refund.ts'
import { type Callers, may } from '../../../platform/operations/callers.ts'
import { internalOperation, notOnFile } from '../../../platform/operations/operation.ts'
import { refuse } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { lockLease } from '../../leases/lock.ts'
import { typedCents } from '../../ledger/entry-input.ts'
import { paidBy } from '../../payments/payment.ts'
import {
  actFields,
  type LedgerTools,
  ledgerAct,
  lockForAct,
  reasonField,
  type WrittenOnLease,
} from '../../standing/adjustments.ts'
import { orderId } from '../internal/named-refund.ts'
import { bankRefundDays, orderOnLease, refusalOf, writeRefund } from '../post-refund.ts'

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
