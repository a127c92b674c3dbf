import { isTenant } from '../../../platform/database/where-tenant-or-lease-key.ts'
import type { Callers } from '../../../platform/operations/callers.ts'
import { refuse } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { Payment } from '../../payments/payment.ts'
import { isOwnPayment } from '../../payments/rules/payment-visibility.ts'

/** Returns the 409 refusal of a request for a mail about a payment, where the caller has no such payment or mail. */
export const nothingToSend = () => refuse(409, 'nothing_to_send', 'There is no completed payment to write about.')

/** Loads the caller's newest payment that was posted, even if the bank returned it since; undefined without one. */
export async function loadLastOwnPayment(services: Services, callers: Callers): Promise<Payment | undefined> {
  const newestPayments = () =>
    services.db.read
      .selectFrom('payments')
      .selectAll()
      .where('state', 'in', ['posted', 'returned'])
      .orderBy('created_at', 'desc')
      .limit(20)
  const { rental, tenant, guest, auction, settlement } = callers
  const payments = [
    ...(rental ? await newestPayments().where('draft_id', '=', rental.draftId).execute() : []),
    ...(auction ? await newestPayments().where('link_uuid', '=', auction.uuid).execute() : []),
    ...(settlement ? await newestPayments().where('link_uuid', '=', settlement.uuid).execute() : []),
  ]
  for (const tenantKey of [...(tenant?.tenants ?? []), ...(guest?.tenants ?? [])]) {
    payments.push(
      ...(await newestPayments()
        .where(isTenant({ location_code: tenantKey.locationCode, tenant_id: tenantKey.tenantId }))
        .execute()),
    )
  }
  return payments.filter((payment) => isOwnPayment(callers, payment)).sort((a, b) => b.created_at - a.created_at)[0]
}
