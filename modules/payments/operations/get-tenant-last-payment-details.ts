import type { Kysely } from 'kysely'
import * as v from 'valibot'
import { cancunTime } from '../../../domain/time-zone-dates.ts'
import { ownTenant } from '../../../platform/operations/callers.ts'
import { integer } from '../../../platform/operations/input-fields.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { invalidLeaseNumber } from '../../leases/texts/portal.ts'
import { tenantFields } from '../../tenants/tenant-key-input.ts'
import {
  loadMoneyMovements,
  type MoneyMovement,
  PAYMENT_HISTORY_FROM,
  paymentExample,
  paymentRow,
  toHistoryRow,
} from '../payment-history.ts'

/** Loads the last payment of a tenant, or of one of their leases; null if there is none. */
async function loadLastPayment(
  db: Kysely<Tables>,
  tenant: { locationCode: string; tenantId: number; leaseNumber?: number },
): Promise<MoneyMovement | null> {
  const [last] = await loadMoneyMovements(
    db,
    { ...tenant, paymentsOnly: true },
    { from: PAYMENT_HISTORY_FROM, to: '9999-12-31', limit: 1 },
  )
  return last ?? null
}

export const GetTenantLastPaymentDetails = operation({
  name: 'GetTenantLastPaymentDetails',
  summary: "A tenant's last payment, its time in Cancun time: one later than 35 seconds ago has just been made.",
  access: { tenant: ownTenant },
  input: v.object({ ...tenantFields, lease_number: v.optional(integer(invalidLeaseNumber)) }),
  output: v.object(paymentRow),
  writes: false,
  example: {
    input: { location_code: 'ATL01', tenant_id: 1001 },
    output: paymentExample,
  },
  async run(services, input) {
    const last = await loadLastPayment(services.db.read, {
      locationCode: input.location_code,
      tenantId: input.tenant_id,
      ...(input.lease_number !== undefined && { leaseNumber: input.lease_number }),
    })
    return succeed(toHistoryRow(last, last ? cancunTime(last.at) : ''))
  },
})
