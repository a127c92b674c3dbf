import type { Kysely } from 'kysely'
import * as v from 'valibot'
import { cancunTime } from '../../../domain/dates.ts'
import { keyAt, ownTenant } from '../../../platform/operations/callers.ts'
import { integer } from '../../../platform/operations/input-fields.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { whose } from '../../leases/lease.ts'
import { invalidLeaseNumber } from '../../leases/texts/portal.ts'
import { inRow, type MoneyMoved, moneyMoved, PAYMENT_HISTORY_FROM, paymentExample, paymentRow } from '../history.ts'

export async function lastPayment(
  db: Kysely<Tables>,
  of: { locationCode: string; tenantId: number; leaseNumber?: number },
): Promise<MoneyMoved | null> {
  const [last] = await moneyMoved(
    db,
    { ...of, paymentsOnly: true },
    { from: PAYMENT_HISTORY_FROM, to: '9999-12-31', most: 1 },
  )
  return last ?? null
}

export const GetTenantLastPaymentDetails = operation({
  name: 'GetTenantLastPaymentDetails',
  summary: "A tenant's last payment, its time in Cancun time: one later than 35 seconds ago has just been made.",
  access: { tenant: ownTenant, machine: keyAt('tenants') },
  input: v.object({ ...whose, lease_number: v.optional(integer(invalidLeaseNumber)) }),
  output: v.object(paymentRow),
  writes: false,
  example: {
    input: { location_code: 'ATL01', tenant_id: 1001 },
    output: paymentExample,
  },
  async run(services, input) {
    const last = await lastPayment(services.db.read, {
      locationCode: input.location_code,
      tenantId: input.tenant_id,
      ...(input.lease_number !== undefined && { leaseNumber: input.lease_number }),
    })
    return succeed(inRow(last, last ? cancunTime(last.at) : ''))
  },
})
