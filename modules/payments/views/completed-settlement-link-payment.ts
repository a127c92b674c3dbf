import type { Services } from '../../../platform/operations/services.ts'
import { isParking } from '../../facilities/rules/room-or-parking-wording.ts'
import { hasFullDayAccess } from '../../gate/assign-and-activate-gate-codes.ts'
import { loadGateHours } from '../../gate/load-and-lock-facility-gate.ts'
import { loadLease, loadUnitCategory } from '../../leases/lease.ts'
import { loadPaymentFacts, type PaymentFacts } from '../receipt.ts'

/** Payment of a settlement link, with the gate hours of its tenant. */
export interface CompletedSettlement extends Pick<PaymentFacts, 'total' | 'method' | 'date' | 'receiptNumber'> {
  orderId: string
  /** Hours of the tenant's gate code in words. */
  gateHours: string
  parking: boolean
}

/**
 * Loads the payment of a paid settlement link; null where its order is unknown.
 * @param facilityHours gate hours that the facility states, for a gate that is not connected
 */
export async function loadCompletedSettlement(
  services: Services,
  link: { location_code: string; tenant_id: number; lease_number: number; order_id: string | null },
  facilityHours: string,
): Promise<CompletedSettlement | null> {
  const facts = link.order_id ? await loadPaymentFacts(services, link.order_id) : null
  if (!facts) return null
  const { read } = services.db
  const lease = await loadLease(services, link, link.lease_number)
  const opensAnyHour = lease && (await hasFullDayAccess(read, lease))
  return {
    orderId: facts.payment.order_id,
    total: facts.total,
    method: facts.method,
    date: facts.date,
    receiptNumber: facts.receiptNumber,
    gateHours: opensAnyHour
      ? 'at any hour'
      : await loadGateHours(read, { location_code: link.location_code, gate_hours: facilityHours }),
    parking: lease !== undefined && isParking(await loadUnitCategory(services, lease)),
  }
}
