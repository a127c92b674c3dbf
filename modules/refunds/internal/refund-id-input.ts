import * as v from 'valibot'
import { plainLine } from '../../../platform/operations/input-fields.ts'
import { recordNotFound } from '../../../platform/operations/operation.ts'
import { RefusalError } from '../../../platform/operations/outcome.ts'
import type { OfficeContext } from '../../staff/office-operation.ts'

export const orderId = v.pipe(plainLine, v.regex(/^[\w-]{8,64}$/, 'must be an order'))

/** Input schema of a refund: the refund's id for a posted payment, the order id for money that was never posted. */
export const refundIdField = v.pipe(plainLine, v.regex(/^[\w-]{8,64}$/, 'must be a refund'))

/** Returns whether the id is that of a posted payment's refund, rather than an order id. */
export const isRefundId = (id: string): boolean => v.is(v.pipe(plainLine, v.uuid()), id)

/**
 * Loads the fields by which an audit event names a refund of the facility: its order, amount, tenant and lease.
 * @throws RefusalError when this facility has no such refund
 */
export async function loadRefund(
  { tx }: Pick<OfficeContext, 'tx'>,
  { location_code, refund }: { location_code: string; refund: string },
) {
  const row = isRefundId(refund)
    ? await tx
        .selectFrom('refunds')
        .select(['order_id', 'cents', 'tenant_id', 'lease_number'])
        .where('refund_id', '=', refund)
        .where('location_code', '=', location_code)
        .executeTakeFirst()
    : await tx
        .selectFrom('refund_tasks')
        .innerJoin('payments', 'payments.order_id', 'refund_tasks.order_id')
        .select(['refund_tasks.order_id', 'cents', 'tenant_id', 'lease_number'])
        .where('refund_tasks.order_id', '=', refund)
        .where('refund_tasks.location_code', '=', location_code)
        .executeTakeFirst()
  if (!row) throw new RefusalError(recordNotFound)
  return {
    subject: row.order_id,
    cents: row.cents,
    ...(row.tenant_id !== null && { tenantId: row.tenant_id }),
    ...(row.lease_number !== null && { leaseNumber: row.lease_number }),
  }
}
