import type { Services } from '../../../platform/operations/services.ts'
import { loadLease } from '../../leases/lease.ts'
import { paidLeaseNumbersOf } from '../payment-shares-by-lease.ts'
import type { OrderOnReturn } from './order-on-card-page-return.ts'

/**
 * Loads whether autopay is on for all leases of an order whose payer agreed to autopay. Otherwise the first lease without
 * autopay decides: 'moving_out' with a move-out scheduled, else 'off', as when no card was stored.
 */
export async function loadAutopayAfterPayment(
  services: Services,
  order: Pick<OrderOnReturn, 'order_id' | 'plan' | 'location_code' | 'tenant_id' | 'lease_number'>,
): Promise<'on' | 'moving_out' | 'off'> {
  const tenant = { location_code: order.location_code, tenant_id: order.tenant_id ?? 0 }
  const leaseNumbers = paidLeaseNumbersOf(services, order)
  const leases = await Promise.all(leaseNumbers.map((leaseNumber) => loadLease(services, tenant, leaseNumber)))
  const lease = leases.find((paidLease) => paidLease?.autopay !== 1) ?? leases[0]
  if (lease?.autopay === 1) return 'on'
  return lease?.scheduled_move_out ? 'moving_out' : 'off'
}
