import { isTenant } from '../../../platform/database/where-tenant-or-lease-key.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { capturedCents } from '../payment.ts'
import { allocateCaptured, loadShares } from '../payment-shares-by-lease.ts'

/** A payment in review, as the lease that it pays shows it. */
export interface PaymentInReview {
  orderId: string
  leaseNumber: number
  /** Cents. */
  amount: number
  capturedAt: number
}

/** Returns a tenant's payments in review, also of guest payers, newest first: one item for each lease that a payment pays. */
export async function loadTenantInReview(
  services: Pick<Services, 'db'>,
  tenant: { locationCode: string; tenantId: number },
): Promise<PaymentInReview[]> {
  const rows = await services.db.read
    .selectFrom('payments')
    .selectAll()
    .where(isTenant({ location_code: tenant.locationCode, tenant_id: tenant.tenantId }))
    .where('state', '=', 'review')
    .orderBy('created_at', 'desc')
    .execute()
  const partsByPayment = rows.map(async (row) =>
    // Until it is posted, a payment for several units has the shares agreed on, not those of the captured amount.
    allocateCaptured(await loadShares(services.db.read, row), capturedCents(row)).map((share) => ({
      orderId: row.order_id,
      leaseNumber: share.lease_number,
      amount: share.cents,
      capturedAt: row.captured_at ?? row.created_at,
    })),
  )
  return (await Promise.all(partsByPayment)).flat()
}
