import type { Kysely } from 'kysely'
import * as v from 'valibot'
import { type Cents, format } from '../../../domain/money.ts'
import { alreadyDecided } from '../../../domain/texts/office-refusals.ts'
import { staffActor, writeAuditEvent } from '../../../platform/audit/audit.ts'
import type { Callers } from '../../../platform/operations/callers.ts'
import { plainLine } from '../../../platform/operations/input-fields.ts'
import { recordNotFound } from '../../../platform/operations/operation.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { Tables } from '../../../platform/schema/tables.ts'

export const orderId = v.pipe(plainLine, v.regex(/^[\w-]{8,64}$/, 'must be an order'))

/** Input schema of a refund: the refund's id for a posted payment, the order id for money that was never posted. */
export const refundIdField = v.pipe(plainLine, v.regex(/^[\w-]{8,64}$/, 'must be a refund'))

/** Returns whether the id is that of a posted payment's refund, rather than an order id. */
export const isRefundId = (id: string): boolean => v.is(v.pipe(plainLine, v.uuid()), id)

/**
 * Returns order, amount and lease of a refund that needs a staff member; null when this facility has no such refund.
 */
async function loadRefund(
  services: Services,
  { location_code, refund }: { location_code: string; refund: string },
): Promise<{ orderId: string; cents: Cents; tenantId: number | null; leaseNumber: number | null } | null> {
  const { read } = services.db
  const row = isRefundId(refund)
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

/** Runs a decision to retry a refund or record it as paid by hand, with its audit event in one transaction. */
export async function decideRefund(
  services: Services,
  callers: Callers,
  input: { location_code: string; refund: string },
  act: { kind: 'refund.retried' | 'refund.paid_by_hand'; how: string },
  work: (tx: Kysely<Tables>, staffId: string) => Promise<boolean>,
) {
  const refund = await loadRefund(services, input)
  if (!refund) return recordNotFound
  return services.db.transaction(async (tx) => {
    const actor = staffActor(callers)
    if (!(await work(tx, actor.staff.staffId))) return refuse(409, 'decided', alreadyDecided)
    await writeAuditEvent(tx, services, actor, {
      kind: act.kind,
      details: { amount: format(refund.cents), how: act.how },
      subject: refund.orderId,
      permission: 'review.decide',
      locationCode: input.location_code,
      cents: refund.cents,
      ...(refund.tenantId !== null && { tenantId: refund.tenantId }),
      ...(refund.leaseNumber !== null && { leaseNumber: refund.leaseNumber }),
    })
    return succeed({ done: true })
  })
}
