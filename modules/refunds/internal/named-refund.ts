import type { Kysely } from 'kysely'
import * as v from 'valibot'
import { type Cents, format } from '../../../domain/money.ts'
import { alreadyDecided } from '../../../domain/texts/office.ts'
import { audit, staffActor } from '../../../platform/audit/audit.ts'
import type { Callers } from '../../../platform/operations/callers.ts'
import { plainLine } from '../../../platform/operations/input-fields.ts'
import { notOnFile } from '../../../platform/operations/operation.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { Tables } from '../../../platform/schema/tables.ts'

export const orderId = v.pipe(plainLine, v.regex(/^[\w-]{8,64}$/, 'must be an order'))

/** Of a posted payment's refund its id, of money that was never posted the order's. */
export const refund = v.pipe(plainLine, v.regex(/^[\w-]{8,64}$/, 'must be a refund'))

export const isOfPosted = (id: string): boolean => v.is(v.pipe(plainLine, v.uuid()), id)

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
export async function withRefund(
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
