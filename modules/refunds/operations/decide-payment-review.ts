import * as v from 'valibot'
import { format } from '../../../domain/money.ts'
import { alreadyDecided } from '../../../domain/texts/office-refusals.ts'
import { staffActor, writeAuditEvent } from '../../../platform/audit/audit.ts'
import { mayAtFacility } from '../../../platform/operations/facilities-of-staff.ts'
import { locationCode, optionalText } from '../../../platform/operations/input-fields.ts'
import { internalOperation, recordNotFound } from '../../../platform/operations/operation.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'
import { capturedCents, type ExtraWrites } from '../../payments/payment.ts'
import { decideReview } from '../../payments/payment-reviews-and-failed-refunds.ts'
import { orderId } from '../internal/refund-id-input.ts'

export const DecideReview = internalOperation({
  name: 'DecideReview',
  access: { staff: mayAtFacility('review.decide') },
  freshFactor: true,
  input: v.object({
    location_code: locationCode(),
    order_id: orderId,
    decision: v.picklist(['post', 'refund']),
    because: optionalText(300),
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
    if (!payment) return recordNotFound
    const writeAudit: ExtraWrites = (tx) =>
      writeAuditEvent(tx, services, staffActor(callers), {
        kind: 'review.decided',
        details: { decision, amount: format(capturedCents(payment)) },
        subject: order_id,
        permission: 'review.decide',
        locationCode: location_code,
        cents: capturedCents(payment),
        reason: because,
        ...(payment.tenant_id !== null && { tenantId: payment.tenant_id }),
        ...(payment.lease_number !== null && { leaseNumber: payment.lease_number }),
      })
    const result = await decideReview(services, order_id, decision, writeAudit)
    return result.ok ? succeed({ now: result.settled.state }) : refuse(409, 'decided', alreadyDecided)
  },
})
